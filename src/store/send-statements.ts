import { personOf, spellingsOf } from '../messages/numbers/person.ts';
import type { Pseudonym } from '../messages/numbers/pseudonym.ts';
import type { LeaveOut, Settled, Settlement } from '../sends/outcome.ts';
import type { BulkStore, DispatchStore } from '../sends/ports.ts';
import type { SendEvent } from '../sends/send.ts';
import { UNENDED } from '../sends/states.ts';
import { wantNews, wantPostsOf } from './post-store.ts';
import { SEND_COLUMNS } from './rows.ts';
import { alone, type Database, type Row, type Runner } from './sql.ts';

/* What both databases say alike of sends, and what more than one file needs. */

export const FIND_SEND = `SELECT ${SEND_COLUMNS} FROM sends WHERE id = :sendId`;
/** Nobody else changes the send until the transaction ends, and what is read next is what they have written. */
export const LOCK_SEND = `${FIND_SEND} FOR NO KEY UPDATE`;
export const FINISH_SEND = `UPDATE sends SET state = 'done'
  WHERE id = :sendId AND state = 'sending' AND pending = 0 AND attempting = 0`;
/** Orders the few sends in some states. An order that an index has would make PostgreSQL go through every send. */
export const OLDEST_FIRST = 'ORDER BY created_at + 0, id';
/** Nobody else has moved it, nor sent of it and paused it again. */
export const IS_AS_SEEN = "state = :from AND (state <> 'paused' OR active_at IS NOT DISTINCT FROM :activeAt)";
/** The sends that this one tries again, and those before, as `tried`. */
export const TRIED_BEFORE = `WITH RECURSIVE tried (id) AS (SELECT retry_of FROM sends WHERE id = :sendId
    UNION SELECT retry_of FROM sends JOIN tried ON sends.id = tried.id)`;
/** The row at which claims go on after some recipients were released. */
export const FIRST_PENDING = `coalesce(
  (SELECT row FROM recipients WHERE send_id = sends.id AND state = 'pending' ORDER BY row LIMIT 1), next_row)`;
/** How many messages each number got, or may have got. */
export const SENT_SINCE = `SELECT number, count(*) AS count FROM recipients
  WHERE number IN (:numbers...) AND attempted_at >= :since AND state IN ('attempting', 'accepted', 'unknown')
  GROUP BY number`;
/** These numbers as they may stand in the database: in each spelling, and as what retention and `erase` have left of it. */
export function underAllNames<N extends string>(numbers: readonly N[], pseudonym: Pseudonym | undefined) {
  const names = new Map<string, string>();
  for (const number of numbers.flatMap(spellingsOf))
    for (const name of [number, pseudonym?.(number) ?? number]) names.set(name, personOf(number));
  return {
    numbers: [...names.keys()],
    /** How often each number was found, by the rows of SENT_SINCE; those of one person are one. */
    countsOf: (rows: readonly Row[]): ReadonlyMap<N, number> => {
      const counts = new Map<string | undefined, number>();
      for (const { number, count } of rows) {
        const person = names.get(String(number));
        counts.set(person, (counts.get(person) ?? 0) + Number(count));
      }
      const counted = numbers.map((number) => [number, counts.get(personOf(number)) ?? 0] as const);
      return new Map(counted.filter(([, count]) => count > 0));
    },
  };
}

/** Whoever prepares a send reads numbers that are kept: begun before an erasure, it is seen by that; after, it finds them gone. */
export const PREPARE_BESIDE = alone(`SELECT pg_advisory_xact_lock_shared(hashtextextended('erase', 3))`);
export const ERASE_ALONE = alone(`SELECT pg_advisory_xact_lock(hashtextextended('erase', 3))`);

/** Herald's own actor in the record, for what happens by itself. */
export const HERALD = 'herald';
export const RECORD = `INSERT INTO send_events (send_id, at, actor, action, reason)
  VALUES (:sendId, :at, :actor, :action, :reason)`;

/** A line of the record has its reason as JSON here. */
type Recorded = Omit<SendEvent, 'reason'> & { readonly reason?: string | null };

export async function record(runner: Runner, line: Recorded): Promise<void> {
  await runner.change(RECORD, { reason: null, ...line });
  await wantNews(runner, line);
}

