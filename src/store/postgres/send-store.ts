import type { NewSend, SendStore, SendTransition } from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { mayMove } from '../../sends/states.ts';
import { HERALD } from '../actor.ts';
import type { DatabaseObserver } from '../observer.ts';
import { alertColumn, jsonColumn, sendFrom } from '../rows.ts';
import { bulkMethods, lockSend } from './bulk-methods.ts';
import { type Database, statement } from './database.ts';
import { dispatchMethods } from './dispatch-methods.ts';
import type { Membership } from './membership.ts';
import { restoredMethod } from './newest-copy.ts';
import { ownershipMethods } from './ownership-methods.ts';
import { findByRequestKey, readMethods } from './read-methods.ts';

/** Stores the send with its recipients, unless its request was seen before: then nothing is returned. */
const insertSend = statement(
  'insert_send',
  `WITH send AS (INSERT INTO sends (id, kind, message, team_id, user_id, channel_id, state, recipient_count, pending,
       created_at, request_key, owner, alert, template)
     VALUES ($1, $2, $3, $4, $5, $6, $7, cardinality($8::text[]), cardinality($8::text[]), $9, $10, $11, $12, $13)
     ON CONFLICT (request_key) DO NOTHING RETURNING *),
   people AS (INSERT INTO recipients (send_id, row, number, state)
     SELECT send.id, place - 1, number, 'pending' FROM send, unnest($8::text[]) WITH ORDINALITY AS given (number, place)),
   requested AS (INSERT INTO send_events (send_id, at, actor, action) SELECT id, $9, $5, 'requested' FROM send)
   SELECT * FROM send`,
);

// Resuming begins at the first recipient that is left, because a released one may stand before the last claim. Nothing
// may be left of a send that is paused to the very end: then resuming it finishes it.
const moveSend = statement(
  'move_send',
  `WITH moved AS (UPDATE sends SET reason = $6, resume_at = $8,
       state = CASE WHEN $3 = 'sending' AND pending = 0 AND attempting = 0 THEN 'done' ELSE $3 END,
       next_row = CASE WHEN $3 <> 'sending' THEN next_row ELSE coalesce(
         (SELECT row FROM recipients WHERE send_id = $1 AND state = 'pending' ORDER BY row LIMIT 1), next_row) END,
       active_at = CASE WHEN $3 = 'sending' THEN $4 ELSE active_at END
     WHERE id = $1 AND state = $2 RETURNING id, state),
   recorded AS (INSERT INTO send_events (send_id, at, actor, action, reason)
     SELECT id, $4, given.actor, given.action, given.reason FROM moved,
       (VALUES (1, $5, $3, $6), (2, $7, 'done', NULL)) AS given (place, actor, action, reason)
     WHERE place = 1 OR moved.state <> $3 ORDER BY place)
   SELECT id FROM moved`,
);

// The channel may already know a later revision: two announcements can end in either order.
const markAnnounced = statement(
  'mark_announced',
  `UPDATE sends SET announced_revision = greatest(announced_revision, $2),
     announcement_channel = coalesce($3, announcement_channel), announcement_ts = coalesce($4, announcement_ts)
   WHERE id = $1`,
);

const markTold = statement(
  'mark_told',
  `UPDATE sends SET causes_ts = coalesce($2, causes_ts), end_told = coalesce($3, end_told),
     hold_told = coalesce($4, hold_told) WHERE id = $1`,
);

const markCanaryJudged = statement('mark_canary_judged', 'UPDATE sends SET canary_judged = 1 WHERE id = $1');

const recordOnce = statement(
  'note_once',
  `INSERT INTO send_events (send_id, at, actor, action, reason) SELECT $1, $2, $3::text, $4::text, $5::text
   WHERE NOT EXISTS (SELECT FROM send_events WHERE send_id = $1 AND action = $4
     AND ($5 IS NULL OR (actor = $3 AND reason = $5))) RETURNING id`,
);

/** The `SendStore` on PostgreSQL, for one of any number of replicas; `close` gives up the lease and the connections. */
export function createPostgresSendStore(
  database: Database,
  membership: Membership,
  observer: DatabaseObserver,
): SendStore {
  async function insert(send: NewSend): Promise<{ send: Send; created: boolean }> {
    const { id, kind, message, template, origin, state, recipients, createdAt, requestKey } = send;
    const [inserted] = await database.run(insertSend, [
      id,
      kind,
      JSON.stringify(message),
      origin.teamId,
      origin.userId,
      origin.channelId,
      state,
      recipients.map(({ number }) => number),
      createdAt,
      requestKey,
      membership.id() ?? null,
      alertColumn(origin),
      jsonColumn(template),
    ]);
    if (inserted !== undefined) return { send: sendFrom(inserted), created: true };
    const [earlier] = await database.run(findByRequestKey, [requestKey]);
    return { send: sendFrom(earlier), created: false };
  }

  async function move({ sendId, from, to, at, actor, reason, resumeAt }: SendTransition): Promise<boolean> {
    if (!mayMove(from, to)) throw new Error(`A send may not go from ${from} to ${to}.`);
    const why = jsonColumn(reason);
    const moved = await database.run(moveSend, [sendId, from, to, at, actor, why, HERALD, resumeAt ?? null]);
    return moved.length === 1;
  }

  return {
    create: insert,
    moveSend: move,
    ...dispatchMethods(database, membership.id),
    ...ownershipMethods(database, membership.id, observer),
    ...bulkMethods(database, membership.id),
    ...readMethods(database),
    stopRestored: restoredMethod(database),
    markAnnounced: async (sendId, revision, announcement) => {
      const { channelId = null, ts = null } = announcement ?? {};
      await database.run(markAnnounced, [sendId, revision, channelId, ts]);
    },
    markThread: async (sendId, { causesTs = null, end = null, deferral = null }) => {
      await database.run(markTold, [sendId, causesTs, end, deferral]);
    },
    markCanaryJudged: async (sendId) => {
      await database.run(markCanaryJudged, [sendId]);
    },
    recordOnce: ({ sendId, action, at, actor, reason }) =>
      database.transaction(async (runner) => {
        await runner.run(lockSend, [sendId]);
        const note = [sendId, at, actor, action, jsonColumn(reason)];
        return (await runner.run(recordOnce, note)).length === 1;
      }),
    close: async () => {
      await membership.end();
      await database.close();
    },
  };
}
