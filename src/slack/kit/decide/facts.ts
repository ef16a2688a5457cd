import type { Audience } from '../../../sends/audience.ts';
import type { Repeats } from '../../../sends/bulk/repeats.ts';
import { heldAt, type Judged, recipientsOf, warningsOf } from '../../../sends/bulk/warnings.ts';
import { countriesOf, durationOf, type Estimate, estimate } from '../../../sends/estimate.ts';
import type { RecipientRow } from '../../../sends/send.ts';
import { markFor, warningOf } from '../../../sends/templates/mark.ts';
import type { SlackServices } from '../services.ts';

/** The facts of a send to many before anybody decides about it: asked for, or as it would be asked for. */
interface Known extends Pick<Judged, 'send' | 'template' | 'failures'> {
  /** Absent when the list is no longer there. */
  readonly audience: Audience | undefined;
  /** Recipients from all over the list; the first of them reads the message as shown. */
  readonly sample: readonly RecipientRow[];
  /** Recipients who get the very same once more. */
  readonly repeats?: Repeats | undefined;
}

/** Everything that is said to who decides, and before that to who asks. */
export interface DecisionFacts extends Known, Pick<Judged, 'countries' | 'exact' | 'held'> {
  readonly estimate: Estimate;
  /** Sending takes so long at full pace. */
  readonly durationMs: number;
  /** As is `held`, only while it waits for approval. */
  readonly warnings: readonly string[];
}

/** @param rows recipients that cost and countries are measured by: all, or some from all over the list */
export async function decisionFacts(
  known: Known,
  rows: readonly Pick<RecipientRow, 'number' | 'values'>[],
  sources: Pick<SlackServices, 'cardSettings' | 'catalogue' | 'clock'>,
): Promise<DecisionFacts> {
  const { cardSettings, clock } = sources;
  const { send } = known;
  const { message, survey, audience } = send;
  const all = recipientsOf(send);
  const measured = rows.map(({ number, values = [] }) => ({ number, values }));
  const facts = {
    ...known,
    estimate: estimate(message, audience?.columns ?? [], measured, all, cardSettings.prices),
    durationMs: durationOf(message, all, cardSettings.pacing),
    countries: survey?.countries ?? countriesOf(rows, all),
    exact: survey?.countries !== undefined || rows.length === all,
  };
  // Only while people decide does it matter what can be found.
  if (send.state !== 'awaiting_approval') return { ...facts, held: [], warnings: [] };
  const now = clock.now();
  const held = heldAt(Math.max(now, send.startAt ?? 0), send, facts.countries, cardSettings.quietHours);
  const mark = warningOf(await markFor(sources, message), now);
  return { ...facts, held, warnings: warningsOf({ ...facts, held, mark, freeText: cardSettings.freeText }) };
}
