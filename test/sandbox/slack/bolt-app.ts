import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { App, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { WorkspaceClock } from '../../../sandbox/slack/clock.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../../sandbox/slack/server.ts';

export const BOT_TOKEN = 'xoxb-sandbox';
export const APP_TOKEN = 'xapp-sandbox';
export const SIGNING_SECRET = 'sandbox-signing-secret';
const MANIFEST = fileURLToPath(new URL('./app.manifest.yml', import.meta.url));

/** A clock that stands still until it is moved. */
export class ManualClock implements WorkspaceClock {
  #ms = Date.UTC(2026, 0, 5, 9, 0, 0);
  now(): number {
    return this.#ms;
  }
  advance(ms: number): void {
    this.#ms += ms;
  }
}

export function startTestWorkspace(changes: Partial<WorkspaceOptions> = {}): Promise<Workspace> {
  return startWorkspace({
    port: 0,
    botToken: BOT_TOKEN,
    appToken: APP_TOKEN,
    delivery: { mode: 'socket' },
    carrierUrl: 'http://127.0.0.1:1',
    phones: [],
    manifestPath: MANIFEST,
    ...changes,
  });
}

/** A real Bolt app on the workspace's Socket Mode. `listen` registers its listeners. */
export async function startSocketApp(workspace: Workspace, listen: (app: App) => void): Promise<App> {
  const clientOptions = { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 }, timeout: 5000 };
  const receiver = new SocketModeReceiver({
    appToken: APP_TOKEN,
    logLevel: LogLevel.ERROR,
    clientPingTimeout: 200,
    installerOptions: { clientOptions: { ...clientOptions, retryConfig: { retries: 0 } } },
  });
  const app = new App({
    receiver,
    logLevel: LogLevel.ERROR,
    clientOptions,
    token: BOT_TOKEN,
    ignoreSelf: true,
  });
  listen(app);
  await app.start();
  return app;
}

export interface HttpApp {
  url: string;
  close(): Promise<void>;
}

/** A real Bolt app behind a request URL. */
export async function startHttpApp(workspace: Workspace, listen: (app: App) => void): Promise<HttpApp> {
  const app = new App({
    token: BOT_TOKEN,
    signingSecret: SIGNING_SECRET,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } },
    endpoints: '/slack/events',
  });
  listen(app);
  const server = (await app.start({ port: 0, host: '127.0.0.1' })) as Server;
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/slack/events`, close: () => app.stop() as Promise<void> };
}

/** An address at which every request gets the same answer, for what Bolt would never say. */
export async function startBluntApp(status: number): Promise<HttpApp> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/slack/events`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
