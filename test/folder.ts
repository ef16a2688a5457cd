import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Each test has a folder of its own. Returns the path of what has a name in it, or of the folder itself. */
export function ownFolder(): (name?: string) => string {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'herald-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (name = '') => join(folder, name);
}
