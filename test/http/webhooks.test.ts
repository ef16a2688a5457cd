import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { describe, expect, it, vi } from 'vitest';
import { addressRangeSchema } from '../../src/http/address-range.ts';
import { answerWebhook, WEBHOOK_PATH } from '../../src/http/webhooks.ts';
import type { WebhookBody } from '../../src/sends/replies/event.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { PATIENT } from '../patience.ts';
import { serving } from './serving.ts';

const TOKEN = 'a-token-nobody-guesses';
const ranges = (...texts: string[]) => texts.map((text) => addressRangeSchema.parse(text));

const open = serving();

async function serve(options: Partial<Parameters<typeof answerWebhook>[0]> = {}) {
  const logger = createRecordingLogger();
  const kept: WebhookBody[] = [];
  const refused: string[] = [];
  const handler = answerWebhook({
    tokens: [TOKEN],
    allowFrom: [],
    proxies: [],
    receive: async (body) => {
      kept.push(body);
    },
    onRefused: (reason) => refused.push(reason),
    clock: createManualClock(),
    logger,
    ...options,
  });
  const routes = { [WEBHOOK_PATH]: { POST: handler, ...(options.methods && { GET: handler }) } };
  const { url } = await open(routes, { logger });
  const base = `${url}/webhooks/messaging/`;
  const post = async (body: BodyInit, headers: Record<string, string> = {}, token = TOKEN) => {
    const answer = await fetch(base + token, { method: 'POST', body, headers });
    return [answer.status, await answer.json()];
  };
  return { post, base, kept, refused, logger };
}

const NOT_HERE = [404, { error: 'There is nothing at this address.' }];

const VERIFY = { mode: 'hub.mode', token: 'hub.verify_token', challenge: 'hub.challenge' };

describe('a service that calls in its own way', () => {
  it('is verified by the token, and gets its challenge as text', async () => {
    const { base, kept } = await serve({ methods: ['POST'], verify: VERIFY });
    const ask = async (fields: Record<string, string>, token = TOKEN) => {
      const answer = await fetch(`${base}${token}?${new URLSearchParams(fields)}`);
      return [answer.status, answer.headers.get('content-type'), await answer.text()];
    };
    const right = { 'hub.mode': 'subscribe', 'hub.verify_token': TOKEN, 'hub.challenge': '<b>11 58</b>' };
    expect(await ask(right)).toEqual([200, 'text/plain; charset=utf-8', '<b>11 58</b>']);
    const wrong = [403, 'application/json; charset=utf-8', '{"error":"The token of this request is wrong."}'];
    expect(await ask({ ...right, 'hub.verify_token': 'another' })).toEqual(wrong);
    expect(await ask({ ...right, 'hub.mode': 'unsubscribe' })).toEqual(wrong);
    expect(await ask({ ...right, 'hub.challenge': 'x'.repeat(501) })).toEqual(wrong);
    expect((await ask({ 'hub.challenge': '1' }))[0]).toBe(403);
    expect((await ask(right, 'another'))[0]).toBe(404);
    expect((await ask({ id: 'm', status: 'sent' }))[0]).toBe(405);
    expect(kept).toEqual([]);
  });

  it('may report by GET, in the query', async () => {
    const { base, kept, refused } = await serve({ methods: ['GET'] });
    const answer = await fetch(`${base}${TOKEN}?id=m&status=DELIVRD`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'kept' }]);
    expect((await fetch(base + TOKEN, { method: 'POST', body: 'x' })).status).toBe(405);
    expect((await fetch(`${base}${TOKEN}?id=m`, { method: 'HEAD' })).status).toBe(405);
    expect(kept).toEqual([
      { contentType: 'application/x-www-form-urlencoded', bytes: Buffer.from('id=m&status=DELIVRD') },
    ]);
    expect(refused).toEqual(['method', 'method']);
  });

  it.each([
    ['sha256', 'hex', 'sha256=', true],
    ['sha1', 'base64', '', false],
  ] as const)(
    'signs with %s in %s, beside the token or in its place',
    async (algorithm, encoding, prefix, alone) => {
      const signature = { header: 'X-Signature', prefix, algorithm, secret: 's3cret' };
      const { post, kept } = await serve({ signature, ...(alone && { tokens: [] }) });
      const body = '{"id": "m",  "status":"sent"}';
      const sign = (text: string, secret = 's3cret') => ({
        'x-signature': prefix + createHmac(algorithm, secret).update(text).digest(encoding),
      });
      const wrong = [401, { error: 'The signature is wrong.' }];
      const others = [{}, sign('{"id":"m","status":"sent"}'), sign(body, 'other'), { 'x-signature': prefix }];
      for (const headers of others) expect(await post(body, headers)).toEqual(wrong);
      expect(kept).toEqual([]);
      expect(await post(body, sign(body), alone ? 'service' : TOKEN)).toEqual([200, { status: 'kept' }]);
      if (!alone) expect(await post(body, sign(body), 'service')).toEqual(NOT_HERE);
      expect(kept).toHaveLength(1);
    },
  );
});

