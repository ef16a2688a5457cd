import { expect, test } from 'vitest';
import { type AlertRule, compilePattern } from '../../../src/sends/alerts/rules.ts';
import type { AlertsDependencies } from '../../../src/sends/alerts/service.ts';
import { seeded } from '../../http/hostile-bodies.ts';
import { ARUN, CHANNEL, createAlertsSetting, MEI, MINUTE_MS, RULE, SETTINGS } from './setting.ts';

const WATCHDOG = {
  ...RULE,
  name: 'Watchdog',
  match: compilePattern('alive'),
  expect: { everyMs: 10 * MINUTE_MS },
  resolved: { notify: true },
};
const EVERYTHING = { ...RULE, name: 'everything', match: undefined, notify: ['second'] };
const ALIVE = 'I am alive: resolved';
const NOTHING = 'Nothing from “Watchdog” since 16:00';

function expecting(rules: readonly AlertRule[] = [WATCHDOG]) {
  const settings = { ...SETTINGS, rules };
  const setting = createAlertsSetting(settings);
  const begin = (over: Partial<AlertsDependencies> = {}) => {
    const one = setting.again({ settings, ...over } as never);
    one.alerts.start();
    return one;
  };
  const stop = async ({ alerts, stop: end }: ReturnType<typeof begin>) => {
    end.abort();
    await setting.settled();
    await alerts.drained();
  };
  const texts = () => setting.sent().map(({ text }) => text);
  const minutes = (count: number) => setting.clock.advance(count * MINUTE_MS);
  return { ...setting, begin, stop, texts, minutes };
}

test('a rule that expects a sign of life notifies once when none came for so long, and again only after it came back', async () => {
  const { begin, event, texts, minutes } = expecting();
  const { alerts } = begin();
  for (let times = 0; times < 5; times += 1) {
    await alerts.receive(event(ALIVE));
    await minutes(9);
  }
  expect(texts()).toEqual([]);
  await minutes(2);
  expect(texts()).toEqual(['Nothing from “Watchdog” since 16:36']);
  await minutes(300);
  expect(texts()).toHaveLength(1);
  await alerts.receive(event(ALIVE));
  await minutes(1);
  expect(texts().slice(1)).toEqual(['Over: Nothing from “Watchdog” since 16:36']);
  await minutes(10);
  expect(texts().slice(2)).toEqual(['Nothing from “Watchdog” since 21:47']);
});

test('a rule that expects a sign of life of which nothing ever came notifies after one period', async () => {
  const { begin, texts, minutes } = expecting();
  begin();
  await minutes(9);
  expect(texts()).toEqual([]);
  await minutes(2);
  expect(texts()).toEqual(['Nothing from “Watchdog” yet']);
});

test('a rule that expects a sign of life takes what monitoring tools repeat for a sign, and what is over or does not match for none', async () => {
  const { begin, texts, minutes, event } = expecting();
  const { alerts } = begin();
  const signal = { key: 'w', start: 1, status: 'firing', text: 'alive' } as const;
  for (let times = 0; times < 6; times += 1) {
    await alerts.report({ name: 'prometheus', channel: CHANNEL }, [signal]);
    await minutes(5);
  }
  expect(texts()).toEqual([]);
  await alerts.report({ name: 'prometheus', channel: CHANNEL }, [{ ...signal, status: 'resolved' }]);
  await alerts.receive(event('something else'));
  await minutes(6);
  expect(texts()).toHaveLength(1);
});

test('a rule that expects a sign of life is noticed by that rule alone', async () => {
  const { begin, event, sent, minutes } = expecting([WATCHDOG, EVERYTHING]);
  const { alerts } = begin();
  await alerts.receive(event('I am alive'));
  await minutes(11);
  expect(sent().map(({ text, to }) => [text, to])).toEqual([
    ['I am alive', ARUN],
    [NOTHING, MEI],
  ]);
});

