import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../fakes/logger.ts';
import { type FakeSlack, startFakeSlack, until } from './fake-slack.ts';
import { createTestApp, listening, SIGNING_SECRET, signed, type TestApp } from './test-app.ts';

/* Bolt acknowledges an event before any handler sees it: what must not be lost is kept before that. */
const clock = createManualClock();

let slack: FakeSlack;
let app: TestApp;
let server: Awaited<ReturnType<typeof listening>>;
let logger: RecordingLogger;
let keep: () => Promise<void>;
const kept: unknown[] = [];
const handled: unknown[] = [];

beforeEach(async () => {
  kept.length = 0;
  handled.length = 0;
  keep = async () => {};
  slack = await startFakeSlack();
  logger = createRecordingLogger();
  app = createTestApp({
    mode: { kind: 'http', signingSecrets: [SIGNING_SECRET] },
    botToken: 'xoxb-1',
    slackApiUrl: slack.apiUrl,
    logger,
    clock,
    random: { fraction: () => 0.5, bytes: (length) => new Uint8Array(length).fill(7) },
    keepEvent: async (payload, { botId }) => {
      await keep();
      kept.push({ eventId: payload.event_id, botId });
    },
    register: (bolt) => bolt.event('message', async ({ body }) => void handled.push(body.event_id)),
  });
  server = await listening(app.httpHandler);
  expect(await app.start()).toEqual({ ok: true, value: undefined });
});

afterEach(async () => {
  server.close();
  const stopped = app.stop(0);
  await clock.advance(0);
  await stopped;
  await slack.close();
});

/** Delivers an event as Slack does over HTTP; returns the status. */
async function deliver(eventId: string, envelope: object = {}): Promise<number> {
  const event = { type: 'message', channel: 'C0ALERTS', ts: '1.2', text: 'Down' };
  const payload = { type: 'event_callback', event_id: eventId, team_id: 'T0ACME', ...envelope, event };
  const body = JSON.stringify(payload);
  const headers = { 'content-type': 'application/json', ...signed(body, clock.now()) };
  const response = await fetch(server.url, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

test('an event is acknowledged once it is kept, and not before', async () => {
  const disk = Promise.withResolvers<void>();
  let asked = false;
  keep = () => {
    asked = true;
    return disk.promise;
  };
  let status: number | undefined;
  const delivered = deliver('Ev1').then((answer) => {
    status = answer;
  });
  await until(() => asked);
  await clock.advance(100);
  expect(status).toBeUndefined();
  disk.resolve();
  await delivered;
  expect({ status, kept }).toEqual({ status: 200, kept: [{ eventId: 'Ev1', botId: 'B0HERALD' }] });
  await until(() => handled.length === 1);
});

test('an event that could not be kept is not acknowledged, so that Slack delivers it again', async () => {
  keep = async () => {
    throw new Error('The disk is full.');
  };
  expect(await deliver('Ev2')).toBe(500);
  keep = async () => {};
  // Slack signs it anew.
  await clock.advance(60_000);
  expect(await deliver('Ev2')).toBe(200);
  expect(kept).toHaveLength(1);
});

test('an event of another workspace is not kept', async () => {
  expect(await deliver('Ev3', { team_id: 'T0OTHER' })).toBe(200);
  const elsewhere = { enterprise_id: null, team_id: 'T0OTHER', is_enterprise_install: false };
  for (const is_enterprise_install of [false, true]) {
    const envelope = { team_id: 'T0OTHER', authorizations: [{ ...elsewhere, is_enterprise_install }] };
    expect(await deliver(`Ev4 ${is_enterprise_install}`, envelope)).toBe(200);
  }
  expect(kept).toEqual([]);
  expect(logger.lines.map(({ message }) => message)).toContain('refused somebody from another workspace');
});

/* Where an event comes from and where the app is installed, as captures of Slack's own SDKs show them. */
const INSTALL = { enterprise_id: 'E0ACME', team_id: 'T0ACME', user_id: 'U0HERALD', is_bot: true };

test('an event of a shared channel, whose source is another workspace, is kept, and no handler sees it', async () => {
  const envelope = {
    team_id: 'T0SOURCE',
    enterprise_id: 'E0SOURCE',
    authorizations: [{ ...INSTALL, is_enterprise_install: false }],
    is_ext_shared_channel: true,
  };
  expect(await deliver('Ev6', envelope)).toBe(200);
  expect(kept).toEqual([{ eventId: 'Ev6', botId: 'B0HERALD' }]);
  expect(handled).toEqual([]);
  expect(logger.lines).not.toContainEqual(expect.objectContaining({ level: 'warn' }));
});