describe('the address of webhooks', () => {
  it('keeps the bytes as they came and says so', async () => {
    const { post, kept } = await serve();
    expect(await post('{"a":1}', { 'content-type': 'application/json' })).toEqual([200, { status: 'kept' }]);
    expect(await post(Uint8Array.of(0xff, 0))).toEqual([200, { status: 'kept' }]);
    expect(kept.map(({ contentType, bytes }) => [contentType, [...bytes]])).toEqual([
      ['application/json', [...Buffer.from('{"a":1}')]],
      [undefined, [0xff, 0]],
    ]);
  });

  it('fills no disk: of what a stranger tries the log has the first and a count a minute', async () => {
    const clock = createManualClock();
    const { post, refused, logger } = await serve({ clock });
    for (let times = 0; times < 20; times += 1) await post('x', {}, 'wrong');
    await clock.advance(60_000);
    await post('x', {}, 'wrong');
    expect(refused).toHaveLength(21);
    expect(logger.lines.map(({ fields }) => fields)).toEqual([
      { status: 404, reason: 'token' },
      { status: 404, reason: 'token', more: 19 },
    ]);
  });

  it('is there under either of two tokens, and not without a right one, nor without any', async () => {
    const { post, kept, refused } = await serve({ tokens: ['a-token-from-now-on', TOKEN] });
    for (const token of ['wrong', `${TOKEN}x`, '%', '', `${TOKEN}/`])
      expect(await post('x', {}, token)).toEqual(NOT_HERE);
    expect([kept.length, refused[0]]).toEqual([0, 'token']);
    for (const token of [TOKEN, 'a-token-from-now-on'])
      expect(await post('x', {}, token)).toEqual([200, { status: 'kept' }]);
    const off = await serve({ tokens: [] });
    for (const token of [TOKEN, 'undefined']) expect(await off.post('x', {}, token)).toEqual(NOT_HERE);
    expect(off.kept).toEqual([]);
  });

  it('asks for the secret header where there is one', async () => {
    const { post, kept } = await serve({ header: { name: 'X-Webhook-Secret', secret: 's3cret' } });
    const wrong = [401, { error: 'The secret header is wrong.' }];
    expect(await post('x')).toEqual(wrong);
    expect(await post('x', { 'x-webhook-secret': 's3cre' })).toEqual(wrong);
    expect(await post('x', { 'x-webhook-secret': 's3cret' })).toEqual([200, { status: 'kept' }]);
    expect(kept).toHaveLength(1);
  });

  it('takes what comes from the listed addresses only', async () => {
    const refusal = [403, { error: 'This address may not post here.' }];
    const elsewhere = await serve({ allowFrom: ranges('203.0.113.0/24', '2001:db8::/32') });
    expect(await elsewhere.post('x')).toEqual(refusal);
    // Nobody is believed who says so himself.
    expect(await elsewhere.post('x', { 'x-forwarded-for': '203.0.113.9' })).toEqual(refusal);
    const behind = await serve({ allowFrom: ranges('203.0.113.0/24'), proxies: ranges('127.0.0.1') });
    expect(await behind.post('x', { 'x-forwarded-for': '203.0.113.9' })).toEqual([200, { status: 'kept' }]);
    expect(await behind.post('x', { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' })).toEqual(refusal);
    const here = await serve({ allowFrom: ranges('127.0.0.1') });
    expect(await here.post('x')).toEqual([200, { status: 'kept' }]);
  });

  it('believes nobody who has reset the connection by then: it has no other end any more', async () => {
    const listed = { allowFrom: ranges('203.0.113.0/24'), proxies: ranges('10.0.0.0/8') };
    const { base, kept, refused } = await serve(listed);
    const { port, pathname } = new URL(base);
    const socket = connect(Number(port), '127.0.0.1', () => {
      const headers = 'Host: x\r\nX-Forwarded-For: 203.0.113.9\r\nContent-Length: 1';
      socket.write(`POST ${pathname}${TOKEN} HTTP/1.1\r\n${headers}\r\n\r\nx`, () =>
        socket.resetAndDestroy(),
      );
    });
    await vi.waitFor(() => expect([...refused, ...kept]).toEqual(['address']), PATIENT);
  });

  it('takes 256 KB and not a byte more', async () => {
    const { post, base, kept, refused } = await serve();
    const limit = 256 * 1024;
    expect(await post('x'.repeat(limit))).toEqual([200, { status: 'kept' }]);
    const refusal = [413, { error: `A body may have ${limit} bytes. This one was not kept.` }];
    expect(await post('x'.repeat(limit + 1))).toEqual(refusal);
    const unannounced = { body: ReadableStream.from(['x'.repeat(limit), 'x']), duplex: 'half' as const };
    const answer = await fetch(base + TOKEN, { method: 'POST', ...unannounced } as RequestInit);
    expect([answer.status, await answer.json()]).toEqual(refusal);
    expect([kept.length, refused]).toEqual([1, ['too_long', 'too_long']]);
  });

  it.each([
    ['requests', { requests: { most: 3, perSecond: 1 }, bytes: { most: 100, perSecond: 1 } }],
    ['bytes', { requests: { most: 100, perSecond: 1 }, bytes: { most: 3, perSecond: 1 } }],
  ])('keeps so many %s in a time, then asks the service to come again later', async (_what, limits) => {
    const clock = createManualClock();
    const { post, base, kept, refused } = await serve({ limits, clock });
    for (const body of ['a', 'b', 'c']) expect(await post(body)).toEqual([200, { status: 'kept' }]);
    const answer = await fetch(base + TOKEN, { method: 'POST', body: 'd' });
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '1',
      { error: 'More came than Herald keeps in this time. Send it again later.' },
    ]);
    // Whoever has no token takes none of it.
    await post('x', {}, 'wrong');
    await clock.advance(1_000);
    expect(await post('d')).toEqual([200, { status: 'kept' }]);
    expect([kept.length, refused]).toEqual([4, ['too_much', 'token']]);
  });

  it('asks the service to come again when the store fails', async () => {
    const { post, refused, logger } = await serve({
      receive: async () => {
        throw new Error('disk full');
      },
    });
    expect(await post('+919812345678')).toEqual([
      503,
      { error: 'Herald could not keep this. Send it again later.' },
    ]);
    expect(refused).toEqual(['store']);
    expect(JSON.stringify(logger.lines)).not.toContain('9812345678');
  });
});

describe('an address range', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '::1', '2001:db8::/32'])('%s is one', (text) => {
    expect(addressRangeSchema.safeParse(text).success).toBe(true);
  });

  it.each(['', 'localhost', '203.0.113.0/33', '0x7f.1', '10', '1.2.3'])('%j is none', (text) => {
    expect(addressRangeSchema.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
      'an IP address or a range of them, e.g. 203.0.113.7 or 203.0.113.0/24',
    ]);
  });
});
