import type { Pseudonym } from '../messages/numbers/pseudonym.ts';
import type { UnaskedLimit } from '../sends/bulk/policy.ts';
import { whichOf } from '../sends/bulk/repeats.ts';
import type { Got } from '../sends/outcome.ts';
import type {
  ApprovalResult,
  BulkStore,
  MoreApprovals,
  NewBulkSend,
  NewSend,
  OwnershipStore,
  SealedSend,
  SendStore,
  SendTransition,
  Stored,
} from '../sends/ports.ts';
import { mayMove } from '../sends/states.ts';
import { wantPostsOf, wantReminder } from './post-store.ts';
import { JSON_FIELDS, jsonColumn, SEND_COLUMNS, sendFrom } from './rows.ts';
import { approvalsOf, createReadings, gotSince, retriesOf, sendReads } from './send-reads.ts';
import {
  FIND_SEND,
  FINISH_SEND,
  FIRST_PENDING,
  HERALD,
  type HotPath,
  IS_AS_SEEN,
  LOCK_SEND,
  leavingOut,
  PREPARE_BESIDE,
  record,
} from './send-statements.ts';
import {
  alone,
  columnsFrom,
  type Database,
  insertInto,
  type OwnerColumn,
  type Row,
  type Runner,
  write,
} from './sql.ts';

const SEAL = `UPDATE sends SET state = :to, digest = :digest, approvals_needed = :needed, expires_at = :expiresAt,
    survey = :survey, reason = :reason
  WHERE id = :sendId AND state = 'draft'`;
const ASK_FOR_MORE = `UPDATE sends SET state = 'awaiting_approval', expires_at = :expiresAt, reason = :reason,
    resume_at = NULL, approvals_needed = greatest(coalesce(approvals_needed, 0), :needed)
  WHERE id = :sendId AND ${IS_AS_SEEN} AND (state <> 'awaiting_approval' OR approvals_needed < :needed)`;
const APPROVE = `INSERT INTO approvals (send_id, user_id, digest, at) VALUES (:sendId, :userId, :digest, :at)
  ON CONFLICT (send_id, user_id) DO UPDATE SET digest = excluded.digest, at = excluded.at
  WHERE approvals.digest <> excluded.digest`;
const MARK_APPROVED = `UPDATE sends SET state = 'approved', reason = NULL, resume_at = NULL
  WHERE id = :sendId AND state = 'awaiting_approval'`;

/** What is written of a bulk send before it starts, but for its recipients. */
function bulkSends(database: Database, owner: OwnerColumn): Omit<BulkStore, 'addRecipients'> {
  return {
    begin: (send) =>
      database.transaction(async (runner) => {
        await runner.run(PREPARE_BESIDE);
        return insertSend(runner, send, owner);
      }),
    seal: (sealed) => database.transaction((runner) => seal(runner, sealed)),
    askForMore: (asked) => database.transaction((runner) => askForMore(runner, asked)),
    approve: (approval) => database.transaction((runner) => approve(runner, approval)),
    showAgain: (sendId) => wantPostsOf(database, sendId),
  };
}

async function seal(runner: Runner, { approval, survey, limit, ...given }: SealedSend): Promise<boolean> {
  if (await isBeyond(runner, limit)) return false;
  const { needed, expiresAt } = approval ?? { needed: null, expiresAt: null };
  const sealed = { ...given, reason: jsonColumn(given.reason) };
  const changed = await runner.change(SEAL, { ...sealed, needed, expiresAt, survey: jsonColumn(survey) });
  if (changed === 0) return false;
  await record(runner, { ...sealed, action: sealed.to });
  await wantPostsOf(runner, sealed.sendId, sealed.at);
  return true;
}

async function askForMore(runner: Runner, asked: MoreApprovals): Promise<boolean> {
  const reason = JSON.stringify(asked.reason);
  const { activeAt } = asked;
  if ((await runner.change(ASK_FOR_MORE, { ...asked, activeAt, reason })) === 0) return false;
  await record(runner, { ...asked, action: 'awaiting_approval', reason });
  await wantPostsOf(runner, asked.sendId);
  // Slack notifies nobody of a card that is updated in place.
  await wantReminder(runner, asked.sendId, asked.at);
  return true;
}

