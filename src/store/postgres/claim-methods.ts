import type { DispatchStore } from '../../sends/ports.ts';
import { claimedFrom, RECIPIENT_COLUMNS, recipientFrom } from '../rows.ts';
import type { Database, Sql } from '../sql.ts';

/** A replica whose lease has run out claims nothing: its row is locked against being taken over until the claim is on disk. */
const HOLDER = `
  holder AS (SELECT id FROM replicas
    WHERE id = :holder AND lease_until > clock_timestamp() AND NOT (:number::int = ANY (void_claims)) FOR KEY SHARE),
  send AS (SELECT id, next_row FROM sends
    WHERE id = :sendId AND state = 'sending' AND EXISTS (SELECT FROM holder) FOR NO KEY UPDATE)`;

const claimed = (nextRow: string) => `
  claimed AS (UPDATE recipients SET state = 'attempting', attempted_at = :attemptedAt, claimed_by = :holder, claim_number = :number
    FROM picked WHERE recipients.send_id = :sendId AND recipients.row = picked.row RETURNING ${RECIPIENT_COLUMNS}),
  counted AS (UPDATE sends SET pending = pending - claims.count, attempting = attempting + claims.count,
      next_row = ${nextRow}, active_at = :attemptedAt
    FROM (SELECT count(*) AS count, max(row) + 1 AS after_last FROM claimed) claims
    WHERE id = :sendId AND claims.count > 0)
  SELECT * FROM claimed ORDER BY row`;

// Told to begin anew while it waited for a lock, a claim does not see who was released before: the next one does.
const PAST_THEM = `CASE WHEN next_row < (SELECT next_row FROM sends WHERE id = :sendId) THEN next_row ELSE claims.after_last END`;
const CLAIM = `WITH ${HOLDER},
   picked AS (SELECT row FROM recipients
     WHERE send_id = :sendId AND row >= (SELECT next_row FROM send) AND state = 'pending'
     ORDER BY row LIMIT :limit FOR UPDATE SKIP LOCKED),
   ${claimed(PAST_THEM)}`;

const CLAIM_AGAIN = `WITH ${HOLDER},
   picked AS (SELECT row FROM recipients
     WHERE send_id = (SELECT id FROM send) AND row IN (:rows...) AND state = 'pending'
     ORDER BY row FOR UPDATE SKIP LOCKED),
   ${claimed('next_row')}`;

// Waits for the claim if it is being written this moment; if it comes later, it finds itself void.
const LOCK_PLACE = 'SELECT id FROM replicas WHERE id = :holder FOR UPDATE';
const VOID_CLAIMS = 'UPDATE replicas SET void_claims = void_claims || :numbers::int[] WHERE id = :holder';
const TAKE_BACK = `WITH taken AS (UPDATE recipients SET state = 'pending', claimed_by = NULL
     WHERE send_id = :sendId AND state = 'attempting' AND claimed_by = :holder AND claim_number IN (:numbers...) RETURNING row)
   UPDATE sends SET pending = pending + taken.count, attempting = attempting - taken.count,
     next_row = least(next_row, taken.first)
   FROM (SELECT count(*) AS count, min(row) AS first FROM taken) taken WHERE id = :sendId AND taken.count > 0`;

interface LostClaim {
  readonly holder: string;
  readonly number: number;
}

/**
 * Claims are numbered. When the answer to one is lost, it may be on disk although nobody here knows what was claimed:
 * before the next claim of that send it is made void and taken back, so that nothing stays `attempting` that no
 * request was ever made for.
 *
 * @param replica the id under which this process holds its lease; undefined while it has none
 */
export function claimMethods(
  database: Database,
  replica: () => string | undefined,
): Pick<DispatchStore, 'claim' | 'claimAgain'> {
  const lost = new Map<string, LostClaim[]>();
  let lastNumber = 0;

  async function takeBackLost(sendId: string, holder: string): Promise<void> {
    const known = lost.get(sendId) ?? [];
    // What an earlier id of this process had claimed is others' business now.
    const numbers = known.filter((claimed) => claimed.holder === holder).map(({ number }) => number);
    if (numbers.length > 0) {
      await database.transaction(async (runner) => {
        await runner.run(LOCK_PLACE, { holder });
        await runner.change(VOID_CLAIMS, { holder, numbers });
        await runner.change(TAKE_BACK, { holder, sendId, numbers });
      });
    }
    lost.delete(sendId);
  }

  async function ask(asked: Sql, sendId: string, attemptedAt: number, which: object) {
    const holder = replica();
    if (holder === undefined) return [];
    if (lost.has(sendId)) await takeBackLost(sendId, holder);
    lastNumber += 1;
    const number = lastNumber;
    try {
      return await database.run(asked, { holder, number, sendId, attemptedAt, ...which });
    } catch (error) {
      lost.set(sendId, [...(lost.get(sendId) ?? []), { holder, number }]);
      throw error;
    }
  }

  return {
    claim: async (sendId, limit, attemptedAt) => {
      const rows = await ask(CLAIM, sendId, attemptedAt, { limit });
      return rows.map(({ row, number, cells }) => claimedFrom(sendId, attemptedAt, [row, number, cells]));
    },
    claimAgain: async (sendId, rows, attemptedAt) =>
      (await ask(CLAIM_AGAIN, sendId, attemptedAt, { rows })).map(recipientFrom),
  };
}
