import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { freePort, probePort } from '../../sandbox/free-port.ts';

// A tour takes a quarter of a minute, and a busy machine several times that.
const HOST = '127.0.0.1';
const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

interface Run {
  readonly child: ChildProcess;
  output(): string;
  /** Resolves once the output matches; rejects when the process ends before. */
  says(pattern: RegExp): Promise<void>;
  ended(): Promise<{ code: number | null; output: string }>;
}

const running = new Set<ChildProcess>();
const folders = new Set<string>();
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGINT');
    await once(child, 'close');
  }
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
});

function run(script: string, ...args: string[]): Run {
  const child = spawn(process.execPath, [project(script), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  const closed = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, output };
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return {
    child,
    output: () => output,
    ended: () => closed,
    says: async (pattern) => {
      while (!pattern.test(output)) {
        const ended = await Promise.race([closed, once(child.stdout, 'data').then(() => undefined)]);
        if (ended && !pattern.test(ended.output)) throw new Error(`It ended: ${ended.output}`);
      }
    },
  };
}

test('starts, serves, survives the end of Herald, keeps a second one out, and ends on Ctrl-C', async () => {
  const port = await freePort(HOST, { count: 3 });
  const folder = project(`.sandbox/${port}`);
  folders.add(folder);
  const sandbox = run('sandbox/main.ts', '--port', String(port), '--http');
  await sandbox.says(/Ctrl-C ends it/);
  expect(sandbox.output()).toContain(`http://localhost:${port}\n`);
  expect(sandbox.output()).toContain('signed HTTP requests');

  const page = await fetch(`http://localhost:${port}/`);
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ]);
  const sent = await fetch(`http://localhost:${port}/page/act`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'command',
      as: 'U0ASHA',
      channel: 'C0TEAM',
      command: '/flash',
      text: '+6591234567 Hello',
    }),
  });
  expect(await sent.json()).toEqual({ ok: true });

  const second = await run('sandbox/main.ts', '--port', String(port), '--fresh').ended();
  expect(second.code).toBe(1);
  expect(second.output).toMatch(
    new RegExp(`^Port ${port}, which the workspace needs, is already in use\\..*--port`),
  );
  expect(existsSync(`${folder}/herald.db`)).toBe(true);

  process.kill(Number(/process (\d+)/.exec(sandbox.output())?.[1]), 'SIGKILL');
  await sandbox.says(/ended by SIGKILL[\s\S]*Herald is back/);

  sandbox.child.kill('SIGINT');
  expect((await sandbox.ended()).code).toBe(0);
  expect(await probePort(HOST, port + 2)).toEqual({ free: true });
});

test('the tour tells a morning, checks it, and ends with code 0', async () => {
  const { code, output } = await run('sandbox/tour/main.ts').ended();
  expect(output).toMatch(/All \d+ things told above were checked and are so/);
  expect(code).toBe(0);
  // Rows 11 and 12 are told twice: when they go out, and when customers answer.
  const told = [...new Set([...output.matchAll(/\(row (\w+)\)/g)].map((match) => match[1]))];
  expect(told.toSorted()).toEqual([
    '1',
    '10',
    '11',
    '12',
    '2',
    '2b',
    '2c',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
  ]);
  expect(output).not.toContain('otp: 482913');
});
