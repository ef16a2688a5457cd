import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentSchema } from '../src/config/environment.ts';
import { readCompose } from './compose.ts';
import { healthCheckCommand, imageEnvironment, readDockerfile } from './dockerfile.ts';
import { readText } from './written.ts';

const instructions = readDockerfile();

function values(name: string): readonly string[] {
  return instructions.filter((instruction) => instruction.name === name).map(({ value }) => value);
}

const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const environment = imageEnvironment();

describe('the image', () => {
  it('is the official slim one of the Node that the project is developed with, in both stages', () => {
    const { devDependencies } = JSON.parse(readText('package.json')) as {
      devDependencies: Record<string, string>;
    };
    const [, image] = values('FROM');
    expect(values('FROM')).toEqual([`${image} AS build`, image]);
    const [tag, digest = `sha256:${'0'.repeat(64)}`] = image?.split('@') ?? [];
    expect(tag).toBe(`node:${devDependencies.node?.split('.')[0]}-slim`);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is built of what is locked, and has none of it but what was put together', () => {
    expect(values('RUN')[0]).toMatch(/^npm ci --ignore-scripts /);
    expect(values('COPY').filter((value) => value.includes('node_modules'))).toEqual([]);
  });

  it('says what it is: the version of package.json, the commit, where from, the licence', () => {
    const { version, license } = JSON.parse(readText('package.json')) as { version: string; license: string };
    const labels = Object.fromEntries(
      [...(values('LABEL')[0] ?? '').matchAll(/([\w.]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    expect(labels).toMatchObject({
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': '$HERALD_COMMIT',
      'org.opencontainers.image.source': '$HERALD_SOURCE',
      'org.opencontainers.image.licenses': license,
    });
    for (const file of ['compose.yml', 'deploy/kubernetes.yml'])
      expect(readText(file), file).toContain(`image: herald:${version}\n`);
  });

  it('is built everywhere with all that it asks for', () => {
    // Only a forge knows the address.
    const of = { 'docs/running.md': [], '.github/workflows/release.yml': ['HERALD_SOURCE'] };
    const asked = values('ARG').map((value) => value.replace('=', ''));
    for (const [file, more] of Object.entries(of)) {
      const [build = ''] = /docker build .+(?:\n +--.+)?/.exec(readText(file)) ?? [];
      const given = [...build.matchAll(/--build-arg (\w+)="/g)].map(([, name]) => name);
      expect(new Set(given), file).toEqual(
        new Set(asked.filter((name) => name !== 'HERALD_SOURCE').concat(more)),
      );
    }
  });

  it('is told apart by its tag: of anything else the image says that it is a checkout', () => {
    const [, describe = ''] =
      /HERALD_TAG="\$\((git describe [^)]+)\)"/.exec(readText('docs/running.md')) ?? [];
    expect(readText('compose.yml')).toContain(`HERALD_TAG=$(${describe})`);
    const clone = mkdtempSync(join(tmpdir(), 'herald-clone-'));
    const sh = (command: string) => execFileSync('sh', ['-ec', command], { cwd: clone, encoding: 'utf8' });
    const commit = 'git -c user.name=a -c user.email=a@b commit --quiet --allow-empty --message';
    sh(`git init --quiet && echo 1 >file && git add file && ${commit} one`);
    expect(sh(describe)).toMatch(/^[0-9a-f]{7,}\n$/);
    sh('git tag stable && git tag v0.1.0');
    expect(sh(describe)).toBe('v0.1.0\n');
    sh('echo 2 >file');
    expect(sh(describe)).toBe('v0.1.0-dirty\n');
    sh(`${commit} two`);
    expect(sh(describe)).toMatch(/^v0\.1\.0-1-g[0-9a-f]+-dirty\n$/);
    rmSync(clone, { recursive: true });
  });

  it('copies nothing but what it runs', () => {
    expect(values('COPY')).toEqual([
      'package.json package-lock.json ./',
      'scripts/build.ts scripts/built-from.ts scripts/bill-of-materials.ts ./scripts/',
      'src ./src',
      'package.json LICENSE ./',
      '--from=build /app/dist ./dist',
      '--from=build /app/.compile-cache ./.compile-cache',
    ]);
    const allowed = readText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(allowed).toEqual([
      '*',
      '!package.json',
      '!package-lock.json',
      '!LICENSE',
      '!scripts/build.ts',
      '!scripts/built-from.ts',
      '!scripts/bill-of-materials.ts',
      '!src',
    ]);
  });

  it('runs as an unprivileged user, who owns none of the code', () => {
    const user = lastStage.findIndex(({ name }) => name === 'USER');
    expect(lastStage[user]?.value).toBe('node');
    expect(lastStage.slice(user).map(({ name }) => name)).not.toContain('RUN');
    expect(values('COPY').join()).not.toContain('--chown');
    const owners = values('RUN').flatMap((value) => [...value.matchAll(/chown (?:-R )?(\S+ \S+)/g)]);
    expect(owners.map(([, owner]) => owner)).toEqual([
      'node:node .compile-cache',
      'root:root .compile-cache',
      'node:node /data',
    ]);
    expect(values('RUN').join()).not.toMatch(/chmod [^;&]*(?:[oa]?\+w|[0-7]*[2367]\b)/);
  });

  it('keeps its database on the one volume, and reads compiled code from the image', () => {
    expect(values('VOLUME')).toEqual(['/data']);
    expect(environment.DATABASE_URL).toBe('file:/data/herald.db');
    expect(environment.NODE_COMPILE_CACHE).toBe('/app/.compile-cache');
    // Node keeps a cache a user: one made by root would never be read.
    const users = instructions.filter(
      ({ name, value }) => name === 'USER' || value.includes('flushCompileCache'),
    );
    expect(users.map(({ name }) => name)).toEqual(['USER', 'RUN', 'USER', 'USER']);
  });

  it('sets only variables that Herald or Node knows, and no secret', () => {
    const known = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', ...Object.keys(environmentSchema.shape)]);
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(environment).filter((name) => /TOKEN|SECRET|KEY/.test(name))).toEqual([]);
    expect(values('EXPOSE')).toEqual([environment.PORT]);
  });

  it('is asked for its health without a tool that the image does not have', () => {
    expect(healthCheckCommand(instructions)).toEqual(['node', '--eval', expect.stringContaining('/healthz')]);
  });

  it('is run with the time that Herald takes to stop: Docker’s own ten seconds are too short', () => {
    const { stop_grace_period } = readCompose().services.herald ?? {};
    const [, seconds] =
      /^docker run --detach .*--stop-timeout (\d+) /m.exec(readText('docs/running.md')) ?? [];
    expect(`${seconds}s`).toBe(stop_grace_period);
  });

  it('gets signals itself', () => {
    expect(values('CMD').map((value) => JSON.parse(value) as unknown)).toEqual([['node', 'dist/main.js']]);
    expect(values('ENTRYPOINT')).toEqual([]);
  });
});
