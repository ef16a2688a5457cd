import { isAlertsToken, SECRETS } from './environment.ts';
import type { Problem } from './problems.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What may stand in a file that `KEY_FILE` names: every secret, and the address that holds the database's password. */
const KEYS = [...SECRETS, 'DATABASE_URL'];

/** The files that are named for keys, with the tokens of alert sources, whose names the team chooses. */
function filesIn(env: Env) {
  const tokens = Object.keys(env).map((key) => key.replace(/_FILE$/, ''));
  return [...KEYS, ...new Set(tokens.filter((key) => isAlertsToken(key)))]
    .map((key) => ({ key, path: env[`${key}_FILE`]?.trim() ?? '', isSet: (env[key] ?? '') !== '' }))
    .filter(({ path }) => path !== '');
}

/** The names under which Slack's CLI hands tokens to what `slack run` starts. */
const OF_SLACK_CLI = { SLACK_BOT_TOKEN: 'SLACK_CLI_XOXB', SLACK_APP_TOKEN: 'SLACK_CLI_XAPP' };

/**
 * The environment with what its files hold, and with the tokens of Slack's CLI where there are no others. Where a file cannot
 * be read, or the key is set besides, `KEY_FILE` stays and counts as a problem.
 *
 * @param readFile reads a file as text; throws what `fs` throws
 */
export function withSecretFiles(env: Env, readFile: (path: string) => string): Env {
  const read = { ...env };
  for (const { key, path, isSet } of filesIn(env)) {
    if (isSet) continue;
    try {
      read[key] = readFile(path).trim();
      delete read[`${key}_FILE`];
    } catch {
      // problemsOfFiles reports it.
    }
  }
  for (const [key, given] of Object.entries(OF_SLACK_CLI))
    if (!read[key]?.trim() && !read[`${key}_FILE`]?.trim()) read[key] = read[given];
  return read;
}

/** What is wrong with the files that the environment of `withSecretFiles` still names. */
export function problemsOfFiles(env: Env): readonly Problem[] {
  return filesIn(env).map(({ key, path, isSet }) => ({
    path: `${key}_FILE`,
    found: isSet ? `${key} besides` : `no file that can be read at ${path}`,
    expected: isSet ? 'one of the two' : 'the path of a file that holds the value',
  }));
}
