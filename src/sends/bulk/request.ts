import { given } from '../../core/given.ts';
import { pages } from '../../core/pages.ts';
import { newId } from '../../core/random.ts';
import { kindOf, templateKeyOf } from '../../messages/kinds.ts';
import { isPseudonym } from '../../messages/numbers/pseudonym.ts';
import { createPersonaliser, readingOf } from '../../messages/personalise.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Audience } from '../audience.ts';
import type { BulkRequest, BulkResult, Refusal } from '../bulk.ts';
import type { NewBulkSend, SealedSend } from '../ports.ts';
import type { RecipientRow, RecipientState, RetryGroup, Send, Survey } from '../send.ts';
import { CAME_TO_NOTHING, mayMove } from '../states.ts';
import { readWithRetries } from '../store-trouble.ts';
import type { BulkWork } from './dependencies.ts';
import { createListDigest, digestFor } from './facts.ts';
import { approvalsNeeded, beyond, HOUR_MS, limitFor } from './policy.ts';
import { findTemplate, missingColumns, type RecipientSource, recipientsOf } from './recipients.ts';
import * as say from './sentences.ts';
import { createSurvey } from './survey.ts';

/** A start at most this far in the past counts as now: people need a moment to press the button. */
const GRACE_MS = 60_000;
const PAGE = 5_000;

/**
 * Checks a request, stores it with its recipients, and seals it. Nothing is sent or announced yet.
 *
 * @param among absent: every row of the list is a recipient
 */
export async function requestSend(
  work: BulkWork,
  request: BulkRequest,
  among?: RecipientSource,
): Promise<BulkResult> {
  const { audiences, clock, policy, preparing } = work;
  const audience = await audiences.find(request.audienceId);
  if (audience === undefined) return say.NO_AUDIENCE;
  const problem = problemWith(request, audience, clock.now());
  if (problem !== undefined) return problem;
  if (
    policy.approvers.length === 0 &&
    approvalsNeeded(policy, audience.counts.valid, request.approvalOver) > 0
  )
    return say.NO_APPROVER;
  const template = await findTemplate(work, request.message);
  const named = templateKeyOf(request.message);
  if (template === undefined && named !== undefined) return say.noTemplate(named.name);
  const draft = newSend(work, request, audience, template);
  preparing.add(draft.id);
  try {
    const { send, created } = await beginOnce(draft, work.store);
    if (!created) return { state: 'repeated', send };
    const refusal = await takeBack(work, send);
    if (refusal !== undefined) return await discard(work, send, refusal);
    const recipients = among ?? recipientsOf({ ...request, audience, template }, work);
    const survey = await addAll(work, send, recipients);
    const { openMedia } = request;
    return await seal(work, send, audience, { ...survey, ...given({ openMedia }) });
  } catch (error) {
    work.logger.error({ sendId: draft.id, error }, 'a bulk send could not be stored');
    return whatBecameOf(draft.id, work);
  } finally {
    preparing.delete(draft.id);
  }
}

/**
 * A request that failed before its draft was sealed may be repeated under the same request key. Of a send there is one edit,
 * unless that came to nothing.
 */
async function beginOnce({ replaces, ...draft }: NewBulkSend, store: BulkWork['store']) {
  const key = replaces === undefined ? draft.requestKey : `edit:${replaces}`;
  for (let requestKey = key; ; ) {
    const begun = await store.begin({ ...draft, ...(replaces !== undefined && { replaces }), requestKey });
    const { id, state, digest } = begun.send;
    const isFree = digest === undefined ? state === 'cancelled' : replaces && CAME_TO_NOTHING.includes(state);
    if (begun.created || !isFree) return begun;
    requestKey = `${key}:after:${id}`;
  }
}

/**
 * The send that an edit stands in the place of ends before the edit is completed: its old words cannot start any more, and
 * until then its approvals count.
 */
async function takeBack({ store, clock }: BulkWork, edit: Send): Promise<Refusal | undefined> {
  const { replaces, origin } = edit;
  for (;;) {
    const send = replaces === undefined ? undefined : await store.find(replaces);
    if (send === undefined || CAME_TO_NOTHING.includes(send.state)) return undefined;
    if (send.origin.userId !== origin.userId) return say.ONLY_REQUESTER;
    const { id: sendId, state: from, activeAt } = send;
    if (!mayMove(from, 'cancelled')) return say.begunMeanwhile(sendId);
    const reason = say.replacedBy(edit.id);
    const seen = { sendId, from, activeAt, at: clock.now(), actor: origin.userId };
    if (await store.moveSend({ ...seen, to: 'cancelled', reason })) return undefined;
  }
}

async function discard({ store, clock }: BulkWork, { id }: Send, refusal: Refusal): Promise<Refusal> {
  const reason = { what: refusal.what, next: refusal.next, scope: 'send' } as const;
  const at = clock.now();
  await store.moveSend({ sendId: id, from: 'draft', to: 'cancelled', at, actor: 'herald', reason });
  return refusal;
}

/**
 * After a failure of the store, which may have committed without an answer: a sealed send counts as requested, and a draft
 * is cancelled.
 */
