import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readText, TOP } from './written.ts';

/* The page on sizing: what it names exists, and what it works out follows from what it measured. */
/** With each paragraph on one line. */
const page = readText('docs/sizing.md').replace(/(?<!\n)\n(?![|\n])\s*/g, ' ');
const DAY_SECONDS = 86_400;
const GIGABYTE = 1e9;

interface Measured {
  readonly rows: readonly { readonly work: string; readonly figures: readonly number[] }[];
  readonly storage: {
    readonly pages: readonly { readonly filledTo: number; readonly after: number }[];
    readonly rows: Readonly<Record<'audience_rows' | 'deliveries' | 'webhooks', number>>;
  };
}

function found(pattern: RegExp): number {
  const [, number] = pattern.exec(page) ?? [];
  if (number === undefined) throw new Error(`The page has nothing like ${pattern}`);
  return Number(number.replaceAll(',', ''));
}

describe('the page on sizing', () => {
  it('names commands that exist', () => {
    const scripts = [...page.matchAll(/`node (bench\/[\w-]+\.ts)/g)].map(([, script = '']) => script);
    expect(new Set(scripts).size).toBe(2);
    expect(scripts.filter((script) => !existsSync(new URL(script, TOP)))).toEqual([]);
  });

  it('multiplies connections by what one carries', () => {
    const rows = [...page.matchAll(/^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|/gm)].map((row) =>
      row.slice(1).map(Number),
    );
    expect(rows).toEqual(
      [1, 4, 40].map((replicas) => [replicas, replicas * 100, replicas * 100 * (1_000 / 100), replicas * 14]),
    );
  });

  it('knows how long 100 million take', () => {
    const people = 100e6;
    const days = found(/at 80 a second[^|]*\| ([\d.]+) days/);
    const hours = [
      found(/at 1000 a second[^|]*\| ([\d.]+) hours/),
      found(/at 10000 a second[^|]*\| ([\d.]+) hours/),
    ];
    expect(days).toBeCloseTo(people / 80 / DAY_SECONDS, 1);
    expect(hours[0]).toBeCloseTo(people / 1_000 / 3_600, 1);
    expect(hours[1]).toBeCloseTo(people / 10_000 / 3_600, 1);
    const { pacing } = parse(readText('herald.example.yml'));
    expect(pacing.chatapp.perSecond).toBe(80);
  });

  it('says what was measured last, and what follows from it', () => {
    const { rows, storage } = JSON.parse(readText('bench/results.json')) as Measured;
    const middle = (work: RegExp) => {
      const { figures = [] } = rows.find((row) => work.test(row.work)) ?? {};
      return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
    };
    const gigabytes = (bytes: number) => Math.round((bytes * 100e6) / GIGABYTE);
    const [after] = storage.pages.filter(({ filledTo }) => filledTo === 60).map((pages) => pages.after);
    const { audience_rows: listRow, deliveries, webhooks } = storage.rows;
    expect(found(/recipient afterwards \| (\d+) \|/)).toBe(after);
    expect(found(/(\d+) GB of recipients/)).toBe(gigabytes(after ?? Number.NaN));
    expect(found(/(\d+) GB of lists/)).toBe(gigabytes(listRow));
    expect(found(/(\d+) GB of reports/)).toBe(gigabytes(deliveries + webhooks));
    expect(found(/(\d+) bytes of log \(WAL\)/)).toBe(Math.round(middle(/log \(WAL\)/)));
    expect(found(/writes (\d+) GB of log/)).toBe(gigabytes(middle(/log \(WAL\)/)));
    expect(found(/takes ([\d.]+) million of the 200/)).toBeCloseTo(middle(/transactions/) * 100, 1);
  });
});
