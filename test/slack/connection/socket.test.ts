import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../fakes/logger.ts';
import { type FakeSlack, startFakeSlack, until } from '../fake-slack.ts';
import { createTestApp, type TestApp } from '../test-app.ts';

let slack: FakeSlack;
let clock: ManualClock;
let logger: RecordingLogger;
let app: TestApp;

beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
  logger = createRecordingLogger();
  create();
});

afterEach(async () => {
  const stopped = app.stop(0);
  await clock.advance(60_000);
  await stopped;
  await slack.close();
});

const COMMAND = {
  command: '/herald',
  text: 'help',
  team_id: 'T0ACME',
  user_id: 'U0ASHA',
  channel_id: 'C0TEAM',
  trigger_id: '1.2',
};

function envelope(id: string, payload: object = COMMAND): string {
  return JSON.stringify({ type: 'slash_commands', envelope_id: id, payload, accepts_response_payload: true });
}

function send(text: string): void {
  slack.sockets.at(-1)?.send(text);
}

/** Makes the app; `answer` is the answer to `/herald`. */
function create(answer?: () => Promise<string>): void {
  app = createTestApp({
    mode: { kind: 'socket', appToken: 'xapp-1' },
    botToken: 'xoxb-1',
    slackApiUrl: slack.apiUrl,
    logger,
    clock,
    random: { fraction: () => 0.5, bytes: (length) => new Uint8Array(length) },
    register: (bolt) => answer && bolt.command('/herald', async ({ ack }) => ack(await answer())),
  });
}

/** An app with one command under way, which `finish` ends. */
async function withOneUnderWay() {
  let runs = 0;
  const running = Promise.withResolvers<string>();
  create(() => {
    runs += 1;
    return running.promise;
  });
  await app.start();
  send(envelope('e1'));
  await until(() => runs === 1);
  return { runs: () => runs, finish: () => running.resolve('finished') };
}

test('everything, the socket included, goes to the configured address with its own token', async () => {
  expect(await app.start()).toEqual({ ok: true, value: undefined });
  expect(slack.calls.map(({ method, authorization }) => ({ method, authorization }))).toEqual([
    { method: 'auth.test', authorization: 'Bearer xoxb-1' },
    { method: 'apps.connections.open', authorization: 'Bearer xapp-1' },
  ]);
  expect(app.health()).toEqual({ mode: 'socket', authenticated: true, ready: true });
  expect(app.identity()).toMatchObject({ teamId: 'T0ACME', botId: 'B0HERALD' });
});

test('an envelope runs once and is acknowledged each time it comes, and Slack is asked nothing', async () => {
  let runs = 0;
  create(async () => `run ${++runs}`);
  await app.start();
  const before = slack.calls.length;
  send(envelope('e1'));
  send(envelope('e1'));
  send(envelope('e2'));
  await until(() => slack.received.length === 3);
  expect(slack.received).toEqual([
    { envelope_id: 'e1', payload: { text: 'run 1' } },
    { envelope_id: 'e1', payload: { text: 'run 1' } },
    { envelope_id: 'e2', payload: { text: 'run 2' } },
  ]);
  expect(slack.calls.length).toBe(before);
});

test.each([
  ['a text', { event: '+6591234567' }],
  ['without its payload', undefined],
])('an event that is %s is set aside, and the connection goes on', async (_name, payload) => {
  create(async () => 'done');
  await app.start();
  const event = payload && { team_id: 'T0ACME', ...payload };
  send(JSON.stringify({ type: 'events_api', envelope_id: 'e1', payload: event }));
  send(envelope('e2'));
  await until(() => slack.received.length > 0);
  expect(slack.received).toEqual([{ envelope_id: 'e2', payload: { text: 'done' } }]);
  expect(logger.lines.filter(({ level }) => level !== 'info')).toEqual([
    { level: 'warn', fields: {}, message: expect.stringMatching(/^an? .* cannot be read$/) },
  ]);
});

test.each(['warning', 'refresh_requested'])(
  'a connection that Slack will close (%s) serves until another does, and as long as Slack uses it',
  async (reason) => {
    let runs = 0;
    create(async () => `run ${++runs}`);
    await app.start();
    await clock.advance(11_000);
    const [first] = slack.sockets;
    slack.greets = false;
    send(JSON.stringify({ type: 'disconnect', reason }));
    await until(() => slack.sockets.length === 2, 'another socket');
    first?.send(envelope('e1'));
    await until(() => slack.received.length === 1, 'an answer while it is replaced');
    expect(app.health().ready).toBe(true);
    send(JSON.stringify({ type: 'hello' }));
    send(envelope('e1'));
    first?.send(envelope('e2'));
    await until(() => slack.received.length === 3, 'answers on both');
    expect(runs).toBe(2);
    await clock.advance(15_000);
    await until(() => slack.sockets.length === 1 && slack.sockets[0] !== first, 'the old one to be left');
    expect(app.health().ready).toBe(true);
    expect(slack.calls.filter(({ method }) => method === 'apps.connections.open').length).toBe(2);
  },
);

