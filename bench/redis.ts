import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../sandbox/free-port.ts';

/** A Redis of its own that writes its log to disk every second; undefined where no `redis-server` is installed. */
export async function startRedis(): Promise<{ readonly port: number; stop(): Promise<void> } | undefined> {
  if (spawnSync('redis-server', ['--version']).error) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-redis-'));
  const port = await freePort('127.0.0.1');
  const settings = [
    '--port',
    String(port),
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
  ];
  const server = spawn('redis-server', [...settings, '--maxmemory-policy', 'noeviction', '--save', '']);
  for await (const line of createInterface({ input: server.stdout }))
    if (/ready to accept connections/i.test(line)) break;
  server.stdout.resume();
  return {
    port,
    stop: async () => {
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}
