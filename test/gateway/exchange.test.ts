import type { Dispatcher } from 'undici';
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

it('finds the code inside an error for several addresses, and lives without one', () => {
  const several = openExchange();
  const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' });
  several.exchange.onResponseError(new RecordingController(), new AggregateError([refused, refused]));
  const none = openExchange();
  none.exchange.onResponseError(new RecordingController(), new Error('no code'));
  expect([...several.ends, ...none.ends]).toEqual([
    { headersWritten: false, failure: { code: 'ECONNREFUSED' } },
    { headersWritten: false, failure: {} },
  ]);
});

it('keeps 64 KiB of a body and gives up after 1 MiB with what it has', () => {
  const { exchange, ends } = openExchange();
  const controller = new RecordingController();
  exchange.onRequestStart(controller);
  exchange.onResponseStart(controller, 200, { 'retry-after': ['3', '4'] });
  const chunk = Buffer.alloc(60 * 1024, 'a');
  while (!controller.aborted) exchange.onResponseData(controller, chunk);
  exchange.onResponseError(controller, controller.reason ?? new Error());
  expect(ends).toEqual([
    { headersWritten: true, status: 200, retryAfter: '3', body: Buffer.alloc(64 * 1024, 'a') },
  ]);
});
