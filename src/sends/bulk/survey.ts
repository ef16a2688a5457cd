import { hash } from 'node:crypto';
import { given } from '../../core/given.ts';
import { columnsUsed } from '../../messages/columns.ts';
import { difference, SAYS_ELSE, type Words, wordsOf } from '../../messages/difference.ts';
import type { Message } from '../../messages/kinds.ts';
import { countryOf } from '../../messages/numbers/phone-number.ts';
import { createPersonaliser, isSameForAll, personalTexts } from '../../messages/personalise.ts';
import { insecureLink, readsOddly } from '../../messages/text.ts';
import type { NewRecipient } from '../ports.ts';
import type { OddRows, Survey, SurveyedRow } from '../send.ts';

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
      // One entry a column, the one with the most different row first.
      const different: readonly Differing[] = used
        .map((one) => ({ column: one.column, groups: one.different.found() }))
        .filter(({ groups }) => groups.length > 0)
        .toSorted((one, other) => (other.groups[0]?.distance ?? 0) - (one.groups[0]?.distance ?? 0));
      return {
        recipients: sample.count(),
        countries,
        ...given({ odd: odd.found(), insecure: insecure.found() }),
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
  // The most different row of each column comes before the second of any column.
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

/** Some of what comes, evenly spread, in bounded memory. */
export function createEven<Item>(most: number) {
  let kept: Item[] = [];
  let every = 1;
  let count = 0;
  return {
    look: (item: Item) => {
      if (count % every === 0) kept.push(item);
      if (kept.length > most) {
        kept = kept.filter((_item, index) => index % 2 === 0);
        every *= 2;
      }
      count += 1;
    },
    count: () => count,
    kept: (): readonly Item[] => kept,
  };
}

/** Recipients from all over a list, the first and the last included. */
function createSample() {
  const even = createEven<number>(REMEMBERED);
  let last: number | undefined;
  return {
    look: (row: number) => {
      even.look(row);
      last = row;
    },
    count: even.count,
    found: (): readonly number[] => {
      const known = last === undefined ? [] : [...even.kept().filter((row) => row !== last), last];
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
    found: () => rows,
  };
}

/** Groups kept of a column. */
const GROUPS = 6;
/** Among few values, those that differ are named if they are at most this part of the list. */
const RARE = 0.2;

/** Rows of a column that say about the same, and the first of them. */
interface Group {
  readonly row: number;
  readonly value: string;
  readonly words: Words;
  count: number;
}

interface Alike extends Readonly<Omit<Group, 'words'>> {
  /** From what most say, in words. */
  readonly distance: number;
}

/**
 * Puts the values of one column into a few groups as they come, each as far from the others as the groups can be: whenever
 * they become too many, what may lie within one doubles. So no row is far from all that are shown, in bounded memory and
 * linear time. Few values are compared exactly.
 */
function createDifferentRows() {
  let groups: Group[] = [];
  /** In words; 0 while values are compared exactly. */
  let reach = 0;

  const nearest = (among: readonly Group[], words: Words) =>
    among.find((group) => difference(group.words, words) < reach);

  function look(row: number, cell: string): void {
    const value = cell.trim();
    const same = groups.find((group) => group.value === value);
    if (same !== undefined) {
      same.count += 1;
      return;
    }
    const words = wordsOf(value);
    const near = nearest(groups, words);
    if (near === undefined) groups.push({ row, value, words, count: 1 });
    else near.count += 1;
    while (groups.length > GROUPS) {
      reach = Math.max(SAYS_ELSE, reach * 2);
      groups = merged();
    }
  }

  function merged(): Group[] {
    const kept: Group[] = [];
    for (const group of byCount()) {
      const near = nearest(kept, group.words);
      if (near === undefined) kept.push(group);
      else near.count += group.count;
    }
    return kept;
  }

  const byCount = () => groups.toSorted((one, other) => other.count - one.count);

  return {
    look,
    /** Finds those that say something else than the largest group, the most different first. */
    found: (): readonly Alike[] => {
      const [usual, ...others] = byCount();
      if (usual === undefined) return [];
      const rare = others.reduce((sum, { count }) => sum + count, 0) <= usual.count * (RARE / (1 - RARE));
      return others
        .map(({ words, ...group }) => ({ ...group, distance: difference(words, usual.words) }))
        .filter(({ distance }) => distance >= SAYS_ELSE || rare)
        .toSorted((one, other) => other.distance - one.distance || one.count - other.count);
    },
  };
}
