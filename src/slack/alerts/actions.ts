import type { AcknowledgeResult, Alerts } from '../../sends/alerts/service.ts';
import { moment } from '../kit/blocks/blocks.ts';
import { answerClick, clickerOf } from '../kit/clicks/answering.ts';
import type { ClickHandler } from '../kit/clicks/arguments.ts';
import { whoOf } from './card.ts';

/** The card tells everybody else; who clicked is told what came of the click. */
export const handleAcknowledge: ClickHandler<{ readonly alerts: Pick<Alerts, 'acknowledge'> }> = async (
  args,
  { alerts },
) => {
  const { userId } = clickerOf(args);
  await answerClick(args, sentenceOf(await alerts.acknowledge(args.action.value ?? '', userId), userId));
};

function sentenceOf(result: AcknowledgeResult, userId: string): string {
  if (result.state === 'acknowledged')
    return 'You have acknowledged this alert: nobody else is notified, and repeats of it stay silent.';
  if (result.state === 'not_found') return 'Herald has no record of this alert. Nothing was changed.';
  const { state, ended } = result.alert;
  const at = ended === undefined ? '' : `, ${moment(ended.at)}`;
  if (state === 'acknowledged')
    return ended?.by === userId
      ? `You had acknowledged it before${at}.`
      : `${ended?.by === undefined ? 'Somebody' : whoOf(ended.by)} was quicker and has acknowledged it${at}.`;
  return state === 'resolved' ? `It is over${at}.` : `It was withdrawn${at}.`;
}
