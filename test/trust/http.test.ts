import { METHODS } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { addressRangeSchema, isInRanges, senderOf } from '../../src/http/address-range.ts';
import { runningStack } from '../e2e/stack.ts';
import { hostileBody, seeded } from '../http/hostile-bodies.ts';
import { howMany } from './how-many.ts';
import { exchange } from './raw-http.ts';
import { hmac, now } from './signed.ts';
import { inFile, WEBHOOKS } from './world.ts';

const HIDDEN = 'hidden in another request';
const AT_ONCE = 20;

/** A whole request that only gets in if another one is read wrongly. */
const INNER = `POST ${WEBHOOKS} HTTP/1.1\r\nHost: x\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`;
const CHUNK = `${INNER.length.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`;
const post = (headers: string, body = INNER, line = `POST ${WEBHOOKS} HTTP/1.1`) =>
  `${line}\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
const whole = `Content-Length: ${INNER.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';

/** Two readers may see different ends in these. Herald sees one request at most, and answers once. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  'a length and chunks': post(`Content-Length: 5\r\n${CHUNKED}`, `0\r\n\r\n${INNER}`),
  'chunks and a length': post(`${CHUNKED}\r\nContent-Length: 5`, `0\r\n\r\n${INNER}`),
  'two lengths': post(`Content-Length: 0\r\n${whole}`),
  'two lengths, turned round': post(`${whole}\r\nContent-Length: 0`),
  'the same length twice': post(`${whole}\r\n${whole}`),
  'two lengths in one line': post(`${whole}, 0`),
  'a folded length': post('Content-Length:\r\n 0'),
  'a folded header': post(`X-A: b\r\n Content-Length: 0\r\n${whole}`),
  'a length with a plus': post('Content-Length: +0'),
  'a length below nothing': post('Content-Length: -1'),
  'a length in hexadecimals': post('Content-Length: 0x0'),
  'a length with a point': post('Content-Length: 0.0'),
  'a length beyond 64 bits': post('Content-Length: 18446744073709551616'),
  'a length and a space before the colon': post('Content-Length : 0'),
  'a length after a tab': post(`Content-Length:\t0\r\n${CHUNKED}`),
  'chunks, misspelt': post('Transfer-Encoding: xchunked', CHUNK),
  'chunks with a sign before': post('Transfer-Encoding: \vchunked', CHUNK),
  'chunks, then something else': post('Transfer-Encoding: chunked, identity', CHUNK),
  'chunks twice': post(`${CHUNKED}\r\n${CHUNKED}`, `0\r\n\r\n${INNER}`),
  'chunks and gzip': post(`${CHUNKED}\r\nTransfer-Encoding: gzip`, `0\r\n\r\n${INNER}`),
  'chunks and a space before the colon': post('Transfer-Encoding : chunked', `0\r\n\r\n${INNER}`),
  'chunks in a folded line': post('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${INNER}`),
  'chunks in HTTP/1.0': post(CHUNKED, `0\r\n\r\n${INNER}`, `POST ${WEBHOOKS} HTTP/1.0`),
  'a chunk of a size with 0x': post(CHUNKED, `0x0\r\n\r\n${INNER}`),
  'a chunk of a size below nothing': post(CHUNKED, `-1\r\n\r\n${INNER}`),
  'a chunk of a size beyond 64 bits': post(CHUNKED, `fffffffffffffffff\r\n\r\n${INNER}`),
  'a chunk without a size': post(CHUNKED, `\r\n\r\n${INNER}`),
  'a chunk that is longer than it says': post(CHUNKED, `1\r\nab\r\n0\r\n\r\n${INNER}`),
  'a chunk’s line ended by a line feed': post(CHUNKED, `0\n\n${INNER}`),
  'a chunk’s extension with a line feed': post(CHUNKED, `1;a\nb\r\n0\r\n\r\n${INNER}`),
  'bare line feeds': post(`X-A: b\nContent-Length: 0\n\n${INNER}`, ''),
  'a bare carriage return': post('X-A: b\rContent-Length: 0\r\nContent-Length: 5'),
  'a NUL in a header': post('X-A: b\0c\r\nContent-Length: 0'),
  'a NUL in a header’s name': post('X\0A: b\r\nContent-Length: 0'),
  'a header without a name': post(': b\r\nContent-Length: 0'),
  'a line without a colon': post('Content-Length 0'),
  'no header but a space': `POST ${WEBHOOKS} HTTP/1.1\r\n Host: x\r\nContent-Length: 0\r\n\r\n${INNER}`,
  'no host': `POST ${WEBHOOKS} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`,
  'HTTP/0.9': `POST ${WEBHOOKS}\r\n\r\n${INNER}`,
  'HTTP/1.9': post(whole, INNER, `POST ${WEBHOOKS} HTTP/1.9`),
  'the preface of HTTP/2': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${INNER}`,
  'a greeting of TLS': `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${INNER}`,
};
/** One request each, by every reader's rules: what is inside is its body. */
const INSIDE: Readonly<Record<string, string>> = {
  'a body with a length': post(whole, INNER, 'POST /healthz HTTP/1.1'),
  'a body in chunks': post(CHUNKED, CHUNK, 'POST /healthz HTTP/1.1'),
  'a body nobody asked for': post(whole, INNER, 'GET /healthz HTTP/1.1'),
  'a body in HTTP/2.0': post(whole, INNER, `POST ${WEBHOOKS} HTTP/2.0`),
  'a body at no address': post(whole, INNER, 'POST /nothing HTTP/1.1'),
  'a body for Slack’s entrance, unsigned': post(whole, INNER, 'POST /slack/events HTTP/1.1'),
  'a body with an unknown expectation': post(`${whole}\r\nExpect: 200-ok`, INNER, 'POST /healthz HTTP/1.1'),
  'an upgrade': post(`${whole}\r\nConnection: Upgrade\r\nUpgrade: h2c`, INNER, 'GET /healthz HTTP/1.1'),
  'a tunnel': post('X-A: b', INNER, 'CONNECT x:1 HTTP/1.1'),
};
const ELSEWHERE = [
  ...['/', '*', '//webhooks/messaging/x', '/webhooks', '/webhooks/messaging', '/webhooks/messaging/'],
  ...['/webhooks/messaging/..', '/webhooks/messaging/%00', '/webhooks/messaging/%E0%A4%A', '/slack/events/'],
  ...['/slack/../slack/events', '/SLACK/EVENTS', '/slack%2fevents', '/__proto__', '/constructor', '/.env'],
  ...[`${WEBHOOKS}x`, `${WEBHOOKS}/`, WEBHOOKS.toUpperCase(), `http://x${WEBHOOKS}`, `/a${WEBHOOKS}`],
  ...[`${WEBHOOKS}%20`, `/webhooks/messaging/x?${WEBHOOKS}`, `/webhooks/messaging/x#${WEBHOOKS}`],
];

const stack = runningStack({ mode: 'http' });
/** Sent at first and looked at last: for the rest of most of them Herald waits a while. */
const ambiguous = new Map<string, ReturnType<typeof exchange>>();
beforeAll(() => {
  for (const [name, bytes] of Object.entries({ ...AMBIGUOUS, ...INSIDE }))
    ambiguous.set(name, exchange(stack.heraldUrl, Buffer.from(bytes, 'latin1')));
});

/** Bodies that the webhook kept. */
function kept(): readonly string[] {
  const rows = inFile(stack, 'SELECT body FROM webhooks');
  return rows.map(({ body }) => Buffer.from(body as Uint8Array).toString('latin1'));
}

/** How many deliveries of Slack's a handler was given. */
async function clicks(): Promise<number> {
  const text = await (await fetch(`${stack.heraldUrl}/metrics`)).text();
  return [...text.matchAll(/^herald_acknowledge_seconds_count\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

describe('what comes in over HTTP', () => {
  test('hostile bodies: unsigned ones reach nobody, signed ones break nothing', async ({ task }) => {
    const { count, said } = howMany(400, 20_000);
    const random = seeded(20_261_122);
    const statuses = new Map<string, number>();
    const send = async (path: string, signs: boolean) => {
      const { bytes, contentType } = hostileBody(random);
      const timestamp = String(now());
      const digest = hmac(`v0:${timestamp}:`).update(bytes).digest('hex');
      const signature = signs ? `v0=${digest}` : `v0=${digest.toUpperCase()}`;
      const answer = await fetch(stack.heraldUrl + path, {
        method: 'POST',
        body: new Uint8Array(bytes),
        headers: {
          ...(contentType !== undefined && { 'content-type': contentType }),
          'x-slack-signature': signature,
          'x-slack-request-timestamp': timestamp,
        },
      });
      await answer.arrayBuffer();
      const kind = `${path} ${signs ? 'signed' : 'unsigned'} ${answer.status}`;
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
    };
    for (let at = 0; at < count; at += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_none, index) =>
          index % 4 === 0 ? send(WEBHOOKS, false) : send('/slack/events', index % 2 === 1),
        ),
      );
    }
    const [unsigned, webhooks] = ['/slack/events unsigned 401', `${WEBHOOKS} unsigned 200`];
    expect([statuses.get(unsigned), statuses.get(webhooks)]).toEqual([count / 4, count / 4]);
    expect(stack.wholeRequests()).toEqual([]);
    expect((await fetch(`${stack.heraldUrl}/readyz`)).status).toBe(200);
    expect(stack.logs()).not.toMatch(/unhandled|uncaught/i);
    task.meta.figure = `${count} bodies${said} at two entrances; unsigned ones are refused, and nothing is sent`;
  });

  test('methods and addresses: nothing but the five that there are', async ({ task }) => {
    const before = [kept().length, await clicks()];
    const wrong: object[] = [];
    const paths = ['/healthz', '/readyz', '/metrics', WEBHOOKS, '/slack/events', ...ELSEWHERE];
    const ask = async (method: string, path: string) => {
      const isMeant = /^(GET|HEAD) \/(healthz|readyz|metrics)$/.test(`${method} ${path}`);
      if (isMeant || `${method} ${path}` === `POST ${WEBHOOKS}`) return;
      const statuses = await exchange(
        stack.heraldUrl,
        post('Connection: close\r\nContent-Length: 1', 'x', `${method} ${path} HTTP/1.1`),
      );
      const isRefused = statuses.length <= 1 && statuses.every((status) => status >= 400 && status < 500);
      if (!isRefused) wrong.push({ method, path, statuses });
    };
    const methods = [...METHODS, 'get', 'POSTX', 'PO ST', ''];
    for (const method of methods) await Promise.all(paths.map((path) => ask(method, path)));
    expect(wrong).toEqual([]);
    expect([kept().length, await clicks()]).toEqual(before);
    task.meta.figure = `${methods.length} methods × ${paths.length} addresses; each other one is refused`;
  });

  test('ambiguous requests: none is read as two, and nothing gets in that hid in another', async ({
    task,
  }) => {
    const wrong: object[] = [];
    for (const [name, answer] of ambiguous) {
      const statuses = await answer;
      const isRefused = Object.hasOwn(INSIDE, name) || statuses.every((status) => status >= 400);
      if (!isRefused || statuses.length > 1) wrong.push({ name, statuses });
    }
    expect(wrong).toEqual([]);
    expect(kept()).not.toContain(HIDDEN);
    // The hidden request is a good one: alone it gets in.
    expect(await exchange(stack.heraldUrl, INNER)).toEqual([200]);
    expect(kept()).toContain(HIDDEN);
    task.meta.figure = `${ambiguous.size} requests with another one inside; none of those got in`;
  });
});

test('forged senders: X-Forwarded-For is believed of listed proxies only', ({ task }) => {
  const allowed = [addressRangeSchema.parse('203.0.113.0/24'), addressRangeSchema.parse('2001:db8::/32')];
  const proxies = [addressRangeSchema.parse('10.0.0.0/8')];
  const spellings = [
    ...['203.0.113.9', ' 203.0.113.9 ', '203.0.113.9, 10.0.0.2', '::ffff:203.0.113.9', '::ffff:cb00:7109'],
    ...['3405803785', '0313.0.0161.011', '0xcb007109', '203.0.28937', '203.0.113.9:443', '[2001:db8::1]'],
    ...['2001:db8::1', '2001:db8::1%eth0', '"203.0.113.9"', 'for=203.0.113.9', '203.0.113.9,'],
    ...[',203.0.113.9,,', '203.0.113.9\t', '203.0.113.9, unknown', Array(2_000).fill('203.0.113.9').join()],
  ];
  // The other end of the connection, and what it adds: a stranger, one who has gone, a proxy that a stranger came through.
  const strangers = [
    ...['198.51.100.1', '::ffff:198.51.100.1', '2001:db9::1', ''].map((from) => [from, ''] as const),
    ...[', 198.51.100.1', ', not an address'].map((through) => ['10.0.0.1', through] as const),
    ['::ffff:10.0.0.1', ', 198.51.100.1, 10.0.0.2'] as const,
  ];
  const believed = strangers.flatMap(([from, through]) =>
    spellings.filter((forged) => isInRanges(senderOf(from, forged + through, proxies), allowed)),
  );
  expect(believed).toEqual([]);
  expect(isInRanges(senderOf('10.0.0.1', '198.51.100.1, 203.0.113.9', proxies), allowed)).toBe(true);
  task.meta.figure = `${strangers.length} ways in × ${spellings.length} spellings; none is believed`;
});
