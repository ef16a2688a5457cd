import { expect, test } from 'vitest';
import type { Send } from '../../src/sends/send.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createPeople, createPlainProcess } from './crash-life.ts';
import { onSqlite } from './databases.ts';
import { saidOf, sample } from './how-many.ts';
import { untilStill } from './process.ts';

/*
 * The wall clock is set around an approval, a start and quiet hours (10 to 11 for promotions; a world begins at 8). What
 * goes by the wall clock goes by the one that is right now.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EXPIRES_MS = DAY_MS;
const NUMBERS = Array.from({ length: 40 }, (_none, index) => `+9198123450${String(index).padStart(2, '0')}`);

const SHIFTS = [HOUR_MS, -HOUR_MS, 2 * HOUR_MS, DAY_MS, -DAY_MS];
/** When it is set. */
const MOMENTS = ['asked for', 'approved', 'sending', 'in quiet hours'] as const;
/** How long after the request a send starts. */
const STARTS = [0, HOUR_MS / 2, 1.9 * HOUR_MS, 2.5 * HOUR_MS];
const TYPES = ['PROMO', 'TRANS'] as const;
/** In steps of ten minutes: three days. */
const MOST_STEPS = 3 * 24 * 6;

interface Case {
  readonly shiftMs: number;
  readonly moment: (typeof MOMENTS)[number];
  readonly startInMs: number;
  readonly type: (typeof TYPES)[number];
}

const isQuiet = (at: number) => new Date(at).getUTCHours() === 10;

/** @returns what is wrong */
async function live({ shiftMs, moment, startInMs, type }: Case): Promise<string[]> {
  const database = await onSqlite();
  const clock = createManualClock();
  const arrived: string[] = [];
  const wrong: string[] = [];
  const { memory } = await database.open();
  const herald = createPlainProcess({
    ...{ memory, clock },
    request: async (_message, [to]) => {
      if (type === 'PROMO' && isQuiet(clock.now()))
        wrong.push(`${to?.number} at ${new Date(clock.now()).toISOString()}`);
      arrived.push(to?.number ?? '');
      return { outcome: { state: 'accepted', status: 200 }, afterMs: 20 };
    },
  });
  const rest = () => untilStill(herald.isBusy);
  const find = async (id: string) => (await memory.sends.find(id)) as Send;
  let isSet = false;
  const setAt = (now: Case['moment']) => {
    if (moment !== now || isSet) return;
    isSet = true;
    clock.set(shiftMs);
  };
  const { ask, latest, approve, resume } = createPeople(herald, memory);
  await herald.bulk.start();
  const askedAt = clock.now();
  await ask(NUMBERS, type, 'x', startInMs > 0 ? askedAt + startInMs : undefined);
  await rest();
  let end = (await latest()) as Send;
  setAt('asked for');
  const isExpired = clock.now() >= askedAt + EXPIRES_MS;
  const approved = await approve(end);
  if (isExpired !== (approved.state === 'refused')) wrong.push(`the approval is ${approved.state}`);
  await rest();
  setAt('approved');
  end = await find(end.id);
  for (let step = 0; step < MOST_STEPS && !/^(?:done|expired|rejected)$/.test(end.state); step += 1) {
    for (let part = 0; part < (end.state === 'sending' ? 5 : 1); part += 1) {
      await clock.advance(100);
      await rest();
      if (arrived.length > 0) setAt('sending');
    }
    if (isQuiet(clock.now())) setAt('in quiet hours');
    end = await find(end.id);
    await resume(end);
    if (end.state !== 'sending' || arrived.length === 0 || type === 'PROMO') await clock.leap(HOUR_MS / 6);
    await rest();
  }
  end = await find(end.id);
  const expected = isExpired ? ['expired', 0] : ['done', NUMBERS.length];
  if (end.state !== expected[0] || new Set(arrived).size !== expected[1] || arrived.length !== expected[1])
    wrong.push(`it ends ${end.state}, ${arrived.length} requests to ${new Set(arrived).size}`);
  await database.close();
  return wrong;
}

test('the wall clock around approvals, starts and quiet hours: an hour, two and a day forth and back', async ({
  task,
}) => {
  const all = SHIFTS.flatMap((shiftMs) =>
    MOMENTS.flatMap((moment) =>
      STARTS.flatMap((startInMs) => TYPES.map((type): Case => ({ shiftMs, moment, startInMs, type }))),
    ),
  );
  const cases = sample(all, 3);
  const wrong: object[] = [];
  for (const one of cases) {
    const faults = await live(one);
    if (faults.length > 0) wrong.push({ ...one, faults: faults.slice(0, 3) });
  }
  expect(wrong).toEqual([]);
  task.meta.figure = `${cases.length} ways${saidOf(all)}: nobody in quiet hours, nobody after the expiry, nobody twice, nothing stuck`;
});
