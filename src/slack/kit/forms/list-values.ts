import { columnNamed, columnsUsed, compileText, inBraces } from '../../../messages/columns.ts';
import { KINDS } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { isBlank } from '../../../messages/text.ts';
import type { Audience, AudienceRow, Exclusion } from '../../../sends/audience.ts';
import type { ListReview } from '../../../sends/bulk/recipients.ts';
import type { DecisionFacts } from '../decide/facts.ts';
import { valueAt } from './path.ts';
import type { FormValues } from './read-state.ts';

/** A message and a list as whoever approves will see them. */
export interface Reviewed extends ListReview {
  readonly facts: DecisionFacts;
}

/** The checked list that a form is about, as far as the form shows it. */
export interface List {
  readonly audience: Audience;
  /** The first rows: what the preview and the count of SMS parts are made from. */
  readonly sample: readonly AudienceRow[];
  /** The first rows that were left out when it was read. */
  readonly leftOut: readonly Exclusion[];
  /** The place in the sample of the row that the preview is for. */
  readonly place?: number | undefined;
  /** The list with the message; absent while the message is not complete. */
  readonly review?: Reviewed | 'counting' | undefined;
}

/** The keys under which forms hold what differs from recipient to recipient. */
const WORDS = new Set(
  Object.values(KINDS).flatMap(({ personalPaths }) =>
    personalPaths.map((path) => path.split('.')[0] ?? path),
  ),
);

/** A form's values as the recipient reads them for whom the preview is. */
export function asRecipient(values: FormValues = {}, list: List): FormValues {
  const { audience, sample, place = 0 } = list;
  const row = sample[place % sample.length];
  if (row === undefined) return values;
  const filled = [...WORDS].flatMap((key): [string, unknown][] => {
    const value = valueAt(values, key);
    return value === undefined ? [] : [[key, filledDeep(value, audience.columns, row.values)]];
  });
  return { ...values, ...Object.fromEntries(filled) };
}

function filledDeep(value: unknown, columns: readonly string[], cells: readonly string[]): unknown {
  if (typeof value === 'string') return compileText(value, columns)(cells);
  if (Array.isArray(value)) return value.map((entry) => filledDeep(entry, columns, cells));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, filledDeep(inner, columns, cells)]),
  );
}

/**
 * The values with every empty one of the template's taken from the column of the same name, where there is one. A column
 * of another list that this one lacks counts as empty.
 */
export function filledFromColumns(
  values: FormValues,
  template: Template | undefined,
  columns: readonly string[],
): FormValues {
  if (template === undefined || template.placeholders.length === 0) return values;
  const given = valueAt(values, 'params');
  const params = template.placeholders.map(({ name }, index) => {
    const typed: unknown = Array.isArray(given) ? given[index] : undefined;
    const text = typeof typed === 'string' ? typed : '';
    const [wanted] = columnsUsed(text);
    const isLost = wanted !== undefined && text === inBraces(wanted) && !columns.includes(wanted);
    if (!isBlank(text) && !isLost) return text;
    const column = columnNamed(isLost ? wanted : name, columns) ?? columnNamed(name, columns);
    return column === undefined ? undefined : inBraces(column);
  });
  return { ...values, params };
}
