import { build } from '../scripts/build.ts';

/** Tests that start Herald as a process start what production runs. */
export default async function setup(): Promise<void> {
  await build();
}
