import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { healthCheckCommand, readDockerfile } from './dockerfile.ts';

/*
 * The steps of the Dockerfile by hand, because no container engine can be counted on where this runs: what is installed is
 * lent, built of and taken away; a tree that cannot be written to, an unprivileged user, one writable folder.
 */
const TOP = fileURLToPath(new URL('..', import.meta.url));
const NOBODY = 65_534;
const root = process.getuid?.() === 0;
const unprivileged = root ? { uid: NOBODY, gid: NOBODY } : {};
const dockerfile = readDockerfile();

let image: string;
let data: string;
let node: string;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-image-'));
  chmodSync(folder, 0o755);
  image = join(folder, 'app');
  data = join(folder, 'data');
  node = join(folder, 'node');
  // The checkout may stand where only its owner can look.
  copyFileSync(process.execPath, node);
  mkdirSync(image);
  mkdirSync(data);
  if (root) chownSync(data, NOBODY, NOBODY);
  const copied = dockerfile.filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from'));
  for (const { value } of copied)
    for (const name of value.split(' ').slice(0, -1))
      cpSync(join(TOP, name), join(image, name), { recursive: true });
  symlinkSync(join(TOP, 'node_modules'), join(image, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: image });
  for (const name of ['package-lock.json', 'node_modules', 'scripts', 'src'])
    rmSync(join(image, name), { recursive: true });
  compileOnce();
  writeFileSync(join(folder, 'herald.yml'), 'senders: { sms: [{ id: ACMEIN, type: TRANS }] }\n');
  for (const path of [image, ...globSync('**', { cwd: image }).map((name) => join(image, name))]) {
    chmodSync(path, statSync(path).mode & ~0o222);
  }
}, 180_000);

afterAll(() => {
  for (const path of [image, ...globSync('**/', { cwd: image }).map((name) => join(image, name))])
    chmodSync(path, 0o755);
  rmSync(join(image, '..'), { recursive: true, force: true });
});

/** The Dockerfile's own step, with the image's folder in place of /app. */
function compileOnce(): void {
  const step = dockerfile.find(({ value }) => value.includes('flushCompileCache'))?.value ?? 'exit 1';
  mkdirSync(join(image, '.compile-cache'));
  if (root) chownSync(join(image, '.compile-cache'), NOBODY, NOBODY);
  execFileSync('sh', ['-c', step.replaceAll('/app', image)], {
    ...unprivileged,
    cwd: image,
    env: { PATH: `${dirname(node)}:/usr/bin:/bin` },
  });
  const kept = dockerfile.find(({ value }) => value.startsWith('chown -R root:root'))?.value ?? 'exit 1';
  if (root) execFileSync('sh', ['-c', kept], { cwd: image });
}

it('starts from a tree it cannot write to, answers the health check, and ends when it is told to', async () => {
  const herald = spawn(node, ['dist/main.js'], {
    cwd: image,
    ...unprivileged,
    env: {
      NODE_ENV: 'production',
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
      SLACK_BOT_TOKEN: 'xoxb-nobody-answers',
      SLACK_SIGNING_SECRET: 'nobody-signs',
      // Nothing listens there: Herald must come up all the same, and say that it is not ready.
      SLACK_API_URL: 'http://127.0.0.1:59999/api/',
      MESSAGING_BASE_URL: 'http://127.0.0.1:59998',
      MESSAGING_FLASH_URL: 'http://127.0.0.1:59998',
      MESSAGING_API_KEY: 'nobody-asks',
      DATABASE_URL: `file:${join(data, 'herald.db')}`,
      HERALD_CONFIG: join(image, '..', 'herald.yml'),
      NODE_COMPILE_CACHE: join(image, '.compile-cache'),
      HOST: '127.0.0.1',
      PORT: '0',
    },
  });
  const exited = once(herald, 'close');
  const [port, cache] = [await portFrom(herald.stdout), text(herald.stderr)];
  const health = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(await health.json()).toEqual({ status: 'alive' });
  const readiness = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(readiness.status).toBe(503);
  expect(statSync(join(data, 'herald.db')).mode & 0o777).toBe(0o600);
  expect(healthCheck(port)).toBe(0);
  herald.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(healthCheck(port)).toBe(1);
  expect(uncompiled(await cache)).toBe(0);
}, 60_000);

/**
 * How many of Herald’s files, but the one that comes before the cache, were not found compiled. Counted, because a line
 * comes in two pieces, and the threads write between each other’s.
 */
function uncompiled(said: string): number {
  const looked = said.match(/reading cache from \S+ for ESM \S+?\.js/g) ?? [];
  const sought = looked.filter((line) => !line.endsWith('/main.js')).length;
  expect(sought).toBeGreaterThan(20);
  return sought - (said.match(/ success, size=\d+/g)?.length ?? 0);
}

it('has the licences of all that is inside with it', () => {
  const licences = readFileSync(join(image, 'dist/licences.txt'), 'utf8');
  const { dependencies } = JSON.parse(readFileSync(join(image, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // It has types only.
  const { '@slack/types': _types, ...inside } = dependencies;
  const named = licences.split(`\n\n${'-'.repeat(80)}\n\n`).map((text) => text.split('\n', 1)[0]);
  for (const [name, version] of Object.entries(inside))
    expect(named).toContainEqual(expect.stringMatching(`^${name} ${version}: `));
  expect(licences).toContain('Permission is hereby granted, free of charge');
});

/** The exit code of the Dockerfile's health check. */
function healthCheck(port: number): number | null {
  const [, ...args] = healthCheckCommand(dockerfile);
  return spawnSync(node, args, { ...unprivileged, env: { PORT: String(port) } }).status;
}

async function portFrom(output: NodeJS.ReadableStream): Promise<number> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const port = /"port":(\d+)/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`Herald ended without listening: ${text}`);
}
