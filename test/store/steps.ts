import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { AudienceRow, ListedRow } from '../../src/sends/audience.ts';
import type { Failure, Outcome, Settlement } from '../../src/sends/outcome.ts';
import type { NewBulkSend, NewRecipient, NewSend, SendStore } from '../../src/sends/ports.ts';
import type { ProcessedWebhook, ReplyStore } from '../../src/sends/replies/ports.ts';
import type { RecipientRow } from '../../src/sends/send.ts';
import type { Memory } from '../../src/store/stores.ts';

/** A send to one person that waits to be sent, where a test asks for no other. */
export function oneSend(id: string): NewSend {
  return {
    id,
    kind: 'sms',
    message: { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false },
    origin: { teamId: 'T0', userId: 'U0ASHA', channelId: 'C0TEAM' },
    state: 'approved',
    recipients: [{ number: '+911' as Msisdn }],
    createdAt: 1,
    requestKey: id,
  };
}

/** A bulk send of the same text, before it has recipients. */
export function bulkSend(id: string): NewBulkSend {
  const { kind, message, createdAt, requestKey } = oneSend(id);
  const origin = { teamId: 'T', userId: 'U', channelId: 'C' };
  return { id, kind, message, createdAt, requestKey, origin, audience: { id: 'A', columns: [] } };
}

/** Rows as an audience takes them. */
export function listed(...rows: readonly AudienceRow[]): string {
  return JSON.stringify(rows.map(({ row, number, values }): ListedRow => [row, number, values]));
}

/** A contract opens these stores, fresh and empty, over the same data. */
export type Open<Store extends keyof Memory> = () => Promise<Pick<Memory, Store>>;

/* The life of a send in steps, as dispatch and approval take them. */

export const numberOf = (row: number) => `+9198${String(row).padStart(8, '0')}` as Msisdn;
export const accepted = (messageId: string) => ({ state: 'accepted', status: 200, messageId }) as const;
export const FAILURE: Failure = { what: 'It was lost.', next: 'Look.', scope: 'recipient' };
export const UNKNOWN = { state: 'unknown', failure: FAILURE } as const;

export function startSending(sends: SendStore, sendId: string, at = 1): Promise<boolean> {
  return sends.moveSend({ sendId, from: 'approved', to: 'sending', at, actor: 'U' });
}

/** Makes a send to each of these numbers, and claims them all. */
export async function claimedSend(
  sends: SendStore,
  id: string,
  to: readonly Msisdn[],
  at = 1,
  over: Partial<NewSend> = {},
): Promise<readonly RecipientRow[]> {
  await sends.create({ ...oneSend(id), recipients: to.map((number) => ({ number })), ...over });
  await startSending(sends, id, at);
  return sends.claim(id, Math.max(1, to.length), at);
}

/** Writes what became of the first recipients of a send, in their order. */
export function settleRows(
  sends: SendStore,
  sendId: string,
  outcomes: readonly Settlement['outcome'][],
  settledAt = 1,
) {
  return sends.settle(outcomes.map((outcome, row) => ({ sendId, row, outcome, settledAt })));
}

/** Makes a send whose recipients all have an outcome. */
export async function endedSend(
  sends: SendStore,
  id: string,
  ended: readonly (readonly [Msisdn, Outcome])[],
  at = 1,
  over: Partial<NewSend> = {},
): Promise<void> {
  const numbers = ended.map(([number]) => number);
  await claimedSend(sends, id, numbers, at, over);
  const outcomes = ended.map(([, outcome]) => outcome);
  await settleRows(sends, id, outcomes, at);
}

/** Begins a send to many. @param recipients each, or how many */
export async function draftedSend(
  sends: SendStore,
  id: string,
  recipients: readonly NewRecipient[] | number,
  over: Partial<NewBulkSend> = {},
): Promise<void> {
  await sends.begin({ ...bulkSend(id), ...over });
  const rows =
    typeof recipients === 'number'
      ? Array.from({ length: recipients }, (_, row) => ({ row, number: numberOf(row), values: [] }))
      : recipients;
  for (let from = 0; from < rows.length; from += 1_000)
    await sends.addRecipients(id, rows.slice(from, from + 1_000));
}

export function sealSend(
  sends: SendStore,
  sendId: string,
  over: Partial<Parameters<SendStore['seal']>[0]> = {},
): Promise<boolean> {
  return sends.seal({ sendId, digest: 'd', to: 'approved', at: 1, actor: 'U', ...over });
}

/** Makes a send to many that is being sent. @param recipients each, or how many */
export async function sendingToMany(
  sends: SendStore,
  id: string,
  recipients: readonly NewRecipient[] | number,
  at = 1,
  over: Partial<NewBulkSend> = {},
): Promise<void> {
  await draftedSend(sends, id, recipients, { createdAt: at, ...over });
  await sealSend(sends, id, { at });
  await startSending(sends, id, at);
}

/** Keeps one webhook, and records what came of it. */
export async function recordWebhook(
  replies: ReplyStore,
  digest: string,
  read: Partial<Pick<ProcessedWebhook, 'events' | 'deliveries'>>,
  receivedAt = 7,
): Promise<readonly string[]> {
  await replies.keep([{ digest, receivedAt, body: '' }], 1);
  const kept = (await replies.waiting(1e14, 999)).find((one) => one.digest === digest);
  return replies.record([{ webhookId: kept?.id ?? -1, events: [], deliveries: [], ...read }]);
}
