import { environmentSchema, isAlertsToken } from './environment.ts';
import { metaOf } from './key.ts';
import type { Problem } from './problems.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** All of them, with the tokens of alert sources, whose names the team chooses. */
function keysIn(env: Env): readonly string[] {
  const tokens = Object.keys(env).map((key) => key.replace(/_FILE$/, ''));
  return [...KEYS, ...new Set(tokens.filter((key) => isAlertsToken(key)))];
}

/** What may stand in a file that `KEY_FILE` names: every secret, and the address that holds the database's password. */
const KEYS = Object.entries(environmentSchema.shape).flatMap(([key, schema]) =>
  metaOf(schema).secret === true || key === 'DATABASE_URL' ? [key] : [],
);

/**
 * The environment with what its files hold. Where a file cannot be read, or the key is set besides, `KEY_FILE` stays and
 * counts as a problem.
 *
 * @param readFile reads a file as text; throws what `fs` throws
 */
export function withSecretFiles(env: Env, readFile: (path: string) => string): Env {
  const read = { ...env };
  for (const key of keysIn(env)) {
    const path = env[`${key}_FILE`]?.trim() ?? '';
    if (path === '' || (env[key] ?? '') !== '') continue;
    try {
      read[key] = readFile(path).trim();
      delete read[`${key}_FILE`];
    } catch {
      // problemsOfFiles reports it.
    }
  }
  return read;
}

/** What is wrong with the files that the environment of `withSecretFiles` still names. */
export function problemsOfFiles(env: Env): readonly Problem[] {
  return keysIn(env).flatMap((key) => {
    const path = env[`${key}_FILE`]?.trim() ?? '';
    if (path === '') return [];
    const isSet = (env[key] ?? '') !== '';
    const found = isSet ? `${key} besides` : `no file that can be read at ${path}`;
    return [
      {
        path: `${key}_FILE`,
        found,
        expected: isSet ? 'one of the two' : 'the path of a file that holds the value',
      },
    ];
  });
}
