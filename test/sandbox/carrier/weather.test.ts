import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Report } from '../../../sandbox/carrier/report.ts';
import { ReportPlan } from '../../../sandbox/carrier/reports.ts';
import { type Carrier, type CarrierOptions, startCarrier } from '../../../sandbox/carrier/server.ts';
import { Forecast } from '../../../sandbox/carrier/weather.ts';
import type { Weather } from '../../../sandbox/protocol.ts';
import { ManualClock } from '../manual-clock.ts';
import { API_KEY, fault, GOOD, PATHS, post } from './carrier-client.ts';

const NUMBERS = Array.from({ length: 2_000 }, (_, n) => `+91981200${String(n).padStart(4, '0')}`);
const SEED = { seed: 7 };

const carriers: Carrier[] = [];
afterEach(async () => {
  for (const carrier of carriers.splice(0)) await carrier.close();
});
async function start(weather: Weather, more: Partial<CarrierOptions> = {}) {
  const clock = { now: () => 0 };
  const carrier = await startCarrier({ port: 0, apiKey: API_KEY, weather, clock, ...more });
  carriers.push(carrier);
  return carrier;
}
const bulk = (numbers: readonly string[]) => ({ ...GOOD.sms, to: numbers.map((one) => one.slice(1)) });

test('the same seed and recipients have the same weather in whatever order, another seed another', () => {
  const latencies = (forecast: Forecast, numbers: readonly string[]) =>
    new Map(numbers.map((number) => [number, forecast.latencyMs([number])]));
  const one = latencies(new Forecast(SEED), NUMBERS);
  expect(latencies(new Forecast(SEED), NUMBERS.toReversed())).toEqual(
    new Map([...one].sort(([a], [b]) => (a < b ? 1 : -1))),
  );
  expect([...latencies(new Forecast({ seed: 8 }), NUMBERS).values()]).not.toEqual([...one.values()]);
});

test('an answer takes some milliseconds, and one in a hundred is slow', () => {
  const forecast = new Forecast(SEED);
  const latencies = NUMBERS.map((number) => forecast.latencyMs([number]));
  const slow = latencies.filter((ms) => ms >= 300);
  expect(Math.max(...latencies.filter((ms) => ms < 300))).toBeLessThanOrEqual(35);
  expect(Math.max(...slow)).toBeLessThanOrEqual(900);
  expect(slow.length / NUMBERS.length).toBeGreaterThan(0.005);
  expect(slow.length / NUMBERS.length).toBeLessThan(0.02);
});

test('an answer is given when its time has come, a failure as well', async () => {
  const clock = new ManualClock();
  const after = clock.after.bind(clock);
  const carrier = await start(SEED, { clock: { now: () => 0, after } });
  const expected = new Forecast(SEED).latencyMs([GOOD.sms.to[0]].map((number) => `+${number}`));
  for (const status of [200, 503]) {
    if (status === 503) carrier.setFaults(fault({ type: 'status', status }));
    const answered = post(carrier, PATHS.sms, GOOD.sms);
    await expect.poll(() => clock.waiting).toBe(1);
    if (status === 200) clock.advance(expected - 1);
    expect(clock.waiting).toBe(1);
    clock.advance(status === 200 ? 1 : 10_000);
    expect((await answered).status).toBe(status);
  }
});

test('of a request some are refused, each in its entry, and get nothing', async () => {
  const carrier = await start({ ...SEED, refusedPercent: 20 });
  const numbers = NUMBERS.slice(0, 100);
  const answer = await (await post(carrier, PATHS.sms, bulk(numbers))).json();
  const { data } = answer as { data: { mobile: string; id: string; status: string }[] };
  expect(answer).toMatchObject({ status: 'OK' });
  expect(data.map(({ mobile }) => `+${mobile}`)).toEqual(numbers);
  expect(new Set(data.map(({ id }) => id)).size).toBe(100);
  const refused = data.filter(({ status }) => status !== 'AWAITED-DLR');
  expect(new Set(refused.map(({ status }) => status))).toEqual(
    new Set(['INVALID-NUM', 'BLACKLISTED', 'DNDNUMB']),
  );
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.length).toBeLessThan(30);
  const { phones, requests } = carrier.state();
  const reached = data.filter(({ status }) => status === 'AWAITED-DLR').map(({ mobile }) => `+${mobile}`);
  expect(Object.keys(phones).sort()).toEqual(reached.sort());
  expect(phones[reached[0] ?? '']?.[0]?.id).toBe(data.find(({ mobile }) => `+${mobile}` === reached[0])?.id);
  expect(requests[0]?.result.note).toBe(`accepted, ${refused.length} of 100 refused in their entries`);
  // Whom it refuses it refuses again, in another request too.
  const [again] = refused;
  const pair = [NUMBERS[150], `+${again?.mobile}`].map(String);
  expect(await (await post(carrier, PATHS.sms, bulk(pair))).json()).toMatchObject({
    data: [{}, { mobile: again?.mobile, status: again?.status }],
  });
});

