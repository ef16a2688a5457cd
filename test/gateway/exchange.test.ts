import { type Dispatcher, errors } from 'undici';
import { expect, it } from 'vitest';
import type { Evidence } from '../../src/gateway/evidence.ts';
import { Exchange } from '../../src/gateway/exchange.ts';

const LONG_MS = 60_000;

function openExchange(mayStart = () => true): { readonly exchange: Exchange; readonly ends: Evidence[] } {
  const ends: Evidence[] = [];
  return { exchange: new Exchange(LONG_MS, (evidence) => ends.push(evidence), mayStart), ends };
}

class RecordingController implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }
  pause(): void {}
  resume(): void {}
}

it('refuses to be written a second time, and says that the first time counts', () => {
  const { exchange, ends } = openExchange();
  const [first, second] = [new RecordingController(), new RecordingController()];
  exchange.onRequestStart(first);
  exchange.onRequestStart(second);
  expect([first.aborted, second.aborted]).toEqual([false, true]);
  expect(ends).toEqual([{ headersWritten: true, failure: { code: 'HERALD_REPEATED' } }]);
});

it('is not written any more once it has ended', () => {
  const { exchange, ends } = openExchange();
  exchange.onResponseError(new RecordingController(), Object.assign(new Error(), { code: 'ECONNREFUSED' }));
  const late = new RecordingController();
  exchange.onRequestStart(late);
  expect(late.aborted).toBe(true);
  expect(ends).toEqual([{ headersWritten: false, failure: { code: 'ECONNREFUSED' } }]);
});

it('is not written without leave, asked right before', () => {
  let leave = true;
  const { exchange, ends } = openExchange(() => leave);
  leave = false;
  const controller = new RecordingController();
  exchange.onRequestStart(controller);
  expect(controller.aborted).toBe(true);
  expect(ends).toEqual([{ headersWritten: false, failure: { code: 'HERALD_NO_LEAVE' } }]);
});

it('counts as written once undici has started it', () => {
  const { exchange, ends } = openExchange();
  const controller = new RecordingController();
  exchange.onRequestStart(controller);
  exchange.onResponseError(controller, Object.assign(new Error(), { code: 'ECONNRESET' }));
  expect(ends).toEqual([{ headersWritten: true, failure: { code: 'ECONNRESET' } }]);
});

/** What is known at the end of an exchange that was started and answered so. */
function answered(
  status: number,
  headers: Record<string, unknown>,
  ...chunks: readonly Buffer[]
): Evidence[] {
  const { exchange, ends } = openExchange();
  const controller = new RecordingController();
  exchange.onRequestStart(controller);
  exchange.onResponseStart(controller, status, headers);
  for (const chunk of chunks) exchange.onResponseData(controller, chunk);
  exchange.onResponseEnd();
  exchange.onResponseEnd();
  return ends;
}

it.each<[number, Record<string, unknown>, readonly string[], Partial<Evidence>]>([
  [204, {}, [], { status: 204 }],
  [200, { date: 'today' }, ['a', 'b'], { status: 200, body: Buffer.from('ab') }],
  [
    429,
    { 'retry-after': 'Mon, 05 Jan 2026 08:00:30 GMT', date: 'today' },
    ['x'],
    { status: 429, retryAfter: 'Mon, 05 Jan 2026 08:00:30 GMT', date: 'today', body: Buffer.from('x') },
  ],
  [429, { 'retry-after': ['7', '8'] }, [], { status: 429, retryAfter: '7' }],
  [429, { 'retry-after': 7, date: 8 }, [], { status: 429 }],
  [199, { 'retry-after': '7' }, [], {}],
])('keeps of an answer %i with %j what is needed', (status, headers, chunks, known) => {
  expect(answered(status, headers, ...chunks.map((one) => Buffer.from(one)))).toStrictEqual([
    { headersWritten: true, ...known },
  ]);
});

it('keeps 512 KB of a body, and reads on to 1 MB', () => {
  const kilobytes = (count: number) => Buffer.alloc(count * 1024, 'x');
  const [whole] = answered(200, {}, kilobytes(511), kilobytes(2), kilobytes(511));
  expect(whole?.body?.length).toBe(512 * 1024);
  const { exchange, ends } = openExchange();
  const controller = new RecordingController();
  exchange.onRequestStart(controller);
  exchange.onResponseStart(controller, 200, {});
  exchange.onResponseData(controller, kilobytes(1024));
  expect([controller.aborted, exchange.isSettled]).toEqual([false, false]);
  exchange.onResponseData(controller, Buffer.from('x'));
  expect([controller.aborted, exchange.isSettled]).toEqual([true, true]);
  expect(controller.reason).toMatchObject({ message: 'The exchange is over.', code: 'HERALD_ENOUGH' });
  expect(ends).toStrictEqual([{ headersWritten: true, status: 200, body: kilobytes(512) }]);
});

it.each<[unknown, Evidence['failure']]>([
  [new Error('no code'), {}],
  [Object.assign(new Error(), { code: 7 }), {}],
  [null, {}],
  ['ECONNRESET', {}],
  [new AggregateError([Object.assign(new Error(), { code: 'ETIMEDOUT' }), null]), { code: 'ETIMEDOUT' }],
  [new AggregateError([]), {}],
  [new errors.HTTPParserError('bad'), { code: 'HPE_' }],
])('names of the error %s its code', (error, failure) => {
  const { exchange, ends } = openExchange();
  exchange.onResponseError(new RecordingController(), error as Error);
  expect(ends).toStrictEqual([{ headersWritten: false, failure }]);
});

it('tells once that its connection is free: after an answer at once, after an error a moment later', async () => {
  let told = 0;
  const { exchange } = openExchange();
  exchange.whenOver(() => (told += 1));
  exchange.onResponseEnd();
  exchange.onResponseEnd();
  expect(told).toBe(1);
  const { exchange: failed } = openExchange();
  failed.whenOver(() => (told += 1));
  failed.onResponseError(new RecordingController(), new Error());
  expect(told).toBe(1);
  await Promise.resolve();
  expect(told).toBe(2);
});
