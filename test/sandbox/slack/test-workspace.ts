import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../../sandbox/slack/server.ts';

export const BOT_TOKEN = 'xoxb-sandbox';
export const APP_TOKEN = 'xapp-sandbox';
export const SIGNING_SECRET = 'sandbox-signing-secret';
const MANIFEST = fileURLToPath(new URL('./app.manifest.yml', import.meta.url));

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

/** An address at which every request gets the answer that a test chooses. */
export async function startBluntApp(
  answer: number | ((request: AppRequest) => AppAnswer),
): Promise<{ readonly requests: AppRequest[]; readonly url: string; close(): Promise<void> }> {
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
