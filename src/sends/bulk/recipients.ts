import { pages } from '../../core/pages.ts';
import { type Message, templateKeyOf } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Audience, AudienceRow } from '../audience.ts';
import type { BulkRequest, ListReview } from '../bulk.ts';
import type { NewRecipient } from '../ports.ts';
import type { BulkDependencies } from './dependencies.ts';
import { whyLeftOut } from './final-check.ts';
import { findTemplate, missingColumns, recipientMaker } from './prepare.ts';

const BATCH = 5_000;
const ROWS_SHOWN = 10;
/** A cause can name a value of its row; beyond these they are counted together. */
const CAUSES_COUNTED = 20;
const OTHER_CAUSES = 'Other causes.';

/** Recipients of a new send, in batches, in row order. */
export type RecipientSource = AsyncIterable<readonly NewRecipient[]>;

export type Recipients = Pick<
  BulkDependencies,
  'store' | 'audiences' | 'catalogue' | 'clock' | 'frequencyCap'
>;

interface Planned {
  readonly message: Message;
  readonly startAt?: number | undefined;
  readonly audience: Audience;
  readonly template: Template | undefined;
}

/**
 * Every row of a list as a recipient of a message. Whom it does not fit, who has opted out and who had enough messages is
 * `skipped`: the review counts these, and the request stores them.
 */
export async function* recipientsOf(
  { audience, message, template, startAt }: Planned,
  dependencies: Recipients,
): RecipientSource {
  const { audiences, clock } = dependencies;
  const recipientOf = recipientMaker(message, audience.columns, template);
  const read = (last?: AudienceRow) => audiences.rows(audience.id, last?.row ?? 0, BATCH);
  for await (const rows of pages(read)) {
    const recipients = rows.map(recipientOf);
    const fit = recipients.filter(({ skipped }) => skipped === undefined).map(({ number }) => number);
    const leftOut = await whyLeftOut(fit, startAt ?? clock.now(), dependencies);
    yield recipients.map((recipient) => {
      const skipped = recipient.skipped ?? leftOut.get(recipient.number);
      return skipped === undefined ? recipient : { ...recipient, skipped };
    });
  }
}

/** What a request would come to now; its memory does not grow with the list. Undefined when it would be refused. */
export async function reviewOf(
  { message, audienceId, startAt }: Pick<BulkRequest, 'message' | 'audienceId' | 'startAt'>,
  dependencies: Recipients,
  signal?: AbortSignal,
): Promise<ListReview | undefined> {
  const audience = await dependencies.audiences.find(audienceId);
  const template = await findTemplate(dependencies, message);
  if (audience === undefined || missingColumns(message, audience.columns).length > 0) return undefined;
  if (template === undefined && templateKeyOf(message) !== undefined) return undefined;
  const causes = new Map<string, number>();
  const rows: ListReview['rows'][number][] = [];
  let recipients = 0;
  for await (const batch of recipientsOf({ message, audience, template, startAt }, dependencies)) {
    if (signal?.aborted) return undefined;
    for (const { row, number, skipped } of batch) {
      if (skipped === undefined) {
        recipients += 1;
        continue;
      }
      const { what } = skipped;
      if (rows.length < ROWS_SHOWN) rows.push({ row, number, what });
      const cause = causes.has(what) || causes.size < CAUSES_COUNTED ? what : OTHER_CAUSES;
      causes.set(cause, (causes.get(cause) ?? 0) + 1);
    }
  }
  return { recipients, causes: [...causes].map(([what, count]) => ({ what, count })), rows };
}
