import { secretsOf } from './config/environment.ts';
import { createLogger } from './telemetry/logger.ts';

/** An error is known by what it `says`; the other text explains it to whoever runs Herald. */
const KNOWN: readonly { readonly says: RegExp; readonly sentence: string }[] = [
  {
    says: /disk is full|disk I\/O error|ENOSPC|no space left/i,
    sentence: 'its database’s disk is full, or gives errors. Make room there, and start Herald again.',
  },
  {
    says: /malformed|file is not a database|checksum|invalid page/i,
    sentence:
      'its database is damaged. Use a backup (node dist/main.js restore PATH), and start Herald again.',
  },
  {
    says: /ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|Connection terminated|terminating connection|timeout exceeded when trying to connect|database system is/i,
    sentence: 'its database does not answer. Look at the PostgreSQL server, and start Herald again.',
  },
];

/**
 * Logs an error that ends Herald, with secrets and numbers covered as everywhere, and puts it into one sentence. It
 * is for errors that nobody expected: the next start notifies whoever waits for what was on its way.
 */
export function lastWords(error: unknown, env: Readonly<Record<string, string | undefined>>): string {
  createLogger({ level: 'error', secrets: secretsOf(env) }).error({ error }, 'Herald broke off');
  const text = textOf(error);
  const known = KNOWN.find(({ says }) => says.test(text));
  return `Herald broke off: ${known?.sentence ?? 'an error that nobody expected, which is in its log. Start Herald again.'} What was on its way is shown as unknown after that.`;
}

/** Some errors say nothing themselves, but hold those that do. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const within = error instanceof AggregateError ? error.errors.map(textOf) : [];
  return [code, error.message, ...within, ...(error.cause === undefined ? [] : [textOf(error.cause)])].join(
    ' ',
  );
}
