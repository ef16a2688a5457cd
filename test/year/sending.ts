import type { Memory } from '../../src/store/stores.ts';
import { showAll } from '../store/shown.ts';
import { accepted, sendingToMany, settleRows } from '../store/steps.ts';
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
  const message = {
    kind: 'sms',
    sender: 'ACMEIN',
    text: `Offer ${id}`,
    type: 'TRANS',
    unicode: false,
  } as const;
  const recipients = Array.from({ length: rows }, (_, row) => {
    return { row, number: numberOf(day, row), values: [`Person ${row}`] };
  });
  const audience = { id: `A-${id}`, columns: ['name'] };
  await sendingToMany(sends, id, recipients, at, { message, audience });
  const claimed = await sends.claim(id, rows, at);
  const outcomes = claimed.map(({ row }) => accepted(`${id}-${row}`));
  await settleRows(sends, id, outcomes, at);
  await showAll(posts, at);
}
