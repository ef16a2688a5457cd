import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SendStore } from '../../src/sends/ports.ts';
import type { RetryGroup, SendState } from '../../src/sends/send.ts';
import { bulkSend, claimedSend, FAILURE, oneSend } from './steps.ts';

/** The stores of all processes that share one database. */
export interface SharingStores {
  readonly stores: readonly SendStore[];
  close(): Promise<void>;
}

/** Says what every store must do about sends that try recipients of another one again. */
export function describeRetries(name: string, open: () => Promise<SharingStores>): void {
  describe(`${name} begins a send that tries others again`, () => {
    let opened: SharingStores;
    let store: SendStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.stores[0] as SendStore;
      await store.begin(bulkSend('S-FIRST'));
    });
    afterEach(() => opened.close());

    const begin = (id: string, retryGroup: RetryGroup = 'failed', by = store) =>
      by.begin({ ...bulkSend(id), retryOf: 'S-FIRST', retryGroup });
    const move = (sendId: string, from: SendState, to: SendState) =>
      store.moveSend({ sendId, from, to, at: 2, actor: 'U' });

    it('once, of twenty that are asked for at the same moment', async () => {
      const begun = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          begin(`S-AGAIN-${n}`, 'failed', opened.stores[n % opened.stores.length]),
        ),
      );
      expect(begun.filter(({ created }) => created)).toHaveLength(1);
      const [one] = begun.filter(({ created }) => created);
      expect(new Set(begun.map(({ send }) => send.id))).toEqual(new Set([one?.send.id]));
      expect(await store.list({ limit: 50 })).toHaveLength(2);
      expect(one?.send).toMatchObject({ state: 'draft', retryOf: 'S-FIRST', retryGroup: 'failed' });
    });

    it('once to one person, of twenty that are asked for at the same moment', async () => {
      await store.create(oneSend('S-ONE'));
      const created = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (opened.stores[n % opened.stores.length] as SendStore).create({
            ...oneSend(`S-AGAIN-${n}`),
            retryOf: 'S-ONE',
            retryGroup: 'unknown',
          }),
        ),
      );
      const [one, ...more] = created.filter((each) => each?.created);
      expect(more).toEqual([]);
      expect(new Set(created.map((each) => each?.send.id))).toEqual(new Set([one?.send.id]));
      expect(await store.retriesOf('S-ONE')).toMatchObject([
        { id: one?.send.id, retryOf: 'S-ONE', retryGroup: 'unknown', recipientCount: 1 },
      ]);
      expect(await store.recipients(one?.send.id ?? '')).toHaveLength(1);
    });

    it('to each person by one of those that claim them at the same moment', async () => {
      await store.create(oneSend('S-ONE'));
      const groups: readonly RetryGroup[] = ['failed', 'unknown', 'untried'];
      const claimed = await Promise.all(
        groups.map(async (retryGroup, n) => {
          const by = opened.stores[n % opened.stores.length] as SendStore;
          const to = oneSend('S-ONE').recipients.map(({ number }) => number);
          const rows = await claimedSend(by, `S-${retryGroup}`, to, 1, { retryOf: 'S-ONE', retryGroup });
          return { by, sendId: `S-${retryGroup}`, recipients: rows };
        }),
      );
      const leftOut = await Promise.all(
        claimed.map(({ by, ...asked }) =>
          by.skipTaken({ ...asked, failure: FAILURE, state: 'rejected', at: 2 }),
        ),
      );
      expect(leftOut.toSorted()).toEqual([[], [0], [0]]);
      const states = await Promise.all(groups.map((group) => store.recipients(`S-${group}`)));
      expect(
        states
          .flat()
          .map(({ state }) => state)
          .toSorted(),
      ).toEqual(['attempting', 'rejected', 'rejected']);
    });

    it('once for each of the groups that its recipients fall into, and for each send', async () => {
      const groups: readonly RetryGroup[] = ['failed', 'unknown', 'untried'];
      for (const group of groups) expect((await begin(`S-${group}`, group)).created).toBe(true);
      expect((await store.retriesOf('S-FIRST')).map(({ id, retryGroup }) => [id, retryGroup])).toEqual(
        groups.map((group) => [`S-${group}`, group]),
      );
      expect(await begin('S-MORE', 'unknown')).toMatchObject({ created: false, send: { id: 'S-unknown' } });
      const other = { ...bulkSend('S-OTHER'), retryOf: 'S-failed', retryGroup: 'failed' } as const;
      expect((await store.begin(other)).created).toBe(true);
    });

    it('anew only when the one before came to nothing', async () => {
      for (const [n, [from, to]] of (
        [
          ['draft', 'cancelled'],
          ['awaiting_approval', 'rejected'],
          ['awaiting_approval', 'expired'],
          ['awaiting_approval', 'cancelled'],
        ] as const
      ).entries()) {
        const id = `S-NOTHING-${n}`;
        expect(await begin(id)).toMatchObject({ created: true });
        const approval = { needed: 1, expiresAt: 9 };
        if (from !== 'draft')
          await store.seal({ sendId: id, digest: 'd', to: from, approval, at: 1, actor: 'U' });
        expect(await begin('S-WAITS')).toMatchObject({ created: false, send: { id } });
        await move(id, from, to);
      }
      expect(await store.retriesOf('S-FIRST')).toEqual([]);
      await begin('S-LAST');
      await store.seal({ sendId: 'S-LAST', digest: 'd', to: 'approved', at: 1, actor: 'U' });
      await move('S-LAST', 'approved', 'sending');
      await move('S-LAST', 'sending', 'stopped');
      expect(await begin('S-TOO-LATE')).toMatchObject({ created: false, send: { id: 'S-LAST' } });
    });
  });
}
