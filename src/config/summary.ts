import { type Environment, environmentSchema, isAlertsToken, passwordsIn } from './environment.ts';
import { metaOf } from './key.ts';
import { withoutCredentials } from './problems.ts';

/** The environment as the start-up log shows it: of secrets, only the names of those that are set. */
export function environmentSummary(environment: Environment): Readonly<Record<string, unknown>> {
  const keys = Object.entries(environmentSchema.shape).map(([key, schema]) => ({
    key,
    value: shown(environment[key as keyof Environment]),
    secret: metaOf(schema).secret === true,
  }));
  return {
    ...Object.fromEntries(keys.filter(({ secret }) => !secret).map(({ key, value }) => [key, value])),
    secretsSet: keys.filter(({ secret, value }) => secret && value !== undefined).map(({ key }) => key),
  };
}

function shown(value: string | number | undefined): string | number | undefined {
  return typeof value === 'string' ? withoutCredentials(value) : value;
}

/**
 * The secret values themselves, the database's password among them, for the logger to keep out of what it writes.
 *
 * @param environment as it was checked, or as it stands there when nothing was checked yet
 */
export function secretsOf(
  environment: Readonly<Partial<Record<keyof Environment, string | number | undefined>>>,
): readonly string[] {
  const secrets = Object.entries(environmentSchema.shape).flatMap(([key, schema]) => {
    const value = environment[key as keyof Environment];
    return metaOf(schema).secret === true && typeof value === 'string' ? [value.trim()] : [];
  });
  const tokens = Object.entries(environment).flatMap(([key, value]) =>
    isAlertsToken(key) && typeof value === 'string' ? [value.trim()] : [],
  );
  return [...secrets, ...tokens, ...passwordsIn(String(environment.DATABASE_URL))];
}
