import { pages } from '../../../core/pages.ts';
import { kindOf } from '../../../messages/kinds.ts';
import { repeatsOf } from '../../../sends/bulk/repeats.ts';
import type { Approval, SendReader } from '../../../sends/ports.ts';
import type { RecipientRow, Send } from '../../../sends/send.ts';
import { oneLine } from '../../kit/cards/words.ts';
import { type DecisionFacts, decisionFacts } from '../../kit/decide/facts.ts';
import { type SendSources, type Standing, standingOf } from '../standing.ts';

/** Recipients named on the card of a send that was not surveyed. */
const SAMPLE_RECIPIENTS = 5;
/** Recipients that an estimate is made from at most: more would hold up what is being sent meanwhile. */
const ESTIMATED_ROWS = 2_000;
/** A longer list is looked at in as many places, since its countries and lengths may change on the way. */
const ESTIMATED_PLACES = 20;

/** Everything that the card of a send says. */
export interface ApprovalFacts extends Standing, DecisionFacts {
  /** Users and user groups who may still approve. */
  readonly approvers: readonly string[];
  /** The send that this one was edited from. */
  readonly before?: Send | undefined;
}

export async function gatherFacts(sendId: string, sources: SendSources): Promise<ApprovalFacts | undefined> {
  const send = await sources.store.find(sendId);
  return send && factsOf(send, sources);
}

export async function factsOf(send: Send, sources: SendSources): Promise<ApprovalFacts> {
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
  return { ...standing, ...facts, approvers: stillAsked(send, approvals, cardSettings.approvers), before };
}

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
