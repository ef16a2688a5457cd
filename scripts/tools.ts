import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folders with a package.json and a lock file of their own: what only their files use, and nobody else has to install. */
export type ToolFolder =
  | 'bench'
  | 'scripts/mutation'
  | 'test/browser'
  | 'test/expressions'
  | 'test/kubernetes'
  | 'test/postgres';

const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];

/** Installs what is pinned there, unless that was done since it was last changed. Throws when it cannot be installed. */
export function installTools(folder: ToolFolder): void {
  const at = (path: string) => fileURLToPath(new URL(`../${folder}/${path}`, import.meta.url));
  const [pinned, installed] = [at('package-lock.json'), at('node_modules/.package-lock.json')];
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(pinned).mtimeMs) return;
  const { status } = spawnSync('npm', INSTALL, { cwd: at('.'), stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error(`npm could not install what ${folder} needs. Try: npm ${INSTALL.join(' ')} in ${folder}`);
}
