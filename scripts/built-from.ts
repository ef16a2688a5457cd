import { spawnSync } from 'node:child_process';
import packageJson from '../package.json' with { type: 'json' };

/** What a build is made of. */
export interface BuiltFrom {
  /** The first 7 digits of the commit, with `-changed` where files differ from it; `unknown` without Git. */
  readonly commit: string;
  /** Whether it is what the tag of this version names. */
  readonly isRelease: boolean;
}

/** More could look like a phone number, which the log masks. */
const DIGITS = 7;

/**
 * By Git; where there is none, as in the image, by `HERALD_COMMIT`, which whoever builds a release sets.
 *
 * @param folder the top of the repository
 */
export function builtFrom(folder: string): BuiltFrom {
  const given = process.env.HERALD_COMMIT ?? '';
  if (given !== '') return { commit: given.slice(0, DIGITS), isRelease: true };
  const git = (...words: string[]) => {
    const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const commit = git('rev-parse', 'HEAD')?.slice(0, DIGITS);
  if (commit === undefined) return { commit: 'unknown', isRelease: false };
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  const tags = git('tag', '--points-at', 'HEAD')?.split('\n') ?? [];
  return {
    commit: isChanged ? `${commit}-changed` : commit,
    isRelease: !isChanged && tags.includes(`v${packageJson.version}`),
  };
}
