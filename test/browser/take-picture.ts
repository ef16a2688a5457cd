import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../docs/pictures', import.meta.url));

/**
 * Takes the picture that a document shows of one task, where its browser test stands in the middle of it. It is taken in
 * every run, and written to docs/pictures by `npm run pictures` only, so that a test run leaves the tree as it was.
 *
 * @param name - the file's name, without `.png`
 */
export async function takePicture(of: Locator, name: string): Promise<void> {
  // Fonts for them differ from machine to machine; what the page draws is no text.
  expect(await of.innerText(), 'signs that the page does not draw').not.toMatch(/\p{Extended_Pictographic}/u);
  await of.screenshot({
    animations: 'disabled',
    ...(process.env.HERALD_PICTURE ? { path: `${FOLDER}/${name}.png` } : {}),
  });
}
