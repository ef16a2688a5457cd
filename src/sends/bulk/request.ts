import { newSendId } from '../../core/ids.ts';
import { kindOf, type Message } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Audience } from '../audience.ts';
import type { BulkRequest, BulkResult, Refusal } from '../bulk.ts';
import { readWithRetries } from '../lost-answers.ts';
import type { NewBulkSend, NewRecipient, TemplateCatalogue } from '../ports.ts';
import type { RetryGroup, Send, Survey } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import { digestOf } from './digest.ts';
import { type ApprovalPolicy, approvalsNeeded } from './policy.ts';
import { missingColumns, recipientFrom } from './prepare.ts';
import * as say from './sentences.ts';
import { createSurvey } from './survey.ts';

const BATCH = 5_000;
/** A start this little in the past is "now": people take a moment to press the button. */
const GRACE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** Recipients of a new send, in batches, in row order. */
type RecipientSource = AsyncIterable<readonly NewRecipient[]>;

/** A group of another send's recipients, as a send of its own. */
export interface TriedAgain {
  readonly retryOf: string;
  readonly retryGroup: RetryGroup;
  readonly recipients: RecipientSource;
}

interface Preparing extends BulkDependencies {
  /** The drafts that are being completed here. */
  readonly preparing: Set<string>;
}

/** Checks a request, stores it with its recipients, and seals it; nothing has been sent or announced yet. */
export async function requestSend(
  dependencies: Preparing,
  request: BulkRequest,
  again?: TriedAgain,
): Promise<BulkResult> {
  const { audiences, clock } = dependencies;
  const policy = policyFor(request, dependencies.policy);
  const audience = await audiences.find(request.audienceId);
  if (audience === undefined) return say.NO_AUDIENCE;
  const problem = problemWith(request, audience, clock.now());
  if (problem !== undefined) return problem;
  if (policy.approvers.length === 0 && approvalsNeeded(policy, audience.counts.valid) > 0)
    return say.NO_APPROVER;
  const template = await findTemplate(dependencies, request.message);
  if (template === undefined && 'templateName' in request.message)
    return say.noTemplate(request.message.templateName);
  const wished = newSend(dependencies, request, { audience, template, again });
  const { preparing } = dependencies;
  preparing.add(wished.id);
  try {
    const { send, created } = await beginOnce(wished, dependencies.store);
    if (!created) return { state: 'repeated', send };
    const recipients = again?.recipients ?? fromAudience(dependencies, audience, request.message, template);
    const survey = await addAll(dependencies, send, recipients);
    return await seal({ ...dependencies, policy }, send, audience, survey);
  } catch (error) {
    dependencies.logger.error({ sendId: wished.id, error }, 'a bulk send could not be stored');
    return whatBecameOf(wished.id, dependencies);
  } finally {
    preparing.delete(wished.id);
  }
}

/** Whoever was told that nothing was sent, and to try again, does so under the same request key. */
async function beginOnce(wished: NewBulkSend, store: BulkDependencies['store']) {
  for (let { requestKey } = wished; ; ) {
    const begun = await store.begin({ ...wished, requestKey });
    const { id, state, digest } = begun.send;
    const wasSealed = state !== 'cancelled' || digest !== undefined;
    if (begun.created || wasSealed) return begun;
    requestKey = `${wished.requestKey}:after:${id}`;
  }
}

/**
 * The store failed, but may have done what it did not confirm. What is no draft any more was sealed, and is as good as if
 * that had been said; a draft is ended, so that nothing can come of it.
 */
async function whatBecameOf(sendId: string, dependencies: Preparing): Promise<BulkResult> {
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

function policyFor({ approvalOver }: BulkRequest, policy: ApprovalPolicy): ApprovalPolicy {
  return { ...policy, over: approvalOver ?? policy.over };
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
  { clock, random }: BulkDependencies,
  request: BulkRequest,
  about: {
    readonly audience: Audience;
    readonly template: Template | undefined;
    readonly again: TriedAgain | undefined;
  },
): NewBulkSend {
  const { audience, template, again } = about;
  const { message, origin, requestKey, startAt, approvalOver } = request;
  const label = audience.name ?? audience.fileName;
  const id = newSendId(random);
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
    ...(again && { retryOf: again.retryOf, retryGroup: again.retryGroup }),
  };
}

/** The template of a message as the catalogue has it now; undefined where there is none (any more). */
export async function findTemplate(
  { catalogue }: { readonly catalogue: Pick<TemplateCatalogue, 'find'> },
  message: Message,
): Promise<Template | undefined> {
  const { templateChannel, templateName } = kindOf(message);
  const name = templateName(message);
  return templateChannel && name !== undefined ? catalogue.find(templateChannel, name) : undefined;
}

async function* fromAudience(
  { audiences }: BulkDependencies,
  audience: Audience,
  message: Message,
  template: Template | undefined,
): RecipientSource {
  for (let after = 0; ; ) {
    const rows = await audiences.rows(audience.id, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => recipientFrom(row, message, audience.columns, template));
    after = last.row;
  }
}

async function addAll(
  { store }: BulkDependencies,
  { id, message, audience }: Send,
  recipients: RecipientSource,
): Promise<Survey> {
  const survey = createSurvey(message, audience?.columns ?? []);
  for await (const batch of recipients) {
    survey.look(batch);
    await store.addRecipients(id, batch);
  }
  return survey.result();
}

async function seal(
  dependencies: BulkDependencies,
  { id }: Send,
  audience: Audience,
  survey: Survey,
): Promise<BulkResult> {
  const { store, policy, clock } = dependencies;
  const draft = await store.find(id);
  if (draft === undefined) throw new Error(`The send ${id} was begun and is gone.`);
  const discard = async (refusal: Refusal) => {
    await store.moveSend({ sendId: id, from: 'draft', to: 'cancelled', at: clock.now(), actor: 'herald' });
    return refusal;
  };
  if (draft.counts.pending === 0) return discard(say.EMPTY_AUDIENCE);
  const needed = approvalsNeeded(policy, draft.counts.pending);
  if (needed > 0 && policy.approvers.length === 0) return discard(say.NO_APPROVER);
  const waits = needed > 0;
  const sealed = await store.seal({
    sendId: id,
    digest: digestFor(draft, audience, draft.template),
    survey,
    to: waits ? 'awaiting_approval' : 'approved',
    ...(waits && { approval: { needed, expiresAt: clock.now() + policy.expireHours * HOUR_MS } }),
    at: clock.now(),
    actor: draft.origin.userId,
  });
  if (!sealed) throw new Error(`The draft ${id} was ended before it was sealed.`);
  const send = (await store.find(id)) ?? draft;
  return { state: waits ? 'awaiting_approval' : 'started', send };
}

/** The digest of a send as it is stored now; at the start it must be the one that was approved. */
export function digestFor(send: Send, audience: Audience, template: Template | undefined): string {
  return digestOf({
    message: send.message,
    audienceDigest: audience.digest,
    columns: audience.columns,
    recipientCount: send.recipientCount,
    ...(send.startAt !== undefined && { startAt: send.startAt }),
    ...(template !== undefined && { template }),
  });
}
