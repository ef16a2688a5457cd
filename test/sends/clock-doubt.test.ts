import { expect, it } from 'vitest';
import { createClockDoubt } from '../../src/sends/retention.ts';
import { createManualClock } from '../fakes/clock.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** @param ahead of whom this machine's clock is ahead, by how much; an error where nobody answers */
function setUp(ahead: Record<string, number | Error | undefined>) {
  const clock = createManualClock();
  const others = Object.keys(ahead).map((whose) => {
    const compare = async () => {
      const ms = ahead[whose];
      if (ms instanceof Error) throw ms;
      return ms;
    };
    return [whose, compare] as const;
  });
  return { clock, ahead, doubt: createClockDoubt(clock, Object.fromEntries(others)) };
}

it.each([
  ['Slack’s', 6 * MINUTE, /^The clock of this machine is 6 min ahead of Slack’s\. .*NTP/],
  ['Slack’s', -9 * MINUTE, /9 min behind Slack’s/],
  ['Slack’s', 3_650 * DAY, /5256000 min ahead of Slack’s/],
  ['the database’s', 6 * MINUTE, /6 min ahead of the database’s/],
])('is there when the clock is minutes from %s', async (whose, ms, sentence) => {
  const { doubt } = setUp({ 'Slack’s': 0, 'the database’s': 0, [whose]: ms });
  expect(await doubt()).toMatch(sentence);
});

it('is there while nobody says what time it is, and over when somebody does', async () => {
  const { ahead, doubt } = setUp({ 'Slack’s': new Error('away') });
  expect(await doubt()).toMatch(/^Nobody confirms the clock of this machine/);
  ahead['Slack’s'] = undefined;
  expect(await doubt()).toMatch(/^Nobody confirms/);
  ahead['Slack’s'] = 4 * MINUTE;
  expect(await doubt()).toBeUndefined();
});

it('is not there when one of two confirms the clock while the other is away', async () => {
  const { doubt } = setUp({ 'Slack’s': new Error('away'), 'the database’s': -MINUTE });
  expect(await doubt()).toBeUndefined();
});

it('is there when the clock was set by more than a day since it was last confirmed, until it is set back', async () => {
  const { clock, doubt } = setUp({ 'Slack’s': 0 });
  expect(await doubt()).toBeUndefined();
  await clock.advance(40 * DAY);
  expect(await doubt()).toBeUndefined();
  clock.set(DAY + MINUTE);
  expect(await doubt()).toMatch(/was set by more than a day.* restart Herald/);
  await clock.advance(DAY);
  expect(await doubt()).toMatch(/was set by more than a day/);
  clock.set(-DAY);
  expect(await doubt()).toBeUndefined();
  clock.set(-2 * DAY);
  expect(await doubt()).toMatch(/was set by more than a day/);
});
