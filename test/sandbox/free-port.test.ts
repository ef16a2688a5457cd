import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';

const HOST = '127.0.0.1';

/** What another process is given in a range of which this one holds ports. */
function portOfAnother(range: { first: number; last: number }): string {
  const module = new URL('../../sandbox/free-port.ts', import.meta.url).href;
  const code = `import(${JSON.stringify(module)}).then(async ({ freePort }) =>
    console.log(await freePort('${HOST}', { range: ${JSON.stringify(range)} }).catch(String)))`;
  return execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }).trim();
}

test('gives a port to nobody else before its program listens, in this process or another', async () => {
  const first = await freePort(HOST, { count: 3 });
  const range = { first, last: first + 2 };
  await expect(freePort(HOST, { range })).rejects.toThrow(/^No port from/);
  expect(portOfAnother(range)).toMatch(/^Error: No port from/);
});

test('gives no port that somebody listens on', async () => {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const range = { first: port, last: port };
  await expect(freePort(HOST, { range })).rejects.toThrow(`No port from ${port} to ${port}`);
  server.close();
  await once(server, 'close');
  expect(await freePort(HOST, { range })).toBe(port);
});
