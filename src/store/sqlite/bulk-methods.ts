import type {
  Approval,
  ApprovalResult,
  MoreApprovals,
  NewBulkSend,
  NewRecipient,
  SealedSend,
  SendStore,
} from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { CAME_TO_NOTHING } from '../../sends/states.ts';
import { alertColumn, jsonColumn, sendFrom } from '../rows.ts';
import type { Statements } from './statements.ts';
import { createTally } from './tally.ts';
import type { Transaction } from './transaction.ts';

type BulkMethods = Pick<
  SendStore,
  | 'begin'
  | 'retriesOf'
  | 'addRecipients'
  | 'seal'
  | 'askForMore'
  | 'approve'
  | 'approvals'
  | 'setApprovalCard'
>;

/** What is written of a bulk send before it starts. */
export function bulkMethods(sql: Statements, transaction: Transaction): BulkMethods {
  function begin(send: NewBulkSend) {
    const {
      id,
      kind,
      message,
      template,
      origin,
      createdAt,
      requestKey,
      audience,
      startAt,
      retryOf,
      retryGroup,
    } = send;
    const other =
      retryOf === undefined ? undefined : retriesOf(retryOf).find((one) => one.retryGroup === retryGroup);
    if (other !== undefined) return { send: other, created: false };
    const inserted = sql.insertSend.run(
      id,
      kind,
      JSON.stringify(message),
      origin.teamId,
      origin.userId,
      origin.channelId,
      'draft',
      0,
      0,
      createdAt,
      requestKey,
      JSON.stringify(audience),
      send.approvalOver ?? null,
      startAt ?? null,
      retryOf ?? null,
      retryGroup ?? null,
      alertColumn(origin),
      jsonColumn(template),
    );
    if (inserted.changes === 0)
      return { send: sendFrom(sql.findByRequestKey.get(requestKey)), created: false };
    sql.insertEvent.run(id, createdAt, origin.userId, 'requested', null);
    return { send: sendFrom(sql.findSend.get(id)), created: true };
  }

  function retriesOf(sendId: string): readonly Send[] {
    return sql.retriesOf.all(sendId, JSON.stringify(CAME_TO_NOTHING)).map(sendFrom);
  }

  function addRecipients(sendId: string, recipients: readonly NewRecipient[]): void {
    if (sql.findSend.get(sendId)?.state !== 'draft') throw new Error('Recipients are added to drafts only.');
    const tally = createTally(sql);
    for (const { row, number, values, skipped } of recipients) {
      const why = skipped === undefined ? null : JSON.stringify(skipped);
      const state = skipped === undefined ? 'pending' : 'skipped';
      sql.insertRecipient.run(sendId, row, number, state, JSON.stringify(values), why, null);
      tally.move(sendId, undefined, state, why ?? undefined);
    }
    tally.write();
    sql.growSend.run(recipients.length, sendId);
  }

  function seal({ sendId, digest, survey, to, approval, at, actor }: SealedSend): boolean {
    const sealed = sql.sealSend.run(
      to,
      digest,
      approval?.needed ?? null,
      approval?.expiresAt ?? null,
      jsonColumn(survey),
      sendId,
    );
    if (sealed.changes === 0) return false;
    sql.insertEvent.run(sendId, at, actor, to, null);
    return true;
  }

  function askForMore({ sendId, from, needed, expiresAt, at, actor, reason }: MoreApprovals): boolean {
    const why = JSON.stringify(reason);
    if (sql.askForMore.run(sendId, from, needed, expiresAt, why).changes === 0) return false;
    sql.insertEvent.run(sendId, at, actor, 'awaiting_approval', why);
    return true;
  }

  function approvals(sendId: string, digest: string): readonly Approval[] {
    return sql.approvals
      .all(sendId, digest)
      .map((row) => ({ userId: String(row.user_id), at: Number(row.at) }));
  }

  function approve({ sendId, userId, digest, at }: Parameters<SendStore['approve']>[0]): ApprovalResult {
    const columns = sql.findSend.get(sendId);
    if (columns === undefined) throw new Error(`There is no send ${sendId} to approve.`);
    const send = sendFrom(columns);
    if (send.state !== 'awaiting_approval' || send.digest !== digest) return { state: 'too_late', send };
    const recorded = sql.insertApproval.run(sendId, userId, digest, at).changes === 1;
    const all = approvals(sendId, digest);
    if (!recorded) return { state: 'repeated', approvals: all };
    sql.insertEvent.run(sendId, at, userId, 'approved_by', null);
    const complete = all.length >= (send.approval?.needed ?? 1);
    if (complete) {
      sql.moveSend.run('approved', sendId, 'awaiting_approval', null, null);
      sql.insertEvent.run(sendId, at, userId, 'approved', null);
    }
    return { state: 'recorded', approvals: all, complete };
  }

  return {
    begin: (send) => transaction(() => begin(send)),
    retriesOf: async (sendId) => retriesOf(sendId),
    addRecipients: (sendId, recipients) => transaction(() => addRecipients(sendId, recipients)),
    seal: (sealed) => transaction(() => seal(sealed)),
    askForMore: (asked) => transaction(() => askForMore(asked)),
    approve: (approval) => transaction(() => approve(approval)),
    approvals: async (sendId) => {
      const digest = sql.findSend.get(sendId)?.digest;
      return typeof digest === 'string' ? approvals(sendId, digest) : [];
    },
    setApprovalCard: (sendId, { channelId, ts }) =>
      transaction(() => {
        sql.setApprovalCard.run(channelId, ts, sendId);
      }),
  };
}
