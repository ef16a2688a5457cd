import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

/** Licences that ask for nothing but their own text to be kept; MPL-2.0 only for changes to the package itself. */
const ALLOWED = new Set([
  ...['MIT', 'Apache-2.0', 'BSD-3-Clause', 'ISC', '0BSD', 'MPL-2.0'],
  ...['MIT OR Apache-2.0', '(MIT OR CC0-1.0)'],
]);

const lockSchema = z.object({ packages: z.record(z.string(), z.object({ license: z.string().optional() })) });

it('every package that is installed has a licence of the list', () => {
  const lock = lockSchema.parse(
    JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')),
  );
  const others = Object.entries(lock.packages).filter(([, { license = 'none' }]) => !ALLOWED.has(license));
  expect(others).toEqual([]);
});
