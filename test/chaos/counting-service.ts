import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = ReadonlyMap<string, readonly number[]>;

/**
 * A messaging service that remembers when each number got a message. What goes to one is accepted; of requests to several
 * each tenth is refused, and each other tenth taken for some of them only.
 */
export interface CountingService {
  readonly url: string;
  /** Of requests to one: milliseconds since the epoch of each message, by number. */
  readonly received: Received;
  /** The same of requests to several. */
  readonly together: Received;
  /** Numbers that were refused in requests that were taken in part: of each nobody knows what the refusal means. */
  readonly doubted: ReadonlySet<string>;
  /** Addresses below `url` at which requests to several are being answered now. */
  readonly answering: ReadonlySet<string>;
  close(): void;
}

/** A request to several takes as long, so that some are always on their way. */
const SEVERAL_MS = 250;
const EACH = 10;
/** Of those that are taken in part, each third number is refused. */
const REFUSED = 3;

export async function startCountingService(): Promise<CountingService> {
  const received = new Map<string, number[]>();
  const together = new Map<string, number[]>();
  const doubted = new Set<string>();
  const answering = new Map<string, number>();
  let several = 0;

  function take(to: string, of: Map<string, number[]>): void {
    of.set(to, [...(of.get(to) ?? []), Date.now()]);
  }

  function takeSeveral(numbers: readonly string[]): readonly [status: number, body: object] {
    several += 1;
    if (several % EACH === 3) return [400, { error: { code: 131009, message: 'No.' } }];
    if (several % EACH !== 7) {
      for (const number of numbers) take(number, together);
      return [200, { code: 200, messages: numbers.map((id) => ({ id })) }];
    }
    const messages = numbers.map((id, n) => {
      if (n % REFUSED === 0) {
        doubted.add(id);
        return { error: { code: 131026 } };
      }
      take(id, together);
      return { id };
    });
    return [200, { code: 200, messages }];
  }

  /** @param by how many more are being answered at the first part of `path`, which is of one replica */
  function count(path: string, by: 1 | -1): void {
    const [, replica = ''] = path.split('/');
    const now = (answering.get(replica) ?? 0) + by;
    if (now === 0) answering.delete(replica);
    else answering.set(replica, now);
  }

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const { to } = JSON.parse(body) as { to: string | readonly string[] };
      const answer = (status: number, said: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      if (typeof to === 'string') {
        take(to, received);
        answer(200, { code: 200 });
        return;
      }
      const answers = takeSeveral(to.map((digits) => `+${digits}`));
      const path = request.url ?? '';
      count(path, 1);
      setTimeout(() => {
        count(path, -1);
        answer(...answers);
      }, SEVERAL_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    together,
    doubted,
    get answering() {
      return new Set(answering.keys());
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
