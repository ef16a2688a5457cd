import { columnNamed, fillColumns } from '../../../messages/columns.ts';
import { KINDS } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { isBlank } from '../../../messages/text.ts';
import type { Audience, AudienceRow } from '../../../sends/audience.ts';
import { valueAt } from './path.ts';

/** The checked list that a form is about, as far as the form shows it. */
export interface List {
  readonly audience: Audience;
  /** The first rows: what the preview and the count of SMS parts are made from. */
  readonly sample: readonly AudienceRow[];
}

/** Where forms hold what differs from recipient to recipient. */
const WORDS = new Set(Object.values(KINDS).flatMap(({ personalKeys }) => personalKeys));

/** A form's values as the first recipient of the list reads them. */
export function asFirstRecipient(values: unknown, { audience, sample }: List): unknown {
  const row = sample[0];
  if (row === undefined || typeof values !== 'object' || values === null) return values;
  const filled = [...WORDS].flatMap((key): [string, unknown][] => {
    const value = valueAt(values, key);
    return value === undefined ? [] : [[key, filledDeep(value, audience.columns, row.values)]];
  });
  return { ...values, ...Object.fromEntries(filled) };
}

function filledDeep(value: unknown, columns: readonly string[], cells: readonly string[]): unknown {
  if (typeof value === 'string') return fillColumns(value, columns, cells);
  if (Array.isArray(value)) return value.map((entry) => filledDeep(entry, columns, cells));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, filledDeep(inner, columns, cells)]),
  );
}

/** The values with every empty one of the template's taken from the column of the same name, where there is one. */
export function filledFromColumns(
  values: Readonly<Record<string, unknown>>,
  template: Template | undefined,
  columns: readonly string[],
): Readonly<Record<string, unknown>> {
  if (template === undefined || template.placeholders.length === 0) return values;
  const given = valueAt(values, 'params');
  const params = template.placeholders.map(({ name }, index) => {
    const typed: unknown = Array.isArray(given) ? given[index] : undefined;
    if (typeof typed === 'string' && !isBlank(typed)) return typed;
    const column = columnNamed(name, columns);
    return column === undefined ? typed : `{{${column}}}`;
  });
  return { ...values, params };
}
