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
 * By Git; where there is none, as in the image, by what whoever builds it sets: `HERALD_COMMIT`, and in `HERALD_TAG` what `git
 * describe --dirty` says, which of a release is its tag alone.
 *
 * @param folder the top of the repository
 */
export function builtFrom(folder: string, env: NodeJS.ProcessEnv = process.env): BuiltFrom {
  const git = (...words: string[]) => {
    const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const { HERALD_COMMIT: given = '', HERALD_TAG: tag = '' } = env;
  const commit = (git('rev-parse', 'HEAD') ?? given).slice(0, DIGITS);
  if (commit === '') return { commit: 'unknown', isRelease: false };
  const changes = git('status', '--porcelain', '--untracked-files=no');
  const isChanged = changes === undefined ? tag.endsWith('-dirty') : changes !== '';
  const tags = git('tag', '--points-at', 'HEAD')?.split('\n') ?? [tag];
  return {
    commit: isChanged ? `${commit}-changed` : commit,
    isRelease: !isChanged && tags.includes(`v${packageJson.version}`),
  };
}
