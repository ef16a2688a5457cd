import type { types } from '@slack/bolt';
import { leftOut } from '../../../sends/bulk/warnings.ts';
import type { RetryGroup, Send } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import {
  actions,
  button,
  context,
  mention,
  menu,
  moment,
  section,
  wholeSection,
} from '../../kit/blocks/blocks.ts';
import { likeThisChoices } from '../../kit/cards/again-buttons.ts';
import { answerBlocks } from '../../kit/cards/answers.ts';
import { becameOf } from '../../kit/cards/listed-sends.ts';
import { messageInShort } from '../../kit/cards/message-blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import { templateButtons } from '../../kit/cards/template-of.ts';
import {
  actorOf,
  approversOf,
  duration,
  isPage,
  people,
  RETRY_GROUPS,
  shown,
  stateOf,
  whatSend,
  whyText,
} from '../../kit/cards/words.ts';
import { type EndedSend, timesOf } from '../standing.ts';
import { causeBlocks, progressMark, retryUnknownButton } from './card.ts';
import { courseBlocks } from './course.ts';
import { REPORT_ACTION } from './report.ts';

export const RETRY_FAILED_ACTION = 'send_retry_failed';
export const SEND_TO_REST_ACTION = 'send_to_rest';

const SHOWN_WHY = 400;
const HALTS_SHOWN = 6;

/**
 * Says what became of a send, for whoever reads it the morning after: how many have it, whom it did not reach and why, and the ways
 * on; then when, by whom, and how it went over time.
 */
export function endedCard(ended: EndedSend): Card {
  const { send, template, answers, failures, retries, audience } = ended;
  const { mark, words: became } = becameOf(send, answers);
  const words = send.state === 'done' ? `${stateOf(send).words} · ${became}` : became;
  const what = whatSend(send, template);
  const left = leftOut({ audience, failures });
  const goneOn = retries.map(
    ({ id, retryGroup = 'failed' }) => `Another send goes to ${RETRY_GROUPS[retryGroup]}: ${id}.`,
  );
  const lines = [...haltLines(ended), ...(left === undefined ? [] : [`➖ ${escapeMrkdwn(left)}`])];
  return {
    text: `${mark} ${what}: ${words}. Reference ${send.id}.`,
    blocks: [
      { ...section(`${mark} *${what}*: ${words}`), block_id: progressMark(send.id) },
      ...messageInShort(send.message, template),
      ...answerBlocks(answers),
      ...(lines.length === 0 ? [] : [wholeSection(lines.join('\n'))]),
      ...causeBlocks([...failures, ...(answers?.failures ?? [])]),
      ...(goneOn.length === 0 ? [] : [context(goneOn.join('\n'))]),
      ...actions([...waysOn(send, retries), ...templateButtons(send.message, send.reason)]),
      context(whenText(ended)),
      ...courseBlocks(ended),
    ],
  };
}

/** Offers what can be done for those whom it did not reach, the report, and what a new send can take over. */
function waysOn(send: Send, retries: readonly Send[]): types.ActionsBlock['elements'] {
  const unknown = isTriedAgain(retries, 'unknown') ? 0 : send.counts.unknown;
  return [
    ...retryButtons(send, retries),
    ...(unknown > 0 ? [retryUnknownButton(send)] : []),
    ...(send.counts.attempting > 0 ? [] : [button(REPORT_ACTION, 'Report', send.id)]),
    menu(...likeThisChoices(send)),
  ];
}

function whenText(ended: EndedSend): string {
  const { send, approvals } = ended;
  const { from, to } = timesOf(ended);
  return [
    `${moment(from)}, ${duration(to - from)}`,
    `by ${mention(send.origin.userId)}`,
    approvals.length > 0
      ? `approved by ${approversOf(approvals)}`
      : `no approval needed${isPage(send) ? ' for a page' : ''}`,
    send.id,
  ].join(' · ');
}

/** Names who, or what, paused, resumed and stopped it, oldest first; of many the latest. */
function haltLines({ send, events }: EndedSend): string[] {
  const begun = events.findIndex(({ action }) => action === 'sending');
  const lines = events.slice(begun + 1).flatMap((event) => {
    const words = HALTS[event.action];
    if (words === undefined) return [];
    const why = event.reason === undefined ? '' : ` ${whyText(event.reason, SHOWN_WHY)}`;
    return [`${words} ${actorOf(event)}.${why}`];
  });
  const rest = send.counts.pending > 0 ? ['Those who were not tried yet get nothing from this send.'] : [];
  const left = lines.length > HALTS_SHOWN ? ['… it was held up before, too.'] : [];
  return [...left, ...lines.slice(-HALTS_SHOWN), ...rest];
}

const HALTS: Readonly<Record<string, string>> = {
  paused: '⏸️ Paused',
  sending: '▶️ Resumed',
  stopped: '⏹️ Stopped',
};

/** For whom another send can be asked for: nobody twice, and nobody who may still be reached by this one. */
function retryButtons({ id, counts }: Send, retries: readonly Send[]): types.Button[] {
  const { rejected, not_sent, pending, attempting } = counts;
  const failed = isTriedAgain(retries, 'failed') ? 0 : rejected + not_sent;
  const untried = isTriedAgain(retries, 'untried') ? 0 : pending;
  const one = (actionId: string, count: number, text: string, title: string, who: string, yes: string) => {
    const how = `Only those ${who}. It is a send of its own, approved like any other.`;
    const question = { title: `${title} to ${people(count)}?`, text: how, yes };
    return count === 0 || attempting > 0 ? [] : [button(actionId, text, id, { question })];
  };
  const rest = `Send to the remaining ${shown(untried)}`;
  const again = `Retry failed (${shown(failed)})`;
  return [
    ...one(SEND_TO_REST_ACTION, untried, rest, 'Send', 'who were not tried', 'Send to them'),
    ...one(RETRY_FAILED_ACTION, failed, again, 'Send again', 'to whom nothing was sent', 'Retry failed'),
  ];
}

function isTriedAgain(retries: readonly Send[], group: RetryGroup): boolean {
  return retries.some(({ retryGroup }) => retryGroup === group);
}
