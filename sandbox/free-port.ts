import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port that nothing listens on at this moment. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
