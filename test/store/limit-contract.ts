import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import type { NewSend, SendStore } from '../../src/sends/ports.ts';
import type { SharingStores } from './retry-contract.ts';
import { draftedSend, oneSend } from './steps.ts';

const { origin } = oneSend('');
const { userId } = origin;
const alert = { id: 'A-1', threadTs: '1.0', urgent: true };
const LIMIT = { userId, more: 1, most: 7, since: 0 };
const SEALED = { digest: 'd', to: 'approved', at: 2, actor: userId } as const;
const REASON: Failure = { what: 'So many.', next: 'Wait.', scope: 'send' };

/** Says what every store must do about how much one person sends without an approval. */
export function describeLimits(name: string, open: () => Promise<SharingStores>): void {
  describe(`${name} holds a person to a limit`, () => {
    let opened: SharingStores;
    let store: SendStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.stores[0] as SendStore;
    });
    afterEach(() => opened.close());

    const draft = (id: string, rows: number) => draftedSend(store, id, rows, { origin, createdAt: 1_000 });

    it('of fifty at the same moment, to one and to lists, as many as there is room for', async () => {
      const ids = Array.from({ length: 25 }, (_, n) => `S-LIST-${n}`);
      for (const id of ids) await draft(id, 1);
      const at = (n: number) => opened.stores[n % opened.stores.length] as SendStore;
      const won = await Promise.all(
        ids.flatMap((sendId, n) => [
          at(n).seal({ ...SEALED, sendId, limit: LIMIT }),
          at(n + 1).create({ ...oneSend(`S-ONE-${n}`), limit: LIMIT }),
        ]),
      );
      expect(won.filter(Boolean)).toHaveLength(LIMIT.most);
      const approved = await store.findByState(['approved'], 99);
      expect(approved).toHaveLength(LIMIT.most);
      // One that was refused has left nothing, and a list can still be asked for.
      expect(await store.list({ limit: 99 })).toHaveLength(
        25 + approved.filter(({ audience }) => audience === undefined).length,
      );
      const [waiting] = await store.findByState(['draft'], 1);
      const approval = { needed: 1, expiresAt: 9_000 };
      const asked = { ...SEALED, sendId: String(waiting?.id), to: 'awaiting_approval', approval } as const;
      expect(await store.seal({ ...asked, reason: REASON })).toBe(true);
      expect(await store.find(asked.sendId)).toMatchObject({ state: 'awaiting_approval', reason: REASON });
      expect((await store.events(asked.sendId)).at(-1)).toMatchObject({ reason: REASON });
    });

    it('but tells the same request, and the same try again, of its send', async () => {
      const limit = { ...LIMIT, most: 2 };
      const again = { retryOf: 'S-1', retryGroup: 'failed' } as const;
      await store.create({ ...oneSend('S-1'), limit });
      await store.create({ ...oneSend('S-2'), ...again, limit });
      const create = (over: Partial<NewSend>) => store.create({ ...oneSend('S-3'), ...over, limit });
      expect(await create({ requestKey: 'S-1' })).toMatchObject({ created: false, send: { id: 'S-1' } });
      expect(await create(again)).toMatchObject({ created: false, send: { id: 'S-2' } });
      expect(await create({})).toBeUndefined();
      expect(await store.find('S-3')).toBeUndefined();
    });

    it('by recipients of theirs since then for whom nobody was asked, alerts aside', async () => {
      let probes = 0;
      /** Whether there is room for one more; a probe counts for nothing itself. */
      const hasRoom = async (most: number, over: object) => {
        probes += 1;
        const id = `S-PROBE-${probes}`;
        const limit = { userId, more: 1, most, since: 1_000, ...over };
        return (await store.create({ ...oneSend(id), origin: { ...origin, alert }, limit })) !== undefined;
      };
      const expectCounted = async (count: number, over = {}) =>
        expect([await hasRoom(count, over), await hasRoom(count + 1, over)]).toEqual([false, true]);

      await store.create({ ...oneSend('S-OLD'), createdAt: 999 });
      await store.create({ ...oneSend('S-NEW'), createdAt: 1_000 });
      await store.create({ ...oneSend('S-MEI'), createdAt: 1_000, origin: { ...origin, userId: 'U0MEI' } });
      await expectCounted(1);
      await draft('S-LIST', 2);
      const left = { row: 2, number: '+913' as Msisdn, values: [], skipped: REASON };
      await store.addRecipients('S-LIST', [left]);
      await expectCounted(1);
      const two = { ...LIMIT, since: 1_000, more: 2 };
      expect(await store.seal({ ...SEALED, sendId: 'S-LIST', limit: { ...two, most: 2 } })).toBe(false);
      expect(await store.seal({ ...SEALED, sendId: 'S-LIST', limit: { ...two, most: 3 } })).toBe(true);
      await expectCounted(3);
      await draft('S-WAITS', 1);
      const approval = { needed: 1, expiresAt: 9_000 };
      await store.seal({ ...SEALED, sendId: 'S-WAITS', to: 'awaiting_approval', approval });
      await expectCounted(3);
      await expectCounted(4, { since: 0 });
      await expectCounted(0, { userId: 'U0NOBODY' });
    });
  });
}
