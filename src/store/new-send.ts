import type { NewBulkSend, NewSend } from '../sends/ports.ts';
import type { Send } from '../sends/send.ts';
import type { UnaskedLimit } from '../sends/singles.ts';
import { wantPostsOf } from './post-store.ts';
import { jsonColumn, SEND_COLUMNS, sendFrom } from './rows.ts';
import { retriesOf } from './send-reads.ts';
import { LOCK_SEND, record } from './send-statements.ts';
import { alone, insertInto, type OwnerColumn, type Runner } from './sql.ts';

const LOCK_PERSON = alone('SELECT pg_advisory_xact_lock(hashtextextended(:userId, 1))');
const UNASKED = `SELECT sum(recipient_count - skipped) AS count FROM sends WHERE user_id = :userId
  AND created_at >= :since AND approvals_needed IS NULL AND alert IS NULL AND state NOT IN ('draft', 'cancelled')`;

interface Inserted {
  readonly send: Send;
  readonly created: boolean;
}

/**
 * Stores a send and the line that it was asked for, unless its request was seen before, the same recipients are tried
 * again already, or it goes beyond its limit.
 */
export async function insertSend(runner: Runner, send: NewBulkSend, owner: OwnerColumn): Promise<Inserted>;
export async function insertSend(
  runner: Runner,
  send: NewSend,
  owner: OwnerColumn,
): Promise<Inserted | undefined>;
export async function insertSend(runner: Runner, send: NewSend | NewBulkSend, owner: OwnerColumn) {
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
  // Of a draft there is nothing to show.
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
function sendColumns(send: NewSend | NewBulkSend) {
  const { origin, state, recipients, ...bulk } = { state: 'draft', recipients: [], ...send } as NewSend &
    NewBulkSend;
  return {
    id: bulk.id,
    kind: bulk.kind,
    message: JSON.stringify(bulk.message),
    team_id: origin.teamId,
    user_id: origin.userId,
    channel_id: origin.channelId,
    thread_ts: origin.threadTs,
    state,
    recipient_count: recipients.length,
    pending: recipients.length,
    created_at: bulk.createdAt,
    request_key: bulk.requestKey,
    audience: jsonColumn(bulk.audience),
    approval_over: bulk.approvalOver,
    start_at: bulk.startAt,
    retry_of: bulk.retryOf,
    retry_group: bulk.retryGroup,
    alert: jsonColumn(origin.alert),
    template: jsonColumn(bulk.template),
  };
}

/** True when the limit has no room; whoever else is held to the same person's waits until the transaction ends. */
export async function isBeyond(runner: Runner, limit: UnaskedLimit | undefined): Promise<boolean> {
  if (limit === undefined) return false;
  await runner.run(LOCK_PERSON, limit);
  const [row] = await runner.run<{ count: number | null }>(UNASKED, limit);
  return Number(row?.count ?? 0) + limit.more > limit.most;
}
