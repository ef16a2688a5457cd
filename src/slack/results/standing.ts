import { pages } from '../../core/pages.ts';
import { kindOf } from '../../messages/kinds.ts';
import { repeatsOf } from '../../sends/bulk/repeats.ts';
import type { Approval, SendReader } from '../../sends/ports.ts';
import type { RecipientRow, Send, SendEvent } from '../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import { actorOf, lastInto, oneLine, SEND_STATES, stateOf } from '../kit/cards/words.ts';
import { decisionFacts } from '../kit/decide/facts.ts';
import type { SlackServices } from '../kit/services.ts';

/* What is known of a send to many: while it waits for people, while it is under way, and at its end. */

/** All that is shown of a send is made from these. */
export type SendSources = Pick<
  SlackServices,
  'store' | 'audiences' | 'answers' | 'catalogue' | 'speedOf' | 'cardSettings' | 'clock' | 'logger'
>;

/** A send to many as it stands, and its record, oldest first. */
export type Standing = Awaited<ReturnType<typeof standingOf>>;

export async function standingOf(send: Send, { store, catalogue, logger }: SendSources) {
  const [template, approvals, events] = await Promise.all([
    templateOf(send, catalogue, logger),
    store.approvals(send.id),
    store.events(send.id),
  ]);
  return { send, template, approvals, events };
}

/** Recipients named on the card of a send that was not surveyed. */
const SAMPLE_RECIPIENTS = 5;
/** Recipients that an estimate is made from at most: more would hold up what is being sent meanwhile. */
const ESTIMATED_ROWS = 2_000;
/** A longer list is looked at in as many places, since its countries and lengths may change on the way. */
const ESTIMATED_PLACES = 20;

/** Everything that the approval card of a send says. */
export type ApprovalFacts = Awaited<ReturnType<typeof factsOf>>;

export async function gatherFacts(sendId: string, sources: SendSources) {
  const send = await sources.store.find(sendId);
  return send && factsOf(send, sources);
}

export async function factsOf(send: Send, sources: SendSources) {
  const { store, audiences, cardSettings } = sources;
  const [standing, audience, rows, failures, before] = await Promise.all([
    standingOf(send, sources),
    send.audience && audiences.find(send.audience.id),
    spreadRows(send, store),
    store.failures(send.id),
    send.replaces === undefined ? undefined : store.find(send.replaces),
  ]);
  const sample = send.survey === undefined ? rows.slice(0, SAMPLE_RECIPIENTS) : await sampleOf(send, store);
  const { template, approvals } = standing;
  const waits = send.state === 'awaiting_approval';
  const repeats = waits ? await repeatsOf(send, { store, now: sources.clock.now() }) : undefined;
  const facts = await decisionFacts({ send, template, audience, failures, sample, repeats }, rows, sources);
  return {
    ...standing,
    ...facts,
    approvers: stillAsked(send, approvals, cardSettings.approvers),
    /** The send that this one was edited from. */
    before,
  };
}

/** Users and user groups who may still approve. */
export function stillAsked(
  { origin }: Send,
  approvals: readonly Approval[],
  approvers: readonly string[],
): readonly string[] {
  const done = new Set([origin.userId, ...approvals.map(({ userId }) => userId)]);
  return approvers.filter((id) => !done.has(id));
}

/** The recipients that the card shows: those that were chosen when the send was prepared, or else the first ones. */
async function sampleOf({ id, survey }: Send, store: SendReader): Promise<readonly RecipientRow[]> {
  const found = await Promise.all((survey?.rows ?? []).map(({ row }) => store.recipients(id, row - 1, 1)));
  return found.flat();
}

export async function firstRecipients(
  sendId: string,
  store: SendReader,
  limit: number,
): Promise<readonly RecipientRow[]> {
  const found: RecipientRow[] = [];
  const read = (last?: RecipientRow) => store.recipients(sendId, last?.row ?? -1, ESTIMATED_ROWS);
  for await (const rows of pages(read)) {
    found.push(...rows.filter(isSentTo));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** All recipients of a short list; of a long one the first, and some from places spread over it. */
async function spreadRows(send: Send, store: SendReader): Promise<readonly RecipientRow[]> {
  const first = await firstRecipients(send.id, store, ESTIMATED_ROWS);
  if (send.recipientCount <= ESTIMATED_ROWS) return first;
  const each = ESTIMATED_ROWS / ESTIMATED_PLACES;
  const rows = first.slice(0, each);
  for (let place = 1; place < ESTIMATED_PLACES; place += 1) {
    const afterRow = Math.max(
      rows.at(-1)?.row ?? -1,
      Math.floor((send.recipientCount * place) / ESTIMATED_PLACES),
    );
    rows.push(...(await store.recipients(send.id, afterRow, each)).filter(isSentTo));
  }
  return rows;
}

function isSentTo({ state }: RecipientRow): boolean {
  return state !== 'skipped';
}

const NOTHING = '–';

/** Lists by name what an edit has changed, as it was and as it is. Untrusted. */
export function changesOf(before: Send, after: Send) {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, was: was.get(name) ?? NOTHING, is: is.get(name) ?? NOTHING }))
    .filter((change) => change.was !== change.is);
}

function valuesOf(send: Send): ReadonlyMap<string, string> {
  const { message, template, audience, startAt, note } = send;
  const kind = kindOf(message);
  const start = startAt === undefined ? 'at once' : `${new Date(startAt).toISOString().slice(0, 16)} UTC`;
  return new Map([
    ['Text', kind.text(message, template) ?? ''],
    ['Start', start.replace('T', ' ')],
    ['List', `${audience?.label ?? 'Numbers'} (${audience?.id ?? ''})`],
    ['Note', oneLine(note ?? '')],
    ...[...kind.facts(message), ...kind.attachments(message)].map(
      ({ label, value }) => [label, value] as const,
    ),
  ]);
}

/** A send that is done or stopped, and all that its last message says of it. */
export type EndedSend = Awaited<ReturnType<typeof gatherEnded>>;

export async function gatherEnded(send: Send, sources: SendSources) {
  const { store, audiences, answers } = sources;
  return {
    ...(await standingOf(send, sources)),
    /** Undefined when the list is no longer there. */
    audience: send.audience && (await audiences.find(send.audience.id)),
    failures: await store.failures(send.id),
    retries: await store.retriesOf(send.id),
    /** Answers of customers and their phones, where webhooks report them. */
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
