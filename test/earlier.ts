import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Puts Herald as it was at a commit into `folder`, which is empty.
 *
 * @returns why that cannot be had, e.g. in a copy without its history
 */
export function unpackEarlier(commit: string, folder: string): string | undefined {
  try {
    const archive = execFileSync('git', ['-C', PROJECT, 'archive', commit, 'src', 'package.json'], {
      maxBuffer: 100_000_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    // It was not built then.
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/main.js'), "import '../src/main.ts';\n");
    return undefined;
  } catch (error) {
    return `commit ${commit} cannot be unpacked: ${String(error).split('\n').slice(0, 3).join(' ')}`;
  }
}
