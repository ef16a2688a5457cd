import { pages } from '../../core/pages.ts';
import { columnsUsed } from '../../messages/columns.ts';
import { isSender, kindOf, type Message, templateKeyOf } from '../../messages/kinds.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { createPersonaliser, personalFields, personalTexts, readingOf } from '../../messages/personalise.ts';
import { valueProblem } from '../../messages/templates/field.ts';
import type { Template } from '../../messages/templates/template.ts';
import { isBlank, textProblem } from '../../messages/text.ts';
import type { Audience, AudienceRow } from '../audience.ts';
import type { BulkRequest } from '../bulk.ts';
import type { Failure, Got } from '../outcome.ts';
import type { FailureGroup, NewRecipient, TemplateCatalogue } from '../ports.ts';
import type { BulkDependencies } from './dependencies.ts';
import { whyLeftOut } from './final-check.ts';
import { approvalsNeeded } from './policy.ts';
import { MOST_LOOKED_AT, REPEATED_MS, repeatsIn } from './repeats.ts';
import { createEven, createSurvey } from './survey.ts';

/** Columns that the message uses and the audience lacks. */
export function missingColumns(message: Message, columns: readonly string[]): readonly string[] {
  return personalTexts(message)
    .flatMap(columnsUsed)
    .filter((column) => !columns.includes(column));
}

/** The template of a message as it is in the catalogue now; undefined when there is none. */
export async function findTemplate(
  { catalogue }: { readonly catalogue: Pick<TemplateCatalogue, 'find'> },
  message: Message,
): Promise<Template | undefined> {
  const key = templateKeyOf(message);
  return key && catalogue.find(key.channel, key.name);
}

/**
 * Makes recipients of rows, reading the message once; `skipped` when its message breaks a rule of the kind, lacks
 * something from the list, or would go to its own sender.
 */
export function recipientMaker(
  message: Message,
  columns: readonly string[],
  template: Template | undefined,
  startAt: number,
): (row: AudienceRow) => NewRecipient {
  const personalised = createPersonaliser(message, columns);
  const fields = personalFields(message).map(({ path, text }, index) => {
    const placeholder = template?.placeholders[index];
    return {
      path,
      placeholder,
      label: placeholder === undefined ? 'The text' : `The value for “${placeholder.name}”`,
      used: columnsUsed(text).map((column) => ({ column, at: columns.indexOf(column) })),
    };
  });

  function problemOf(
    { number, values }: AudienceRow,
    filled: Message,
  ): Pick<Failure, 'what' | 'short'> | undefined {
    if (isSender(number, filled)) return { what: 'The recipient is the sender.', short: 'the sender itself' };
    const texts = new Map(personalFields(filled).map(({ path, text }) => [path, text]));
    for (const { path, placeholder, label, used } of fields) {
      const text = texts.get(path);
      // An address without a value there: the customer is asked for it.
      if (text === undefined) continue;
      if (placeholder?.optional !== true) {
        const empty = used.find(({ at }) => isBlank(values[at] ?? ''));
        const without = empty?.column ?? placeholder?.name ?? 'a text';
        if (isBlank(text)) return { what: `${label} is empty in this row.`, short: `without “${without}”` };
        if (empty !== undefined)
          return { what: `The column “${without}” is empty in this row.`, short: `without “${without}”` };
      }
      const problem =
        textProblem(text, { label, lineBreaks: true }) ??
        (template && placeholder && !isBlank(text) ? valueProblem(template, placeholder, text) : undefined);
      const name = placeholder?.name ?? used[0]?.column ?? 'text';
      if (problem !== undefined) return { what: problem, short: `with an unfit “${name}”` };
    }
    const what = kindOf(filled).rowProblem(filled, number);
    return what === undefined ? undefined : { what };
  }

  return ({ row, number, values }) => {
    const listed = { row, number, values };
    const filled = personalised(values);
    const problem = problemOf(listed, filled);
    if (problem === undefined) return { ...listed, reading: readingOf(filled, template, startAt) };
    const next = 'Correct the row and send to it again.';
    return { ...listed, skipped: { ...problem, next, scope: 'recipient' } };
  };
}

