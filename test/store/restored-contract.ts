import { expect, it } from 'vitest';
import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import { NO_RECIPIENTS } from '../fakes/sends.ts';

const TEXT: Message = { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false };
const RESTORED: Failure = { what: 'It was restored.', next: 'Look.', scope: 'send' };
const ORIGIN = { teamId: 'T0', userId: 'U0ASHA', channelId: 'C0TEAM' };

/** A store on a database of which copies can be made and put back. */
export interface CopiedStore {
  /** Closes the store, if it is open, and opens it again, as a new process does. */
  reopen(): Promise<SendStore>;
  /** Closes the store and keeps a copy of the database as it is now. */
  copy(): Promise<void>;
  /** Closes the store and puts the copy in the place of the database. */
  restore(): Promise<void>;
}

/** What every store must notice of being put back. */
export function describeRestoredStore(name: string, open: () => Promise<CopiedStore>): void {
  it(`${name} stops everything that a restored copy holds as not ended`, async () => {
    const { reopen, copy, restore } = await open();
    let store = await reopen();
    expect(await store.stopRestored(RESTORED, 1)).toBeUndefined();
    await addBulk(store, 'S-WAITING', 'awaiting_approval');
    await addBulk(store, 'S-RUNNING', 'approved');
    await moveTo(store, 'S-RUNNING', 'sending');
    await store.claim('S-RUNNING', 1, 20);
    await addBulk(store, 'S-ENDED', 'approved');
    await moveTo(store, 'S-ENDED', 'sending');
    await moveTo(store, 'S-ENDED', 'stopped');
    await addSingle(store, 'S-SINGLE');
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
  await store.begin({
    id,
    kind: 'sms',
    message: TEXT,
    origin: ORIGIN,
    createdAt: 10,
    requestKey: id,
    audience: { id: 'A-1', columns: [] },
  });
  await store.addRecipients(
    id,
    ['+911', '+912', '+913'].map((number, row) => ({ row, number: number as Msisdn, values: [] })),
  );
  const approval = { needed: 1, expiresAt: 999 };
  await store.seal({ sendId: id, digest: 'd', to, approval, at: 11, actor: 'U0ASHA' });
}

async function addSingle(store: SendStore, id: string): Promise<void> {
  await store.create({
    id,
    kind: 'sms',
    message: TEXT,
    origin: ORIGIN,
    state: 'approved',
    recipients: [{ number: '+914' as Msisdn }],
    createdAt: 12,
    requestKey: id,
  });
}

async function moveTo(store: SendStore, sendId: string, to: 'sending' | 'stopped'): Promise<void> {
  const from = to === 'sending' ? 'approved' : 'sending';
  expect(await store.moveSend({ sendId, from, to, at: 15, actor: 'herald' })).toBe(true);
}
