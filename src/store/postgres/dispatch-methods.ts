import { personOf } from '../../messages/numbers/person.ts';
import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { OverCap, Settled, Settlement } from '../../sends/outcome.ts';
import type { SendStore } from '../../sends/ports.ts';
import { COUNTED, WANT_COUNTED } from '../post-store.ts';
import { type CauseOf, createCauseOf, outcomeColumns } from '../rows.ts';
import { HERALD, SENT_SINCE, underAllNames } from '../send-statements.ts';
import { type Database, type Runner, textOf } from '../sql.ts';
import { claimMethods } from './claim-methods.ts';

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
     :messageIds::text[], :statuses::int[], :failures::text[], :explanations::text[], :causes::text[],
     :times::bigint[]) AS given (send_id, row, state, message_id, status, failure, explanation, cause, settled_at)),
   open AS (SELECT r.state AS was, given.* FROM given JOIN recipients r ON r.send_id = given.send_id AND r.row = given.row
     WHERE r.state IN ('pending', 'attempting') ORDER BY r.send_id, r.row FOR UPDATE OF r),
   written AS (UPDATE recipients r SET state = open.state, message_id = open.message_id, status = open.status,
       failure = open.failure, explanation = open.explanation, settled_at = open.settled_at
     FROM open WHERE r.send_id = open.send_id AND r.row = open.row
     RETURNING r.send_id, open.was, r.state, open.cause AS failure),
   ${COUNT_WRITTEN}
   SELECT count(*) AS written, ARRAY(SELECT id FROM counted WHERE state = 'done') AS done FROM written`;

// Whoever asks for one of these people meanwhile waits, in an order in which no two wait for each other; what is read
// next holds what they have written.
const LOCK_PEOPLE = `SELECT pg_advisory_xact_lock(lock) FROM
     (SELECT DISTINCT hashtextextended(person, 0) AS lock FROM unnest(:people::text[]) person ORDER BY lock) locks`;
const NOT_ATTEMPTING = `SELECT row FROM recipients WHERE send_id = :sendId AND row IN (:rows...) AND state <> 'attempting' ORDER BY row`;

const ADD_RECIPIENTS = `WITH draft AS (SELECT id FROM sends WHERE id = :sendId AND state = 'draft' FOR NO KEY UPDATE),
   added AS (INSERT INTO recipients (send_id, row, number, cells, failure, state)
     SELECT draft.id, row, number, cells, failure, CASE WHEN failure IS NULL THEN 'pending' ELSE 'skipped' END
     FROM draft, unnest(:rows::int[], :numbers::text[], :cells::text[], :failures::text[])
       AS given (row, number, cells, failure)
     RETURNING send_id, failure),
   noted AS (INSERT INTO send_failures (send_id, state, failure, count)
     SELECT send_id, 'skipped', failure, count(*) FROM added WHERE failure IS NOT NULL GROUP BY send_id, failure
     ON CONFLICT (send_id, state, md5(failure)) DO UPDATE SET count = send_failures.count + excluded.count)
   UPDATE sends SET recipient_count = recipient_count + counts.added, pending = pending + counts.added - counts.skipped,
     skipped = sends.skipped + counts.skipped
   FROM (SELECT count(*) AS added, count(failure) AS skipped FROM added) counts
   WHERE id = (SELECT id FROM draft)`;

type DispatchMethods = Pick<
  SendStore,
  'claim' | 'claimAgain' | 'release' | 'settle' | 'skipOverCap' | 'addRecipients'
>;

/** @param replica the id under which this process holds its lease; undefined while it has none */
export function dispatchMethods(
  database: Database,
  replica: () => string | undefined,
  pseudonym: Pseudonym | undefined,
): DispatchMethods {
  const causeOf = createCauseOf();
  return {
    ...claimMethods(database, replica),
    release: async (sendId, rows) => {
      const [released] = await database.run<{ count: number }>(RELEASE, { me: replica(), sendId, rows });
      return released?.count ?? 0;
    },
    settle: (settlements) => settleAll(database, settlements, causeOf),
    skipOverCap: (asked) => database.transaction((runner) => skipOverCap(runner, asked, causeOf, pseudonym)),
    addRecipients: async (sendId, recipients) => {
      const added = await database.change(ADD_RECIPIENTS, {
        sendId,
        rows: recipients.map(({ row }) => row),
        numbers: recipients.map(({ number }) => number),
        cells: recipients.map(({ values }) => JSON.stringify(values)),
        failures: recipients.map(({ skipped }) => skipped && JSON.stringify(skipped)),
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
    actor: HERALD,
    sendIds: once.map(({ sendId }) => sendId),
    rows: once.map(({ row }) => row),
    states: once.map(({ outcome }) => outcome.state),
    messageIds: outcomes.map(({ messageId }) => messageId),
    statuses: outcomes.map(({ status }) => status),
    failures: outcomes.map(({ failure }) => failure),
    explanations: outcomes.map(({ explanation }) => explanation),
    causes: outcomes.map(({ cause }) => cause),
    times: once.map(({ settledAt }) => settledAt),
  });
  return settled ?? { written: 0, done: [] };
}

async function skipOverCap(
  runner: Runner,
  { sendId, recipients, most, since, failure, at }: OverCap,
  causeOf: CauseOf,
  pseudonym: Pseudonym | undefined,
): Promise<readonly number[]> {
  const numbers = recipients.map(({ number }) => number);
  await runner.run(LOCK_PEOPLE, { people: numbers.map(personOf) });
  const asked = underAllNames(numbers, pseudonym);
  const sent = asked.countsOf(await runner.run(SENT_SINCE, { numbers: asked.numbers, since }));
  const over = recipients.filter(({ number }) => (sent.get(number) ?? 0) > most).map(({ row }) => row);
  if (over.length > 0) {
    const outcome = { state: 'skipped', failure } as const;
    const skipped = over.map((row) => ({ sendId, row, outcome, settledAt: at }));
    await settleAll(runner, skipped, causeOf);
  }
  // Asked again after an answer was lost, what the first one left out is found as well.
  const rows = recipients.map(({ row }) => row);
  const settled = await runner.run<{ row: number }>(NOT_ATTEMPTING, { sendId, rows });
  return settled.map(({ row }) => row);
}

/** One a recipient; of several outcomes of one the first counts. */
function onceEach(settlements: readonly Settlement[]): readonly Settlement[] {
  const once = new Map<string, Settlement>();
  for (const settlement of settlements) {
    const recipient = `${settlement.sendId} ${settlement.row}`;
    if (!once.has(recipient)) once.set(recipient, settlement);
  }
  return [...once.values()];
}
