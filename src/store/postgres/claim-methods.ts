import type { SendStore } from '../../sends/ports.ts';
import type { RecipientRow } from '../../sends/send.ts';
import { claimedFrom, recipientFrom } from '../rows.ts';
import { type Database, type Statement, statement } from './database.ts';

/** A replica whose lease has run out claims nothing: its row is locked against being taken over until the claim is on disk. */
const HOLDER = `
  holder AS (SELECT id FROM replicas
    WHERE id = $1 AND lease_until > clock_timestamp() AND NOT ($2::int = ANY (void_claims)) FOR KEY SHARE),
  send AS (SELECT id, next_row FROM sends
    WHERE id = $3 AND state = 'sending' AND EXISTS (SELECT FROM holder) FOR NO KEY UPDATE)`;

const CLAIMED = `
  claimed AS (UPDATE recipients r SET state = 'attempting', attempted_at = $4, claimed_by = $1, claim_number = $2
    FROM picked WHERE r.send_id = $3 AND r.row = picked.row RETURNING r.*),
  counted AS (UPDATE sends SET pending = pending - claims.count, attempting = attempting + claims.count,
      next_row = greatest(next_row, claims.after_last), active_at = $4
    FROM (SELECT count(*) AS count, max(row) + 1 AS after_last FROM claimed) claims
    WHERE id = $3 AND claims.count > 0)
  SELECT * FROM claimed ORDER BY row`;

const claim = statement(
  'claim',
  `WITH ${HOLDER},
   picked AS (SELECT row FROM recipients
     WHERE send_id = $3 AND row >= (SELECT next_row FROM send) AND state = 'pending'
     ORDER BY row LIMIT $5 FOR UPDATE SKIP LOCKED),
   ${CLAIMED}`,
);

const claimAgain = statement(
  'claim_again',
  `WITH ${HOLDER},
   picked AS (SELECT row FROM recipients
     WHERE send_id = (SELECT id FROM send) AND row = ANY ($5::int[]) AND state = 'pending'
     ORDER BY row FOR UPDATE SKIP LOCKED),
   ${CLAIMED}`,
);

// Waits for the claim if it is being written this moment; if it comes later, it finds itself void.
const lockPlace = statement('lock_place', 'SELECT id FROM replicas WHERE id = $1 FOR UPDATE');
const voidClaims = statement(
  'void_claims',
  'UPDATE replicas SET void_claims = void_claims || $2::int[] WHERE id = $1',
);
const takeBack = statement(
  'take_back',
  `WITH taken AS (UPDATE recipients SET state = 'pending', claimed_by = NULL
     WHERE send_id = $2 AND state = 'attempting' AND claimed_by = $1 AND claim_number = ANY ($3::int[]) RETURNING row)
   UPDATE sends SET pending = pending + taken.count, attempting = attempting - taken.count,
     next_row = least(next_row, taken.first)
   FROM (SELECT count(*) AS count, min(row) AS first FROM taken) taken WHERE id = $2 AND taken.count > 0`,
);

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
): Pick<SendStore, 'claim' | 'claimAgain'> {
  const lost = new Map<string, LostClaim[]>();
  let lastNumber = 0;

  async function takeBackLost(sendId: string, holder: string): Promise<void> {
    const known = lost.get(sendId) ?? [];
    // What an earlier id of this process had claimed is others' business now.
    const numbers = known.filter((claimed) => claimed.holder === holder).map(({ number }) => number);
    if (numbers.length > 0) {
      await database.transaction(async (runner) => {
        await runner.run(lockPlace, [holder]);
        await runner.run(voidClaims, [holder, numbers]);
        await runner.run(takeBack, [holder, sendId, numbers]);
      });
    }
    lost.delete(sendId);
  }

  async function claimed(asked: Statement, sendId: string, attemptedAt: number, which: unknown) {
    const holder = replica();
    if (holder === undefined) return [];
    if (lost.has(sendId)) await takeBackLost(sendId, holder);
    lastNumber += 1;
    const number = lastNumber;
    try {
      return await database.run(asked, [holder, number, sendId, attemptedAt, which]);
    } catch (error) {
      lost.set(sendId, [...(lost.get(sendId) ?? []), { holder, number }]);
      throw error;
    }
  }

  return {
    claim: async (sendId, limit, attemptedAt) => {
      const rows = await claimed(claim, sendId, attemptedAt, limit);
      return rows.map((columns): RecipientRow => claimedFrom(columns, attemptedAt));
    },
    claimAgain: async (sendId, wanted, attemptedAt) =>
      (await claimed(claimAgain, sendId, attemptedAt, wanted)).map(recipientFrom),
  };
}
