import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../docs/pictures', import.meta.url));

/**
 * Takes the picture that a document shows of one task, where its browser test stands in the middle of it. It is taken in
 * every run, and written to docs/pictures by `npm run pictures` only, so that a test run leaves the tree as it was.
 *
 * @param name - the file's name, without `.png`
 */
export async function takePicture(of: Locator, name: string): Promise<void> {
  await of.screenshot({
    animations: 'disabled',
    ...(process.env.HERALD_PICTURE ? { path: `${FOLDER}/${name}.png` } : {}),
  });
}
