import type { NewBulkSend } from '../../src/sends/ports.ts';
import type { Memory } from '../../src/store/stores.ts';
import { FIRST_DAY, numberOf } from '../year/plan.ts';

/*
 * What a version leaves when it ends in the middle: a send of ten, of whom three were accepted, one was refused, one was
 * being attempted and five were waiting; a send that waits for its approval; and what else is told from the time before.
 */
export const IN_THE_MIDDLE = 'S-MIDDLE';
export const WAITING = 'S-WAITING';
export const ROWS = 10;
/** What parts the tables of PostgreSQL from what they hold. */
export const ROWS_BELOW = 'SELECT 1 AS rows_below';
/** A day of which no other number is. */
const DAY = 999;

export const TEMPLATE = {
  name: 'order_update',
  channel: 'chatapp',
  variant: 'text',
  label: 'Order “update” 🛵',
  languages: ['en', 'hi'],
  placeholders: [{ name: 'customer', example: 'Asha' }],
  text: 'Hello {{1}}.',
  cards: 0,
} as const;

const asked = (id: string): NewBulkSend => ({
  id,
  kind: 'sms',
  message: { kind: 'sms', sender: 'ACMEIN', text: 'Dear {{name}}', type: 'TRANS', unicode: false },
  origin: { teamId: 'T', userId: 'U', channelId: 'C' },
  createdAt: FIRST_DAY,
  requestKey: id,
  audience: { id: `A-${id}`, columns: ['name'] },
});

export async function leaveOpen({ sends, templates, replies }: Memory): Promise<void> {
  const by = { at: FIRST_DAY, actor: 'U' };
  for (const [id, to] of [
    [IN_THE_MIDDLE, 'approved'],
    [WAITING, 'awaiting_approval'],
  ] as const) {
    await sends.begin(asked(id));
    const recipients = Array.from({ length: ROWS }, (_, row) => ({
      row,
      number: numberOf(DAY, row),
      values: [`Person "${row}" 🛵`],
    }));
    await sends.addRecipients(id, recipients);
    await sends.seal({ sendId: id, digest: `digest of ${id}`, to, ...by });
  }
  await sends.moveSend({ sendId: IN_THE_MIDDLE, from: 'approved', to: 'sending', ...by });
  const claimed = await sends.claim(IN_THE_MIDDLE, 5, FIRST_DAY);
  const failure = { what: 'It was refused.', next: 'Look at it.', scope: 'recipient' } as const;
  await sends.settle(
    claimed.slice(0, 4).map(({ row }) => ({
      sendId: IN_THE_MIDDLE,
      row,
      outcome:
        row === 3
          ? { state: 'rejected', failure }
          : { state: 'accepted', status: 200, messageId: `m-${row}` },
      settledAt: FIRST_DAY,
    })),
  );
  await templates.write([{ template: TEMPLATE, archived: false, action: 'added', expected: 0 }], {
    ...by,
    source: 'form',
  });
  await replies.keep([{ digest: 'digest of a webhook', receivedAt: FIRST_DAY, body: 'e30=' }], 0);
}
