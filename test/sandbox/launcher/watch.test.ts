import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { Watch } from '../../../sandbox/watch.ts';

afterEach(() => vi.useRealTimers());

function watched() {
  const events = new EventEmitter();
  const watch = new Watch([
    (listener) => {
      events.on('change', listener);
      return () => events.off('change', listener);
    },
  ]);
  return { events, watch };
}

test('looks at once, then at each event, and lets go of its sources', async () => {
  const { events, watch } = watched();
  let value = 0;
  const waiting = watch.until('two', () => value === 2 && value);
  expect(events.listenerCount('change')).toBe(1);
  value = 1;
  events.emit('change');
  value = 2;
  events.emit('change');
  expect(await waiting).toBe(2);
  expect(events.listenerCount('change')).toBe(0);
});

test('an event during a slow look is not missed', async () => {
  const { events, watch } = watched();
  let looks = 0;
  const found = await watch.until('a second look', async () => {
    looks += 1;
    if (looks === 1) events.emit('change');
    return looks === 2;
  });
  expect(found).toBe(true);
});

test('a deadline that passes names what was waited for', async () => {
  const { watch } = watched();
  await expect(watch.until('the impossible', () => undefined, 1)).rejects.toThrow(
    'Waited 1 ms in vain: the impossible',
  );
});

test('a deadline passes even where the clock of the machine stands still or is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { watch } = watched();
  await expect(watch.until('the impossible', () => undefined, 1)).rejects.toThrow('in vain');
}, 5_000);

test('a probe that throws ends the wait', async () => {
  const { events, watch } = watched();
  const waiting = watch.until('nothing', () => {
    throw new Error('broken probe');
  });
  await expect(waiting).rejects.toThrow('broken probe');
  expect(events.listenerCount('change')).toBe(0);
});
