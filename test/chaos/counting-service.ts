import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A messaging service that accepts everything, and remembers when each number got a message. */
export interface CountingService {
  readonly url: string;
  /** Milliseconds since the epoch of each message, by number. */
  readonly received: ReadonlyMap<string, readonly number[]>;
  close(): void;
}

export async function startCountingService(): Promise<CountingService> {
  const received = new Map<string, number[]>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const { to } = JSON.parse(body) as { to: string };
      received.set(to, [...(received.get(to) ?? []), Date.now()]);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"code":200}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
