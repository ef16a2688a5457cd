import { newId } from '../../core/random.ts';
import { kindOf, templateKeyOf } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Audience } from '../audience.ts';
import type { BulkRequest, BulkResult, Refusal } from '../bulk.ts';
import type { NewBulkSend, SealedSend } from '../ports.ts';
import type { Send, Survey } from '../send.ts';
import { beyond, limitFor } from '../singles.ts';
import { readWithRetries } from '../store-trouble.ts';
import type { BulkWork } from './dependencies.ts';
import { createListDigest, digestFor } from './digest.ts';
import { approvalsNeeded } from './policy.ts';
import { findTemplate, missingColumns } from './prepare.ts';
import { type RecipientSource, recipientsOf } from './recipients.ts';
import * as say from './sentences.ts';
import { createSurvey } from './survey.ts';

/** A start at most this far in the past counts as now: people need a moment to press the button. */
const GRACE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** A retry of one group of another send's recipients. */
export interface TriedAgain extends NonNullable<BulkRequest['triedAgain']> {
  readonly recipients: RecipientSource;
}

/** Checks a request, stores it with its recipients, and seals it. Nothing is sent or announced yet. */
export async function requestSend(
  dependencies: BulkWork,
  request: BulkRequest,
  again?: TriedAgain,
): Promise<BulkResult> {
  const { audiences, clock, policy, preparing } = dependencies;
  const audience = await audiences.find(request.audienceId);
  if (audience === undefined) return say.NO_AUDIENCE;
  const problem = problemWith(request, audience, clock.now());
  if (problem !== undefined) return problem;
  if (
    policy.approvers.length === 0 &&
    approvalsNeeded(policy, audience.counts.valid, request.approvalOver) > 0
  )
    return say.NO_APPROVER;
  const template = await findTemplate(dependencies, request.message);
  const named = templateKeyOf(request.message);
  if (template === undefined && named !== undefined) return say.noTemplate(named.name);
  const draft = newSend(dependencies, request, { audience, template, again });
  preparing.add(draft.id);
  try {
    const { send, created } = await beginOnce(draft, dependencies.store);
    if (!created) return { state: 'repeated', send };
    const recipients = again?.recipients ?? recipientsOf({ ...request, audience, template }, dependencies);
    const survey = await addAll(dependencies, send, recipients);
    return await seal(dependencies, send, audience, survey);
  } catch (error) {
    dependencies.logger.error({ sendId: draft.id, error }, 'a bulk send could not be stored');
    return whatBecameOf(draft.id, dependencies);
  } finally {
    preparing.delete(draft.id);
  }
}

/** A request that failed before its draft was sealed may be repeated under the same request key. */
async function beginOnce(draft: NewBulkSend, store: BulkWork['store']) {
  for (let { requestKey } = draft; ; ) {
    const begun = await store.begin({ ...draft, requestKey });
    const { id, state, digest } = begun.send;
    const wasSealed = state !== 'cancelled' || digest !== undefined;
    if (begun.created || wasSealed) return begun;
    requestKey = `${draft.requestKey}:after:${id}`;
  }
}

/**
 * After a failure of the store, which may have committed without an answer: a sealed send counts as requested, and a draft
 * is cancelled.
 */
async function whatBecameOf(sendId: string, dependencies: BulkWork): Promise<BulkResult> {
  const { store, clock } = dependencies;
  const ended = { sendId, from: 'draft', to: 'cancelled', actor: 'herald', reason: say.LEFT_BEHIND } as const;
  const found = await readWithRetries(async () => {
    await store.moveSend({ ...ended, at: clock.now() });
    return store.find(sendId);
  }, dependencies);
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
  about: {
    readonly audience: Audience;
    readonly template: Template | undefined;
    readonly again: TriedAgain | undefined;
  },
): NewBulkSend {
  const { audience, template, again } = about;
  const { message, origin, requestKey, startAt, approvalOver } = request;
  const tried = again ?? request.triedAgain;
  const label = audience.name ?? audience.fileName;
  const id = newId('S', random);
  return {
    id,
    kind: message.kind,
    message: kindOf(message).withReplyReference(message, id),
    ...(template !== undefined && { template }),
    origin,
    createdAt: clock.now(),
    requestKey,
    audience: { id: audience.id, columns: audience.columns, ...(label !== undefined && { label }) },
    ...(approvalOver !== undefined && { approvalOver }),
    ...(startAt !== undefined && { startAt }),
    ...(tried && { retryOf: tried.retryOf, retryGroup: tried.retryGroup }),
  };
}

async function addAll(
  { store }: BulkWork,
  { id, message, audience }: Send,
  recipients: RecipientSource,
): Promise<Survey> {
  const survey = createSurvey(message, audience?.columns ?? []);
  const list = createListDigest();
  for await (const batch of recipients) {
    survey.look(batch);
    list.add(batch.map(({ row, number, values, skipped }) => [row, number, values, skipped !== undefined]));
    await store.addRecipients(id, batch);
  }
  return { ...survey.result(), list: list.result() };
}

async function seal(
  dependencies: BulkWork,
  { id }: Send,
  audience: Audience,
  survey: Survey,
): Promise<BulkResult> {
  const { store, policy, clock } = dependencies;
  const draft = await store.find(id);
  if (draft === undefined) throw new Error(`The send ${id} was begun and has disappeared.`);
  const discard = async (refusal: Refusal) => {
    const reason = { what: refusal.what, next: refusal.next, scope: 'send' } as const;
    const at = clock.now();
    await store.moveSend({ sendId: id, from: 'draft', to: 'cancelled', at, actor: 'herald', reason });
    return refusal;
  };
  const { origin, counts } = draft;
  if (counts.pending === 0) return discard(say.EMPTY_AUDIENCE);
  const digest = digestFor({ ...draft, survey }, audience, draft.template);
  const sealFor = async (needed: number, more: Pick<SealedSend, 'limit' | 'reason'>) => {
    const waits = needed > 0;
    if (waits && policy.approvers.length === 0) return discard(say.NO_APPROVER);
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