test('a rule that expects a sign of life waits one period after Herald itself did not run, stood still, or had no database', async () => {
  const { begin, stop, event, texts, minutes, clock, alertStore } = expecting();
  const first = begin();
  await first.alerts.receive(event(ALIVE));
  await minutes(5);
  await stop(first);
  await minutes(60);
  let isDown = false;
  const rules = () => (isDown ? Promise.reject(new Error('gone')) : alertStore.rules());
  const { alerts } = begin({ store: { ...alertStore, rules } });
  await minutes(9);
  await clock.leap(60 * MINUTE_MS);
  await minutes(9);
  isDown = true;
  await minutes(60);
  isDown = false;
  await minutes(9);
  expect(texts()).toEqual([]);
  await minutes(2);
  expect(texts()).toEqual([NOTHING]);
  await alerts.receive(event(ALIVE));
  await minutes(1);
  expect(texts()).toHaveLength(2);
});

test('a rule that expects a sign of life does not fire because a clock was set, and fires in time when it was set back', async () => {
  const { begin, event, texts, minutes, clock } = expecting();
  const { alerts } = begin();
  await alerts.receive(event(ALIVE));
  await minutes(1);
  clock.set(48 * 60 * MINUTE_MS);
  await minutes(8);
  expect(texts()).toEqual([]);
  clock.set(-72 * 60 * MINUTE_MS);
  await minutes(2);
  expect(texts()).toEqual([NOTHING]);
});

test('a rule that expects a sign of life is paused while it is muted, and a period longer', async () => {
  const { begin, event, texts, minutes, clock } = expecting();
  const { alerts } = begin();
  await alerts.receive(event(ALIVE));
  await alerts.mute('Watchdog', clock.now() + 60 * MINUTE_MS, 'U0ASHA');
  await minutes(69);
  expect(texts()).toEqual([]);
  await minutes(2);
  expect(texts()).toEqual([NOTHING]);
});

test('a rule that expects a sign of life that comes while the silence is being noticed ends it', async () => {
  const { begin, again, event, minutes, alertStore, lastAlert } = expecting();
  begin();
  await minutes(5);
  let looks = 0;
  const rules = async () => {
    const read = await alertStore.rules();
    looks += 1;
    if (looks === 1) await minutes(6);
    return read;
  };
  const settings = { ...SETTINGS, rules: [WATCHDOG] };
  const other = again({ settings, store: { ...alertStore, rules } } as never);
  await other.alerts.receive(event(ALIVE));
  await minutes(1);
  expect([looks > 1, (await lastAlert())?.state]).toEqual([true, 'resolved']);
});

test('a rule that expects a sign of life counts its period from the last of a flood, of which not each is written', async () => {
  const { begin, event, texts, clock, alertStore } = expecting();
  const { alerts } = begin();
  await clock.advance(29_900);
  for (let times = 0; times < 50; times += 1) await alerts.receive(event(ALIVE));
  expect(await alertStore.rules()).toMatchObject([{ expected: { count: 1 } }]);
  await clock.advance(29_000);
  await alerts.receive(event(ALIVE));
  await clock.advance(9.7 * MINUTE_MS);
  expect(texts()).toEqual([]);
  await clock.advance(1.3 * MINUTE_MS);
  expect(texts()).toHaveLength(1);
});

/* Two replicas, restarts, and a clock that is set: nothing but a period without a sign makes a silence, and one makes one. */
test.each(Array.from({ length: 8 }, (_none, seed) => seed + 1))(
  'whatever happens, a silence is noticed once life %i',
  async (seed) => {
    const random = seeded(seed);
    const int = (below: number) => Math.floor(random() * below);
    const { begin, stop, event, texts, minutes, clock } = expecting([
      { ...WATCHDOG, resolved: { notify: false } },
    ]);
    const replicas = [begin(), begin()];
    let silences = 0;
    for (let step = 0; step < 25; step += 1) {
      const chance = random();
      const place = int(2);
      if (chance < 0.2) clock.set((int(2_000) - 1_000) * MINUTE_MS);
      else if (chance < 0.4 && replicas[place]) {
        await stop(replicas[place]);
        await minutes(int(3));
        replicas[place] = begin();
      } else if (chance < 0.6) {
        // As long as it takes whichever replicas began last.
        await minutes(25);
        silences += 1;
        expect(texts()).toHaveLength(silences);
      }
      await replicas[int(2)]?.alerts.receive(event(`alive ${step}`));
      await minutes(1 + int(6));
      expect(texts()).toHaveLength(silences);
    }
  },
);
