import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

const { packages } = lockSchema.parse(
  JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')),
);

/** Where Node would look for a package's dependency, nearest first. */
function places(path: string, name: string): readonly string[] {
  const folders = path === '' ? [] : path.split('/node_modules/');
  return [...folders.keys()]
    .toReversed()
    .map((depth) => `${folders.slice(0, depth + 1).join('/node_modules/')}/node_modules/${name}`)
    .concat(`node_modules/${name}`);
}

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
