import type {
  Approval,
  ApprovalResult,
  NewBulkSend,
  NewRecipient,
  SealedSend,
  SendStore,
} from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { CAME_TO_NOTHING } from '../../sends/states.ts';
import { alertColumn, jsonColumn, sendFrom } from '../rows.ts';
import { type Database, type Runner, statement } from './database.ts';
import { findByRequestKey } from './read-methods.ts';

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

const begin = statement(
  'begin',
  `WITH send AS (INSERT INTO sends (id, kind, message, team_id, user_id, channel_id, state, recipient_count, created_at,
       request_key, audience, start_at, retry_of, retry_group, owner, alert, approval_over, template)
     VALUES ($1, $2, $3, $4, $5, $6, 'draft', 0, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     ON CONFLICT (request_key) DO NOTHING RETURNING *),
   requested AS (INSERT INTO send_events (send_id, at, actor, action) SELECT id, $7, $5, 'requested' FROM send)
   SELECT * FROM send`,
);

const retriesOf = statement(
  'retries_of',
  'SELECT * FROM sends WHERE retry_of = $1 AND state <> ALL ($2::text[]) ORDER BY created_at, id',
);

const addRecipients = statement(
  'add_recipients',
  `WITH draft AS (SELECT id FROM sends WHERE id = $1 AND state = 'draft' FOR NO KEY UPDATE),
   added AS (INSERT INTO recipients (send_id, row, number, cells, failure, state)
     SELECT draft.id, row, number, cells, failure, CASE WHEN failure IS NULL THEN 'pending' ELSE 'skipped' END
     FROM draft, unnest($2::int[], $3::text[], $4::text[], $5::text[]) AS given (row, number, cells, failure)
     RETURNING send_id, failure),
   noted AS (INSERT INTO send_failures (send_id, state, failure, count)
     SELECT send_id, 'skipped', failure, count(*) FROM added WHERE failure IS NOT NULL GROUP BY send_id, failure
     ON CONFLICT (send_id, state, md5(failure)) DO UPDATE SET count = send_failures.count + excluded.count)
   UPDATE sends SET recipient_count = recipient_count + counts.added, pending = pending + counts.added - counts.skipped,
     skipped = sends.skipped + counts.skipped
   FROM (SELECT count(*) AS added, count(failure) AS skipped FROM added) counts
   WHERE id = (SELECT id FROM draft) RETURNING id`,
);

const seal = statement(
  'seal',
  `WITH sealed AS (UPDATE sends SET state = $2, digest = $3, approvals_needed = $4, expires_at = $5, survey = $8
     WHERE id = $1 AND state = 'draft' RETURNING id),
   recorded AS (INSERT INTO send_events (send_id, at, actor, action) SELECT id, $6, $7, $2 FROM sealed)
   SELECT id FROM sealed`,
);

const askForMore = statement(
  'ask_for_more',
  `WITH asked AS (UPDATE sends SET state = 'awaiting_approval', expires_at = $4, reason = $5, resume_at = NULL,
       approvals_needed = greatest(approvals_needed, $3)
     WHERE id = $1 AND state = $2 AND (state <> 'awaiting_approval' OR approvals_needed < $3) RETURNING id),
   recorded AS (INSERT INTO send_events (send_id, at, actor, action, reason)
     SELECT id, $6, $7, 'awaiting_approval', $5 FROM asked)
   SELECT id FROM asked`,
);

/** Nobody else changes the send until the transaction ends, and what is read next is what they have written. */
export const lockSend = statement('lock_send', 'SELECT * FROM sends WHERE id = $1 FOR NO KEY UPDATE');
const insertApproval = statement(
  'insert_approval',
  `INSERT INTO approvals (send_id, user_id, digest, at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (send_id, user_id) DO UPDATE SET digest = excluded.digest, at = excluded.at
   WHERE approvals.digest <> excluded.digest RETURNING user_id`,
);
const approvalsOf = statement(
  'approvals_of',
  `SELECT user_id AS "userId", at FROM approvals WHERE send_id = $1 AND digest = $2 ORDER BY at, user_id`,
);
const currentApprovals = statement(
  'current_approvals',
  `SELECT approvals.user_id AS "userId", at FROM sends JOIN approvals ON send_id = sends.id AND approvals.digest = sends.digest
   WHERE sends.id = $1 ORDER BY at, approvals.user_id`,
);
const recordApproval = statement(
  'record_approval',
  `INSERT INTO send_events (send_id, at, actor, action) VALUES ($1, $2, $3, $4)`,
);
const markApproved = statement(
  'mark_approved',
  `UPDATE sends SET state = 'approved', reason = NULL, resume_at = NULL WHERE id = $1 AND state = 'awaiting_approval'`,
);
const setApprovalCard = statement(
  'set_approval_card',
  'UPDATE sends SET card_channel = $2, card_ts = $3 WHERE id = $1',
);

