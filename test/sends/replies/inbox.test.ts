import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { NewWebhook } from '../../../src/sends/replies/ports.ts';
import { createInbox } from '../../../src/sends/replies/service.ts';
import { createManualClock } from '../../fakes/clock.ts';

const FROM = '+919812345678' as Msisdn;

/** An inbox whose store is slow, and fails with a body of `bad`. */
function setting(hear: Parameters<typeof createInbox>[1] = async () => ({})) {
  const clock = createManualClock();
  const groups: (readonly NewWebhook[])[] = [];
  const store = {
    keep: async (webhooks: readonly NewWebhook[], withinMs: number) => {
      expect(withinMs).toBe(24 * 3_600_000);
      groups.push(webhooks);
      await clock.sleep(10);
      if (webhooks.some(({ body }) => body === encoded('bad'))) throw new Error('disk full');
      return webhooks.map(({ body }) => ({ repeated: body === encoded('again') }));
    },
  };
  const inbox = createInbox(store, hear, clock);
  const keep = (text: string, contentType?: string) =>
    inbox.keep({ bytes: Buffer.from(text), ...(contentType !== undefined && { contentType }) }).then(
      ({ repeated }) => (repeated ? 'repeated' : 'kept'),
      (error: Error) => error.message,
    );
  return { clock, groups, keep };
}

const encoded = (text: string) => Buffer.from(text).toString('base64');

test('bodies that come during a commit share the next one, at most 64, each with its own answer', async () => {
  const { clock, groups, keep } = setting();
  const answers = Promise.all(
    ['first', ...Array.from({ length: 65 }, (_, n) => `${n}`), 'again'].map((one) => keep(one)),
  );
  await clock.advance(100);
  expect(groups.map(({ length }) => length)).toEqual([1, 64, 2]);
  expect(await answers).toEqual([...Array.from({ length: 66 }, () => 'kept'), 'repeated']);
  const later = keep('later');
  await clock.advance(100);
  expect([await later, groups.length]).toEqual(['kept', 4]);
});

test('a group that could not be stored says so to each, and the next one is stored', async () => {
  const { clock, keep } = setting();
  const answers = Promise.all([keep('bad'), keep('good')]);
  await clock.advance(100);
  expect(await answers).toEqual(['disk full', 'kept']);
});

test('a body is kept as it came, after what is asked for in it is done, and refused when that fails', async () => {
  const heard: unknown[] = [];
  const { clock, groups, keep } = setting(async ({ bytes }, at) => {
    heard.push(Buffer.from(bytes).toString(), at);
    await clock.sleep(10);
    if (heard.length > 2) throw new Error('disk full');
    return { sender: FROM, heard: true };
  });
  const first = keep('{"a":1}', 'application/json');
  expect(groups).toEqual([]);
  await clock.advance(100);
  expect([await first, heard]).toEqual(['kept', ['{"a":1}', clock.now() - 100]]);
  expect(groups[0]).toStrictEqual([
    {
      digest: createHash('sha256').update('{"a":1}').digest('hex'),
      receivedAt: clock.now() - 100,
      contentType: 'application/json',
      sender: FROM,
      heard: true,
      body: encoded('{"a":1}'),
    },
  ]);
  const second = keep('{"a":2}');
  await clock.advance(100);
  expect([await second, groups.length]).toEqual(['disk full', 1]);
});
