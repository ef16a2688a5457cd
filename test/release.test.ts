import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { release } from '../scripts/release.ts';

const COMMIT = '0123456';
const folder = mkdtempSync(join(tmpdir(), 'herald-release-'));
const made = join(folder, 'made');
const herald = join(folder, 'herald-0.1.0');

beforeAll(async () => {
  expect(await release(made, { commit: COMMIT, isRelease: true })).toBe('herald-0.1.0.tar.gz');
  execFileSync('tar', ['-xzf', join(made, 'herald-0.1.0.tar.gz')], { cwd: folder });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

it('is whole, by the digests beside it, and small', () => {
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: made });
  const sums = readFileSync(join(made, 'SHA256SUMS'), 'utf8');
  expect(sums.match(/ {2}\S+$/gm)?.map((name) => name.trim())).toEqual([
    'herald-0.1.0.cdx.json',
    'herald-0.1.0.tar.gz',
    'notes.txt',
  ]);
  const kilobytes = Number(execFileSync('du', ['-sk', herald], { encoding: 'utf8' }).split('\t')[0]);
  expect(kilobytes).toBeLessThan(10_000);
  expect(readFileSync(join(made, 'notes.txt'), 'utf8')).toMatch(/^## 0\.1\.0/);
});

it('starts with Node and nothing else, and says which version it is', async () => {
  // In a folder of its own, above which nobody has installed anything.
  copyFileSync(process.execPath, join(folder, 'node'));
  const doctor = spawn(join(folder, 'node'), ['dist/main.js', 'doctor', '--offline'], {
    cwd: herald,
    env: {},
  });
  const [said] = await Promise.all([text(doctor.stderr), once(doctor, 'close')]);
  expect(said.split('\n', 1)).toEqual([`✓ Herald 0.1.0 (commit ${COMMIT}), Node ${process.versions.node}`]);
  expect(said).toContain('SLACK_BOT_TOKEN');
});

it('has all that its documents link to', () => {
  const documents = globSync(['*.md', 'docs/*.md'], { cwd: herald });
  const links = documents.flatMap((path) =>
    [...readFileSync(join(herald, path), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(
      ([, link = '']) => join(herald, path, '..', link),
    ),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((path) => !existsSync(path))).toEqual([]);
});

it('lists what it is made of: each package whose licence is inside, with the digest it is locked by', () => {
  const bill = JSON.parse(readFileSync(join(made, 'herald-0.1.0.cdx.json'), 'utf8'));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'herald', version: '0.1.0' } },
  });
  const licences = readFileSync(join(herald, 'dist/licences.txt'), 'utf8').split(`\n\n${'-'.repeat(80)}\n\n`);
  const named = licences.map((one) => one.split(':', 1)[0]);
  type Component = { name: string; version: string; hashes?: { alg: string; content: string }[] };
  expect(bill.components.map(({ name, version }: Component) => `${name} ${version}`)).toEqual(named);
  for (const { name, hashes } of bill.components as Component[])
    expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
});

it('is the same, byte for byte, when it is made once more', async () => {
  const again = join(folder, 'again');
  await release(again, { commit: COMMIT, isRelease: true });
  for (const name of ['SHA256SUMS', 'herald-0.1.0.tar.gz'])
    expect(readFileSync(join(again, name)).equals(readFileSync(join(made, name))), name).toBe(true);
}, 60_000);
