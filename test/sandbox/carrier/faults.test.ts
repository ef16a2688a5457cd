import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SENTINELS } from '../../../sandbox/carrier/sentinels.ts';
import type { Carrier } from '../../../sandbox/carrier/server.ts';
import type { CarrierEvent, CarrierFault } from '../../../sandbox/protocol.ts';
import { FROM, fault, GOOD, NOW, PATHS, post, startTestCarrier, TO } from './carrier-client.ts';

let carrier: Carrier;
let time = NOW;
beforeAll(async () => {
  carrier = await startTestCarrier({ now: () => time });
});
afterAll(() => carrier.close());
beforeEach(() => carrier.reset());

const send = (number = TO): Promise<Response> => post(carrier, PATHS.plain, { ...GOOD.plain, number });
const inbox = (number = TO): number => carrier.state().phones[number]?.length ?? 0;

/** What stands beside a code: the message, and what is wrong with this request. */
const EXPLAINED = { message: expect.any(String), error_data: { details: expect.any(String) } };

describe('codes', () => {
  test.each<[Extract<CarrierFault['do'], { type: 'code' }>, number, unknown]>([
    [{ type: 'code', code: 131009, shape: 'code' }, 400, { code: 131009, ...EXPLAINED }],
    [{ type: 'code', code: 132001 }, 404, { error: { code: 132001, ...EXPLAINED } }],
    [
      { type: 'code', code: 131000, httpStatus: 200, shape: 'errors[0].code', asString: true },
      200,
      {
        errors: [{ code: '131000', title: expect.any(String), error_data: { details: expect.any(String) } }],
      },
    ],
    [
      { type: 'code', code: 133004, shape: 'errorCode' },
      503,
      { errorCode: 133004, errorMessage: expect.any(String), errorDetails: expect.any(String) },
    ],
    [
      { type: 'code', code: 77, shape: 'status.code' },
      400,
      { status: { code: 77, description: 'Code 77.' } },
    ],
  ])('%o', async (does, status, body) => {
    carrier.setFaults(fault(does));
    const response = await send();
    expect({ status: response.status, body: await response.json() }).toEqual({ status, body });
    expect(inbox()).toBe(0);
  });
});

describe('what the connection does, and what the phone has got', () => {
  test.each<[CarrierFault['do'], number]>([
    [{ type: 'reset_before_answer' }, 1],
    [{ type: 'reset_mid_answer' }, 1],
    [{ type: 'garbage' }, 1],
  ])('%o fails the exchange, delivered: %i', async (does, delivered) => {
    carrier.setFaults(fault(does));
    await expect(send().then((response) => response.text())).rejects.toThrow();
    expect(inbox()).toBe(delivered);
    expect(carrier.state().requests.at(-1)?.result.status).toBeNull();
  });

  test('the middle of the answer comes after its beginning', async () => {
    carrier.setFaults(fault({ type: 'reset_mid_answer' }));
    const response = await send();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('hang holds the connection until the client gives up', async () => {
    carrier.setFaults(fault({ type: 'hang' }));
    const gaveUp = new AbortController();
    const unsubscribe = carrier.subscribe((event) => {
      if (event.type === 'message') gaveUp.abort();
    });
    const hanging = fetch(carrier.url + PATHS.plain, {
      method: 'POST',
      headers: { apikey: 'carrier-test-key', 'content-type': 'application/json' },
      body: JSON.stringify(GOOD.plain),
      signal: gaveUp.signal,
    });
    await expect(hanging).rejects.toThrow();
    unsubscribe();
    expect(inbox()).toBe(1);
  });

  test.each<[CarrierFault['do'], number, number, number]>([
    [{ type: 'html' }, 200, 90, 1],
    [{ type: 'empty' }, 200, 0, 1],
    [{ type: 'huge' }, 200, 10 * 1024 * 1024, 1],
    [{ type: 'delay', ms: 5 }, 200, 50, 1],
    [{ type: 'redirect', location: '/elsewhere' }, 302, 0, 0],
    [{ type: 'status', status: 503, body: 'later' }, 503, 5, 0],
    [{ type: 'status', status: 204 }, 204, 0, 1],
    [{ type: 'status', status: 201 }, 201, 50, 1],
  ])('%o answers %i with at least %i bytes, delivered: %i', async (does, status, bytes, delivered) => {
    carrier.setFaults(fault(does));
    const response = await send();
    const body = await response.text();
    expect(response.status).toBe(status);
    expect(body.length).toBeGreaterThanOrEqual(bytes);
    if (bytes === 0) expect(body).toBe('');
    expect(inbox()).toBe(delivered);
  });

  test('retry-after is sent when asked for', async () => {
    carrier.setFaults(fault({ type: 'status', status: 429, retryAfterSeconds: 7 }));
    expect((await send()).headers.get('retry-after')).toBe('7');
  });
});

describe('the plan', () => {
  test('of some requests every second fails, and then again none', async () => {
    carrier.setFaults([{ every: 2, do: { type: 'status', status: 503 } }]);
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await send()).status);
    carrier.setFaults([]);
    statuses.push((await send()).status);
    expect(statuses).toEqual([200, 503, 200, 503, 200]);
  });

  test('what was to last until a time is over then, and each change of the plan is told', async () => {
    const told: CarrierFault[][] = [];
    const unsubscribe = carrier.subscribe((event) => event.type === 'plan' && told.push(event.faults));
    const down: CarrierFault = { until: time + 20_000, do: { type: 'status', status: 503 } };
    const once: CarrierFault = { times: 2, do: { type: 'status', status: 403 } };
    carrier.setFaults([down, once]);
    const statuses = [(await send()).status];
    time += 20_000;
    for (let n = 0; n < 3; n += 1) statuses.push((await send()).status);
    unsubscribe();
    expect(statuses).toEqual([503, 403, 403, 200]);
    expect(told).toEqual([[down, once], [once], [{ ...once, times: 1 }], []]);
  });

  test('times run out, numbers are matched, and a broken request uses nothing up', async () => {
    carrier.setFaults([
      { number: '+6598765432', do: { type: 'status', status: 403 } },
      { times: 2, do: { type: 'status', status: 503 } },
    ]);
    const broken = await post(carrier, PATHS.plain, { ...GOOD.plain, botId: undefined });
    const statuses = [broken.status];
    for (const number of [TO, '+6598765432', TO, TO]) statuses.push((await send(number)).status);
    expect(statuses).toEqual([400, 503, 403, 503, 200]);
    expect(carrier.state().faults).toEqual([{ number: '+6598765432', do: { type: 'status', status: 403 } }]);
  });

  test('faults can be set over HTTP, and nonsense is refused', async () => {
    const put = (body: unknown): Promise<Response> =>
      fetch(`${carrier.url}/carrier/faults`, { method: 'POST', body: JSON.stringify(body) });
    expect((await put([{ do: { type: 'status', status: 500 }, times: 1 }])).status).toBe(200);
    expect((await put([{ do: { type: 'explode' } }])).status).toBe(400);
    expect(carrier.state().faults).toEqual([{ do: { type: 'status', status: 500 }, times: 1 }]);
  });
});

