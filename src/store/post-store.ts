import {
  kindOfMark,
  LINKED_POSTS,
  NEWS_ACTIONS,
  POSTS_OF_ALERT,
  POSTS_OF_SEND,
  type Post,
  type PostKind,
  type PostStore,
  SLOW_AFTER_MS,
} from '../sends/posts.ts';
import { type Database, type Row, type Runner, type Sql, sql } from './sql.ts';

/*
 * The outbox: see `sends/posts.ts`. What is due is due by the clock of whoever keeps it, the file's process or the
 * PostgreSQL server, so that a replica whose clock is wrong holds nothing back.
 */

const POSTGRES_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const NOW: Sql = { sqlite: 'CAST(:now AS INTEGER)', postgres: POSTGRES_NOW };
/**
 * Longer than anything is put off, of which a digest of held alerts is the longest: what is due later than that was written by
 * a clock that has been set since.
 */
const LONGEST_WAIT_MS = 65 * 60_000;

const kindsOf = (whose: 'one' | 'many' | 'alert', kinds: readonly PostKind[]) =>
  kinds.map((kind) => `SELECT '${kind}' AS kind, '${whose}' AS whose`);
/** Which posts show a send. */
const KINDS = [
  ...kindsOf('one', POSTS_OF_SEND.toOne),
  ...kindsOf('many', POSTS_OF_SEND.toMany),
  ...kindsOf('alert', POSTS_OF_ALERT),
].join(' UNION ALL ');
const ALERT_ID = { sqlite: "alert ->> 'id'", postgres: "alert::jsonb ->> 'id'" };

/** What stands somewhere and is wanted again is due when the earlier of both wishes is; what does not, when the later is. */
const OR_AGAIN = `ON CONFLICT (mark) DO UPDATE SET wanted = posts.wanted + 1, due_at = CASE
    WHEN posts.wanted > posts.shown AND posts.due_at < excluded.due_at AND posts.ts IS NOT NULL THEN posts.due_at
    ELSE excluded.due_at END`;

const SUBJECT = (sends: string) =>
  sql`CASE WHEN kinds.whose = 'alert' THEN ${sends}.${ALERT_ID} ELSE ${sends}.id END`;
/** @param sends a table or CTE with the columns of `sends` that are named here */
const WISHES = (sends: string, dueAt: Sql, which: string) =>
  sql`INSERT INTO posts (mark, subject, channel_id, since, wanted, due_at)
  SELECT kinds.kind || ':' || ${SUBJECT(sends)}, ${SUBJECT(sends)}, min(${sends}.channel_id), min(${sends}.created_at), 1,
    min(${dueAt})
  FROM ${sends} JOIN (${KINDS}) AS kinds ON kinds.whose = CASE WHEN ${sends}.audience IS NOT NULL THEN 'many'
    WHEN ${sends}.alert IS NULL THEN 'one' ELSE 'alert' END
  WHERE ${which} GROUP BY 1, 2 ORDER BY 1
  ${OR_AGAIN}`;

/** Until sending has taken long there is nothing to show of it, and what was just approved begins at once, as a rule. */
const WHEN_SLOW = sql`CASE WHEN sends.state = 'approved' OR (sends.state = 'sending' AND kinds.kind IN ('send', 'progress'))
  THEN ${{ sqlite: ':at', postgres: POSTGRES_NOW }} + ${String(SLOW_AFTER_MS)} ELSE 0 END`;

/** Wants what shows this send, and what shows the one that it tries again. */
const WANT = WISHES(
  'sends',
  WHEN_SLOW,
  'sends.id IN (:sendId, (SELECT retry_of FROM sends AS again WHERE again.id = :sendId))',
);
/** For the hot path: while a send is under way outcomes alone want nothing. */
export const WANT_UNLESS_SENDING = WISHES('sends', '0', `sends.id = :sendId AND sends.state <> 'sending'`);
/** What a CTE `counted` must give of the sends that it changed, for the one below. */
export const COUNTED = ['id', 'state', 'audience', 'alert', 'channel_id', 'created_at']
  .map((column) => `s.${column}`)
  .join(', ');
