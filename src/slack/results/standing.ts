import type { Template } from '../../messages/templates/template.ts';
import type { Audience } from '../../sends/audience.ts';
import type { Approval, FailureGroup } from '../../sends/ports.ts';
import type { AnswerSummary } from '../../sends/replies/ports.ts';
import type { Send, SendEvent } from '../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import { actorOf, lastInto, SEND_STATES, stateOf } from '../kit/cards/words.ts';
import type { SlackServices } from '../kit/services.ts';

/** A send to many as it stands, and its record. */
export interface Standing {
  readonly send: Send;
  readonly template: Template | undefined;
  readonly approvals: readonly Approval[];
  /** The record, oldest first. */
  readonly events: readonly SendEvent[];
}

/** All that is shown of a send is made from these. */
export type SendSources = Pick<
  SlackServices,
  'store' | 'audiences' | 'answers' | 'catalogue' | 'speedOf' | 'cardSettings' | 'clock' | 'logger'
>;

export async function standingOf(send: Send, { store, catalogue, logger }: SendSources): Promise<Standing> {
  const [template, approvals, events] = await Promise.all([
    templateOf(send, catalogue, logger),
    store.approvals(send.id),
    store.events(send.id),
  ]);
  return { send, template, approvals, events };
}

/** A send that is done or stopped, and all that its last message says of it. */
export interface EndedSend extends Standing {
  readonly failures: readonly FailureGroup[];
  readonly retries: readonly Send[];
  /** Absent when the list is no longer there. */
  readonly audience: Audience | undefined;
  /** Answers of customers and their phones, where webhooks report them. */
  readonly answers: AnswerSummary | undefined;
}

export async function gatherEnded(send: Send, sources: SendSources): Promise<EndedSend> {
  const { store, audiences, answers } = sources;
  return {
    ...(await standingOf(send, sources)),
    audience: send.audience && (await audiences.find(send.audience.id)),
    failures: await store.failures(send.id),
    retries: await store.retriesOf(send.id),
    answers: await answers.summary(send.id),
  };
}

export async function gatherProgress(
  send: Send,
  { store, catalogue, answers, logger, speedOf }: SendSources,
) {
  return {
    send,
    template: await templateOf(send, catalogue, logger),
    failures: await store.failures(send.id),
    answers: await answers.summary(send.id),
    ...speedOf(send),
  };
}

export function hasEnded({ state }: Send): boolean {
  return state === 'done' || state === 'stopped';
}

/** When a send first began, and when it ended, in milliseconds since the epoch. */
export function timesOf({ send, events }: Pick<Standing, 'send' | 'events'>) {
  const from = events.find(({ action }) => action === 'sending')?.at ?? send.createdAt;
  return { from, to: lastInto(send.state, events)?.at ?? from };
}

/** `paused by @ravi, 5 Jan 08:01`: how a send stands, by whom and since when; mrkdwn. */
export async function howItStands(send: Send, store: SendSources['store']): Promise<string> {
  const event = lastInto(send.state, await store.events(send.id));
  return `${stateOf(send).words}${event ? ` ${actorOf(event)}` : ''}`;
}

const EVENTS_SHOWN = 20;
const SHOWN_REASON = 100;
/** Characters of what the card warned of when it was approved. */
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

/** Says who did what, oldest first; of a long record the latest. */
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
