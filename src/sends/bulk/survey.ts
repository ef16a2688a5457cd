import { hash } from 'node:crypto';
import { columnsUsed } from '../../messages/columns.ts';
import type { Message } from '../../messages/kinds.ts';
import { countryOf } from '../../messages/numbers/phone-number.ts';
import { insecureLink, readsOddly } from '../../messages/oddity.ts';
import { createPersonaliser, isSameForAll, personalTexts } from '../../messages/personalise.ts';
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

interface Differing {
  readonly column: string;
  readonly groups: readonly Alike[];
}

/** Counts the countries and different texts of a list, finds odd values and samples recipients, in bounded memory. */
export function createSurvey(message: Message, columns: readonly string[]) {
  const textOf = isSameForAll(message) ? undefined : createPersonaliser(message, columns);
  const used = [...new Set(personalTexts(message).flatMap(columnsUsed))].map((column) => ({
    column,
    at: columns.indexOf(column),
    different: createDifferentRows(),
  }));
  const countries: Record<string, number> = {};
  const odd = createOddRows(readsOddly);
  const insecure = createOddRows((value) => insecureLink(value) !== undefined);
  const texts = createTexts();
  const sample = createSample();

  function look({ row, number, values, skipped }: NewRecipient): void {
    if (skipped !== undefined) return;
    const country = countryOf(number) ?? '?';
    countries[country] = (countries[country] ?? 0) + 1;
    const cells = used.map(({ column, at }) => ({ row, column, value: values[at] ?? '' }));
    for (const { at, different } of used) different.look(row, values[at] ?? '');
    odd.look(cells);
    insecure.look(cells);
    sample.look(row);
    if (textOf !== undefined) texts.look(row, personalTexts(textOf(values)).join('\u0000'));
  }

  return {
    /** Takes every recipient once, in row order. */
    look: (recipients: readonly NewRecipient[]) => {
      for (const recipient of recipients) look(recipient);
    },
    result: (): Survey => {
      // By column, the one with the most different row first.
      const different: readonly Differing[] = used
        .map((one) => ({ column: one.column, groups: one.different.found() }))
        .filter(({ groups }) => groups.length > 0)
        .toSorted((one, other) => (other.groups[0]?.distance ?? 0) - (one.groups[0]?.distance ?? 0));
      return {
        recipients: sample.count(),
        countries,
        ...odd.found('odd'),
        ...insecure.found('insecure'),
        ...(different.length > 0 && { different: different.flatMap(summary) }),
        ...(textOf !== undefined && { texts: texts.found() }),
        rows: rowsShown(sample.found(), texts.extremes(), different),
      };
    },
  };
}

function rowsShown(
  sample: readonly number[],
  extremes: readonly SurveyedRow[],
  different: readonly Differing[],
): readonly SurveyedRow[] {
  // Of each column the most different one, before any column has its second.
  const alike = different
    .flatMap(({ groups }) => groups.map((group, place) => ({ ...group, place })))
    .toSorted((one, other) => one.place - other.place)
    .slice(0, DIFFERENT_SHOWN);
  const counts = new Map(alike.map(({ row, count }) => [row, count]));
  return [...new Set([...sample, ...extremes.map(({ row }) => row), ...counts.keys()])]
    .toSorted((one, other) => one - other)
    .map((row) => {
      const count = counts.get(row);
      return {
        row,
        ...(count !== undefined && { alike: count }),
        ...extremes.find((extreme) => extreme.row === row),
      };
    });
}

/** Recipients from all over a list, the first and the last included. */
function createSample() {
  let remembered: number[] = [];
  let every = 1;
  let count = 0;
  let last: number | undefined;
  return {
    look: (row: number) => {
      if (count % every === 0) remembered.push(row);
      if (remembered.length > REMEMBERED) {
        remembered = remembered.filter((_row, index) => index % 2 === 0);
        every *= 2;
      }
      count += 1;
      last = row;
    },
    count: () => count,
    found: (): readonly number[] => {
      const known = last === undefined ? [] : [...remembered.filter((row) => row !== last), last];
      const places = Array.from({ length: SHOWN }, (_none, n) => (n * (known.length - 1)) / (SHOWN - 1));
      return places.map((place) => known[Math.round(place)]).filter((row) => row !== undefined);
    },
  };
}

/** Counts different texts, and finds the shortest and the longest, unless all are of one length. */
function createTexts() {
  const known = new Set<number>();
  let more = false;
  let shortest = { row: 0, length: Number.POSITIVE_INFINITY };
  let longest = { row: 0, length: -1 };
  return {
    look: (row: number, text: string) => {
      const { length } = text;
      if (length < shortest.length) shortest = { row, length };
      if (length > longest.length) longest = { row, length };
      if (more) return;
      const prefix = hash('sha256', text, 'buffer').readUIntBE(0, HASH_BYTES);
      if (known.size < TEXTS_COUNTED) known.add(prefix);
      else more = !known.has(prefix);
    },
    found: () => ({ count: known.size, more }),
    extremes: (): readonly SurveyedRow[] =>
      longest.length <= shortest.length
        ? []
        : [
            { row: shortest.row, why: 'shortest' },
            { row: longest.row, why: 'longest' },
          ],
  };
}

/** How many rows of a column say something else, and the most different one. */
function summary({ column, groups }: Differing): OddRows[] {
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
