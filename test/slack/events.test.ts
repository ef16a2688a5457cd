import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSlackApp, type SlackApp } from '../../src/slack/app.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { type FakeSlack, startFakeSlack, until } from './fake-slack.ts';

/* Bolt acknowledges an event before any handler sees it: what must not be lost is kept before that. */
const SECRET = 'signing-secret-of-the-test';
const clock = createManualClock();

let slack: FakeSlack;
let app: SlackApp;
let close: () => void;
let keep: () => Promise<void>;
const kept: unknown[] = [];

beforeEach(async () => {
  kept.length = 0;
  keep = async () => {};
  slack = await startFakeSlack();
  app = createSlackApp({
    mode: { kind: 'http', signingSecret: SECRET },
    botToken: 'xoxb-1',
    slackApiUrl: slack.apiUrl,
    logger: createRecordingLogger(),
    clock,
    random: { fraction: () => 0.5, bytes: (length) => new Uint8Array(length).fill(7) },
    keepEvent: async (payload, { botId }) => {
      await keep();
      kept.push({ eventId: payload.event_id, botId });
    },
    register: () => {},
  });
  const server = createServer((request, response) => void app.httpHandler?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => void server.close();
  deliver = deliverTo((server.address() as AddressInfo).port);
  expect(await app.start()).toEqual({ ok: true, value: undefined });
});
afterEach(async () => {
  close();
  const stopped = app.stop(0);
  await clock.advance(0);
  await stopped;
  await slack.close();
});

let deliver: ReturnType<typeof deliverTo>;
/** Delivers an event as Slack does over HTTP; returns the status. */
function deliverTo(port: number) {
  return async (eventId: string, teamId = 'T0ACME'): Promise<number> => {
    const event = { type: 'message', channel: 'C0ALERTS', ts: '1.2', text: 'Down' };
    const payload = { type: 'event_callback', event_id: eventId, team_id: teamId, event };
    const body = JSON.stringify(payload);
    const timestamp = String(Math.floor(clock.now() / 1_000));
    const digest = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-slack-signature': `v0=${digest}`,
      'x-slack-request-timestamp': timestamp,
    };
    const url = `http://127.0.0.1:${port}/slack/events`;
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
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
  expect(await deliver('Ev3', 'T0OTHER')).toBe(200);
  expect(kept).toEqual([]);
});
