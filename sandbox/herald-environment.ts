/** How Slack reaches Herald: by Herald's own socket, or by signed HTTP requests. */
export type Mode = 'socket' | 'http';

/** The sandbox's own credentials: good in no other workspace and for no real service. */
export const SANDBOX_CREDENTIALS = {
  botToken: 'xoxb-sandbox-bot',
  appToken: 'xapp-sandbox-app',
  signingSecret: 'sandbox-signing-secret-of-32-signs',
  apiKey: 'sandbox-api-key',
  webhookToken: 'sandbox-webhook-token',
} as const;

export interface HeraldEnvironmentOptions {
  readonly mode: Mode;
  readonly slackApiUrl: string;
  readonly carrierUrl: string;
  readonly host: string;
  readonly port: number;
  /** Path of the SQLite file. */
  readonly databaseFile: string;
  readonly configurationFile: string;
}

/**
 * The environment that makes Herald part of the sandbox. Nothing is inherited, so that a real token in the
 * caller's own environment does not leak in.
 */
export function heraldEnvironment(options: HeraldEnvironmentOptions): Record<string, string> {
  const { botToken, appToken, signingSecret, apiKey, webhookToken } = SANDBOX_CREDENTIALS;
  return {
    SLACK_API_URL: options.slackApiUrl,
    SLACK_BOT_TOKEN: botToken,
    ...(options.mode === 'socket' ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
    MESSAGING_BASE_URL: options.carrierUrl,
    MESSAGING_FLASH_URL: options.carrierUrl,
    MESSAGING_API_KEY: apiKey,
    WEBHOOK_TOKEN: webhookToken,
    DATABASE_URL: `file:${options.databaseFile}`,
    HERALD_CONFIG: options.configurationFile,
    HOST: options.host,
    PORT: String(options.port),
  };
}
