import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { App, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { WorkspaceClock } from '../../../sandbox/slack/clock.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../../sandbox/slack/server.ts';

export const BOT_TOKEN = 'xoxb-sandbox';
export const APP_TOKEN = 'xapp-sandbox';
export const SIGNING_SECRET = 'sandbox-signing-secret';
const MANIFEST = fileURLToPath(new URL('./app.manifest.yml', import.meta.url));

/** A clock that stands still until it is moved. What is due by then is run, each at its own time. */
export class ManualClock implements WorkspaceClock {
  #ms = Date.UTC(2026, 0, 5, 9, 0, 0);
  #due: { at: number; run: () => void }[] = [];
  now(): number {
    return this.#ms;
  }
  after(ms: number, run: () => void): () => void {
    const entry = { at: this.#ms + ms, run };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((one) => one !== entry);
    };
  }
  /** How many wait for their time. */
  get waiting(): number {
    return this.#due.length;
  }
  advance(ms: number): void {
    const until = this.#ms + ms;
    for (;;) {
      const next = this.#due.toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined || next.at > until) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.#ms = next.at;
      next.run();
    }
    this.#ms = until;
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

/** What an app was asked, and says. */
export interface AppRequest {
  headers: IncomingHttpHeaders;
  body: string;
}
interface AppAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** An address at which every request gets the answer that a test chooses, for what Bolt would never say. */
export async function startBluntApp(
  answer: number | ((request: AppRequest) => AppAnswer),
): Promise<HttpApp & { requests: AppRequest[] }> {
  const requests: AppRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const asked = { headers: request.headers, body };
    requests.push(asked);
    const said = typeof answer === 'number' ? { status: answer } : answer(asked);
    response.writeHead(said.status, said.headers).end(said.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    url: `http://127.0.0.1:${port}/slack/events`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