/** Decided while nobody else can change the send. */
async function approve(
  runner: Runner,
  { reason, ...approval }: Parameters<BulkStore['approve']>[0],
): Promise<ApprovalResult> {
  const { sendId, userId: actor, digest, at } = approval;
  const [columns] = await runner.run(LOCK_SEND, { sendId });
  if (columns === undefined) throw new Error(`There is no send ${sendId} to approve.`);
  const send = sendFrom(columns);
  if (send.state !== 'awaiting_approval' || send.digest !== digest) return { state: 'too_late', send };
  const isNew = (await runner.change(APPROVE, approval)) === 1;
  const approvals = await approvalsOf(runner, sendId);
  if (!isNew) return { state: 'repeated', approvals };
  await record(runner, { sendId, at, actor, action: 'approved_by', reason: jsonColumn(reason) });
  const complete = approvals.length >= (send.approval?.needed ?? 1);
  if (complete) {
    await runner.change(MARK_APPROVED, { sendId });
    await record(runner, { sendId, at, actor, action: 'approved' });
  }
  await wantPostsOf(runner, sendId, at);
  return { state: 'recorded', approvals, complete };
}

const LOCK_PERSON = alone('SELECT pg_advisory_xact_lock(hashtextextended(:userId, 1))');
const UNASKED = `SELECT sum(recipient_count - skipped) AS count FROM sends WHERE user_id = :userId
  AND created_at >= :since AND approvals_needed IS NULL AND alert IS NULL AND state NOT IN ('draft', 'cancelled')`;

type Inserted = Pick<Stored, 'send' | 'created'>;

/**
 * Stores a send and the line that it was asked for, unless its request was seen before, the same recipients are tried
 * again already, or it goes beyond its limit.
 */
async function insertSend(runner: Runner, send: NewBulkSend, owner: OwnerColumn): Promise<Inserted>;
async function insertSend(runner: Runner, send: NewSend, owner: OwnerColumn): Promise<Inserted | undefined>;
async function insertSend(runner: Runner, send: NewSend | NewBulkSend, owner: OwnerColumn) {
  const { id: sendId, requestKey, createdAt: at, origin } = send;
  // First, as wherever this lock is taken: so no two wait for each other.
  const mayInsert = !(await isBeyond(runner, send.limit));
  const other = await otherRetry(runner, send);
  if (other !== undefined) return { send: other, created: false };
  const columns = { ...sendColumns(send), ...owner() };
  const insert = `${insertInto('sends', columns)} ON CONFLICT (request_key) DO NOTHING RETURNING ${SEND_COLUMNS}`;
  const [inserted] = mayInsert ? await runner.run(insert, columns) : [];
  if (inserted === undefined) {
    const [earlier] = await runner.run(`SELECT ${SEND_COLUMNS} FROM sends WHERE request_key = :requestKey`, {
      requestKey,
    });
    return earlier && { send: sendFrom(earlier), created: false };
  }
  await record(runner, { sendId, at, actor: origin.userId, action: 'requested' });
  // A draft has nothing to show.
  if ('recipients' in send) await wantPostsOf(runner, sendId, at);
  return { send: sendFrom(inserted), created: true };
}

/** Whoever else would try the same recipients again waits until this is decided. */
async function otherRetry(runner: Runner, { retryOf, retryGroup }: NewSend | NewBulkSend) {
  if (retryOf === undefined) return undefined;
  await runner.run(LOCK_SEND, { sendId: retryOf });
  const others = await retriesOf(runner, retryOf);
  return others.find((one) => one.retryGroup === retryGroup);
}

/** A new send as its columns; its recipients, if it has them already, are pending. */
function sendColumns(send: NewSend | NewBulkSend): Row {
  const given = { state: 'draft', recipients: [], ...send } as NewSend & NewBulkSend;
  const { origin, recipients, limit: _limit, unlessGot: _got, reading: _reading, ...own } = given;
  const counted = { recipientCount: recipients.length, pending: recipients.length };
  return columnsFrom({ ...own, ...origin, ...counted }, [...JSON_FIELDS, 'alert']);
}

/** True when the limit has no room; whoever else is held to the same person's waits until the transaction ends. */
async function isBeyond(runner: Runner, limit: UnaskedLimit | undefined): Promise<boolean> {
  if (limit === undefined) return false;
  await runner.run(LOCK_PERSON, limit);
  const [row] = await runner.run<{ count: number | null }>(UNASKED, limit);
  return Number(row?.count ?? 0) + limit.more > limit.most;
}

const LOCK_READING = alone('SELECT pg_advisory_xact_lock(hashtextextended(:reading, 2))');
// Resuming begins at the first recipient that is left, because a released one may stand before the last claim.
const MOVE = `UPDATE sends SET state = :to, reason = :reason, resume_at = :resumeAt,
    next_row = CASE WHEN :to <> 'sending' THEN next_row ELSE ${FIRST_PENDING} END,
    active_at = CASE WHEN :to <> 'sending' THEN active_at ELSE :at END
  WHERE id = :sendId AND ${IS_AS_SEEN}`;