const BATCH = 5_000;
const ROWS_SHOWN = 10;
/** A cause can name a value of its row; beyond these they are counted together. */
const CAUSES_COUNTED = 20;
const OTHER_CAUSES: Failure = { what: 'Other causes.', next: 'Look at the rows.', scope: 'recipient' };
/** Recipients that cost is estimated from. */
const MEASURED = 2_000;

/** Recipients of a new send, in batches, in row order. */
export type RecipientSource = AsyncIterable<readonly NewRecipient[]>;

type Recipients = Pick<BulkDependencies, 'store' | 'audiences' | 'catalogue' | 'clock' | 'frequencyCap'>;

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
  const recipientOf = recipientMaker(message, audience.columns, template, startAt ?? clock.now());
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

/** The valid rows of a list that a request would leave out now, in row order, in batches. */
export async function* leftOutOf({ message, audienceId, startAt }: Reviewed, dependencies: Recipients) {
  const audience = await dependencies.audiences.find(audienceId);
  const template = await findTemplate(dependencies, message);
  if (audience === undefined) return;
  for await (const batch of recipientsOf({ message, audience, template, startAt }, dependencies))
    yield batch.flatMap(({ row, number, skipped: failure }) =>
      failure ? [{ row, number, state: 'skipped' as const, failure }] : [],
    );
}

export type Reviewed = Pick<BulkRequest, 'message' | 'audienceId' | 'startAt' | 'replaces'>;

export type ListReview = NonNullable<Awaited<ReturnType<typeof reviewOf>>>;

/** Finds what a request would come to now; its memory does not grow with the list. Undefined when it would be refused. */
export async function reviewOf(
  { message, audienceId, startAt, replaces }: Reviewed,
  dependencies: Recipients & Pick<BulkDependencies, 'policy'>,
  signal?: AbortSignal,
) {
  const audience = await dependencies.audiences.find(audienceId);
  const template = await findTemplate(dependencies, message);
  if (audience === undefined || missingColumns(message, audience.columns).length > 0) return undefined;
  if (template === undefined && templateKeyOf(message) !== undefined) return undefined;
  const causes = new Map<string, FailureGroup>();
  const rows: { readonly row: number; readonly number: Msisdn; readonly what: string }[] = [];
  const survey = createSurvey(message, audience.columns);
  const measured = createEven<NewRecipient>(MEASURED);
  const now = dependencies.clock.now();
  const got: (readonly Got[])[] = [];
  let looked = 0;
  const every = Math.ceil(audience.counts.valid / MOST_LOOKED_AT);
  let batches = 0;
  for await (const batch of recipientsOf({ message, audience, template, startAt }, dependencies)) {
    if (signal?.aborted) return undefined;
    if (batches++ % every === 0) {
      const asked = batch.filter(({ skipped }) => skipped === undefined);
      looked += asked.length;
      const before = await dependencies.store.gotSince(asked, now - REPEATED_MS);
      // The send that it is edited from goes to nobody once it is asked for.
      got.push(before.filter(({ sendId }) => sendId !== replaces));
    }
    survey.look(batch);
    for (const recipient of batch) {
      const { row, number, skipped } = recipient;
      if (skipped === undefined) {
        measured.look(recipient);
        continue;
      }
      if (rows.length < ROWS_SHOWN) rows.push({ row, number, what: skipped.what });
      const isCounted = causes.has(skipped.what) || causes.size < CAUSES_COUNTED;
      const failure = isCounted ? skipped : OTHER_CAUSES;
      const count = (causes.get(failure.what)?.count ?? 0) + 1;
      causes.set(failure.what, { state: 'skipped', failure, count });
    }
  }
  const found = survey.result();
  const read = found.rows.map(({ row }) => dependencies.audiences.rows(audience.id, row - 1, 1));
  const { recipients } = found;
  return {
    recipients,
    /** The valid rows it would leave out, by cause. */
    causes: [...causes.values()],
    /** The first ten of these. */
    rows,
    survey: found,
    /** The rows that the survey names. */
    sample: (await Promise.all(read)).flat(),
    /** Some of whom it would go to, evenly spread; all of a short list. */
    measured: measured.kept(),
    /** How many would have to approve it. */
    needed: approvalsNeeded(dependencies.policy, recipients),
    /** To whom of the others the very same was sent lately. */
    repeats: repeatsIn(got.flat(), looked, recipients),
  };
}
