import type { UnaskedLimit } from '../sends/singles.ts';
import { alone, type Runner } from './sql.ts';

const LOCK_PERSON = alone('SELECT pg_advisory_xact_lock(hashtextextended(:userId, 1))');
const UNASKED = `SELECT sum(recipient_count - skipped) AS count FROM sends WHERE user_id = :userId
  AND created_at >= :since AND approvals_needed IS NULL AND alert IS NULL AND state NOT IN ('draft', 'cancelled')`;

/** True when the limit has no room; whoever else is held to the same person's waits until the transaction ends. */
export async function isBeyond(runner: Runner, limit: UnaskedLimit | undefined): Promise<boolean> {
  if (limit === undefined) return false;
  await runner.run(LOCK_PERSON, limit);
  const [row] = await runner.run<{ count: number | null }>(UNASKED, limit);
  return Number(row?.count ?? 0) + limit.more > limit.most;
}
