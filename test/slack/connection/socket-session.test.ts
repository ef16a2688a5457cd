import { EventEmitter } from 'node:events';
import { SocketModeReceiver } from '@slack/bolt';
import { afterEach, expect, test, vi } from 'vitest';
import { takeListener } from '../../../src/slack/connection/socket-session.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { createTestApp } from '../test-app.ts';

afterEach(() => void vi.restoreAllMocks());

test('the listener of a name is taken away, and still works', () => {
  const client = new EventEmitter();
  const heard: string[] = [];
  client.on('ws_message', (text: string) => void heard.push(text));
  const take = takeListener(client as never, 'ws_message');
  client.emit('ws_message', 'to nobody');
  take.call(client, 'to Herald');
  expect(heard).toEqual(['to Herald']);
});

const UNKNOWN =
  'Slack’s Socket Mode client listens to “ws_message” in another way than Herald knows. Install the packages that package-lock.json names: npm ci.';

test.each([0, 2])('a client with %i listeners of that name is refused', (count) => {
  const client = new EventEmitter();
  for (let index = 0; index < count; index += 1) client.on('ws_message', () => {});
  expect(() => takeListener(client as never, 'ws_message')).toThrow(UNKNOWN);
});

test('Herald does not start with a library whose client lacks it', () => {
  const { client } = new SocketModeReceiver({ appToken: 'xapp-1' });
  vi.spyOn(Object.getPrototypeOf(client), 'listeners').mockReturnValue([]);
  expect(() =>
    createTestApp({
      mode: { kind: 'socket', appToken: 'xapp-1' },
      botToken: 'xoxb-1',
      slackApiUrl: 'http://127.0.0.1:1/api/',
      logger: createRecordingLogger(),
      clock: createManualClock(),
      random: { fraction: () => 0.5, bytes: (length) => new Uint8Array(length) },
      register: () => {},
    }),
  ).toThrow(UNKNOWN);
});
