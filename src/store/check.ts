import type { Finding } from '../core/finding.ts';
import { checkFile } from './sqlite/check.ts';

/** What is wrong with the database that `DATABASE_URL` names, which is left as it is; of PostgreSQL nothing when `offline`. */
export async function checkDatabase(url: string, offline: boolean): Promise<readonly Finding[]> {
  if (url.startsWith('file:')) return checkFile(url.slice('file:'.length));
  return offline ? [] : (await import('./postgres/check.ts')).checkServer(url);
}
