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
  const headers = { signature, timestamp: '1531420618' };
  const verified = verifySignature(['secret'], headers, Buffer.from('a=1'), NOW_SECONDS * 1000);
  expect(verified).toEqual(ok(signature));
});

test.each([
  ['a genuine one', BODY, NOW_SECONDS],
  ['one of bytes that are no characters', Buffer.from([0x61, 0xff, 0xfe, 0xe2, 0x9c, 0x93]), NOW_SECONDS],
  ['one 300 s old', BODY, NOW_SECONDS - 300],
  ['one 300 s ahead', BODY, NOW_SECONDS + 300],
])('%s passes, signed with either secret, and is named by its signature', (_name, body, seconds) => {
  const timestamp = String(seconds);
  for (const secret of [SECRET, 'secret-from-now-on']) {
    const signature = sign(body, timestamp, secret);
    expect(verify({ body, timestamp, signature })).toEqual(ok(signature));
  }
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
  ['another time stamp', { signature: good, timestamp: String(NOW_SECONDS + 1) }, 'signature does not match'],
  ['another version', { signature: good.replace('v0=', 'v1=') }, 'signature does not match'],
  ['a signature cut short', { signature: good.slice(0, -2) }, 'signature does not match'],
])('%s is refused', (_name, given, reason) => {
  expect(verify(given)).toEqual(fail(reason));
});
