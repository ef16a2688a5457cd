import { expect, test } from 'vitest';
import type { Report } from '../../../sandbox/carrier/report.ts';
import { ReportPlan } from '../../../sandbox/carrier/reports.ts';
import { ManualClock } from '../manual-clock.ts';

/** A plan by a clock that is moved: `until` so many milliseconds from its start. */
function plan(behaviour: ConstructorParameters<typeof ReportPlan>[0]) {
  const told: (readonly Report[])[] = [];
  const clock = new ManualClock();
  const start = clock.now();
  const tell = async (due: readonly Report[]) => void told.push(due);
  const reports = new ReportPlan(behaviour, tell, (ms, run) => clock.after(ms, run));
  return { reports, told, until: (ms: number) => clock.advance(start + ms - clock.now()) };
}

const taken = (reports: ReportPlan, ...ids: string[]) => {
  for (const id of ids) void reports.taken(id, `+${id}`, 'chatapp');
};
const all = (status: Report['status'], ...ids: string[]) =>
  ids.map((id) => ({ id, number: `+${id}`, status }));

test('soon: arrivals are told together, then who has read; one of four does not', () => {
  const { reports, told, until } = plan('soon');
  taken(reports, '1', '2', '3', '4');
  until(999);
  expect(told).toEqual([]);
  until(60_000);
  expect(told).toEqual([all('delivered', '1', '2', '3', '4'), all('read', '1', '2', '3')]);
});

test('nobody tells that an SMS was read', () => {
  const { reports, told, until } = plan('soon');
  void reports.taken('1', '+1', 'sms');
  until(60_000);
  expect(told).toEqual([all('delivered', '1')]);
});

test('late, failed and never hold for what comes after, and a reset forgets what is to come', () => {
  const { reports, told, until } = plan('late');
  taken(reports, '1');
  until(10_000);
  expect(told).toEqual([]);
  reports.set('failed');
  taken(reports, '2');
  reports.set('never');
  taken(reports, '3');
  until(20_000);
  expect(told).toEqual([all('failed', '2'), all('delivered', '1')]);
  reports.forget();
  until(60_000);
  expect(told).toHaveLength(2);
});
