import { expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { onCallAt } from '../../../src/sends/alerts/plan.ts';
import type { AlertPerson, OnCallHours } from '../../../src/sends/alerts/rules.ts';

const MEI = '+6591234567' as Msisdn;
const ARUN = '+919812345678' as Msisdn;
/** A Monday, 09:00 in Singapore. */
const MONDAY_9 = Date.UTC(2026, 0, 5, 1, 0);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const names = (people: readonly AlertPerson[], at: number, numbers = new Map<string, Msisdn>()) => {
  const settings = { groups: { a: people }, timezone: 'Asia/Singapore' };
  const { people: reached, ...rest } = onCallAt(['a'], settings, numbers, at);
  return { names: reached.map(({ name }) => name), ...rest };
};
const mei = (...onCall: OnCallHours[]): AlertPerson => ({ name: 'Mei', number: MEI, onCall });
const arun = (...onCall: OnCallHours[]): AlertPerson => ({ name: 'Arun', number: ARUN, onCall });

const NIGHTS = { days: ['Mon', 'Tue'], from: '22:00', to: '06:00' } as const;
const DAYS = { from: '06:00', to: '22:00' };

test('whoever is on call is reached: by day and hour; a night belongs to the day on which it begins', () => {
  const roster = [mei(NIGHTS), arun(DAYS)];
  const at = (days: number, hour: number) => names(roster, MONDAY_9 + days * DAY_MS + (hour - 9) * HOUR_MS);
  expect(at(0, 9).names).toEqual(['Arun']);
  expect(at(0, 22).names).toEqual(['Mei']);
  expect(at(1, 5.9).names).toEqual(['Mei']);
  expect(at(1, 6).names).toEqual(['Arun']);
  expect(at(2, 5).names).toEqual(['Mei']);
});

test('whoever is on call is reached: in a time zone of one’s own', () => {
  const roster = [
    mei({ from: '00:00', to: '02:00', timezone: 'Etc/UTC' }),
    arun({ from: '20:00', to: '00:00' }),
  ];
  expect(names(roster, MONDAY_9).names).toEqual(['Mei']);
  expect(names(roster, MONDAY_9 + 14.9 * HOUR_MS).names).toEqual(['Arun']);
});

test('whoever is on call is reached: until midnight, from midnight, all day, and from a time to the same on the next day', () => {
  const at = (days: number, hour: number) => MONDAY_9 + days * DAY_MS + (hour - 9) * HOUR_MS;
  const onDuty = (hours: OnCallHours, ...moments: number[]) =>
    moments.map((moment) => names([mei(hours), arun({})], moment).names.includes('Mei'));
  expect(onDuty({ from: '22:00' }, at(0, 21.9), at(0, 22), at(1, 0))).toEqual([false, true, false]);
  expect(onDuty({ from: '22:00', to: '00:00' }, at(0, 23.9), at(1, 0))).toEqual([true, false]);
  expect(onDuty({ to: '06:00' }, at(0, 0), at(0, 5.9), at(0, 6))).toEqual([true, true, false]);
  expect(onDuty({ days: ['Mon'] }, at(0, 0), at(0, 23.9), at(1, 0))).toEqual([true, true, false]);
  const round: OnCallHours = { days: ['Mon'], from: '09:00', to: '09:00' };
  expect(onDuty(round, at(0, 8.9), at(0, 9), at(1, 8.9), at(1, 9))).toEqual([false, true, true, false]);
  const twice = names([mei({ to: '06:00' }, { from: '20:00' }), arun({})], at(0, 21));
  expect(twice.names).toEqual(['Mei', 'Arun']);
});

test('whoever is on call is reached: a gap in the roster is filled by everybody, and said', () => {
  const roster = [mei(NIGHTS), arun({ days: ['Sun'] })];
  expect(names(roster, MONDAY_9)).toEqual({ names: ['Mei', 'Arun'], uncovered: ['a'], withoutNumber: [] });
});

test('whoever is on call is reached: a Slack user is reached by the number on file; without one somebody else has to be', () => {
  const roster = [{ user: 'U0MEI' }, arun({ days: ['Sun'] })];
  expect(names(roster, MONDAY_9)).toEqual({ names: ['Arun'], uncovered: ['a'], withoutNumber: ['U0MEI'] });
  expect(names(roster, MONDAY_9, new Map([['U0MEI', MEI]])).names).toEqual(['<@U0MEI>']);
});

test('whoever is on call is reached: nobody twice, and nobody of an empty group', () => {
  const settings = {
    groups: { a: [mei({})], b: [{ name: 'Also Mei', number: MEI }], c: [] },
    timezone: 'Etc/UTC',
  };
  expect(onCallAt(['a', 'b', 'c', 'd'], settings, new Map(), MONDAY_9)).toEqual({
    people: [{ name: 'Mei', number: MEI }],
    uncovered: [],
    withoutNumber: [],
  });
});
