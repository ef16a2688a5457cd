import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

/** Licences that ask for nothing but their own text to be kept; MPL-2.0 only for changes to the package itself. */
const ALLOWED = new Set([
  ...['MIT', 'Apache-2.0', 'BSD-3-Clause', 'ISC', '0BSD', 'MPL-2.0'],
  ...['BlueOak-1.0.0', 'MIT OR Apache-2.0', '(MIT OR CC0-1.0)'],
]);
/** They ask to be named where they are passed on, or nothing: only for tools, which Herald is not delivered with. */
const ALLOWED_FOR_TOOLS = new Set(['CC-BY-4.0', 'CC0-1.0', 'BSD-2-Clause']);

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ license: z.string().optional(), dev: z.boolean().optional() })),
});

it('every package that is installed has a licence of the list', () => {
  const lock = lockSchema.parse(
    JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')),
  );
  const others = Object.entries(lock.packages).filter(
    ([, { license = 'none', dev = false }]) =>
      !ALLOWED.has(license) && !(dev && ALLOWED_FOR_TOOLS.has(license)),
  );
  expect(others).toEqual([]);
});
