import { build } from '../scripts/build.ts';

/** Each group of tests has this module anew, in one process. */
const once = globalThis as { heraldBuilt?: Promise<void> };

/** Tests that start Herald as a process start what production runs: built once, for all groups of a run. */
export default async function setup(): Promise<void> {
  once.heraldBuilt ??= build();
  await once.heraldBuilt;
}
