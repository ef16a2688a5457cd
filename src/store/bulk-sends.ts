import type { ApprovalResult, BulkStore, MoreApprovals, SealedSend } from '../sends/ports.ts';
import { insertSend, isBeyond } from './new-send.ts';
import { wantPostsOf, wantReminder } from './post-store.ts';
import { jsonColumn, sendFrom } from './rows.ts';
import { approvalsOf } from './send-reads.ts';
import { IS_AS_SEEN, LOCK_SEND, record } from './send-statements.ts';
import type { Database, OwnerColumn, Runner } from './sql.ts';

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
export function bulkSends(database: Database, owner: OwnerColumn): Omit<BulkStore, 'addRecipients'> {
  return {
    begin: (send) => database.transaction((runner) => insertSend(runner, send, owner)),
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
