import { beforeEach, expect, test } from 'vitest';
import { asOutage } from '../../src/core/outage.ts';
import { type InputAttempts, workOnInputs } from '../../src/sends/set-aside.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../fakes/logger.ts';
import { openMemoryStores } from '../fakes/stores.ts';

const POISON = 'poison';

let inputs: InputAttempts;
let logger: RecordingLogger;
let kept: string[];
let done: string[];
let groups: string[];
let counted: string[];

beforeEach(() => {
  inputs = openMemoryStores().inputs;
  logger = createRecordingLogger();
  kept = ['a', POISON, 'b'];
  done = [];
  groups = [];
  counted = [];
});

/** One round over what is kept. `fail` is what becomes of a group with the poison in it. */
function round(fail: () => Promise<void>): Promise<number> {
  const finish = (item: string) => {
    kept = kept.filter((one) => one !== item);
  };
  return workOnInputs(
    {
      source: 'webhook',
      items: kept,
      idOf: (item) => item,
      work: async (items) => {
        groups.push(items.join('+'));
        if (items.includes(POISON)) await fail();
        done.push(...items);
        items.forEach(finish);
      },
      giveUp: async (item) => finish(item),
    },
    {
      inputs,
      metrics: { inputSetAside: (source) => counted.push(source) },
      clock: createManualClock(),
      logger,
    },
  );
}

const throws = () => Promise.reject(new Error('unreadable'));

test('what fails is tried alone, three times in all; the rest gets through', async () => {
  expect(await round(throws)).toBe(0);
  expect(groups).toEqual(['a+poison+b', 'a', 'poison', 'b']);
  expect([done, kept]).toEqual([['a', 'b'], [POISON]]);
  expect(await round(throws)).toBe(5_000);
  kept.push('c');
  expect(await round(throws)).toBe(0);
  expect([done, kept]).toEqual([['a', 'b', 'c'], []]);
  expect(groups.filter((group) => group.includes(POISON))).toHaveLength(3);
  expect(counted).toEqual(['webhook']);
  expect(await inputs.setAsideCounts()).toEqual([{ source: 'webhook', count: 1 }]);
  expect(logger.lines.at(-1)).toMatchObject({ level: 'error', fields: { source: 'webhook', id: POISON } });
});

test('an attempt that ends the process counts as well, and takes nothing else with it', async () => {
  // A round that never returns is a process that hangs until it is killed; the next round is the next process.
  const hangs = () => new Promise<void>(() => {});
  for (let start = 0; start < 3; start += 1) {
    void round(hangs);
    await expect.poll(() => groups.filter((group) => group.includes(POISON))).toHaveLength(start + 1);
  }
  expect(await round(hangs)).toBe(0);
  expect([done, kept]).toEqual([['a', 'b'], []]);
  expect(groups.filter((group) => group.includes(POISON))).toEqual(['a+poison+b', POISON, POISON]);
  expect(counted).toEqual(['webhook']);
});

test('an outage is nobody’s failure, however long it lasts', async () => {
  for (let times = 0; times < 10; times += 1)
    await expect(round(() => Promise.reject(asOutage(new Error('disk full'))))).rejects.toThrow('disk full');
  expect(await inputs.counts('webhook', kept)).toEqual([]);
  expect(await round(async () => {})).toBe(0);
  expect(done).toEqual(['a', POISON, 'b']);
});
