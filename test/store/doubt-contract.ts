import { beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import type { DeliveryStatus } from '../../src/sends/replies/event.ts';
import type { NewDelivery, ReplyStore } from '../../src/sends/replies/ports.ts';
import type { RetryGroup } from '../../src/sends/send.ts';
import {
  accepted,
  claimedSend,
  endedSend,
  type Open,
  oneSend,
  recordWebhook,
  settleRows,
  startSending,
} from './steps.ts';

const NUMBERS = ['+919812345670', '+919812345671', '+919812345672', '+919812345673'] as Msisdn[];
const [FIRST, SECOND] = NUMBERS as [Msisdn, Msisdn];
const DOUBT = { what: 'Nobody knows.', next: 'Look.', scope: 'recipient' } as const;
const FAILED = { code: '131009', what: 'It did not arrive.', next: 'Look.', scope: 'recipient' } as const;
const unknown = (messageId?: string, explanation?: string): Outcome => ({
  state: 'unknown',
  failure: { ...DOUBT, ...(explanation !== undefined && { explanation }) },
  ...(messageId !== undefined && { messageId }),
});
const ACCEPTED = accepted('m-known');

/** Says what every store must do with recipients of whom nobody knows whether they were sent to. */
export function describeDoubts(name: string, open: Open<'replies' | 'sends'>): void {
  describe(`${name} settles a doubt`, () => {
    let store: ReplyStore;
    let sends: SendStore;
    let reports = 0;
    beforeEach(async () => {
      ({ replies: store, sends } = await open());
    });

    async function sent(id: string, outcomes: readonly Outcome[], at = 100, retryOf?: string): Promise<void> {
      const again = retryOf === undefined ? {} : { retryOf, retryGroup: 'unknown' as const };
      await claimedSend(sends, id, NUMBERS.slice(0, outcomes.length), at, again);
      await settleRows(sends, id, outcomes, at + 1);
    }

    async function reported(
      ...deliveries: readonly (readonly [row: number, status: DeliveryStatus, more?: Partial<NewDelivery>])[]
    ): Promise<readonly string[]> {
      reports += 1;
      const given = deliveries.map(([row, status, more]) => ({
        ...{ sendId: 'S-1', row, status, at: 200 },
        ...(status === 'failed' && { failure: FAILED }),
        ...more,
      }));
      return recordWebhook(store, `d-${reports}`, { deliveries: given }, 200);
    }

    const states = async (id = 'S-1') => (await sends.recipients(id)).map(({ state }) => state);
    const counts = async () => {
      const { accepted, rejected, unknown: left } = (await sends.find('S-1'))?.counts ?? {};
      return { accepted, rejected, left };
    };

    it('whatever shape the answer had', async () => {
      const { failure, ...doubt } = unknown('a') as Extract<Outcome, { state: 'unknown' }>;
      await sent('S-1', [{ ...doubt, failure: { ...failure, shape: '{"status":200}' } }]);
      await store.indexIds();
      expect(await sends.failures('S-1')).toEqual([{ state: 'unknown', failure, count: 1 }]);
      await reported([0, 'delivered']);
      expect(await sends.failures('S-1')).toEqual([]);
    });

    it('by what is reported of it, with counts, causes and a line of the record', async () => {
      await sent('S-1', [unknown('a'), unknown('b'), unknown('c', 'Words'), unknown('d')]);
      await store.indexIds();
      expect(await store.findByMessageId('b')).toEqual({ sendId: 'S-1', row: 1, number: SECOND });
      expect(await reported([0, 'delivered'], [1, 'failed'], [2, 'sent'])).toEqual(['S-1']);
      expect(await states()).toEqual(['accepted', 'rejected', 'accepted', 'unknown']);
      expect(await counts()).toEqual({ accepted: 2, rejected: 1, left: 1 });
      const [first, second, third] = await sends.recipients('S-1');
      expect(first).toMatchObject({ messageId: 'a', settledAt: 101 });
      expect([first?.failure, third?.failure]).toEqual([undefined, undefined]);
      expect(second).toMatchObject({ messageId: 'b', failure: FAILED });
      expect(await sends.failures('S-1')).toEqual(
        expect.arrayContaining([
          { state: 'rejected', failure: FAILED, count: 1 },
          { state: 'unknown', failure: DOUBT, count: 1 },
        ]),
      );
      expect(await sends.failures('S-1')).toHaveLength(2);
      expect((await sends.workload(0)).undecided).toBe(1);
      expect((await sends.events('S-1')).at(-1)).toMatchObject({
        action: 'doubts_settled',
        actor: 'herald',
        at: 200,
        reason: { what: 'The service’s delivery reports say what became of 3: 2 accepted, 1 rejected.' },
      });
    });

    it('once, and of nobody who was settled otherwise', async () => {
      await sent('S-1', [unknown('a'), ACCEPTED, { state: 'rejected', failure: DOUBT }]);
      await reported([0, 'sent'], [1, 'failed'], [2, 'failed']);
      await reported([0, 'sent'], [1, 'failed']);
      expect(await states()).toEqual(['accepted', 'accepted', 'rejected']);
      expect(await counts()).toEqual({ accepted: 2, rejected: 1, left: 0 });
      // A report never makes an accepted message wrong; that it did not arrive is counted beside it.
      expect(await reported([0, 'failed'])).toEqual(['S-1']);
      expect(await states()).toEqual(['accepted', 'accepted', 'rejected']);
      expect((await store.summary('S-1')).failed).toBe(3);
      const lines = await sends.events('S-1');
      expect(lines.filter(({ action }) => action === 'doubts_settled')).toHaveLength(1);
    });

    it('as arrived when a report says so after one that it failed', async () => {
      await sent('S-1', [unknown('a'), unknown('b')]);
      await reported([0, 'failed']);
      expect(await counts()).toEqual({ accepted: 0, rejected: 1, left: 1 });
      await reported([0, 'delivered'], [1, 'failed'], [1, 'read']);
      expect(await states()).toEqual(['accepted', 'accepted']);
      expect(await counts()).toEqual({ accepted: 2, rejected: 0, left: 0 });
      expect(await sends.failures('S-1')).toEqual([]);
    });

    it('in the original only, whatever becomes of the same number elsewhere', async () => {
      await sent('S-1', [unknown('a')]);
      await sent('S-2', [unknown('z')], 150, 'S-1');
      await reported([0, 'delivered']);
      expect([await states('S-1'), await states('S-2')]).toEqual([['accepted'], ['unknown']]);
      expect(await reported([0, 'read', { sendId: 'S-2' }])).toEqual(['S-2']);
      expect(await states('S-2')).toEqual(['accepted']);
    });

    it('finds one by its number where no other message can be meant', async () => {
      const find = (since = 0, until = 1_000, number = FIRST) => store.findDoubt(number, since, until);
      await sent('S-1', [unknown(), unknown('b'), ACCEPTED]);
      expect(await find()).toEqual({ sendId: 'S-1', row: 0, number: FIRST });
      // The id of its own would have been named, and what was accepted is no doubt.
      expect(await find(0, 1_000, SECOND)).toBeUndefined();
      expect(await find(0, 1_000, NUMBERS[2])).toBeUndefined();
      expect([await find(101), await find(0, 99)]).toEqual([undefined, undefined]);
      await sends.create({ ...oneSend('S-2'), recipients: [{ number: FIRST }] });
      expect(await find()).toMatchObject({ sendId: 'S-1' });
      await startSending(sends, 'S-2');
      await sends.claim('S-2', 1, 500);
      expect(await find()).toBeUndefined();
      expect(await find(0, 400)).toMatchObject({ sendId: 'S-1' });
      await sends.settle([{ sendId: 'S-2', row: 0, outcome: ACCEPTED, settledAt: 501 }]);
      expect(await find()).toBeUndefined();
    });

    it('and knows it from then on by the id of the report', async () => {
      await sent('S-1', [unknown(), unknown('b')]);
      // Whoever looks for a doubt has looked for the id before.
      await store.indexIds();
      await reported([0, 'delivered', { messageId: 'new' }], [1, 'delivered', { messageId: 'other' }]);
      await store.indexIds();
      expect(await store.findByMessageId('new')).toMatchObject({ sendId: 'S-1', row: 0 });
      expect(await store.findByMessageId('other')).toBeUndefined();
      expect(await store.findByMessageId('b')).toMatchObject({ sendId: 'S-1', row: 1 });
    });

    it('and leaves them the id of the request that they shared', async () => {
      await claimedSend(sends, 'S-1', NUMBERS.slice(0, 2), 100);
      await sends.settle([{ sendId: 'S-1', row: 0, last: 1, outcome: unknown('shared'), settledAt: 101 }]);
      await reported([0, 'delivered', { messageId: 'part' }]);
      await store.indexIds();
      expect(await store.findByMessageId('shared', FIRST)).toMatchObject({ sendId: 'S-1', row: 0 });
      expect([await store.findByMessageId('shared'), await store.findByMessageId('part')]).toEqual([
        undefined,
        undefined,
      ]);
    });

    it('and leaves out of the sends that try it again whose message was taken', async () => {
      const claimed = (id: string, to: readonly Msisdn[], retryOf: string, retryGroup: RetryGroup) =>
        claimedSend(sends, id, to, 150, { retryOf, retryGroup });
      const taken = async (sendId: string) => {
        const recipients = await sends.recipients(sendId);
        return sends.skipTaken({ sendId, recipients, failure: FAILED, state: 'skipped', at: 160 });
      };
      await sent('S-1', [unknown('a'), unknown('b'), unknown('c')]);
      await claimed('S-2', NUMBERS.slice(0, 3), 'S-1', 'unknown');
      await reported([0, 'delivered'], [1, 'failed']);
      expect(await taken('S-2')).toEqual([0]);
      expect(await states('S-2')).toEqual(['skipped', 'attempting', 'attempting']);
      expect(await taken('S-2')).toEqual([0]);
      await settleRows(sends, 'S-2', [ACCEPTED, unknown('y'), unknown('z')]);
      await claimed('S-3', NUMBERS, 'S-2', 'unknown');
      await reported([2, 'delivered', { sendId: 'S-2' }]);
      // Whoever is known to have failed since is tried by another send: it must know of those that were asked for before.
      await claimed('S-4', NUMBERS, 'S-1', 'failed');
      expect(await taken('S-4')).toEqual([0, 1, 2, 3]);
      // Who is left out by one of two is left to the other.
      expect(await taken('S-3')).toEqual([0, 2]);
      const [known, otherwise] = ['+525512345678', '+5215512345678'] as Msisdn[] as [Msisdn, Msisdn];
      await endedSend(sends, 'S-5', [[known, ACCEPTED]]);
      await claimed('S-6', [otherwise], 'S-5', 'failed');
      expect(await taken('S-6')).toEqual([0]);
    });
  });
}
