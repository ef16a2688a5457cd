import { describe, expect, it } from 'vitest';
import { agoLabel, dayLabel, epochSecondsAt, localDateTime, slackDate } from '../../../sandbox/ui/time.ts';

const now = new Date('2026-11-21T18:00:00Z');

describe('a moment on the clock of a zone', () => {
  it.each([
    ['2026-11-21T10:00', 'Asia/Kolkata', '2026-11-21T04:30:00Z'],
    ['2026-11-21T10:00', 'Asia/Singapore', '2026-11-21T02:00:00Z'],
    ['2026-07-01T00:15', 'Europe/London', '2026-06-30T23:15:00Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00Z'],
  ])('%s in %s', (local, tz, moment) => {
    expect(epochSecondsAt(local, tz)).toBe(Date.parse(moment) / 1000);
  });

  it('goes back and forth', () => {
    const seconds = Date.parse('2026-11-21T20:45:00Z') / 1000;
    expect(localDateTime(seconds, 'Asia/Kolkata')).toBe('2026-11-22T02:15');
    expect(epochSecondsAt('2026-11-22T02:15', 'Asia/Kolkata')).toBe(seconds);
  });

  it('is nothing when nothing was entered', () => {
    expect(epochSecondsAt('', 'Asia/Kolkata')).toBeNull();
  });
});

it.each([
  ['2026-11-21T19:00:00Z', 'Etc/UTC', 'Today'],
  ['2026-11-21T19:00:00Z', 'Asia/Kolkata', 'Tomorrow'],
  ['2026-11-20T19:00:00Z', 'Etc/UTC', 'Yesterday'],
  ['2026-03-02T12:00:00Z', 'Etc/UTC', 'Monday 2 March'],
  ['2025-12-31T12:00:00Z', 'Etc/UTC', 'Wednesday 31 December 2025'],
])('calls %s in %s %s', (date, tz, label) => {
  expect(dayLabel(new Date(date), tz, now).replaceAll(',', '')).toBe(label);
});

it.each([
  ['{date_num} {time}', '2026-11-21 23:15'],
  ['{date_short_pretty} at {time_secs}', 'today at 23:15:10'],
  ['{date_short}', '21 Nov 2026'],
  ['{no_such_token}', '{no_such_token}'],
])('fills Slack’s %s', (pattern, shown) => {
  const seconds = Date.parse('2026-11-21T17:45:10Z') / 1000;
  expect(slackDate(seconds, pattern, 'Asia/Kolkata', now)).toBe(shown);
});

it.each([
  ['2026-11-21T17:59:40Z', 'just now'],
  ['2026-11-21T17:57:00Z', '3 minutes ago'],
  ['2026-11-21T20:00:00Z', 'in 2 hours'],
  ['2026-11-19T12:00:00Z', '2 days ago'],
])('says how long %s is away', (date, label) => {
  expect(agoLabel(new Date(date), now)).toBe(label);
});
