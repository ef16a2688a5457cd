import type { SendEvent } from '../../sends/record.ts';
import type { Send } from '../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { actorOf, SEND_STATES, stateOf } from '../kit/cards/words.ts';

const EVENTS_SHOWN = 20;
const SHOWN_REASON = 100;
/** What the card warned of when it was approved. */
const SHOWN_WARNINGS = 600;

const ACTION_WORDS: Readonly<Record<string, string>> = {
  requested: 'asked for',
  awaiting_approval: 'handed to the approvers',
  approved_by: 'approved',
  reminded: 'approvers reminded',
  chose_to_wait: 'chose to wait for the end of quiet hours:',
  approval_refused: 'an approval was clicked and refused,',
  doubts_settled: 'doubts settled',
  numbers_removed: 'numbers and values removed',
  texts_removed: 'texts removed',
  erased: 'a recipient erased',
  left_unknown: 'chose not to send again to those who may have it:',
};

/** Who did what, oldest first; of a long record the latest. */
export function recordText(events: readonly SendEvent[]): string {
  const shown = events.slice(-EVENTS_SHOWN).map((event) => {
    const words = ACTION_WORDS[event.action] ?? actionWords(event);
    const why =
      event.reason === undefined
        ? ''
        : ` – ${literalMrkdwn(event.reason.what, event.action === 'approved_by' ? SHOWN_WARNINGS : SHOWN_REASON)}`;
    return `${words} ${actorOf(event)}${why}`;
  });
  const left = events.length > EVENTS_SHOWN ? ['… (`/sends audit` has all of it)'] : [];
  return ['*Record*', ...left, ...shown].join('\n').slice(0, LIMITS.sectionText);
}

function actionWords({ action, reason }: SendEvent): string {
  return Object.hasOwn(SEND_STATES, action)
    ? stateOf({ state: action as Send['state'], ...(reason && { reason }) }).words
    : escapeMrkdwn(action, 80);
}
