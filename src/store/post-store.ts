import {
  kindOfMark,
  LINKED_POSTS,
  MOST_ANSWERS,
  NEWS_ACTIONS,
  POSTS_OF_ALERT,
  POSTS_OF_SEND,
  type Post,
  type PostKind,
  type PostStore,
  SLOW_AFTER_MS,
} from '../sends/posts.ts';
import type { NewCustomerEvent } from '../sends/replies/ports.ts';
import type { SendEvent } from '../sends/send.ts';
import { alone, type Database, type Row, type Runner, type Sql, sql, valueFrom, write } from './sql.ts';

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

/** Wants the post that says what was recorded last. */
export async function wantNews(
  runner: Runner,
  recorded: Pick<SendEvent, 'sendId' | 'action' | 'at'>,
): Promise<void> {
  if (NEWS_ACTIONS.has(recorded.action)) await runner.change(WANT_NEWS, recorded);
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
/**
 * News is shown in order, one line of a send at a time; and after its progress, where that can be shown now. What
 * customers answer, too: while some of it waits for Slack, what comes is gathered in the post behind it.
 */
const IN_TURN = sql`(mark NOT LIKE 'news:%' OR NOT EXISTS (SELECT 1 FROM posts AS earlier
    WHERE earlier.subject = posts.subject AND earlier.wanted > earlier.shown
      AND CASE WHEN earlier.mark LIKE 'news:%' THEN earlier.since < posts.since
        ELSE earlier.mark = 'progress:' || posts.subject AND earlier.due_at <= ${NOW}
          AND (earlier.ts IS NULL OR earlier.noted_at + earlier.rest_ms <= ${NOW}) END))
  AND (mark NOT LIKE 'reply:%' OR NOT EXISTS (SELECT 1 FROM posts AS earlier WHERE earlier.subject = posts.subject
    AND earlier.wanted > earlier.shown AND earlier.mark >= 'reply:' AND earlier.mark < posts.mark))`;
const DUE = sql`SELECT mark FROM posts WHERE wanted > shown AND ${IN_TURN}
    AND (due_at <= ${NOW} + :early OR due_at > ${NOW} + ${String(LONGEST_WAIT_MS)})
    AND (noted_at + rest_ms <= ${NOW} OR noted_at > ${NOW}) AND channel_id NOT IN (:restingChannels...) AND mark NOT IN (:inFlight...) AND CASE WHEN ts IS NULL THEN 'post' ELSE 'update' END = :how
  ORDER BY noted_at, due_at, since, mark LIMIT :limit`;
/**
 * A post whose process died is due again at once, and after another such end ever later. So it cannot keep a Herald that it
 * ends from everything else; and where Herald is ended for another reason, a few restarts in a row set nothing aside.
 */
const REST_UNTIL_ENDED = sql`noted_at = CASE attempts WHEN 0 THEN noted_at ELSE ${NOW} END,
    rest_ms = CASE attempts WHEN 0 THEN rest_ms WHEN 1 THEN 1000 WHEN 2 THEN 4000 ELSE 16000 END`;
/** What somebody else has locked may be changed right now: it waits for the next look, and nobody waits for the other. */
const CLAIM = sql`UPDATE posts SET attempts = attempts + 1, ${REST_UNTIL_ENDED} WHERE mark IN (SELECT mark FROM posts WHERE mark IN (:marks...)
  FOR UPDATE SKIP LOCKED) RETURNING ${COLUMNS}`;
/** Unless it is wanted already. */
const AGAIN = 'CAST(:againAfterMs AS BIGINT) IS NOT NULL AND wanted = :shown';
/** Whoever wants all posts of a subject locks them in this order, too, or each would wait for what the other has. */
const IN_ORDER = alone(`SELECT mark FROM posts WHERE subject = (SELECT subject FROM posts WHERE mark = :mark)
  ORDER BY mark FOR UPDATE`);
/** What links to a post, or shows what was given, is to be shown anew once it stands somewhere. */
const WANT_LINKED = WISHES(
  'sends',
  '0',
  `sends.audience IS NOT NULL AND kinds.kind || ':' || sends.id <> :mark AND sends.id = (SELECT subject FROM posts
    WHERE mark = :mark AND CASE WHEN CAST(:ts AS TEXT) IS NULL THEN digest IS DISTINCT FROM CAST(:digest AS TEXT)
      ELSE ts IS DISTINCT FROM CAST(:ts AS TEXT) END)`,
);
const NOTE = sql`UPDATE posts SET shown = coalesce(:shown, shown), at_channel = coalesce(:channelId, at_channel),
    ts = coalesce(:ts, ts), thread_ts = coalesce(:threadTs, thread_ts), digest = coalesce(:digest, digest), noted_at = ${NOW}, rest_ms = :restMs,
    wanted = CASE WHEN ${AGAIN} THEN wanted + 1 ELSE wanted END,
    due_at = CASE WHEN ${AGAIN} THEN ${NOW} + CAST(:againAfterMs AS BIGINT) ELSE due_at END,
    attempts = :attempts, lost = :lost, tries = :tries, refused_since = :refusedSince
  WHERE mark = :mark`;
/** What is noted where a result does not say it. */
const UNSAID = {
  ...{ shown: undefined, threadTs: undefined, digest: undefined, refusedSince: undefined },
  ...{ againAfterMs: undefined, attempts: 0, lost: 0, tries: 0 },
};
const WAITING = 'SELECT count(*) AS count, min(since) AS since FROM posts WHERE wanted > shown';

export function createPostStore(database: Database): PostStore {
  return {
    claim: async (claim) => {
      const due = await database.run<{ mark: string }>(DUE, { early: 0, ...claim });
      if (due.length === 0) return [];
      const marks = due.map(({ mark }) => mark);
      const claimed = (await database.run(CLAIM, { marks, now: claim.now })).map(postFrom);
      return claimed.toSorted((one, other) => marks.indexOf(one.mark) - marks.indexOf(other.mark));
    },
    note: async (result, now) => {
      const { channelId, ts } = result.place ?? {};
      const noted = { ...UNSAID, ...result, channelId, ts, restMs: Math.ceil(result.restMs), now };
      if (result.digest === undefined || !LINKED_POSTS.has(kindOfMark(result.mark))) {
        await database.change(NOTE, noted);
        return;
      }
      await database.transaction(async (runner) => {
        await runner.run(IN_ORDER, noted);
        await runner.change(WANT_LINKED, noted);
        await runner.change(NOTE, noted);
      });
    },
    waiting: async () => {
      const [row = { count: 0 }] = await database.run(WAITING);
      return valueFrom(row);
    },
  };
}

function postFrom(row: Row): Post {
  const { atChannel: channelId, ts, attempts, ...post } = valueFrom<PostFields>(row);
  const place = channelId !== undefined && ts !== undefined && { place: { channelId, ts } };
  return { ...post, attempts: attempts - 1, ...place };
}

type PostFields = Omit<Post, 'place'> & { readonly atChannel?: string; readonly ts?: string };

/*
 * Which post shows an answer: the newest of its send that nobody has begun to place, as far as that has room, or else a new
 * one. A post that is locked is being claimed: it is left alone, and what joins one keeps it from being claimed until it has.
 */

const TO_BE_PLACED = `SELECT mark, (SELECT count(*) FROM customer_events WHERE post = posts.mark) AS held FROM posts
  WHERE subject = :subject AND mark LIKE :marks AND wanted > shown AND attempts = 0 AND lost = 0 AND tries = 0
  ORDER BY mark DESC LIMIT 1 FOR UPDATE SKIP LOCKED`;
const BEGIN = `INSERT INTO posts (mark, subject, channel_id, since, wanted, due_at)
  SELECT :mark, :subject, coalesce((SELECT channel_id FROM sends WHERE id = :subject), ''), received_at, 1, 0
  FROM webhooks WHERE id = :webhookId`;
const SHOW_IN = 'UPDATE customer_events SET post = :mark WHERE id IN (:ids...)';

/** Marks of later answers come later in their order. */
const ID_DIGITS = 16;

export interface AddedAnswer extends Pick<NewCustomerEvent, 'sendId' | 'event'> {
  readonly id: number;
  readonly webhookId: number;
}

/** To be called in the transaction that adds them, one at a time over all replicas. */
export async function wantAnswers(runner: Runner, added: readonly AddedAnswer[]): Promise<void> {
  const groups = Map.groupBy(added, (one) => `${kindOf(one)}:${one.sendId}`);
  for (const group of groups.values()) await wantAlike(runner, group);
}

/** @param answers of one kind, to one send or to none */
async function wantAlike(runner: Runner, answers: readonly AddedAnswer[]): Promise<void> {
  const [first] = answers;
  if (first === undefined) return;
  const { sendId: subject = '' } = first;
  const kind = kindOf(first);
  const most = MOST_ANSWERS[kind];
  const [open] = await runner.run(TO_BE_PLACED, { subject, marks: `reply:%:${kind}` });
  const room = open === undefined ? 0 : Math.max(0, most - Number(open.held));
  if (room > 0) await showIn(runner, String(open?.mark), answers.slice(0, room));
  for (let at = room; at < answers.length; at += most) {
    const some = answers.slice(at, at + most);
    const { id, webhookId } = some[0] ?? first;
    const mark = `reply:${String(id).padStart(ID_DIGITS, '0')}:${kind}`;
    await runner.change(BEGIN, { mark, subject, webhookId });
    await showIn(runner, mark, some);
  }
}

function showIn(runner: Runner, mark: string, answers: readonly AddedAnswer[]): Promise<void> {
  return write(runner, SHOW_IN, { mark, ids: answers.map(({ id }) => id) });
}

/** One message holds one table: addresses stand by themselves. */
function kindOf({ event }: AddedAnswer): keyof typeof MOST_ANSWERS {
  return event.kind === 'address' ? 'address' : 'words';
}
