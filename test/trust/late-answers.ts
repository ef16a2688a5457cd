import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import { afterEach } from 'vitest';

/** Where the delays of a run begin; `HERALD_TRUST_SEED` tries those of another run again. */
export const SEED = Number(process.env.HERALD_TRUST_SEED ?? Date.now() % 1_000_000);

/** Says with each test of a file that fails where its delays began. */
export function nameSeed(): void {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail')
      console.log(`${task.name}: answers were late by HERALD_TRUST_SEED=${SEED}`);
  });
}

/** Numbers in [0, 1) that are the same again for the same seed. */
export function createFraction(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How long a question or an answer is on its way, in milliseconds or turns: mostly no time, at times a little, seldom long. */
export function lateness(fraction: () => number): number {
  if (fraction() > 0.3) return 0;
  return fraction() < 0.02 ? 60 * fraction() : 3 * fraction();
}

/**
 * A way to a database on which each question and each answer is late by itself. Of one connection they keep their order;
 * those of several overtake each other as they never do on a machine at rest.
 *
 * @param seed undefined: nothing is late
 */
export async function startLateWay(target: string, seed: number | undefined) {
  if (seed === undefined) return { url: target, close: () => {} };
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const fraction = createFraction(seed);

  function carry(from: Socket, to: Socket): void {
    sockets.add(from.setNoDelay());
    let before = Promise.resolve();
    const afterwards = (work: () => unknown) => {
      const ms = lateness(fraction);
      before = before.then(async () => {
        if (ms > 0) await pass(ms);
        work();
      });
    };
    from.on('error', () => {});
    from.on('data', (bytes) => afterwards(() => to.write(bytes)));
    from.on('close', () => {
      sockets.delete(from);
      afterwards(() => to.destroySoon());
    });
  }

  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    carry(near, far);
    carry(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    /** The address with this way's port in the place of the database's. */
    url: url.href,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
