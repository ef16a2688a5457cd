import { expect, it } from 'vitest';
import type { Failure } from '../../src/sends/outcome.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import { NO_RECIPIENTS } from '../fakes/sends.ts';
import { draftedSend, oneSend, sealSend, startSending } from './steps.ts';

export const RESTORED: Failure = { what: 'It was restored.', next: 'Look.', scope: 'send' };

/** A store on a database of which copies can be made and put back. */
export interface CopiedStore {
  /** Closes the store, if it is open, and opens it again, as a new process does. */
  reopen(): Promise<SendStore>;
  /** Closes the store and keeps a copy of the database as it is now. */
  copy(): Promise<void>;
  /** Closes the store and puts the copy in the place of the database. */
  restore(): Promise<void>;
}

/** Says what every store must notice of being put back. */
export function describeRestoredStore(name: string, open: () => Promise<CopiedStore>): void {
  it(`${name} stops everything that a restored copy holds as not ended`, async () => {
    const { reopen, copy, restore } = await open();
    let store = await reopen();
    expect(await store.stopRestored(RESTORED, 1)).toBeUndefined();
    await addBulk(store, 'S-WAITING', 'awaiting_approval');
    await addBulk(store, 'S-RUNNING', 'approved');
    await startSending(store, 'S-RUNNING');
    await store.claim('S-RUNNING', 1, 20);
    await addBulk(store, 'S-ENDED', 'approved');
    await startSending(store, 'S-ENDED');
    await store.moveSend({ sendId: 'S-ENDED', from: 'sending', to: 'stopped', at: 15, actor: 'herald' });
    await store.create({ ...oneSend('S-SINGLE'), createdAt: 12 });
    await copy();
    store = await reopen();
    expect(await store.stopRestored(RESTORED, 30)).toBeUndefined();
    await store.claim('S-RUNNING', 1, 40);

    await restore();
    store = await reopen();
    const stopped = ['S-WAITING', 'S-RUNNING', 'S-SINGLE'];
    expect((await store.stopRestored(RESTORED, 50))?.toSorted()).toEqual(stopped.toSorted());
    const three = { ...NO_RECIPIENTS, unknown: 3 };
    for (const id of ['S-WAITING', 'S-RUNNING']) {
      expect(await store.find(id)).toMatchObject({ state: 'stopped', reason: RESTORED, counts: three });
      expect((await store.events(id)).at(-1)).toEqual({
        sendId: id,
        at: 50,
        actor: 'herald',
        action: 'stopped',
        reason: RESTORED,
      });
      expect(await store.failures(id)).toEqual([{ state: 'unknown', failure: RESTORED, count: 3 }]);
    }
    expect(
      (await store.recipients('S-RUNNING')).map(({ state, settledAt }) => ({ state, settledAt })),
    ).toEqual([1, 2, 3].map(() => ({ state: 'unknown', settledAt: 50 })));
    expect(await store.find('S-SINGLE')).toMatchObject({
      state: 'done',
      counts: { ...NO_RECIPIENTS, unknown: 1 },
    });
    expect(await store.find('S-ENDED')).toMatchObject({ counts: { ...NO_RECIPIENTS, pending: 3 } });
    expect(await store.claim('S-RUNNING', 9, 60)).toEqual([]);

    expect(await store.stopRestored(RESTORED, 70)).toBeUndefined();
    store = await reopen();
    expect(await store.stopRestored(RESTORED, 80)).toBeUndefined();
    await restore();
    store = await reopen();
    expect((await store.stopRestored(RESTORED, 90))?.toSorted()).toEqual(stopped.toSorted());
  });
}

async function addBulk(store: SendStore, id: string, to: 'awaiting_approval' | 'approved'): Promise<void> {
  await draftedSend(store, id, 3, { createdAt: 10 });
  await sealSend(store, id, { to, approval: { needed: 1, expiresAt: 999 }, at: 11 });
}
