import { describe, inject } from 'vitest';

/** The address of a fresh, empty database; throws with the reason when there is no PostgreSQL. */
export async function freshDatabase(): Promise<string> {
  const response = await fetch(inject('postgresDoor'));
  const text = await response.text();
  if (!response.ok) throw new Error(`There is no PostgreSQL to test on: ${text}`);
  return text;
}

/**
 * Runs tests that need PostgreSQL. Where there is none they are skipped, and the summary at the end says why; on CI
 * they fail instead.
 */
export async function describeWithPostgres(name: string, tests: () => void): Promise<void> {
  const reason = await freshDatabase().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const skip = reason !== undefined && !process.env.CI;
  describe.skipIf(skip)(skip ? `${name} (skipped: ${reason})` : name, tests);
}
