import type { Environment } from './environment.ts';
import { environmentSchema } from './environment.ts';
import { metaOf } from './key.ts';

/** The environment as the start-up log shows it: of a secret, only whether it is set. */
export function environmentSummary(environment: Environment): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(environmentSchema.shape).map(([key, schema]) => {
      const value = environment[key as keyof Environment];
      return [key, metaOf(schema).secret === true ? (value === undefined ? 'not set' : 'set') : value];
    }),
  );
}

/** The secret values themselves, for the logger to keep out of what it writes. */
export function secretsOf(environment: Environment): readonly string[] {
  return Object.entries(environmentSchema.shape).flatMap(([key, schema]) => {
    const value = environment[key as keyof Environment];
    return metaOf(schema).secret === true && typeof value === 'string' ? [value] : [];
  });
}
