import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/logger.ts';
import { systemRandom } from '../../src/core/random.ts';
import { createSlackApp, type SlackApp, type SlackAppOptions } from '../../src/slack/app.ts';
import { createSlackClient, type SlackClient } from '../../src/slack/connection/client.ts';
import type { SlackMetrics } from '../../src/slack/connection/health.ts';
import { NEEDED_SCOPES } from '../../src/slack/features.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import type { FakeSlack } from './fake-slack.ts';

export const NO_METRICS: SlackMetrics = {
  acknowledged: () => {},
  apiCalled: () => {},
  eventsDropped: () => {},
};

/** Herald's client of a fake Slack. */
export function clientOf(slack: FakeSlack, clock: Clock, logger: Logger = createRecordingLogger()) {
  const settings = { botToken: 'xoxb-1', slackApiUrl: slack.apiUrl, scopes: [], metrics: NO_METRICS };
  return createSlackClient({ ...settings, random: systemRandom, clock, logger });
}

export interface TestAppOptions
  extends Pick<SlackAppOptions, 'mode' | 'logger' | 'clock' | 'random'>,
    Partial<Pick<SlackAppOptions, 'claim' | 'whyNot' | 'keepEvent' | 'metrics'>>,
    Pick<SlackClient, 'botToken' | 'slackApiUrl'>,
    Partial<Pick<SlackClient, 'teamId'>> {
  /** Adds the handlers of the test. */
  readonly register: (
    bolt: SlackApp['bolt'],
    client: SlackClient['client'],
    newBlocks: SlackClient['newBlocks'],
  ) => void;
}

export type TestApp = SlackApp & Pick<SlackClient, 'client' | 'identity'>;

/** Herald's Slack app with the handlers of a test: everybody may everything, and no other process runs. */
export function createTestApp({ register, ...options }: TestAppOptions): TestApp {
  const slack = createSlackClient({ metrics: NO_METRICS, scopes: NEEDED_SCOPES, ...options });
  const app = createSlackApp({
    metrics: NO_METRICS,
    claim: async () => true,
    whyNot: async () => undefined,
    isLook: () => false,
    keepEvent: async () => {},
    ...options,
    ...slack,
  });
  register(app.bolt, slack.client, slack.newBlocks);
  return { ...app, client: slack.client, identity: slack.identity };
}

export const SIGNING_SECRET = 'signing-secret-of-the-test';

/** Slack's headers for a body that it signs at a moment. */
export function signed(body: string | Buffer, atMs: number, secret = SIGNING_SECRET): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return { 'x-slack-signature': `v0=${digest}`, 'x-slack-request-timestamp': timestamp };
}

/** Serves what `handler` answers, until it is closed. */
export async function listening(handler: TestApp['httpHandler']) {
  const server = createServer((request, response) => void handler?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/slack/events`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, url, close };
}
