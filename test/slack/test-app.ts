import { createSlackApp, type SlackApp, type SlackAppOptions } from '../../src/slack/app.ts';
import { createSlackClient, type SlackClient } from '../../src/slack/connection/client.ts';
import type { SlackMetrics } from '../../src/slack/connection/health.ts';
import { NEEDED_SCOPES } from '../../src/slack/features.ts';

export const NO_METRICS: SlackMetrics = {
  acknowledged: () => {},
  apiCalled: () => {},
  eventsDropped: () => {},
};

interface TestAppOptions
  extends Pick<SlackAppOptions, 'mode' | 'logger' | 'clock' | 'random'>,
    Partial<Pick<SlackAppOptions, 'claim' | 'whyNot' | 'keepEvent' | 'metrics'>>,
    Pick<SlackClient, 'botToken' | 'slackApiUrl'> {
  /** Adds the handlers of the test. */
  readonly register: (bolt: SlackApp['bolt'], client: SlackClient['client']) => void;
}

export type TestApp = SlackApp & Pick<SlackClient, 'client' | 'identity'>;

/** Herald's Slack app with the handlers of a test: everybody may everything, and no other process runs. */
export function createTestApp({ register, ...options }: TestAppOptions): TestApp {
  const slack = createSlackClient({
    metrics: NO_METRICS,
    scopes: NEEDED_SCOPES,
    ...options,
  });
  const app = createSlackApp({
    metrics: NO_METRICS,
    claim: async () => true,
    whyNot: async () => undefined,
    isLook: () => false,
    keepEvent: async () => {},
    ...options,
    ...slack,
  });
  register(app.bolt, slack.client);
  return { ...app, client: slack.client, identity: slack.identity };
}
