import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Settlement } from '../../src/sends/outcome.ts';
import type { NewSend, SendStore } from '../../src/sends/ports.ts';
import type { NewCustomerEvent, ReplyStore } from '../../src/sends/replies/ports.ts';
import { endedSend, FAILURE, type Open, oneSend, recordWebhook } from './steps.ts';

const ASHA = 'U0ASHA';
const RAVI = 'U0RAVI';
const FIRST = '+919812345678' as Msisdn;
const SECOND = '+6591234567' as Msisdn;
const OUTCOMES = {
  accepted: { state: 'accepted', status: 200 },
  rejected: { state: 'rejected', failure: FAILURE },
  not_sent: { state: 'not_sent', failure: FAILURE, retry: { kind: 'never' } },
  unknown: { state: 'unknown', failure: FAILURE },
} as const satisfies Record<string, Settlement['outcome']>;
// What the text holds is no template of the message.
const BILL: Message = {
  kind: 'chatapp',
  variant: 'text',
  from: '+6591230000' as Msisdn,
  templateName: 'bill',
  params: ['"templateName":"order" \u0000'],
};

/** Says what every store must do for whoever looks for sends and for what became of a number. */
export function describeFinding(name: string, open: Open<'sends' | 'replies'>): void {
  describe(`${name} finds sends`, () => {
    let sends: SendStore;
    let replies: ReplyStore;
    beforeEach(async () => {
      ({ sends, replies } = await open());
    });

    /** A send to each of `to`, each of whom ended so. */
    async function sent(
      id: string,
      createdAt: number,
      outcomes: readonly (keyof typeof OUTCOMES)[],
      {
        userId = ASHA,
        to = [FIRST, SECOND],
        ...over
      }: Partial<NewSend> & { userId?: string; to?: Msisdn[] } = {},
    ): Promise<void> {
      const origin = { teamId: 'T', userId, channelId: 'C' };
      const ended = outcomes.map((state, row) => [to[row] as Msisdn, OUTCOMES[state]] as const);
      await endedSend(sends, id, ended, createdAt + 1, { origin, createdAt, ...over });
    }

    const ids = async (filter: Partial<Parameters<SendStore['list']>[0]>) =>
      (await sends.list({ limit: 9, ...filter })).map(({ id }) => id);

    it('by what became of them, alone and beside a state', async () => {
      await sent('S-GOOD', 1, ['accepted']);
      await sent('S-BAD', 2, ['rejected', 'accepted']);
      await sent('S-LATE', 3, ['not_sent'], { userId: RAVI });
      await sent('S-LOST', 4, ['unknown']);
      await sends.create({ ...oneSend('S-NEW'), createdAt: 5 });
      expect(await ids({ outcomes: ['rejected', 'not_sent'] })).toEqual(['S-LATE', 'S-BAD']);
      expect(await ids({ outcomes: ['rejected', 'not_sent'], userId: ASHA })).toEqual(['S-BAD']);
      expect(await ids({ outcomes: ['unknown'], states: ['approved'] })).toEqual(['S-NEW', 'S-LOST']);
      expect(await ids({ outcomes: ['unknown'], before: 4 })).toEqual([]);
      expect(await ids({ states: ['done'], since: 2, before: 4 })).toEqual(['S-LATE', 'S-BAD']);
    });

    it('by their template, whatever their text holds', async () => {
      await sent('S-SMS', 1, ['accepted']);
      await sent('S-BILL', 2, ['accepted'], { kind: 'chatapp', message: BILL });
      expect(await ids({ template: 'bill' })).toEqual(['S-BILL']);
      expect(await ids({ template: 'order' })).toEqual([]);
      const quoted = { ...BILL, templateName: 'Offer "A" \\ é' } as Message;
      await sent('S-OFFER', 3, ['accepted'], { kind: 'chatapp', message: quoted });
      expect(await ids({ template: 'Offer "A" \\ é' })).toEqual(['S-OFFER']);
    });

    it('to a number, newest first, of everybody or of one person', async () => {
      await sent('S-OLD', 1, ['accepted', 'rejected']);
      await sent('S-RAVI', 2, ['unknown'], { userId: RAVI, to: [SECOND] });
      await sent('S-OTHER', 3, ['accepted'], { to: [FIRST] });
      const found = await sends.sentTo(SECOND, { limit: 9 });
      expect(found.map(({ send, recipient }) => [send.id, recipient.row, recipient.state])).toEqual([
        ['S-RAVI', 0, 'unknown'],
        ['S-OLD', 1, 'rejected'],
      ]);
      expect(found[1]?.send).toEqual(await sends.find('S-OLD'));
      const own = await sends.sentTo(SECOND, { userId: ASHA, limit: 9 });
      expect(own.map(({ send }) => send.id)).toEqual(['S-OLD']);
      expect(await sends.sentTo(SECOND, { limit: 1 })).toHaveLength(1);
    });

    it('what a number answered, newest first, of everybody or to one person', async () => {
      await sent('S-ASHA', 1, ['accepted']);
      await sent('S-RAVI', 2, ['accepted'], { userId: RAVI });
      const wrote = (key: string, from: Msisdn, sendId?: string): NewCustomerEvent => ({
        key,
        event: { kind: 'text', text: key, from },
        ...(sendId && { sendId }),
        optedOut: false,
      });
      const events = [
        ...[wrote('first', FIRST, 'S-ASHA'), wrote('second', FIRST, 'S-RAVI')],
        ...[wrote('third', FIRST), wrote('other', SECOND, 'S-ASHA')],
      ];
      await recordWebhook(replies, 'd', { events });
      const keys = async (userId?: string, limit = 9) =>
        (await replies.answersOf(FIRST, { ...(userId && { userId }), limit })).map(({ key }) => key);
      expect(await keys()).toEqual(['third', 'second', 'first']);
      expect(await keys(ASHA)).toEqual(['first']);
      expect(await keys(undefined, 1)).toEqual(['third']);
      expect(await replies.answersOf(FIRST, { userId: RAVI, limit: 9 })).toMatchObject([
        { sendId: 'S-RAVI', receivedAt: 7, event: { kind: 'text', text: 'second' } },
      ]);
    });

    it('how many of each were reported as delivered, in one question', async () => {
      await sent('S-1', 1, ['accepted', 'accepted']);
      await sent('S-2', 2, ['accepted']);
      const deliveries = [
        { sendId: 'S-1', row: 0, status: 'read', at: 8 },
        { sendId: 'S-1', row: 1, status: 'failed', failure: FAILURE, at: 8 },
      ] as const;
      await recordWebhook(replies, 'd', { deliveries });
      const counts = { delivered: 1, read: 1, failed: 1 };
      expect(await replies.reached(['S-1', 'S-2'])).toEqual(new Map([['S-1', counts]]));
      expect(await replies.reached([])).toEqual(new Map());
    });
  });
}
