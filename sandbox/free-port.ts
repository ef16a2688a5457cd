import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems hand out by themselves (Linux from 32,768, IANA from 49,152), above what services are known by. */
const FIRST = 20_000;
const LAST = 32_000;

/**
 * A port that nothing listens on at this moment, and that no connection is given by chance before it is used: a port that
 * the system chose could be taken by the next outgoing connection.
 */
export async function freePort(host: string): Promise<number> {
  const port = randomInt(FIRST, LAST);
  const probe = await probePort(host, port);
  if (probe.free) return port;
  if (probe.reason !== 'EADDRINUSE')
    throw new Error(`No port can be listened on at ${host}: ${probe.reason}`);
  return freePort(host);
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