/** As a CTE after `counted`. */
export const WANT_COUNTED = WISHES('counted', '0', `counted.state <> 'sending'`);

/**
 * To be called in the transaction that changes a send.
 *
 * @param at when that is; absent: its posts are due at once
 */
export async function wantPostsOf(runner: Runner, sendId: string, at = 0): Promise<void> {
  await runner.change(WANT, { sendId, at });
}

const WANT_POST = `INSERT INTO posts (mark, subject, channel_id, since, wanted, due_at)
  VALUES (:mark, :id, :channelId, :since, 1, :dueAt) ${OR_AGAIN}`;

interface Subject {
  readonly id: string;
  readonly channelId: string;
  /** When it began. */
  readonly since: number;
  /** Absent: at once. */
  readonly dueAt?: number;
}

/** To be called in the transaction that changes what is no send. */
export async function wantPost(runner: Runner, kind: PostKind, subject: Subject): Promise<void> {
  await runner.change(WANT_POST, { dueAt: 0, ...subject, mark: `${kind}:${subject.id}` });
}

const WANT_NEWS = `INSERT INTO posts (mark, subject, channel_id, since, wanted, due_at)
  SELECT 'news:' || (SELECT count(*) - 1 FROM send_events WHERE send_id = :sendId) || ':' || id, id, channel_id, :at, 1, 0
  FROM sends WHERE id = :sendId AND audience IS NOT NULL`;
const WANT_REMINDER = `INSERT INTO posts (mark, subject, channel_id, since, wanted, due_at)
  SELECT :mark, id, channel_id, :at, 1, 0 FROM sends
  WHERE id = :sendId AND EXISTS (SELECT 1 FROM posts WHERE mark = 'card:' || sends.id AND ts IS NOT NULL)
  ON CONFLICT (mark) DO NOTHING`;

/** Of the line that was recorded last. */
export async function wantNews(runner: Runner, sendId: string, action: string, at: number): Promise<void> {
  if (NEWS_ACTIONS.has(action)) await runner.change(WANT_NEWS, { sendId, at });
}

/** Below the card, if there is one. */
export async function wantReminder(runner: Runner, sendId: string, at: number): Promise<void> {
  await runner.change(WANT_REMINDER, { sendId, at, mark: `reminder:${at}:${sendId}` });
}

/** What a post of a send is kept as: for the columns of `sends`. */
export const ofPost = (kind: PostKind, column: 'at_channel' | 'ts' | 'digest') =>
  `(SELECT posts.${column} FROM posts WHERE posts.mark = '${kind}:' || sends.id)`;

/** True of a send whose posts all show its latest state. */
export const IS_SHOWN = 'NOT EXISTS (SELECT 1 FROM posts WHERE subject = sends.id AND wanted > shown)';

const COLUMNS = 'mark, subject, wanted, since, at_channel, ts, digest, attempts, lost, tries, refused_since';
/** What is new is told in order, one line of a send at a time; and after its progress, where that can be shown now. */
const IN_TURN = sql`(mark NOT LIKE 'news:%' OR NOT EXISTS (SELECT 1 FROM posts AS earlier
    WHERE earlier.subject = posts.subject AND earlier.wanted > earlier.shown
      AND CASE WHEN earlier.mark LIKE 'news:%' THEN earlier.since < posts.since
        ELSE earlier.mark = 'progress:' || posts.subject AND earlier.due_at <= ${NOW}
          AND (earlier.ts IS NULL OR earlier.noted_at + earlier.rest_ms <= ${NOW}) END))`;
