import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const BYTES_AT_ONCE = 1024 * 1024;

/**
 * The copies beside a database file, named after it as upgrades, `restore` and `accept-older-database` do, in which these
 * digits stand anywhere, free pages included. One that cannot be read counts. None for what is no file.
 */
export function copiesHolding(url: string, digits: string): readonly string[] {
  if (!url.startsWith('file:')) return [];
  const file = resolve(url.slice('file:'.length));
  const beside = readdirSync(dirname(file), { withFileTypes: true });
  const copies = beside.filter((entry) => entry.isFile() && entry.name.startsWith(`${basename(file)}.`));
  const paths = copies.map(({ name }) => join(dirname(file), name));
  return paths.filter((path) => holds(path, digits)).toSorted();
}

function holds(copy: string, digits: string): boolean {
  const bytes = Buffer.alloc(BYTES_AT_ONCE);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(copy, 'r');
    // What is read next begins with the end of this: the digits may stand across it.
    for (let at = 0; ; at += BYTES_AT_ONCE - digits.length) {
      const read = readSync(descriptor, bytes, 0, BYTES_AT_ONCE, at);
      if (bytes.subarray(0, read).includes(digits)) return true;
      if (read < BYTES_AT_ONCE) return false;
    }
  } catch {
    return true;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
