import { hash } from 'node:crypto';
import { columnsUsed } from '../../messages/columns.ts';
import type { Message } from '../../messages/kinds.ts';
import { countryOf } from '../../messages/numbers/phone-number.ts';
import { createPersonaliser, isSameForAll, personalTexts } from '../../messages/personalise.ts';
import { insecureLink, readsOddly } from '../../messages/text.ts';
import type { NewRecipient } from '../ports.ts';
import type { OddRows, Survey, SurveyedRow } from '../send.ts';
import { type Alike, createDifferentRows } from './different-rows.ts';

/** Size of the sample, the first and the last recipient included. */
const SHOWN = 5;
/** Most different rows that are shown besides. */
const DIFFERENT_SHOWN = 6;
/** Recipients kept while reading, evenly spread; beyond that, every second one is dropped. */
const REMEMBERED = 32;
/** Different texts that are counted: a few megabytes while the list is read. */
const TEXTS_COUNTED = 100_000;
/** Bytes of a text's hash that are kept: what a JavaScript number represents exactly. */
const HASH_BYTES = 6;
/** Characters of an odd value that are kept. */
const VALUE_KEPT = 40;

export interface Surveying {
  /** Takes every recipient once, in row order. */
  look(recipients: readonly NewRecipient[]): void;
  result(): Survey;
}

interface Measured {
  readonly row: number;
  readonly length: number;
}

/** Counts the countries and different texts of a list, finds odd values and samples recipients, in bounded memory. */
export function createSurvey(message: Message, columns: readonly string[]): Surveying {
  const textOf = isSameForAll(message) ? undefined : createPersonaliser(message, columns);
  const used = [...new Set(personalTexts(message).flatMap(columnsUsed))].map((column) => ({
    column,
    at: columns.indexOf(column),
    different: createDifferentRows(),
  }));
  const countries: Record<string, number> = {};
  const odd = createOddRows(readsOddly);
  const insecure = createOddRows((value) => insecureLink(value) !== undefined);
  const texts = new Set<number>();
  let recipients = 0;
  let more = false;
  let remembered: number[] = [];
  let every = 1;
  let last: number | undefined;
  let shortest: Measured | undefined;
  let longest: Measured | undefined;

  function read(row: number, text: string): void {
    const { length } = text;
    if (shortest === undefined || length < shortest.length) shortest = { row, length };
    if (longest === undefined || length > longest.length) longest = { row, length };
    if (more) return;
    const known = hash('sha256', text, 'buffer').readUIntBE(0, HASH_BYTES);
    if (texts.size < TEXTS_COUNTED) texts.add(known);
    else more = !texts.has(known);
  }

  function look({ row, number, values, skipped }: NewRecipient): void {
    if (skipped !== undefined) return;
    const country = countryOf(number) ?? '?';
    countries[country] = (countries[country] ?? 0) + 1;
    const cells = used.map(({ column, at }) => ({ row, column, value: values[at] ?? '' }));
    for (const { at, different } of used) different.look(row, values[at] ?? '');
    odd.look(cells);
    insecure.look(cells);
    if (recipients % every === 0) remembered.push(row);
    if (remembered.length > REMEMBERED) {
      remembered = remembered.filter((_row, index) => index % 2 === 0);
      every *= 2;
    }
    recipients += 1;
    last = row;
    if (textOf !== undefined) read(row, personalTexts(textOf(values)).join('\u0000'));
  }

  /** By column, the one with the most different row first. */
  function differing(): readonly { readonly column: string; readonly groups: readonly Alike[] }[] {
    return used
      .map(({ column, different }) => ({ column, groups: different.found() }))
      .filter(({ groups }) => groups.length > 0)
      .toSorted((one, other) => (other.groups[0]?.distance ?? 0) - (one.groups[0]?.distance ?? 0));
  }

  function rows(different: ReturnType<typeof differing>): readonly SurveyedRow[] {
    const known = last === undefined ? [] : [...remembered.filter((row) => row !== last), last];
    const shown = Array.from(
      { length: SHOWN },
      (_none, index) => known[Math.round((index * (known.length - 1)) / (SHOWN - 1))],
    ).filter((row) => row !== undefined);
    const differ = shortest?.length !== longest?.length;
    const extremes = differ ? [shortest, longest].flatMap((one) => one?.row ?? []) : [];
    // Of each column the most different one, before any column has its second.
    const alike = different
      .flatMap(({ groups }) => groups.map((group, place) => ({ ...group, place })))
      .toSorted((one, other) => one.place - other.place)
      .slice(0, DIFFERENT_SHOWN);
    const counts = new Map(alike.map(({ row, count }) => [row, count]));
    return [...new Set([...shown, ...extremes, ...counts.keys()])]
      .toSorted((one, other) => one - other)
      .map((row): SurveyedRow => {
        const count = counts.get(row);
        const marked = { row, ...(count !== undefined && { alike: count }) };
        if (!differ || (row !== shortest?.row && row !== longest?.row)) return marked;
        return { ...marked, why: row === shortest?.row ? 'shortest' : 'longest' };
      });
  }

  function result(): Survey {
    const different = differing();
    return {
      recipients,
      countries,
      ...odd.found('odd'),
      ...insecure.found('insecure'),
      ...(different.length > 0 && { different: different.flatMap(summary) }),
      ...(textOf !== undefined && { texts: { count: texts.size, more } }),
      rows: rows(different),
    };
  }

  return {
    look: (batch) => {
      for (const recipient of batch) look(recipient);
    },
    result,
  };
}

/** How many rows of a column say something else, and the most different one. */
function summary({
  column,
  groups,
}: {
  readonly column: string;
  readonly groups: readonly Alike[];
}): OddRows[] {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return groups
    .slice(0, 1)
    .map(({ row, value }) => ({ count, row, column, value: value.slice(0, VALUE_KEPT) }));
}

/** Counts the rows with a cell that shares a flaw, and keeps the first of these cells. */
function createOddRows(isOdd: (value: string) => boolean) {
  let rows: OddRows | undefined;
  return {
    look: (cells: readonly Omit<OddRows, 'count'>[]) => {
      const cell = cells.find(({ value }) => isOdd(value));
      if (cell === undefined) return;
      const first = rows ?? { ...cell, value: cell.value.slice(0, VALUE_KEPT) };
      rows = { ...first, count: (rows?.count ?? 0) + 1 };
    },
    found: (name: 'odd' | 'insecure') => rows && { [name]: rows },
  };
}
