import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { Settled, Settlement } from '../../sends/outcome.ts';
import type { DispatchStore } from '../../sends/ports.ts';
import { freshRanges } from '../message-ids.ts';
import { COUNTED, WANT_COUNTED } from '../post-store.ts';
import { type CauseOf, claimedFrom, createCauseOf, outcomeColumns } from '../rows.ts';
import { createReadings } from '../send-reads.ts';
import { HERALD, type HotPath } from '../send-statements.ts';
import { type Database, type Runner, type Sql, textOf } from '../sql.ts';

/** A replica whose lease has run out claims nothing: its row is locked against being taken over until the claim is on disk. */
const HOLDER = `
  holder AS (SELECT id FROM replicas
    WHERE id = :holder AND lease_until > clock_timestamp() AND NOT (:number::int = ANY (void_claims)) FOR KEY SHARE),
  send AS (SELECT id, next_row FROM sends
    WHERE id = :sendId AND state = 'sending' AND EXISTS (SELECT FROM holder) FOR NO KEY UPDATE)`;

const claimed = (nextRow: string) => `
  claimed AS (UPDATE recipients SET state = 'attempting', attempted_at = :attemptedAt, claimed_by = :holder, claim_number = :number
    FROM picked WHERE recipients.send_id = :sendId AND recipients.row = picked.row RETURNING recipients.row, number, cells),
  counted AS (UPDATE sends SET pending = pending - claims.count, attempting = attempting + claims.count,
      next_row = ${nextRow}, active_at = :attemptedAt
    FROM (SELECT count(*) AS count, max(row) + 1 AS after_last FROM claimed) claims
    WHERE id = :sendId AND claims.count > 0)
  SELECT * FROM claimed ORDER BY row`;

// Sent back to the beginning while it waited for a lock, a claim does not see who was released before: the next one does.
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

/**
 * Claims are numbered. When the answer to one is lost, it may be on disk although nobody here knows what was claimed:
 * before the next claim of that send it is made void and taken back, so that nothing stays `attempting` that no
 * request was ever made for.
 *
 * @param replica the id under which this process holds its lease; undefined while it has none
 */
function claimMethods(
  database: Database,
  replica: () => string | undefined,
): Pick<DispatchStore, 'claim' | 'claimAgain'> {
  const lost = new Map<string, { readonly holder: string; readonly number: number }[]>();
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
      const rows = await database.run(asked, { holder, number, sendId, attemptedAt, ...which });
      return rows.map((one) =>
        claimedFrom(sendId, attemptedAt, [one.row, one.number, JSON.parse(String(one.cells))]),
      );
    } catch (error) {
      lost.getOrInsert(sendId, []).push({ holder, number });
      throw error;
    }
  }

  return {
    claim: (sendId, limit, attemptedAt) => ask(CLAIM, sendId, attemptedAt, { limit }),
    claimAgain: (sendId, rows, attemptedAt) => ask(CLAIM_AGAIN, sendId, attemptedAt, { rows }),
  };
}

/*
 * The hot path: what dispatch calls for every batch, each one statement and so one round trip and one transaction.
 * Whatever changes a send's counters takes recipients first, where it waits for any, and then the send, so that no
 * two replicas can wait for each other. A claim waits for no recipient.
 */

const RELEASE = `WITH released AS (UPDATE recipients SET state = 'pending', claimed_by = NULL
     WHERE send_id = :sendId AND row IN (:rows...) AND state = 'attempting' AND claimed_by = :me RETURNING row),
   counted AS (UPDATE sends s SET pending = pending + releases.count, attempting = attempting - releases.count
     FROM (SELECT count(*) AS count FROM released) releases WHERE s.id = :sendId AND releases.count > 0
     RETURNING ${COUNTED}),
   wanted AS (${textOf(WANT_COUNTED, 'postgres')})
   SELECT count(*) AS count FROM released`;

/**
 * What changes after recipients were written, given a CTE `written (send_id, was, state, failure)`: counters,
 * causes of failure and, when nothing is left, the end of the send with its line in the record.
 * `:at` is the moment, `:actor` Herald.
 */
