import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { fail, ok } from '../../../src/core/result.ts';
import { verifySignature } from '../../../src/slack/connection/http-receiver.ts';

const SECRET = 'signing-secret-of-the-test';
const NOW_SECONDS = 1_531_420_618;
const BODY = 'token=x&command=%2Fsms&text=%E2%9C%93 naïve';

function sign(body: string | Buffer, timestamp: string, secret = SECRET): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;
}

function verify(
  given: Partial<{ signature: string | undefined; timestamp: string | undefined; body: string | Buffer }>,
) {
  const timestamp = 'timestamp' in given ? given.timestamp : String(NOW_SECONDS);
  const signature = 'signature' in given ? given.signature : sign(given.body ?? BODY, timestamp ?? '');
  return verifySignature(
    ['secret-from-now-on', SECRET],
    { signature, timestamp },
    Buffer.from(given.body ?? BODY),
    NOW_SECONDS * 1000,
  );
}

test('agrees with an example worked out by another program', () => {
  // printf 'v0:1531420618:a=1' | openssl dgst -sha256 -hmac secret
  const signature = 'v0=5bef7b081e15553df73ac791b97494721c24d9eaba390af2df2364fa1e1b3ff2';
  expect(
    verifySignature(
      ['secret'],
      { signature, timestamp: '1531420618' },
      Buffer.from('a=1'),
      NOW_SECONDS * 1000,
    ),
  ).toEqual(ok(signature));
});

test('a genuine request is named by its signature', () => {
  expect(verify({})).toEqual(ok(sign(BODY, String(NOW_SECONDS))));
});

test('a request may be signed with either secret', () => {
  const timestamp = String(NOW_SECONDS);
  const signature = sign(BODY, timestamp, 'secret-from-now-on');
  expect(verify({ signature })).toEqual(ok(signature));
});

test('bytes are signed, not characters', () => {
  const body = Buffer.from([0x61, 0xff, 0xfe, 0xe2, 0x9c, 0x93]);
  expect(verify({ body })).toEqual(ok(sign(body, String(NOW_SECONDS))));
});

test.each([
  ['300 s old', NOW_SECONDS - 300],
  ['300 s ahead', NOW_SECONDS + 300],
])('a time stamp %s still passes', (_name, seconds) => {
  expect(verify({ timestamp: String(seconds) })).toEqual(ok(sign(BODY, String(seconds))));
});

const good = sign(BODY, String(NOW_SECONDS));
test.each([
  ['no signature', { signature: undefined }, 'signature headers missing'],
  ['no time stamp', { timestamp: undefined, signature: good }, 'signature headers missing'],
  ['a time stamp that is no number', { timestamp: '12e5' }, 'time stamp is not a number'],
  ['an empty time stamp', { timestamp: '' }, 'time stamp is not a number'],
  ['a stale request', { timestamp: String(NOW_SECONDS - 301) }, 'time stamp too old'],
  ['a future-dated request', { timestamp: String(NOW_SECONDS + 301) }, 'time stamp in the future'],
  ['the wrong secret', { signature: sign(BODY, String(NOW_SECONDS), 'other') }, 'signature does not match'],
  ['another body', { signature: good, body: `${BODY}&text=more` }, 'signature does not match'],
  ['a truncated body', { signature: good, body: BODY.slice(0, -1) }, 'signature does not match'],
  ['another time stamp', { signature: good, timestamp: String(NOW_SECONDS + 1) }, 'signature does not match'],
  ['another version', { signature: good.replace('v0=', 'v1=') }, 'signature does not match'],
  ['a signature cut short', { signature: good.slice(0, -2) }, 'signature does not match'],
  ['upper-case digits', { signature: good.toUpperCase() }, 'signature does not match'],
  ['two signatures in one header', { signature: `${good}, ${good}` }, 'signature does not match'],
])('%s is refused', (_name, given, reason) => {
  expect(verify(given)).toEqual(fail(reason));
});