test('Socket Mode that is turned off ends the connection at once, and is said so', async () => {
  await app.start();
  await clock.advance(11_000);
  slack.answers.set('apps.connections.open', [{ ok: false, error: 'socket_mode_disabled' }]);
  send(JSON.stringify({ type: 'disconnect', reason: 'link_disabled', debug_info: { host: 'wss-111' } }));
  await until(() => app.health().isRefused);
  expect(slack.sockets).toEqual([]);
  expect(app.health().problem).toMatch(/^Socket Mode is off for this app \(socket_mode_disabled\)\./);
});

test('a connection that flaps backs off', async () => {
  await app.start();
  slack.sockets[0]?.terminate();
  await until(() => !app.health().ready);
  expect(app.health().problem).toBe('The Socket Mode connection ended; Herald is reconnecting.');
  await until(() => clock.sleeping === 1);
  expect(slack.sockets.length).toBe(0);
  await clock.advance(250);
  await until(() => app.health().ready);
});

test('trouble on the way backs off to half a minute at most, for as long as it lasts', async () => {
  await app.start();
  const opens = () => slack.calls.filter(({ method }) => method === 'apps.connections.open').length;
  slack.answers.set('apps.connections.open', [{ status: 503 }]);
  slack.sockets[0]?.terminate();
  await until(() => !app.health().ready);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const before = opens();
    await until(() => clock.sleeping === 1, `waiting before attempt ${attempt}`);
    await clock.advance(15_000);
    await until(() => opens() > before, `attempt ${attempt}`);
  }
  expect(app.health().problem).toMatch(/^Slack gave no usable answer \(http_503\)\./);
});

test('a socket that opens and says nothing is cut, and tried again', async () => {
  slack.greets = false;
  const started = app.start();
  await until(() => slack.sockets.length === 1 && clock.sleeping === 1);
  await clock.advance(10_000);
  expect(await started).toEqual({ ok: true, value: undefined });
  expect(app.health().problem).toMatch(/^Slack gave no usable answer \(socket closed before hello\)\./);
  slack.greets = true;
  await until(() => clock.sleeping === 1);
  await clock.advance(250);
  await until(() => app.health().ready);
});

test('a peer that is gone while closing does not hold up the next connection', async () => {
  await app.start();
  await clock.advance(11_000);
  const first = slack.sockets[0];
  // The peer asks to be left and then no longer answers the closing hand-shake.
  send(JSON.stringify({ type: 'disconnect', reason: 'warning' }));
  first?.pause();
  for (let look = 0; look < 5 && !slack.sockets.some((socket) => socket !== first); look += 1) {
    await clock.advance(1_000);
  }
  await until(() => slack.sockets.some((socket) => socket !== first), 'a second socket');
  await until(() => app.health().ready);
});

test('refused app tokens stop the start with a sentence', async () => {
  slack.answers.set('apps.connections.open', [{ ok: false, error: 'invalid_auth' }]);
  const error = expect.stringMatching(/^Slack refused SLACK_APP_TOKEN \(invalid_auth\)\./);
  expect(await app.start()).toEqual({ ok: false, error });
});

test('while stopping, people are told and nothing runs', async () => {
  const { finish } = await withOneUnderWay();
  const stopped = app.stop(5_000);
  send(envelope('e2'));
  await until(() => slack.received.length === 1);
  finish();
  await stopped;
  const text = 'Herald is being restarted and takes nothing new. Nothing was sent. Try again in a minute.';
  expect(slack.received).toEqual([
    { envelope_id: 'e2', payload: { response_type: 'ephemeral', text } },
    { envelope_id: 'e1', payload: { text: 'finished' } },
  ]);
  await until(() => slack.sockets.length === 0, 'the socket to close');
  expect(app.health().ready).toBe(false);
});

test('leaving to others, it is not ready at once, answers what it took, and takes nothing after', async () => {
  const { runs, finish } = await withOneUnderWay();
  const left = app.leave();
  expect(app.health()).toMatchObject({ ready: false, problem: 'Herald is stopping.' });
  send(envelope('e2'));
  await until(() => runs() === 2);
  finish();
  await left;
  expect(slack.received).toEqual(
    ['e1', 'e2'].map((envelope_id) => ({ envelope_id, payload: { text: 'finished' } })),
  );
  await until(() => slack.sockets.length === 0, 'the socket to close');
});
