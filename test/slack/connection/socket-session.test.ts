import { SocketModeReceiver } from '@slack/bolt';
import { afterEach, expect, test, vi } from 'vitest';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { createTestApp } from '../test-app.ts';

afterEach(() => void vi.restoreAllMocks());

test('the library’s client takes what Slack sends by the one listener that Herald takes over', async () => {
  const { client } = new SocketModeReceiver({ appToken: 'xapp-1' });
  const [take, ...others] = client.listeners('ws_message');
  expect(others).toEqual([]);
  const heard: unknown[] = [];
  client.on('slack_event', ({ type, body }) => void heard.push([type, body]));
  // As https://docs.slack.dev/apis/events-api/using-socket-mode shows an envelope.
  const payload = { type: 'event_callback', event: { type: 'app_home_opened' } };
  await take?.call(client, JSON.stringify({ type: 'events_api', envelope_id: 'dbdd0ef3', payload }), false);
  expect(heard).toEqual([['events_api', payload]]);
});

const listener = () => {};

test.each([
  ['lacks the listener that Herald takes by its name', []],
  ['has two of that name', [listener, listener]],
])('Herald does not start with a library whose client %s', (_name, listeners) => {
  const { client } = new SocketModeReceiver({ appToken: 'xapp-1' });
  vi.spyOn(Object.getPrototypeOf(client), 'listeners').mockReturnValue(listeners);
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
  ).toThrow(
    'Slack’s Socket Mode client listens to “ws_message” in another way than Herald knows. Install the packages that package-lock.json names: npm ci.',
  );
});