const RECORDED = `SELECT id FROM send_events WHERE send_id = :sendId AND action = :action
  AND (CAST(:reason AS TEXT) IS NULL OR (actor = :actor AND reason = :reason)) LIMIT 1`;

/** A table of one row, which changes only with the rules of alerts. SQLite writes nothing where a value stays as it is. */
const THERE_AND_BACK = [1, -1].map((step) => `UPDATE alert_version SET version = version + ${step}`);

/** What each database does in its own way. */
type Particulars = HotPath & OwnershipStore & Pick<SendStore, 'close'>;

export function createSendStore(
  database: Database,
  { settleIn, ...particulars }: Particulars,
  owner: OwnerColumn,
  pseudonym?: Pseudonym,
): SendStore {
  const readingOf = createReadings(pseudonym);

  async function create(runner: Runner, send: NewSend): ReturnType<SendStore['create']> {
    const rows = send.recipients.map(({ number }, row) => {
      const reading = readingOf({ number, reading: send.reading });
      return { send_id: send.id, row, number, state: 'pending', reading };
    });
    const again = await gotAgain(runner, send, rows[0]?.reading ?? null);
    if (again !== undefined) return again;
    const inserted = await insertSend(runner, send, owner);
    for (const row of inserted?.created ? rows : []) await runner.change(insertInto('recipients', row), row);
    return inserted;
  }

  /** Whoever sends the recipient the same at the same moment waits until this one is stored. */
  async function gotAgain(runner: Runner, { requestKey, unlessGot }: NewSend, reading: string | null) {
    if (unlessGot === undefined || reading === null) return undefined;
    await runner.run(LOCK_READING, { reading });
    const when = ({ at = Number.POSITIVE_INFINITY }: Got) => at;
    const got = await gotSince(runner, [reading], unlessGot.since, { requestKey });
    const inOrder = got.toSorted((one, other) => when(one) - when(other));
    const [again, which] = [inOrder.at(-1), whichOf(got)];
    if (again === undefined || which === unlessGot.known) return undefined;
    const gotAt = inOrder.findLast(({ at }) => at !== undefined)?.at;
    const [columns] = await runner.run(FIND_SEND, again);
    return columns && { send: sendFrom(columns), created: false, again: { ...again, gotAt, which } };
  }

  async function move(runner: Runner, asked: SendTransition): Promise<boolean> {
    const { sendId, from, to, at, actor, resumeAt, activeAt } = asked;
    if (!mayMove(from, to)) throw new Error(`A send may not go from ${from} to ${to}.`);
    const reason = jsonColumn(asked.reason);
    // First, so that whom others release meanwhile is seen where claims are to begin.
    if (to === 'sending') await runner.run(LOCK_SEND, { sendId });
    const moved = await runner.change(MOVE, { sendId, from, to, at, reason, resumeAt, activeAt });
    if (moved === 0) return false;
    await record(runner, { sendId, at, actor, action: to, reason });
    // Nothing may be left of a send that is paused to the very end: then resuming it finishes it.
    if (to === 'sending' && (await runner.change(FINISH_SEND, { sendId })) === 1)
      await record(runner, { sendId, at, actor: HERALD, action: 'done' });
    await wantPostsOf(runner, sendId, at);
    return true;
  }

  return {
    ...sendReads(database, pseudonym),
    ...bulkSends(database, owner),
    ...particulars,
    tryWrite: () =>
      database.transaction(async (runner) => {
        for (const statement of THERE_AND_BACK) await runner.change(statement);
      }),
    ...leavingOut(database, settleIn, pseudonym),
    create: (send) => database.transaction((runner) => create(runner, send)),
    moveSend: (transition) => database.transaction((runner) => move(runner, transition)),
    recordOnce: (note) =>
      database.transaction(async (runner) => {
        const noted = { ...note, reason: jsonColumn(note.reason) };
        await runner.run(LOCK_SEND, noted);
        if ((await runner.run(RECORDED, noted)).length > 0) return false;
        await record(runner, noted);
        if (note.action === 'reminded') await wantReminder(runner, note.sendId, note.at);
        return true;
      }),
    markCanaryJudged: (sendId) =>
      write(database, 'UPDATE sends SET canary_judged = 1 WHERE id = :sendId', { sendId }),
  };
}
