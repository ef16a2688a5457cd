import { expect, test } from 'vitest';
import type { Audience } from '../../src/sends/audience.ts';
import type { BulkRequest, BulkResult } from '../../src/sends/bulk.ts';
import type { Send } from '../../src/sends/send.ts';
import { askForOne, type SubmitResult } from '../../src/sends/service.ts';
import { bulkSend } from '../store/steps.ts';
import { ACCEPTED, createSendsHarness, OTP, REFUSED, request } from './harness.ts';

const REASON = { what: 'So many.', next: 'Wait.', scope: 'send' } as const;

/** A service for which two messages an hour need no approval. */
function setting(
  answer: Partial<Send> = { state: 'awaiting_approval', reason: REASON },
  outcomes = [ACCEPTED, ACCEPTED, ACCEPTED],
) {
  const asked: BulkRequest[] = [];
  const result = { state: answer.state ?? 'repeated', send: { id: 'S-WAITS', ...answer } } as BulkResult;
  const bulkSends = {
    request: async (one: BulkRequest) => {
      asked.push(one);
      return result;
    },
  };
  const audiences = {
    fromNumbers: async (text: string) => ({
      state: 'ready' as const,
      audience: { id: `list of ${text}` } as Audience,
    }),
  };
  const harness = createSendsHarness(outcomes, undefined, {
    policy: { singlesPerHour: 2 },
    ...{ audiences, bulkSends },
  });
  const submit = (n: number, over = {}) =>
    harness.service.submit(request({ requestKey: `view-${n}`, ...over }));
  return { ...harness, submit, asked };
}

const states = (results: readonly SubmitResult[]) => results.map(({ state }) => state);

test('of a person’s messages at the same moment no more go out than within an hour may', async () => {
  const { submit, asked } = setting();
  const results = await Promise.all([1, 2, 3, 4].map((n) => submit(n)));
  expect(states(results)).toEqual(['started', 'started', 'waits', 'waits']);
  expect(results[2]).toMatchObject({
    what: 'It waits for approval as S-WAITS. So many.',
    next: 'Nothing was sent yet.',
  });
  const { message, to, origin } = request();
  expect(asked[0]).toEqual({ message, audienceId: `list of ${to}`, origin, requestKey: 'view-3' });
});

test('the same click is told of its send, even if that was the last one that may go out', async () => {
  const { submit } = setting({});
  for (const n of [1, 2]) await submit(n);
  expect(await submit(2)).toMatchObject({ state: 'repeated' });
});

test('the same click with a one-time password is not told that nothing was sent', async () => {
  const { submit, asked } = setting();
  await submit(1);
  await submit(2, { message: OTP });
  expect(await submit(2, { message: OTP })).toMatchObject({ state: 'repeated' });
  expect(asked).toEqual([]);
});

test('what was asked for by the same click, and was given up, is asked for again', async () => {
  const { submit, asked, store } = setting();
  await store.begin({ ...bulkSend('S-GIVEN-UP'), requestKey: 'view-1' });
  await store.moveSend({ sendId: 'S-GIVEN-UP', from: 'draft', to: 'cancelled', at: 1, actor: 'herald' });
  expect(await submit(1)).toMatchObject({ state: 'waits' });
  expect(asked).toHaveLength(1);
});

test('a one-time password cannot wait', async () => {
  const { submit, asked } = setting();
  for (const n of [1, 2]) await submit(n);
  expect(await submit(3, { message: OTP })).toMatchObject({
    state: 'refused',
    what: expect.stringContaining('cannot wait for one'),
  });
  expect(asked).toEqual([]);
});

test('what cannot be asked for says why, and whether it may be sent all the same', async () => {
  const { message, to, origin, requestKey } = request();
  const refusal = { state: 'refused', what: 'No. Nothing was sent.', next: 'Wait.' } as const;
  const asking = (list: object, answer: object) =>
    askForOne(
      { message, to, origin, requestKey },
      {},
      {
        audiences: { fromNumbers: async () => list as never },
        bulkSends: { request: async () => answer as never },
      },
    );
  const ready = { state: 'ready', audience: { id: 'A' } };
  expect(await asking(refusal, {})).toStrictEqual({ ...refusal, cause: 'waits' });
  expect(await asking(ready, refusal)).toStrictEqual({ ...refusal, cause: 'waits' });
  const unsure = { ...refusal, isUnsure: true };
  expect(await asking(ready, unsure)).toMatchObject({ cause: 'unsure' });
  const started = { state: 'started', send: { id: 'S-1' } };
  expect(await asking(ready, started)).toStrictEqual(started);
  const waits = { state: 'awaiting_approval', send: { id: 'S-1' } };
  expect(await asking(ready, waits)).toMatchObject({ what: 'It waits for approval as S-1.' });
});

test('what is sent again waits as a try of the same recipient, of which there is one', async () => {
  const { submit, asked, clock } = setting(undefined, [REFUSED, ACCEPTED]);
  const first = await submit(1);
  await submit(2);
  await clock.advance(0);
  const retryOf = 'send' in first ? first.send.id : '';
  expect(await submit(3, { retryOf })).toMatchObject({ state: 'waits' });
  expect(asked[0]?.triedAgain).toEqual({ retryOf, retryGroup: 'failed' });
});
