import type { Message } from '../../../src/messages/kinds.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';
import type { SendStore } from '../../../src/sends/ports.ts';
import { ASKED_AT, numberOf } from '../bulk-sends.ts';

export const FAILURE = { what: 'It was lost.', next: 'Look.', scope: 'recipient' } as const;
export const ACCEPTED: Outcome = { state: 'accepted', status: 200 };
export const REJECTED: Outcome = { state: 'rejected', failure: FAILURE };

interface Over {
  readonly userId?: string;
  readonly number?: string;
  readonly at?: number;
  /** When it began, where that is later. */
  readonly begunAt?: number;
  readonly message?: Message;
}

/** Stores a send to one person that ended so. */
export async function storeSent(store: SendStore, id: string, outcome: Outcome, over: Over = {}) {
  const { userId = 'U0ASHA', number = '+919812345678', at = ASKED_AT, begunAt = at } = over;
  const text = `Text of ${id}`;
  const { message = { kind: 'sms', sender: 'ACME', text, type: 'TRANS', unicode: false } } = over;
  const origin = { teamId: 'T0ACME', userId, channelId: 'C0TEAM' };
  const recipients = [{ number: numberOf(number) }];
  const asked = { id, kind: message.kind, message, origin, createdAt: at, requestKey: id };
  await store.create({ ...asked, state: 'approved', recipients });
  await store.moveSend({ sendId: id, from: 'approved', to: 'sending', at: begunAt, actor: userId });
  await store.claim(id, 1, begunAt);
  await store.settle([{ sendId: id, row: 0, outcome, settledAt: begunAt }]);
}
