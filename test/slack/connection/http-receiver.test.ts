import { request } from 'node:http';
import { connect } from 'node:net';
import type { ReceiverEvent } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDeliveries } from '../../../src/slack/connection/deliveries.ts';
import { createHttpHandler } from '../../../src/slack/connection/http-receiver.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../fakes/logger.ts';
import { listening, NO_METRICS, SIGNING_SECRET, signed as signedAt } from '../test-app.ts';

let clock: ManualClock;
let logger: RecordingLogger;
let events: ReceiverEvent[];
let process: (event: ReceiverEvent) => Promise<void>;
let port: number;
let close: () => void;

beforeEach(async () => {
  clock = createManualClock();
  logger = createRecordingLogger();
  events = [];
  process = ({ ack }) => ack();
  const deliveries = createDeliveries({
    process: (event) => {
      events.push(event);
      return process(event);
    },
    clock,
    logger,
    metrics: NO_METRICS,
  });
  const signingSecrets = ['secret-from-now-on', SIGNING_SECRET];
  const handler = createHttpHandler({ signingSecrets, deliveries, clock, logger });
  ({ port, close } = await listening(handler));
});

afterEach(() => close());

const FORM = 'application/x-www-form-urlencoded';

const signed = (body: string, at = clock.now()) => signedAt(body, at);

async function send(body: string | Buffer<ArrayBuffer>, headers: Record<string, string>, method = 'POST') {
  const given = { method, headers, ...(body && { body }) };
  const response = await fetch(`http://127.0.0.1:${port}/slack/events`, given);
  return { status: response.status, body: await response.text() };
}

const post = (body: string, contentType = FORM, extra: Record<string, string> = {}) =>
  send(body, { 'content-type': contentType, ...signed(body), ...extra });

test('a command arrives as a form and is answered by its acknowledgement', async () => {
  process = ({ ack }) => ack({ response_type: 'ephemeral', text: 'naïve ✓' });
  const form = new URLSearchParams({ command: '/sms', text: '+6591234567 “héllo” 😀', team_id: 'T1' });
  expect(await post(form.toString())).toEqual({
    status: 200,
    body: '{"response_type":"ephemeral","text":"naïve ✓"}',
  });
  expect(events.map(({ body }) => body)).toEqual([
    { command: '/sms', text: '+6591234567 “héllo” 😀', team_id: 'T1' },
  ]);
});

test('an interaction arrives as JSON in a form field, and an event as JSON', async () => {
  const payload = { type: 'view_submission', view: { id: 'V1' } };
  const form = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  expect(await post(form, `${FORM}; charset=utf-8`)).toEqual({ status: 200, body: '' });
  const event = { type: 'event_callback', event: { type: 'app_mention' } };
  expect(await post(JSON.stringify(event), 'application/json')).toEqual({ status: 200, body: '' });
  expect(events.map(({ body }) => body)).toEqual([payload, event]);
});

test('what somebody typed into an event is no form, whatever the headers say, which nobody signs', async () => {
  const typed = 'x&command=%2Fsms&user_id=U0RAVI&payload=%7B%22type%22%3A%22block_actions%22%7D&y=';
  const payload = { type: 'event_callback', event: { type: 'message', text: typed } };
  expect(await post(JSON.stringify(payload), FORM)).toEqual({ status: 200, body: '' });
  expect(events.map(({ body }) => body)).toEqual([payload]);
});

test('the address check is answered with its challenge and runs nothing', async () => {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'c-123' });
  expect(await post(body, 'application/json')).toEqual({ status: 200, body: '{"challenge":"c-123"}' });
  expect(await post('ssl_check=1&token=x')).toEqual({ status: 200, body: '' });
  expect(events).toEqual([]);
});

test('what nobody handles, what breaks, and what takes too long are told apart', async () => {
  process = async () => {};
  expect(await post('command=%2Fa')).toEqual({ status: 404, body: '' });
  process = () => Promise.reject(new Error('broken'));
  expect(await post('command=%2Fb')).toEqual({ status: 500, body: '' });
  process = () => new Promise(() => {});
  const late = post('command=%2Fc');
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(3000);
  expect(await late).toEqual({ status: 504, body: '' });
});

const SIGNATURE = 'x-slack-signature';
const TIMESTAMP = 'x-slack-request-timestamp';
const BODY = 'token=x&command=%2Fsms&text=%E2%9C%93 naïve';
const signedIn = (seconds: number, body: string | Buffer<ArrayBuffer> = BODY, secret?: string) =>
  signedAt(body, clock.now() + seconds * 1_000, secret);

test('a signature that another program has worked out passes', async () => {
  // printf 'v0:1531420618:a=1' | openssl dgst -sha256 -hmac signing-secret-of-the-test
  const signature = 'v0=01c16c15cdd8445073a5c647cc2182f91ab89e5708fccb8eca51e87b9f0ec8bb';
  clock.set(1_531_420_618_000 - clock.now());
  const headers = { 'content-type': FORM, [SIGNATURE]: signature, [TIMESTAMP]: '1531420618' };
  expect(await send('a=1', headers)).toEqual({ status: 200, body: '' });
});

