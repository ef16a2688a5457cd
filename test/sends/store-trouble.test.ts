import { expect, it } from 'vitest';
import { createStoreTrouble, retryUntilStored } from '../../src/sends/store-trouble.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

it('lasts from the first write that is refused until the last of them is taken or given up', async () => {
  const clock = createManualClock();
  const begun = clock.now();
  const stop = new AbortController();
  const heard: (number | undefined)[] = [];
  const storeTrouble = createStoreTrouble();
  storeTrouble.onChange(() => heard.push(storeTrouble.since()));
  const dependencies = { clock, logger: createRecordingLogger(), stopping: stop.signal, storeTrouble };
  let full = true;
  const write = async () => {
    if (full) throw new Error('database or disk is full');
    return 'written';
  };
  const first = retryUntilStored(write, dependencies);
  await clock.advance(1_000);
  const second = retryUntilStored(async () => {
    throw new Error('never');
  }, dependencies);
  await clock.advance(0);
  expect(heard).toEqual([begun]);
  full = false;
  await clock.advance(2_000);
  expect(await first).toBe('written');
  expect(storeTrouble.since()).toBe(begun);
  stop.abort();
  await clock.advance(0);
  expect(await second).toBeUndefined();
  expect(heard).toEqual([begun, undefined]);
  expect(await retryUntilStored(write, dependencies)).toBe('written');
  expect(heard).toHaveLength(2);
});