async function whatBecameOf(sendId: string, work: BulkWork): Promise<BulkResult> {
  const { store, clock } = work;
  const ended = { sendId, from: 'draft', to: 'cancelled', actor: 'herald', reason: say.LEFT_BEHIND } as const;
  const found = await readWithRetries(async () => {
    await store.moveSend({ ...ended, at: clock.now() });
    return store.find(sendId);
  }, work);
  if (!found.ok) return say.MAY_BE_STORED;
  const send = found.value;
  if (send === undefined || send.state === 'cancelled') return say.CANNOT_STORE;
  return { state: send.state === 'awaiting_approval' ? 'awaiting_approval' : 'started', send };
}

function problemWith(request: BulkRequest, audience: Audience, now: number): Refusal | undefined {
  if (kindOf(request.message).needsSecret(request.message)) return say.NO_PASSWORDS;
  if (audience.counts.valid === 0) return say.EMPTY_AUDIENCE;
  if (request.startAt !== undefined && request.startAt < now - GRACE_MS) return say.IN_THE_PAST;
  const [missing] = missingColumns(request.message, audience.columns);
  if (missing === undefined) return undefined;
  return say.refusal(
    `The list has no column “${missing}”. Nothing was sent.`,
    'Use one of its columns, or upload a list that has it.',
  );
}

function newSend(
  { clock, random }: BulkWork,
  request: BulkRequest,
  audience: Audience,
  template: Template | undefined,
): NewBulkSend {
  const { message, origin, requestKey, startAt, approvalOver, note, replaces, triedAgain } = request;
  const label = audience.name ?? audience.fileName;
  const id = newId('S', random);
  return {
    id,
    kind: message.kind,
    message: kindOf(message).withReplyReference(message, id),
    origin,
    createdAt: clock.now(),
    requestKey,
    audience: { id: audience.id, columns: audience.columns, ...(label !== undefined && { label }) },
    ...given({ template, approvalOver, note, replaces, startAt }),
    ...triedAgain,
  };
}

async function addAll({ store }: BulkWork, send: Send, recipients: RecipientSource): Promise<Survey> {
  const { id, message, audience } = send;
  const survey = createSurvey(message, audience?.columns ?? []);
  const list = createListDigest();
  for await (const batch of recipients) {
    survey.look(batch);
    list.add(batch.map(({ row, number, values, skipped }) => [row, number, values, skipped !== undefined]));
    await store.addRecipients(id, batch);
  }
  return { ...survey.result(), list: list.result() };
}

async function seal(work: BulkWork, { id }: Send, audience: Audience, survey: Survey): Promise<BulkResult> {
  const { store, policy, clock } = work;
  const draft = await store.find(id);
  if (draft === undefined) throw new Error(`The send ${id} was begun and has disappeared.`);
  const { origin, counts } = draft;
  if (counts.pending === 0) return discard(work, draft, say.EMPTY_AUDIENCE);
  const digest = digestFor({ ...draft, survey }, audience, draft.template);
  const sealFor = async (needed: number, more: Pick<SealedSend, 'limit' | 'reason'>) => {
    const waits = needed > 0;
    if (waits && policy.approvers.length === 0) return discard(work, draft, say.NO_APPROVER);
    const at = clock.now();
    const sealed = await store.seal({
      sendId: id,
      digest,
      survey,
      at,
      actor: origin.userId,
      ...more,
      to: waits ? 'awaiting_approval' : 'approved',
      ...(waits && { approval: { needed, expiresAt: at + policy.expireHours * HOUR_MS } }),
    });
    if (!sealed) return undefined;
    const send = (await store.find(id)) ?? draft;
    return { state: waits ? 'awaiting_approval' : 'started', send } as const;
  };
  const needed = approvalsNeeded(policy, counts.pending, draft.approvalOver);
  const unasked = needed === 0 ? policy : {};
  const limit = limitFor(unasked, origin, counts.pending, clock.now());
  const result =
    (await sealFor(needed, { limit })) ?? (limit && (await sealFor(1, { reason: beyond(limit) })));
  if (result === undefined) throw new Error(`The draft ${id} was ended before it was sealed.`);
  return result;
}

/** The states of each group. Of a send that has ended, only a report moves a recipient from one to another, or out of all. */
const GROUP_STATES: Readonly<Record<RetryGroup, readonly RecipientState[]>> = {
  failed: ['not_sent', 'rejected'],
  unknown: ['unknown'],
  untried: ['pending'],
};

/** Why this group cannot be retried now. */
export function whyNoRetry({ state, counts, removedAt }: Send, group: RetryGroup): Refusal | undefined {
  const hasEnded = (state === 'done' || state === 'stopped') && counts.attempting === 0;
  if (!hasEnded) return say.NOT_ENDED;
  if (removedAt !== undefined) return say.REMOVED;
  return GROUP_STATES[group].some((one) => counts[one] > 0) ? undefined : say.NOTHING_TO_RETRY;
}

/** Those of a send's recipients whom a retry of one group goes to. */
export async function* recipientsIn(
  { id, message, audience, template, startAt }: Send,
  group: RetryGroup,
  { store, clock }: BulkWork,
): RecipientSource {
  const at = startAt ?? clock.now();
  const fill = createPersonaliser(message, audience?.columns ?? []);
  for await (const rows of pages((last?: RecipientRow) => store.recipients(id, last?.row ?? -1, PAGE))) {
    // Retention may have removed some since the retry was allowed: these are nobody's number any more.
    const wanted = rows.filter(
      ({ state, number }) => GROUP_STATES[group].includes(state) && !isPseudonym(number),
    );
    yield wanted.map(({ row, number, values = [] }) => {
      return { row, number, values, reading: readingOf(fill(values), template, at) };
    });
  }
}