/** What is written of a bulk send before it starts. */
export function bulkMethods(database: Database, replica: () => string | undefined): BulkMethods {
  async function insert(runner: Runner, send: NewBulkSend) {
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
    const [inserted] = await runner.run(begin, [
      id,
      kind,
      JSON.stringify(message),
      origin.teamId,
      origin.userId,
      origin.channelId,
      createdAt,
      requestKey,
      JSON.stringify(audience),
      startAt ?? null,
      retryOf ?? null,
      retryGroup ?? null,
      replica() ?? null,
      alertColumn(origin),
      send.approvalOver ?? null,
      jsonColumn(template),
    ]);
    if (inserted !== undefined) return { send: sendFrom(inserted), created: true };
    const [earlier] = await runner.run(findByRequestKey, [requestKey]);
    return { send: sendFrom(earlier), created: false };
  }

  /** Whoever else would try recipients of the same send again waits until this is decided. */
  async function insertRetry(runner: Runner, send: NewBulkSend, retryOf: string) {
    await runner.run(lockSend, [retryOf]);
    const others = await retries(runner, retryOf);
    const other = others.find(({ retryGroup }) => retryGroup === send.retryGroup);
    return other === undefined ? insert(runner, send) : { send: other, created: false };
  }

  async function add(sendId: string, recipients: readonly NewRecipient[]): Promise<void> {
    const added = await database.run(addRecipients, [
      sendId,
      recipients.map(({ row }) => row),
      recipients.map(({ number }) => number),
      recipients.map(({ values }) => JSON.stringify(values)),
      recipients.map(({ skipped }) => (skipped === undefined ? null : JSON.stringify(skipped))),
    ]);
    if (added.length === 0) throw new Error('Recipients are added to drafts only.');
  }

  async function sealDraft(asked: SealedSend): Promise<boolean> {
    const { sendId, digest, survey, to, approval, at, actor } = asked;
    const { needed = null, expiresAt = null } = approval ?? {};
    const sealed = await database.run(seal, [
      ...[sendId, to, digest, needed, expiresAt, at, actor],
      jsonColumn(survey),
    ]);
    return sealed.length === 1;
  }

  return {
    begin: (send) => {
      const { retryOf } = send;
      if (retryOf === undefined) return insert(database, send);
      return database.transaction((runner) => insertRetry(runner, send, retryOf));
    },
    retriesOf: (sendId) => retries(database, sendId),
    addRecipients: add,
    seal: sealDraft,
    askForMore: async ({ sendId, from, needed, expiresAt, at, actor, reason }) => {
      const why = JSON.stringify(reason);
      const asked = await database.run(askForMore, [sendId, from, needed, expiresAt, why, at, actor]);
      return asked.length === 1;
    },
    approve: (approval) => database.transaction((runner) => approve(runner, approval)),
    approvals: (sendId) => database.run<Approval>(currentApprovals, [sendId]),
    setApprovalCard: async (sendId, { channelId, ts }) => {
      await database.run(setApprovalCard, [sendId, channelId, ts]);
    },
  };
}

async function retries(runner: Runner, sendId: string): Promise<readonly Send[]> {
  return (await runner.run(retriesOf, [sendId, CAME_TO_NOTHING])).map(sendFrom);
}

/** Decided while nobody else can change the send. */
async function approve(
  runner: Runner,
  { sendId, userId, digest, at }: Parameters<SendStore['approve']>[0],
): Promise<ApprovalResult> {
  const [columns] = await runner.run(lockSend, [sendId]);
  if (columns === undefined) throw new Error(`There is no send ${sendId} to approve.`);
  const send = sendFrom(columns);
  if (send.state !== 'awaiting_approval' || send.digest !== digest) return { state: 'too_late', send };
  const recorded = await runner.run(insertApproval, [sendId, userId, digest, at]);
  const all = await runner.run<Approval>(approvalsOf, [sendId, digest]);
  if (recorded.length === 0) return { state: 'repeated', approvals: all };
  await runner.run(recordApproval, [sendId, at, userId, 'approved_by']);
  const complete = all.length >= (send.approval?.needed ?? 1);
  if (complete) {
    await runner.run(markApproved, [sendId]);
    await runner.run(recordApproval, [sendId, at, userId, 'approved']);
  }
  return { state: 'recorded', approvals: all, complete };
}
