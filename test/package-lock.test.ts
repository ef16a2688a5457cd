import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** Licences that ask for nothing but their own text to be kept; MPL-2.0 only for changes to the package itself. */
const ALLOWED = new Set([
  ...['MIT', 'Apache-2.0', 'BSD-3-Clause', 'ISC', '0BSD', 'MPL-2.0'],
  ...['BlueOak-1.0.0', 'MIT OR Apache-2.0', '(MIT OR CC0-1.0)'],
]);
/** They ask to be named where they are passed on, or nothing: only for tools, which Herald is not delivered with. */
const ALLOWED_FOR_TOOLS = new Set(['CC-BY-4.0', 'CC0-1.0', 'BSD-2-Clause']);

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/** Herald's own, and those of folders whose tools nobody else has to install. */
const LOCKS = globSync(['package-lock.json', '{bench,scripts,test}/**/package-lock.json'], {
  exclude: ['**/node_modules/**'],
});
const HERALDS = 'package-lock.json';

/** Where Node would look for a package's dependency, nearest first. */
function places(path: string, name: string): readonly string[] {
  const folders = path === '' ? [] : path.split('/node_modules/');
  return [...folders.keys()]
    .toReversed()
    .map((depth) => `${folders.slice(0, depth + 1).join('/node_modules/')}/node_modules/${name}`)
    .concat(`node_modules/${name}`);
}

it('is there for Herald and for six folders of tools', () => expect(LOCKS).toHaveLength(7));

describe.each(LOCKS)('%s', (lock) => {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(lock, 'utf8')));

  it('names the binaries of every platform, because npm ci refuses a lock file that leaves one out', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !places(path, name).some((place) => place in packages))
        .map((name) => `${path} → ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('leaves the registry to whoever installs', () => {
    const bound = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
    expect(bound).toEqual([]);
  });

  it('holds packages with a licence of the list', () => {
    const others = Object.entries(packages).filter(
      ([path, { license = 'none', dev = lock !== HERALDS }]) =>
        !ALLOWED.has(license) &&
        !(dev && ALLOWED_FOR_TOOLS.has(license)) &&
        (path !== '' || lock === HERALDS),
    );
    expect(others).toEqual([]);
  });
});
