import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { build } from './build.ts';
import { type BuiltFrom, builtFrom } from './built-from.ts';

const TOP = fileURLToPath(new URL('..', import.meta.url));
/** Beside `dist`: what an operator reads, copies and runs, and what that links to. */
const INSIDE = [
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  ...['manifest.yml', 'herald.example.yml', '.env.example', 'deploy', 'docs'],
  ...['Dockerfile', 'compose.yml', 'bench/results.md'],
];

/**
 * Makes what a release is: an archive that runs with Node and nothing else, what it is made of (CycloneDX), what is new in it,
 * and the digests of all three. The same commit gives the same bytes.
 *
 * @param folder gets `herald-VERSION.tar.gz`, `herald-VERSION.cdx.json`, `notes.txt` and `SHA256SUMS`
 * @param built what is built from; anything but a tag is named `VERSION+checkout`
 * @returns the name of the archive
 */
export async function release(folder: string, built: BuiltFrom = builtFrom(TOP)): Promise<string> {
  const version = packageJson.version + (built.isRelease ? '' : '+checkout');
  const name = `herald-${version}`;
  const scratch = mkdtempSync(join(tmpdir(), 'herald-release-'));
  try {
    const tree = join(scratch, name);
    await build(join(tree, 'dist'), built);
    for (const path of INSIDE) cpSync(join(TOP, path), join(tree, path), { recursive: true });
    writeFileSync(join(tree, 'package.json'), `${JSON.stringify(ownPackage(version), undefined, 2)}\n`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    pack(scratch, name, join(folder, `${name}.tar.gz`));
    cpSync(join(tree, 'dist/sbom.cdx.json'), join(folder, `${name}.cdx.json`));
    writeFileSync(join(folder, 'notes.txt'), notesOf(readFileSync(join(TOP, 'CHANGELOG.md'), 'utf8')));
    writeFileSync(join(folder, 'SHA256SUMS'), digestsOf(folder));
    return `${name}.tar.gz`;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Node takes `dist/main.js` for a module because of it. */
function ownPackage(version: string) {
  const { name, description, license, type, engines } = packageJson;
  return { name, version, description, license, private: true, type, engines };
}

/** Order, owners and times do not depend on who packs. */
function pack(from: string, name: string, to: string): void {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: TOP, encoding: 'utf8' });
  const words = [
    ...['--create', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'],
    ...[`--mtime=@${Number(stdout) || 0}`, '--use-compress-program=gzip -9 -n', `--file=${to}`, name],
  ];
  const { status, stderr } = spawnSync('tar', words, { cwd: from, encoding: 'utf8' });
  if (status !== 0) throw new Error(`GNU tar is needed to pack a release. It said: ${stderr}`);
}

/** The part of the changelog about this version. */
function notesOf(changelog: string): string {
  const start = changelog.indexOf(`## ${packageJson.version}`);
  if (start === -1) throw new Error(`CHANGELOG.md says nothing about ${packageJson.version}.`);
  const end = changelog.indexOf('\n## ', start);
  const notes = changelog.slice(start, end === -1 ? undefined : end).trim();
  return `${notes}\n`;
}

/** As `sha256sum --check` reads them. */
function digestsOf(folder: string): string {
  const digestOf = (name: string) => hash('sha256', readFileSync(join(folder, name)));
  const names = globSync('*', { cwd: folder }).toSorted();
  return names.map((name) => `${digestOf(name)}  ${name}\n`).join('');
}

async function main(words: readonly string[]): Promise<number> {
  const built = builtFrom(TOP);
  if (!built.isRelease && !words.includes('--anyway')) {
    console.error(
      `This is commit ${built.commit}, and no tag v${packageJson.version} names just that. Set the tag first, or try with npm run release -- --anyway.`,
    );
    return 1;
  }
  const notes = notesOf(readFileSync(join(TOP, 'CHANGELOG.md'), 'utf8'));
  if (built.isRelease && /unreleased/i.test(notes.split('\n', 1)[0] ?? '')) {
    console.error(
      `CHANGELOG.md calls ${packageJson.version} unreleased. Take the word away, commit, and set the tag anew.`,
    );
    return 1;
  }
  console.log(`release/${await release(join(TOP, 'release'), built)}`);
  return 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
