import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { builtFrom } from '../../scripts/built-from.ts';

/** Without Git, as in the image. */
const folder = mkdtempSync(join(tmpdir(), 'herald-built-from-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COMMIT = '3f2a1bcd3f2a1bcd3f2a1bcd3f2a1bcd3f2a1bcd';
const TAG = `v${packageJson.version}`;

it.each([
  ['the tag', TAG, { commit: '3f2a1bc', isRelease: true }],
  ['files that differ from the tag', `${TAG}-dirty`, { commit: '3f2a1bc-changed', isRelease: false }],
  ['a commit after it', `${TAG}-3-g3f2a1bc`, { commit: '3f2a1bc', isRelease: false }],
  ['another tag', `${TAG}-rc1`, { commit: '3f2a1bc', isRelease: false }],
  ['a clone without tags', '3f2a1bc', { commit: '3f2a1bc', isRelease: false }],
  ['nobody knows which tag', undefined, { commit: '3f2a1bc', isRelease: false }],
])('an image of %s says what it is', (_of, HERALD_TAG, built) => {
  expect(builtFrom(folder, { HERALD_COMMIT: COMMIT, HERALD_TAG })).toEqual(built);
});

it('an image that was told nothing is no release', () => {
  expect(builtFrom(folder, {})).toEqual({ commit: 'unknown', isRelease: false });
});