describe('sentinel numbers', () => {
  test('are valid, different, and none is a sender', () => {
    const numbers = SENTINELS.map((sentinel) => sentinel.number);
    expect(numbers.filter((number) => !isValidPhoneNumber(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).not.toContain(FROM);
  });

  test('stand for all twelve codes and all eight documented statuses', () => {
    const codes = SENTINELS.flatMap(({ does }) => (does.type === 'code' ? [does.code] : []));
    expect(codes.toSorted((a, b) => a - b)).toEqual([
      100, 200, 131000, 131009, 131016, 131021, 131051, 132000, 132001, 132015, 133004, 133010,
    ]);
    const statuses = SENTINELS.flatMap(({ does }) => (does.type === 'status' ? [does.status] : []));
    expect(statuses).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404, 405]));
  });

  test.each(SENTINELS.filter(({ does }) => does.type === 'code' || does.type === 'status'))(
    '$number: $description',
    async ({ number, does, description }) => {
      const response = await send(number);
      const text = await response.text();
      if (does.type === 'status') expect(response.status).toBe(does.status);
      else if (does.type === 'code') expect(text).toContain(`"code":${does.code}`);
      expect(inbox(number)).toBe(response.ok && !/not taken/.test(description) ? 1 : 0);
    },
  );

  test('the alternating one refuses, then takes', async () => {
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await send('+919999800010')).status);
    expect(statuses).toEqual([429, 200, 429, 200]);
  });

  test('are listed for the page', async () => {
    expect(await (await fetch(`${carrier.url}/carrier/sentinels`)).json()).toEqual(SENTINELS);
  });
});

describe('the page', () => {
  test('gets the state first, then what happens', async () => {
    await send();
    const response = await fetch(`${carrier.url}/carrier/events`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    const events: CarrierEvent[] = [];
    const read = async (until: number): Promise<void> => {
      while (events.length < until) {
        const { value } = await reader.read();
        for (const line of decoder.decode(value, { stream: true }).split('\n\n'))
          if (line) events.push(JSON.parse(line.slice('data: '.length)));
      }
    };
    await read(1);
    const [first] = events;
    expect(first?.type === 'snapshot' && first.state.requests.length).toBe(1);
    await post(carrier, PATHS.flash, GOOD.flash);
    await read(3);
    const flash = carrier.state().phones[TO]?.find((message) => message.channel === 'flash');
    const dismiss = (): Promise<Response> =>
      fetch(`${carrier.url}/carrier/dismiss`, {
        method: 'POST',
        body: JSON.stringify({ number: TO, id: flash?.id }),
      });
    expect([(await dismiss()).status, (await dismiss()).status]).toEqual([200, 404]);
    await read(4);
    carrier.reset();
    await read(6);
    await reader.cancel();
    expect(events.map((event) => event.type)).toEqual([
      'snapshot',
      'request',
      'message',
      'dismissed',
      'plan',
      'reset',
    ]);
  });

  test('may be read by this machine’s pages and by no other site', async () => {
    const as = (origin: string): Promise<Response> =>
      fetch(`${carrier.url}/carrier/state`, { headers: { origin } });
    const own = await as('http://localhost:8080');
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'http://localhost:8080',
    ]);
    expect((await as('https://elsewhere.example')).status).toBe(403);
    expect((await as('null')).status).toBe(403);
  });
});
