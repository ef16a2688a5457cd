import { UNENDED } from '../sends/states.ts';
import { HERALD } from './actor.ts';
import { wantPostsOf } from './post-store.ts';
import { record } from './send-statements.ts';
import type { Runner } from './sql.ts';

const END = `UPDATE sends SET state = CASE WHEN audience IS NULL THEN 'done' ELSE 'stopped' END, reason = :reason,
    resume_at = NULL
  WHERE state IN (:unended...) RETURNING id, state, created_at`;

/**
 * Ends, in a restored copy, whatever it holds as not ended. What became of the recipients is left to the caller.
 *
 * @param reason a failure as JSON
 * @returns the ids of these sends, oldest first
 */
export async function endUnended(runner: Runner, reason: string, at: number): Promise<readonly string[]> {
  const ended = await runner.run<{ id: string; state: string; created_at: number }>(END, {
    reason,
    unended: UNENDED,
  });
  const sends = ended.toSorted(
    (one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1),
  );
  for (const { id: sendId, state: action } of sends) {
    await record(runner, { sendId, at, actor: HERALD, action, reason });
    await wantPostsOf(runner, sendId);
  }
  return sends.map(({ id }) => id);
}
