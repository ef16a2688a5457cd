import { difference, SAYS_ELSE, type Words, wordsOf } from '../../messages/difference.ts';

/** Groups kept of a column. */
const GROUPS = 6;
/** Of few values the others are told of that are at most this part of the list. */
const RARE = 0.2;

/** Rows of a column that say about the same, and the first of them. */
export interface Alike {
  readonly row: number;
  readonly value: string;
  readonly count: number;
  /** From what most say, in words. */
  readonly distance: number;
}

interface Group {
  readonly row: number;
  readonly value: string;
  readonly words: Words;
  count: number;
}

/**
 * Puts the values of one column into a few groups as they come, each as far from the others as the groups can be: whenever
 * they become too many, what may lie within one doubles. So no row is far from all that are shown, in bounded memory and
 * linear time. Few values are told apart exactly.
 */
export function createDifferentRows() {
  let groups: Group[] = [];
  /** In words; 0 while values are told apart exactly. */
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
    /** Those that say something else than the largest group, the most different first. */
    found: (): readonly Alike[] => {
      const [usual, ...others] = byCount();
      if (usual === undefined) return [];
      const rare = others.reduce((sum, { count }) => sum + count, 0) <= usual.count * (RARE / (1 - RARE));
      return others
        .map(({ row, value, words, count }) => ({
          row,
          value,
          count,
          distance: difference(words, usual.words),
        }))
        .filter(({ distance }) => distance >= SAYS_ELSE || rare)
        .toSorted((one, other) => other.distance - one.distance || one.count - other.count);
    },
  };
}
