import type { Clock } from '../../../core/clock.ts';
import type { Logger } from '../../../core/logger.ts';
import { pages } from '../../../core/pages.ts';
import type { Audience } from '../../../sends/audience.ts';
import { recentOf } from '../../../sends/bulk/recent.ts';
import { type Held, heldAt, recipientsOf, warningsOf } from '../../../sends/bulk/warnings.ts';
import { countriesOf, durationOf, type Estimate, estimate } from '../../../sends/estimate.ts';
import type { SendReader, TemplateCatalogue } from '../../../sends/ports.ts';
import type { RecipientRow, Send } from '../../../sends/send.ts';
import type { CardSettings } from '../../kit/services.ts';
import { standingOf } from '../standing.ts';
import type { ApprovalFacts } from './card.ts';

/** Recipients named on the card of a send that was not surveyed. */
const SAMPLE_RECIPIENTS = 5;
/** Recipients that an estimate is made from at most: more would hold up what is being sent meanwhile. */
const ESTIMATED_ROWS = 2_000;
/** A longer list is looked at in as many places, since its countries and lengths may change on the way. */
const ESTIMATED_PLACES = 20;

export interface FactSources {
  readonly store: Pick<
    SendReader,
    'find' | 'recipients' | 'approvals' | 'failures' | 'events' | 'bulkSince' | 'reachedSince'
  >;
  readonly audiences: { find(audienceId: string): Promise<Audience | undefined> };
  readonly catalogue: TemplateCatalogue;
  readonly cardSettings: CardSettings;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** Everything that a send's approval card tells, as it is now. Undefined when there is no such send. */
export async function gatherFacts(sendId: string, sources: FactSources): Promise<ApprovalFacts | undefined> {
  const { store, audiences, cardSettings } = sources;
  const send = await store.find(sendId);
  if (send === undefined) return undefined;
  const [standing, audience, rows, failures] = await Promise.all([
    standingOf(send, sources),
    send.audience && audiences.find(send.audience.id),
    spreadRows(send, store),
    store.failures(sendId),
  ]);
  const facts = {
    ...standing,
    audience,
    failures,
    sample: send.survey === undefined ? rows.slice(0, SAMPLE_RECIPIENTS) : await sampleOf(send, store),
    estimate: estimateOf(send, rows, cardSettings.prices),
    durationMs: durationOf(send.message, recipientsOf(send), cardSettings.pacing),
    countries: send.survey?.countries ?? countriesOf(rows, recipientsOf(send)),
    exact: send.survey?.countries !== undefined || rows.length === recipientsOf(send),
    approvers: cardSettings.approvers.filter((id) => id !== send.origin.userId),
  };
  return { ...facts, ...(await judged(facts, rows, sources)) };
}

/** Only while people decide does it matter what can be found. */
async function judged(
  facts: Omit<ApprovalFacts, 'held' | 'warnings'>,
  rows: readonly RecipientRow[],
  { store, cardSettings, clock }: FactSources,
): Promise<{ readonly held: readonly Held[]; readonly warnings: readonly string[] }> {
  const { send, template, countries } = facts;
  if (send.state !== 'awaiting_approval') return { held: [], warnings: [] };
  const now = clock.now();
  const held = heldAt(Math.max(now, send.startAt ?? 0), send, countries, cardSettings.quietHours);
  const numbers = rows.map(({ number }) => number);
  const recent = await recentOf(send, template, numbers, { store, now });
  return { held, warnings: warningsOf({ ...facts, held, recent }) };
}

/** The recipients that the card shows: those that were chosen when the send was prepared, or else the first ones. */
async function sampleOf(
  { id, survey }: Send,
  store: Pick<SendReader, 'recipients'>,
): Promise<readonly RecipientRow[]> {
  if (survey === undefined) return firstRecipients(id, store, SAMPLE_RECIPIENTS);
  const found = await Promise.all(survey.rows.map(({ row }) => store.recipients(id, row - 1, 1)));
  return found.flat();
}

/** The first recipients that are sent to, at most `limit`. */
export async function firstRecipients(
  sendId: string,
  store: Pick<SendReader, 'recipients'>,
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
async function spreadRows(
  send: Send,
  store: Pick<SendReader, 'recipients'>,
): Promise<readonly RecipientRow[]> {
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

function estimateOf(send: Send, rows: readonly RecipientRow[], prices: CardSettings['prices']): Estimate {
  const measured = rows.map(({ number, values = [] }) => ({ number, values }));
  return estimate(send.message, send.audience?.columns ?? [], measured, recipientsOf(send), prices);
}