test('without refusals, for one recipient, and with a fault the answer is what it is in calm weather', async () => {
  const carrier = await start({ ...SEED, refusedPercent: 100 });
  const [number = ''] = NUMBERS;
  expect(await (await post(carrier, PATHS.sms, bulk([number]))).json()).toMatchObject({ code: 200 });
  carrier.setFaults(fault({ type: 'code', code: 131000 }));
  expect((await post(carrier, PATHS.sms, bulk(NUMBERS.slice(0, 3)))).status).toBe(500);
  carrier.setWeather(SEED);
  expect(await (await post(carrier, PATHS.sms, bulk(NUMBERS.slice(0, 3)))).json()).toMatchObject({
    code: 200,
    messages: [{}, {}, {}],
  });
});

/** What a plan tells of a thousand messages in this weather, and when. */
async function reportsIn(weather: Weather | undefined) {
  const clock = new ManualClock();
  const told: { report: Report; isEarly: boolean }[] = [];
  let isEarly = true;
  const plan = new ReportPlan(
    'soon',
    async (reports) => {
      for (const report of reports) told.push({ report, isEarly });
    },
    (ms, run) => clock.after(ms, run),
  );
  plan.setForecast(weather && new Forecast(weather));
  const numbers = NUMBERS.slice(0, 1_000);
  await Promise.all(numbers.map((number) => plan.taken(`m${number}`, number, 'chatapp')));
  isEarly = false;
  clock.advance(4_000);
  const inTime = told.length;
  clock.advance(56_000);
  return { told, inTime };
}

test('reports come shuffled, some twice, late, or before the answer; every one comes', async () => {
  const calm = await reportsIn(undefined);
  const { told, inTime } = await reportsIn(SEED);
  const named = ({ report }: (typeof told)[number]) => `${report.id} ${report.status}`;
  expect(new Set(told.map(named))).toEqual(new Set(calm.told.map(named)));
  expect(calm.told.some(({ isEarly }) => isEarly)).toBe(false);
  const share = (count: number) => count / calm.told.length;
  expect(share(told.filter(({ isEarly }) => isEarly).length)).toBeCloseTo(0.1, 1);
  expect(share(told.length)).toBeCloseTo(1.1, 1);
  expect(told.length).toBeGreaterThan(calm.told.length);
  expect(inTime).toBeLessThan(told.length);
  const places = new Map(told.map((one, place) => [named(one), place]));
  const readFirst = NUMBERS.slice(0, 1_000).filter(
    (number) =>
      (places.get(`m${number} read`) ?? Number.POSITIVE_INFINITY) < (places.get(`m${number} delivered`) ?? 0),
  );
  expect(readFirst.length).toBeGreaterThan(10);
});

test('a report that comes before the answer has been taken when the answer goes out', async () => {
  const order: string[] = [];
  const herald = createServer(async (request, response) => {
    const body = JSON.parse(
      Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString(),
    );
    for (const { recipient_id: to } of body.statuses) order.push(`report for ${to}`);
    response.end();
  });
  await new Promise<void>((resolve) => herald.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${(herald.address() as AddressInfo).port}/`;
  const carrier = await start(SEED, { webhookUrl });
  carrier.setReports('soon');
  const early = new Forecast(SEED);
  const number = NUMBERS.find(
    (one) => early.timing({ number: one, status: 'delivered' }, 1_000).afterMs === 0,
  );
  await post(carrier, PATHS.sms, bulk([number ?? '']));
  order.push('answer');
  expect(order).toEqual([`report for ${number?.slice(1)}`, 'answer']);
  herald.closeAllConnections();
  await new Promise((resolve) => herald.close(resolve));
});