export const COUNT_WRITTEN = `
  groups AS (SELECT send_id, was, state, failure, count(*)::int AS count FROM written GROUP BY 1, 2, 3, 4),
  changes AS (SELECT send_id, ${['pending', 'attempting'].map((state) => `sum(count) FILTER (WHERE was = '${state}') AS ${state}`).join(', ')},
      ${['accepted', 'rejected', 'not_sent', 'unknown', 'skipped'].map((state) => `sum(count) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')}
    FROM groups GROUP BY send_id),
  locked AS (SELECT id FROM sends WHERE id = ANY (ARRAY(SELECT send_id FROM changes)) ORDER BY id FOR NO KEY UPDATE),
  counted AS (UPDATE sends s SET pending = s.pending - coalesce(c.pending, 0), attempting = s.attempting - coalesce(c.attempting, 0),
      accepted = s.accepted + coalesce(c.accepted, 0), rejected = s.rejected + coalesce(c.rejected, 0),
      not_sent = s.not_sent + coalesce(c.not_sent, 0), unknown = s.unknown + coalesce(c.unknown, 0),
      skipped = s.skipped + coalesce(c.skipped, 0),
      state = CASE WHEN s.state = 'sending' AND s.pending = coalesce(c.pending, 0)
        AND s.attempting = coalesce(c.attempting, 0) THEN 'done' ELSE s.state END
    FROM locked JOIN changes c ON c.send_id = locked.id WHERE s.id = locked.id
    RETURNING ${COUNTED}),
  finished AS (INSERT INTO send_events (send_id, at, actor, action)
    SELECT id, :at, :actor, 'done' FROM counted WHERE state = 'done'),
  wanted AS (${textOf(WANT_COUNTED, 'postgres')}),
  noted AS (INSERT INTO send_failures (send_id, state, failure, count)
    SELECT g.send_id, g.state, g.failure, sum(g.count) FROM groups g JOIN counted ON counted.id = g.send_id
    WHERE g.failure IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (send_id, state, md5(failure)) DO UPDATE SET count = send_failures.count + excluded.count)`;

const SETTLE = `WITH given AS (SELECT * FROM unnest(:sendIds::text[], :rows::int[], :states::text[],
     :messageIds::text[], :shared::boolean[], :statuses::int[], :failures::text[], :explanations::text[], :causes::text[],
     :times::bigint[]) AS given (send_id, row, state, message_id, is_shared, status, failure, explanation, cause, settled_at)),
   open AS (SELECT r.state AS was, given.* FROM given JOIN recipients r ON r.send_id = given.send_id AND r.row = given.row
     WHERE r.state IN ('pending', 'attempting') ORDER BY r.send_id, r.row FOR UPDATE OF r),
   written AS (UPDATE recipients r SET state = open.state, message_id = CASE WHEN NOT is_shared THEN open.message_id END, status = open.status,
       failure = open.failure, explanation = open.explanation, settled_at = open.settled_at
     FROM open WHERE r.send_id = open.send_id AND r.row = open.row
     RETURNING r.send_id, open.was, r.state, open.cause AS failure),
   fresh AS (INSERT INTO fresh_ids (send_id, first_row, last_row)
     SELECT * FROM json_to_recordset(:fresh::json) AS ranges ("sendId" text, first int, last int)),
   shared AS (INSERT INTO requests (send_id, first_row, last_row, message_id)
     SELECT send_id, min(row), max(row), message_id FROM (SELECT send_id, row, message_id,
         row - row_number() OVER (PARTITION BY send_id, message_id ORDER BY row) AS run
       FROM open WHERE is_shared AND message_id IS NOT NULL) runs
     GROUP BY send_id, message_id, run ON CONFLICT DO NOTHING),
   ${COUNT_WRITTEN}
   SELECT count(*) AS written, ARRAY(SELECT id FROM counted WHERE state = 'done') AS done FROM written`;

const ADD_RECIPIENTS = `WITH draft AS (SELECT id FROM sends WHERE id = :sendId AND state = 'draft' FOR NO KEY UPDATE),
   added AS (INSERT INTO recipients (send_id, row, number, cells, failure, reading, state)
     SELECT draft.id, row, number, cells, failure, reading, CASE WHEN failure IS NULL THEN 'pending' ELSE 'skipped' END
     FROM draft, unnest(:rows::int[], :numbers::text[], :cells::text[], :failures::text[], :readings::text[])
       AS given (row, number, cells, failure, reading)
     RETURNING send_id, failure),
   noted AS (INSERT INTO send_failures (send_id, state, failure, count)
     SELECT send_id, 'skipped', failure, count(*) FROM added WHERE failure IS NOT NULL GROUP BY send_id, failure
     ON CONFLICT (send_id, state, md5(failure)) DO UPDATE SET count = send_failures.count + excluded.count)
   UPDATE sends SET recipient_count = recipient_count + counts.added, pending = pending + counts.added - counts.skipped,
     skipped = sends.skipped + counts.skipped
   FROM (SELECT count(*) AS added, count(failure) AS skipped FROM added) counts
   WHERE id = (SELECT id FROM draft)`;

/** @param replica the id under which this process holds its lease; undefined while it has none */
export function dispatchMethods(
  database: Database,
  replica: () => string | undefined,
  pseudonym: Pseudonym | undefined,
): Omit<HotPath, 'rewind'> {
  const causeOf = createCauseOf();
  const readingOf = createReadings(pseudonym);
  return {
    ...claimMethods(database, replica),
    release: async (sendId, rows) => {
      const [released] = await database.run<{ count: number }>(RELEASE, { me: replica(), sendId, rows });
      return released?.count ?? 0;
    },
    settle: (settlements) => settleAll(database, settlements, causeOf),
    settleIn: (runner, settlements) => settleAll(runner, settlements, causeOf),
    addRecipients: async (sendId, recipients) => {
      const added = await database.change(ADD_RECIPIENTS, {
        sendId,
        rows: recipients.map(({ row }) => row),
        numbers: recipients.map(({ number }) => number),
        cells: recipients.map(({ values }) => JSON.stringify(values)),
        failures: recipients.map(({ skipped }) => skipped && JSON.stringify(skipped)),
        readings: recipients.map(readingOf),
      });
      if (added === 0) throw new Error('Recipients are added to drafts only.');
    },
  };
}

async function settleAll(
  runner: Runner,
  settlements: readonly Settlement[],
  causeOf: CauseOf,
): Promise<Settled> {
  const once = onceEach(settlements);
  const at = once.at(-1)?.settledAt ?? 0;
  const outcomes = once.map(({ sendId, outcome }) => {
    const columns = outcomeColumns(outcome);
    return { ...columns, cause: causeOf(sendId, columns) };
  });
  const [settled] = await runner.run<Settled>(SETTLE, {
    at,
    fresh: JSON.stringify(freshRanges(settlements)),
    actor: HERALD,
    sendIds: once.map(({ sendId }) => sendId),
    rows: once.map(({ row }) => row),
    states: once.map(({ outcome }) => outcome.state),
    messageIds: outcomes.map(({ messageId }) => messageId),
    shared: once.map(({ last }) => last !== undefined),
    statuses: outcomes.map(({ status }) => status),
    failures: outcomes.map(({ failure }) => failure),
    explanations: outcomes.map(({ explanation }) => explanation),
    causes: outcomes.map(({ cause }) => cause),
    times: once.map(({ settledAt }) => settledAt),
  });
  return settled ?? { written: 0, done: [] };
}

/** One a recipient; of several outcomes of one the first counts. */
function onceEach(settlements: readonly Settlement[]): readonly Settlement[] {
  const once = new Map<string, Settlement>();
  for (const settlement of settlements) {
    const { sendId, last = settlement.row } = settlement;
    for (let { row } = settlement; row <= last; row += 1)
      once.getOrInsert(`${sendId} ${row}`, { ...settlement, row });
  }
  return [...once.values()];
}