const DUE = sql`SELECT mark FROM posts WHERE wanted > shown AND ${IN_TURN}
    AND (due_at <= ${NOW} + :early OR due_at > ${NOW} + ${String(LONGEST_WAIT_MS)})
    AND (noted_at + rest_ms <= ${NOW} OR noted_at > ${NOW}) AND channel_id NOT IN (:restingChannels...) AND mark NOT IN (:inFlight...) AND CASE WHEN ts IS NULL THEN 'post' ELSE 'update' END = :how
  ORDER BY noted_at, due_at, since, mark LIMIT :limit`;
const CLAIM = `UPDATE posts SET attempts = attempts + 1 WHERE mark IN (:marks...) RETURNING ${COLUMNS}`;
/** Unless it is wanted already. */
const AGAIN = 'CAST(:againMs AS BIGINT) IS NOT NULL AND wanted = :shown';
/** What links to a post, or shows what was given, is to be shown anew once it stands somewhere. */
const WANT_LINKED = WISHES(
  'sends',
  '0',
  `sends.audience IS NOT NULL AND kinds.kind || ':' || sends.id <> :mark AND sends.id = (SELECT subject FROM posts
    WHERE mark = :mark AND CASE WHEN CAST(:ts AS TEXT) IS NULL THEN digest IS DISTINCT FROM CAST(:digest AS TEXT)
      ELSE ts IS DISTINCT FROM CAST(:ts AS TEXT) END)`,
);
const NOTE = sql`UPDATE posts SET shown = coalesce(:shown, shown), at_channel = coalesce(:channelId, at_channel),
    ts = coalesce(:ts, ts), digest = coalesce(:digest, digest), noted_at = ${NOW}, rest_ms = :restMs,
    wanted = CASE WHEN ${AGAIN} THEN wanted + 1 ELSE wanted END,
    due_at = CASE WHEN ${AGAIN} THEN ${NOW} + CAST(:againMs AS BIGINT) ELSE due_at END,
    attempts = :attempts, lost = :lost, tries = :tries, refused_since = :refusedSince
  WHERE mark = :mark`;
const WAITING = 'SELECT count(*) AS count, min(since) AS since FROM posts WHERE wanted > shown';

export function createPostStore(database: Database): PostStore {
  return {
    claim: async (claim) => {
      const due = await database.run<{ mark: string }>(DUE, { early: 0, ...claim });
      if (due.length === 0) return [];
      const marks = due.map(({ mark }) => mark);
      const claimed = (await database.run(CLAIM, { marks })).map(postFrom);
      return claimed.toSorted((one, other) => marks.indexOf(one.mark) - marks.indexOf(other.mark));
    },
    note: async (result, now) => {
      const { mark, place, shown, digest, refusedSince, attempts = 0, lost = 0, tries = 0 } = result;
      const { channelId, ts } = place ?? {};
      const columns = { mark, shown, digest, channelId, ts, refusedSince, attempts, lost, tries };
      const restMs = Math.ceil(result.restMs);
      const noted = { ...columns, restMs, againMs: result.againAfterMs, now };
      if (digest === undefined || !LINKED_POSTS.has(kindOfMark(mark))) {
        await database.change(NOTE, noted);
        return;
      }
      await database.transaction(async (runner) => {
        await runner.change(WANT_LINKED, noted);
        await runner.change(NOTE, noted);
      });
    },
    waiting: async () => {
      const [row] = await database.run(WAITING);
      const since = row?.since;
      return { count: Number(row?.count ?? 0), ...(since != null && { since: Number(since) }) };
    },
  };
}

function postFrom(row: Row): Post {
  const { at_channel: channelId, ts, digest, refused_since: refusedSince } = row;
  return {
    mark: String(row.mark),
    subject: String(row.subject),
    wanted: Number(row.wanted),
    since: Number(row.since),
    attempts: Number(row.attempts) - 1,
    lost: Number(row.lost),
    tries: Number(row.tries),
    ...(typeof channelId === 'string' && typeof ts === 'string' && { place: { channelId, ts } }),
    ...(typeof digest === 'string' && { digest }),
    ...(refusedSince != null && { refusedSince: Number(refusedSince) }),
  };
}
