import { z } from 'zod';
import type { Message, MessageKind } from '../../messages/message.ts';
import type { Msisdn } from '../../messages/phone-number.ts';
import type { Failure } from '../../sends/outcome.ts';
import type { RecipientRow, RecipientState, Send, SendState } from '../../sends/send.ts';

/*
 * From columns to values. SQLite's STRICT tables guarantee the column types and only Herald writes this file,
 * so the JSON columns are trusted to be what `store` wrote: they are checked for shape, not parsed by the rules again.
 */
const sendColumns = z.object({
  id: z.string(),
  kind: z.string(),
  message: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  channel_id: z.string(),
  state: z.string(),
  recipient_count: z.number(),
  created_at: z.number(),
  revision: z.number(),
  announcement_channel: z.string().nullable(),
  announcement_ts: z.string().nullable(),
});

export function sendFrom(columns: unknown): Send {
  const row = sendColumns.parse(columns);
  return {
    id: row.id,
    kind: row.kind as MessageKind,
    message: JSON.parse(row.message) as Message,
    origin: { teamId: row.team_id, userId: row.user_id, channelId: row.channel_id },
    state: row.state as SendState,
    recipientCount: row.recipient_count,
    createdAt: row.created_at,
    revision: row.revision,
    ...(row.announcement_channel !== null && row.announcement_ts !== null
      ? { announcement: { channelId: row.announcement_channel, ts: row.announcement_ts } }
      : {}),
  };
}

/** Hot path: read without a schema, because a claim at full speed reads hundreds of these at once. */
interface RecipientColumns {
  send_id: string;
  row: number;
  number: string;
  state: string;
  message_id: string | null;
  status: number | null;
  failure: string | null;
  attempted_at: number | null;
  settled_at: number | null;
}

export function recipientFrom(columns: unknown): RecipientRow {
  const row = columns as RecipientColumns;
  return {
    sendId: row.send_id,
    row: row.row,
    number: row.number as Msisdn,
    state: row.state as RecipientState,
    ...(row.message_id !== null ? { messageId: row.message_id } : {}),
    ...(row.status !== null ? { status: row.status } : {}),
    ...(row.failure !== null ? { failure: JSON.parse(row.failure) as Failure } : {}),
    ...(row.attempted_at !== null ? { attemptedAt: row.attempted_at } : {}),
    ...(row.settled_at !== null ? { settledAt: row.settled_at } : {}),
  };
}
