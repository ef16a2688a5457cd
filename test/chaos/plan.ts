import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { SendStore } from '../../src/sends/ports.ts';

/** Shared by the chaos tests of several replicas and the processes that they kill: one recipient a request. */
export const SEND_ID = 'S-CHAOS';
/** As many as one request takes. */
export const SMS_ID = 'S-CHAOS-SMS';

export const SENDS: readonly string[] = [SEND_ID, SMS_ID];
/** One request at a time for each of three replicas. */
export const SMS_PACE = { perSecond: 6, concurrency: 3, recipientsPerRequest: 100 };

const BATCH = 5_000;

const MESSAGES: Readonly<Record<string, { readonly message: Message; readonly prefix: string }>> = {
  [SEND_ID]: {
    message: {
      kind: 'chatapp',
      variant: 'text',
      from: '+919876543210' as Msisdn,
      templateName: 'order_update',
      params: ['{{name}}'],
    },
    prefix: '+9198',
  },
  [SMS_ID]: {
    message: { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false },
    prefix: '+9197',
  },
};

/** Stores a bulk send to `count` people, in state `sending`. @param sendId one of the above, or one like the second */
export function prepareSend(store: SendStore, count: number, sendId = SEND_ID): Promise<void> {
  const { message, prefix } = MESSAGES[sendId] ?? (MESSAGES[SMS_ID] as (typeof MESSAGES)[string]);
  return storeSend(store, sendId, message, count, prefix);
}

/** The same of any message. @param prefix of everybody's number, before eight digits */
export async function storeSend(
  store: SendStore,
  sendId: string,
  message: Message,
  count: number,
  prefix: string,
): Promise<void> {
  await store.begin({
    id: sendId,
    kind: message.kind,
    message,
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    createdAt: 1,
    requestKey: sendId,
    audience: { id: 'A', columns: ['name'] },
  });
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => ({
      row: from + n,
      number: `${prefix}${String(from + n).padStart(8, '0')}` as Msisdn,
      values: [`Person ${from + n}`],
    }));
    await store.addRecipients(sendId, rows);
  }
  await store.seal({ sendId, digest: 'd', to: 'approved', at: 1, actor: 'U' });
  await store.moveSend({ sendId, from: 'approved', to: 'sending', at: 1, actor: 'U' });
}
