import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { SendStore } from '../../src/sends/ports.ts';

/** Shared by the chaos test of several replicas and the processes that it kills. */
export const SEND_ID = 'S-CHAOS';

const BATCH = 10_000;

/** Stores a bulk send to `count` people, in state `sending`. */
export async function prepareSend(store: SendStore, count: number): Promise<void> {
  const message = {
    kind: 'chatapp',
    variant: 'text',
    from: '+919876543210' as Msisdn,
    templateName: 'order_update',
    params: ['{{name}}'],
  } as const;
  await store.begin({
    id: SEND_ID,
    kind: 'chatapp',
    message,
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    createdAt: 1,
    requestKey: 'chaos',
    audience: { id: 'A', columns: ['name'] },
  });
  const recipients = Array.from({ length: count }, (_, n) => ({
    row: n,
    number: `+9198${String(n).padStart(8, '0')}` as Msisdn,
    values: [`Person ${n}`],
  }));
  for (let from = 0; from < count; from += BATCH)
    await store.addRecipients(SEND_ID, recipients.slice(from, from + BATCH));
  await store.seal({ sendId: SEND_ID, digest: 'd', to: 'approved', at: 1, actor: 'U' });
  await store.moveSend({ sendId: SEND_ID, from: 'approved', to: 'sending', at: 1, actor: 'U' });
}
