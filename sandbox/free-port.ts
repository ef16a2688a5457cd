import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems hand out by themselves (Linux from 32,768, IANA from 49,152), above what services are known by. */
const RANGE = { first: 20_000, last: 32_000 };
const TRIES = 1_000;

interface Wanted {
  /** How many ports in a row, of which the first is returned. */
  readonly count?: number;
  /** Where to look, both ends included. */
  readonly range?: { readonly first: number; readonly last: number };
}

/**
 * A port that nothing listens on, for whoever starts a program on it a moment later. No connection is given it by chance, as
 * a port that the system chose could be; and no other caller gets it while this process lives, in whichever process it asks:
 * the UDP port of the same number, which nobody uses, is held as a sign.
 */
export async function freePort(host: string, { count = 1, range = RANGE }: Wanted = {}): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const first = randomInt(range.first, range.last - count + 2);
    if (await isReserved(host, first, count)) return first;
  }
  throw new Error(`No port from ${range.first} to ${range.last} could be listened on at ${host}.`);
}

async function isReserved(host: string, first: number, count: number): Promise<boolean> {
  const signs: Socket[] = [];
  for (let port = first; port < first + count; port += 1) {
    const sign = await signOf(host, port);
    if (sign) signs.push(sign);
    if (sign && (await probePort(host, port)).free) continue;
    for (const held of signs) held.close();
    return false;
  }
  return true;
}

async function signOf(host: string, port: number): Promise<Socket | undefined> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4').unref();
  socket.bind({ port, address: host, exclusive: true });
  try {
    await once(socket, 'listening');
    return socket;
  } catch {
    socket.close();
    return undefined;
  }
}

/** Whether a port can be listened on now; `reason` is Node's code, e.g. `EADDRINUSE`. */
export async function probePort(
  host: string,
  port: number,
): Promise<{ free: true } | { free: false; reason: string }> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    return { free: false, reason: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
  server.close();
  await once(server, 'close');
  return { free: true };
}