test.each<[string, string | Buffer<ArrayBuffer>, number]>([
  ['a genuine one', BODY, 0],
  ['one of bytes that are no characters', Buffer.from([0x61, 0xff, 0xfe, 0xe2, 0x9c, 0x93]), 0],
  ['one 300 s old', BODY, -300],
  ['one 300 s ahead', BODY, 300],
])('%s passes, signed with either secret, and is named by its signature', async (_name, body, seconds) => {
  for (const secret of [SIGNING_SECRET, 'secret-from-now-on']) {
    const headers = signedIn(seconds, body, secret);
    expect(await send(body, { 'content-type': FORM, ...headers })).toEqual({ status: 200, body: '' });
    expect(events.at(-1)?.customProperties?.deliveryKey).toBe(headers[SIGNATURE]);
  }
});

const NO_MATCH = 'signature does not match';
test.each<[string, () => Record<string, string | undefined>, string]>([
  ['no signature', () => ({ [SIGNATURE]: undefined }), 'signature headers missing'],
  ['no time stamp', () => ({ [TIMESTAMP]: undefined }), 'signature headers missing'],
  ['a time stamp that is no number', () => ({ [TIMESTAMP]: '12e5' }), 'time stamp is not a number'],
  ['an empty time stamp', () => ({ [TIMESTAMP]: '' }), 'time stamp is not a number'],
  ['a stale request', () => signedIn(-301), 'time stamp too old'],
  ['a future-dated request', () => signedIn(301), 'time stamp in the future'],
  ['the wrong secret', () => signedIn(0, BODY, 'other'), NO_MATCH],
  ['the signature of another body', () => signedIn(0, `${BODY}&text=more`), NO_MATCH],
  ['another time stamp', () => ({ [TIMESTAMP]: signedIn(1)[TIMESTAMP] }), NO_MATCH],
  ['another version', () => ({ [SIGNATURE]: signedIn(0)[SIGNATURE]?.replace('v0', 'v1') }), NO_MATCH],
  ['a signature cut short', () => ({ [SIGNATURE]: signedIn(0)[SIGNATURE]?.slice(0, -2) }), NO_MATCH],
])('%s is refused and runs nothing; of both the log says nothing', async (_name, changed, reason) => {
  const headers = Object.entries({ 'content-type': FORM, ...signedIn(0), ...changed() });
  const sent = headers.filter((one): one is [string, string] => one[1] !== undefined);
  expect(await send(BODY, Object.fromEntries(sent))).toEqual({ status: 401, body: '' });
  expect(events).toEqual([]);
  expect(logger.lines.map(({ fields }) => fields)).toEqual([{ reason, status: 401 }]);
});

test.each([
  ['no JSON', 'application/json', '{"type":', 400],
  ['a JSON array', 'application/json', '[1]', 400],
  ['a payload that is no JSON', FORM, 'payload=%7B', 400],
  ['an event that is a text', 'application/json', '{"event":"+6591234567"}', 400],
  ['an event that is a number', FORM, 'payload=%7B%22event%22%3A1%7D', 400],
  ['an event in a form', FORM, 'command=%2Fsms&event=message', 400],
  ['another media type', 'text/plain', 'hello', 415],
])('%s is refused', async (_name, contentType, body, status) => {
  expect(await post(body, contentType)).toEqual({ status, body: '' });
  expect(events).toEqual([]);
});

test('a body over a megabyte is refused, announced or not', async () => {
  const long = `text=${'x'.repeat(1_000_001)}`;
  expect((await post(long)).status).toBe(413);
  const headers = { 'content-type': FORM, 'transfer-encoding': 'chunked', ...signed(long) };
  // The connection may be cut while the rest is still being written: both say that it was not taken.
  const outcome = await new Promise((resolve) => {
    const chunked = request({ port, method: 'POST', path: '/slack/events', headers });
    chunked.on('response', ({ statusCode }) => resolve(statusCode));
    chunked.on('error', (error: { code?: string }) => resolve(error.code));
    chunked.end(long);
  });
  expect([413, 'EPIPE', 'ECONNRESET']).toContain(outcome);
  expect(events).toEqual([]);
});

test('however many requests a stranger makes, the log has the first of a kind and a count a minute', async () => {
  const body = 'command=%2Fsms&text=x';
  const knock = async () => {
    await send(body, { 'content-type': FORM });
    expect(await send('', {}, 'GET')).toEqual({ status: 405, body: '' });
  };
  for (let times = 0; times < 20; times += 1) await knock();
  const refused = (reason: string, more?: number) => ({ reason, ...(more && { more }) });
  const said = () => logger.lines.map(({ fields }) => fields);
  const kinds = ['signature headers missing', 'method is not POST'];
  expect(said()).toMatchObject(kinds.map((reason) => refused(reason)));
  await clock.advance(60_000);
  await knock();
  expect(said().slice(2)).toMatchObject(kinds.map((reason) => refused(reason, 19)));
});

test('so it has of requests that break off half-way, which run nothing', async () => {
  const body = 'command=%2Fsms&text=x';
  const headers = Object.entries(signed(body)).map(([name, value]) => `${name}: ${value}\r\n`);
  const breakOff = () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n${headers.join('')}\r\n${body}`,
      );
      socket.on('close', () => resolve());
      socket.end();
      socket.resume();
    });
  for (let times = 0; times < 5; times += 1) await breakOff();
  await clock.advance(60_000);
  await breakOff();
  expect(logger.lines).toMatchObject([
    { message: 'a request from Slack broke off' },
    { message: 'a request from Slack broke off', fields: { more: 4 } },
  ]);
  expect(events).toEqual([]);
});
