import type { Memory } from '../../src/store/stores.ts';
import { showAll } from '../store/shown.ts';
import { DAY_MS, type Done, FIRST_DAY, numberOf, sendsOn } from './plan.ts';

/** What is sent on a day of the year. */
export async function sendAll(
  stores: Pick<Memory, 'sends' | 'posts'>,
  day: number,
): Promise<readonly Done[]> {
  const sends = sendsOn(day);
  for (const { id, rows } of sends) await send(stores, day, id, rows);
  return sends.map(({ id, rows }) => ({ what: 'send', id, day, rows }));
}

/** Who opts out on a day of the year. */
export async function optOut({ audiences }: Pick<Memory, 'audiences'>, day: number): Promise<Done> {
  const number = numberOf(day, 0);
  await audiences.optOut([{ number, at: FIRST_DAY + day * DAY_MS, actor: 'U', source: 'command' }]);
  return { what: 'opt-out', number };
}

/** A send from asking to the end. */
async function send(
  { sends, posts }: Pick<Memory, 'sends' | 'posts'>,
  day: number,
  id: string,
  rows: number,
): Promise<void> {
  const at = FIRST_DAY + day * DAY_MS;
  await sends.begin({
    id,
    kind: 'sms',
    message: { kind: 'sms', sender: 'ACMEIN', text: `Offer ${id}`, type: 'TRANS', unicode: false },
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    createdAt: at,
    requestKey: id,
    audience: { id: `A-${id}`, columns: ['name'] },
  });
  const recipients = Array.from({ length: rows }, (_, row) => ({
    row,
    number: numberOf(day, row),
    values: [`Person ${row}`],
  }));
  await sends.addRecipients(id, recipients);
  await sends.seal({ sendId: id, digest: id, to: 'approved', at, actor: 'U' });
  await sends.moveSend({ sendId: id, from: 'approved', to: 'sending', at, actor: 'U' });
  const claimed = await sends.claim(id, rows, at);
  const outcome = { state: 'accepted', status: 200 } as const;
  await sends.settle(
    claimed.map(({ row }) => ({
      sendId: id,
      row,
      outcome: { ...outcome, messageId: `${id}-${row}` },
      settledAt: at,
    })),
  );
  await showAll(posts, at);
}