const END_UNENDED = `UPDATE sends SET state = CASE WHEN audience IS NULL THEN 'done' ELSE 'stopped' END, reason = :reason,
    resume_at = NULL
  WHERE state IN (:unended...) RETURNING id, state, created_at`;

/**
 * Ends, in a restored copy, whatever it holds as not ended. What became of the recipients is left to the caller.
 *
 * @param reason a failure as JSON
 * @returns the ids of these sends, oldest first
 */
export async function endUnended(runner: Runner, reason: string, at: number): Promise<readonly string[]> {
  const ended = await runner.run<{ id: string; state: string; created_at: number }>(END_UNENDED, {
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

/** The hot path, which each database has in its own way. */
export interface HotPath
  extends Omit<DispatchStore, 'markCanaryJudged' | 'skipOverCap' | 'skipTaken'>,
    Pick<BulkStore, 'addRecipients'> {
  /** As `settle`, within a transaction. */
  settleIn(runner: Runner, settlements: readonly Settlement[]): Settled | Promise<Settled>;
}
/**
 * Whoever asks for one of these people meanwhile waits, in an order in which no two wait for each other; what is read
 * next holds what they have written.
 */
const LOCK_PEOPLE = alone(`SELECT pg_advisory_xact_lock(lock) FROM
     (SELECT DISTINCT hashtextextended(person, 0) AS lock FROM unnest(:people::text[]) person ORDER BY lock) locks`);
const NOT_ATTEMPTING = `SELECT row FROM recipients WHERE send_id = :sendId AND row IN (:rows...) AND state <> 'attempting' ORDER BY row`;

const FOREBEARS = `${TRIED_BEFORE} SELECT id FROM tried WHERE id IS NOT NULL`;
/** Of others that try the same again, also whom nobody knows about: nobody has asked to send to those once more. */
const TAKEN_BEFORE = `WITH RECURSIVE others (id) AS (
    SELECT id FROM sends WHERE retry_of IN (:forebears...) AND id NOT IN (:line...)
    UNION SELECT sends.id FROM sends JOIN others ON retry_of = others.id)
  SELECT number, count(*) AS count FROM recipients WHERE number IN (:numbers...)
    AND (state = 'accepted' AND send_id IN (:forebears...) OR state IN ('accepted', 'attempting', 'unknown')
      AND EXISTS (SELECT 1 FROM others WHERE others.id = send_id)) GROUP BY number`;

/** What leaves recipients out that were just claimed. */
export function leavingOut(
  { transaction }: Pick<Database, 'transaction'>,
  settleIn: HotPath['settleIn'],
  pseudonym: Pseudonym | undefined,
): Pick<DispatchStore, 'skipOverCap' | 'skipTaken'> {
  /** @param find how often each of these numbers counts: more than `most` times is too often */
  async function leaveOut(
    runner: Runner,
    { sendId, recipients, failure, at }: LeaveOut,
    state: 'skipped' | 'rejected',
    most: number,
    find: (numbers: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<readonly number[]> {
    const numbers = recipients.map(({ number }) => number);
    await runner.run(LOCK_PEOPLE, { people: numbers.map(personOf) });
    const asked = underAllNames(numbers, pseudonym);
    const counts = asked.countsOf(await find(asked.numbers));
    const left = recipients.filter(({ number }) => (counts.get(number) ?? 0) > most);
    const outcome = { state, failure } as const;
    if (left.length > 0)
      await settleIn(
        runner,
        left.map(({ row }) => ({ sendId, row, outcome, settledAt: at })),
      );
    // Asked again after an answer was lost, what the first one left out is found as well.
    const rows = recipients.map(({ row }) => row);
    const settled = await runner.run<{ row: number }>(NOT_ATTEMPTING, { sendId, rows });
    return settled.map(({ row }) => row);
  }

  return {
    skipOverCap: ({ most, since, ...asked }) =>
      transaction((runner) =>
        leaveOut(runner, asked, 'skipped', most, (numbers) => runner.run(SENT_SINCE, { numbers, since })),
      ),
    skipTaken: ({ state, ...asked }) =>
      transaction((runner) =>
        leaveOut(runner, asked, state, 0, async (numbers) => {
          const { sendId } = asked;
          const forebears = (await runner.run(FOREBEARS, { sendId })).map(({ id }) => String(id));
          return runner.run(TAKEN_BEFORE, { numbers, forebears, line: [sendId, ...forebears] });
        }),
      ),
  };
}
