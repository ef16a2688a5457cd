import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Settlement } from '../../src/sends/outcome.ts';
import type { NewSend, SendStore } from '../../src/sends/ports.ts';
import type { SharingStores } from './retry-contract.ts';
import { bulkSend, draftedSend, FAILURE, numberOf, oneSend, sealSend, startSending } from './steps.ts';

const DAY = 24 * 3_600_000;
/** Some weeks into the clock. */
const NOW = 100 * DAY;
const { userId } = bulkSend('').origin;
const seen = (text: string, at = NOW) => ({ seen: text, at });

/** Says what every store must know of who reads the same once more. */
export function describeRepeats(name: string, open: () => Promise<SharingStores>): void {
  describe(`${name} finds who got the same`, () => {
    let opened: SharingStores;
    let store: SendStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.stores[0] as SendStore;
    });
    afterEach(() => opened.close());

    /** A draft in which recipient n reads the n-th of these. */
    const drafted = async (id: string, texts: readonly string[], over = {}) => {
      const recipients = texts.map((text, row) => {
        return { row, number: numberOf(row), values: [], reading: seen(text) };
      });
      await draftedSend(store, id, recipients, { createdAt: NOW, ...over });
    };
    const seal = (sendId: string) => sealSend(store, sendId, { at: NOW });
    const started = async (id: string, texts: readonly string[], at = NOW) => {
      await drafted(id, texts);
      await seal(id);
      await startSending(store, id, at);
    };
    const settle = (sendId: string, row: number, outcome: Settlement['outcome']) =>
      store.settle([{ sendId, row, outcome, settledAt: NOW }]);
    const found = async (sendId: string, since = NOW - DAY, afterRow = -1, limit = 99) => {
      const { got, ...rest } = await store.gotBefore(sendId, since, afterRow, limit);
      const met = got.map(({ sendId: id, userId: by, at }) => [id, by, at]);
      return { ...rest, found: met };
    };

    it('by person and by what they read: who got it, or may have, since then', async () => {
      await started('S-1', ['a', 'a', 'a', 'a', 'b']);
      await store.claim('S-1', 5, NOW);
      await settle('S-1', 0, { state: 'accepted', status: 200, messageId: 'm' });
      await settle('S-1', 1, { state: 'unknown', failure: FAILURE });
      await settle('S-1', 2, { state: 'rejected', failure: FAILURE });
      await drafted('S-2', ['a', 'a', 'a', 'a', 'a']);
      const got = ['S-1', userId, NOW];
      // Who was rejected got nothing, the fourth is on the way, and the fifth got another one.
      expect(await found('S-2')).toEqual({ looked: 5, lastRow: 4, found: [got, got, got] });
      expect(await found('S-2', NOW + 1)).toMatchObject({ found: [] });
      expect(await found('S-2', NOW - DAY, 0, 2)).toEqual({ looked: 2, lastRow: 2, found: [got] });
      expect(await found('S-2', NOW - DAY, 4)).toEqual({ looked: 0, lastRow: 4, found: [] });

      const asked = [0, 4].map((n) => ({ number: numberOf(n), reading: seen('a') }));
      expect(await store.gotSince(asked, NOW - DAY)).toEqual([
        { reading: expect.any(String), sendId: 'S-1', userId, at: NOW },
      ]);
      expect(await store.gotSince([{ number: numberOf(0) }], 0)).toEqual([]);
    });

    it('in another spelling of a number, and in a week long ago', async () => {
      const at = NOW - 6 * DAY;
      const [one, other] = ['+5215512345678', '+525512345678'] as const;
      await store.create({
        ...oneSend('S-1'),
        recipients: [{ number: one as Msisdn }],
        reading: seen('a', at),
      });
      await store.moveSend({ sendId: 'S-1', from: 'approved', to: 'sending', at, actor: userId });
      await store.claim('S-1', 1, NOW);
      const asked = { number: other as Msisdn, reading: seen('a') };
      expect(await store.gotSince([asked], NOW - DAY)).toMatchObject([{ sendId: 'S-1', at: NOW }]);
    });

    it('who is to get it by a send that waits or goes on, and nobody of one that is over', async () => {
      await drafted('S-1', ['a', 'a']);
      await drafted('S-2', ['a', 'a']);
      expect((await found('S-2')).found).toEqual([]);
      await seal('S-1');
      expect((await found('S-2')).found).toEqual([
        ['S-1', userId, undefined],
        ['S-1', userId, undefined],
      ]);
      await store.moveSend({ sendId: 'S-1', from: 'approved', to: 'cancelled', at: NOW, actor: userId });
      expect((await found('S-2')).found).toEqual([]);
    });

    it('not by the sends that it tries again', async () => {
      await started('S-1', ['a', 'a']);
      await store.claim('S-1', 2, NOW);
      await settle('S-1', 0, { state: 'unknown', failure: FAILURE });
      await drafted('S-2', ['a'], { retryOf: 'S-1', retryGroup: 'unknown' });
      await drafted('S-3', ['a'], { retryOf: 'S-2', retryGroup: 'unknown' });
      await drafted('S-4', ['a']);
      expect((await found('S-2')).found).toEqual([]);
      expect((await found('S-3')).found).toEqual([]);
      expect((await found('S-4')).found).toHaveLength(1);
    });

    const ask = (id: string, known?: string, over: Partial<NewSend> = {}, by = store) => {
      const unlessGot = { since: NOW - DAY, known };
      return by.create({ ...oneSend(id), createdAt: NOW, reading: seen('a'), unlessGot, ...over });
    };

    it('and stores nothing for one person who got it, unless that is known', async () => {
      expect(await ask('S-1')).toMatchObject({ created: true });
      expect(await ask('S-2')).toMatchObject({
        created: false,
        send: { id: 'S-1' },
        again: { sendId: 'S-1' },
      });
      expect(await store.find('S-2')).toBeUndefined();
      // A repeated delivery is of the first one, and asks nothing.
      expect(await ask('S-2', undefined, { requestKey: 'S-1' })).toEqual({
        created: false,
        send: expect.objectContaining({ id: 'S-1' }),
      });
      await store.moveSend({ sendId: 'S-1', from: 'approved', to: 'sending', at: NOW, actor: userId });
      await store.claim('S-1', 1, NOW);
      const known = (await ask('S-2'))?.again?.which;
      expect(await ask('S-3', known)).toMatchObject({ created: true });
      // What is known is not the newest any more.
      expect(await ask('S-4', known)).toMatchObject({ again: { sendId: 'S-3' } });
      expect(await ask('S-5', undefined, { reading: seen('b') })).toMatchObject({ created: true });
      expect(await ask('S-6', undefined, { recipients: [{ number: numberOf(7) }] })).toMatchObject({
        created: true,
      });
      expect(await ask('S-7', undefined, { unlessGot: undefined })).toMatchObject({ created: true });
      expect(await ask('S-8', undefined, { reading: undefined })).toMatchObject({ created: true });
    });

    it('nor for one who is to get it by a known send, and got it by another since', async () => {
      const over = { recipients: [{ number: numberOf(0) }] };
      await drafted('S-1', ['a']);
      await seal('S-1');
      const known = (await ask('S-2', undefined, over))?.again;
      expect(known).toMatchObject({ sendId: 'S-1' });
      expect(await ask('S-3', known?.which, over)).toMatchObject({ created: true });
      await store.moveSend({ sendId: 'S-3', from: 'approved', to: 'sending', at: NOW, actor: userId });
      await store.claim('S-3', 1, NOW);
      const asked = await ask('S-4', known?.which, over);
      expect(asked).toMatchObject({ created: false, again: { sendId: 'S-1', gotAt: NOW } });
      expect(asked?.again?.at).toBeUndefined();
      expect(await ask('S-4', asked?.again?.which, over)).toMatchObject({ created: true });
    });

    it('for one of thirty that are asked for at the same moment', async () => {
      const stored = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          ask(`S-${n}`, undefined, {}, opened.stores[n % opened.stores.length]),
        ),
      );
      expect(stored.filter((one) => one?.created)).toHaveLength(1);
      expect(await store.list({ limit: 99 })).toHaveLength(1);
    });
  });
}
