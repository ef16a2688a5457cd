import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Recipient } from '../../../src/messages/submission.ts';
import { createAudiences } from '../../../src/sends/audiences/service.ts';
import { createFinalCheck } from '../../../src/sends/bulk/final-check.ts';
import type { ApprovalPolicy } from '../../../src/sends/bulk/policy.ts';
import { createBulkSends } from '../../../src/sends/bulk/service.ts';
import type { ApproverProblem, BulkProgress, BulkRequest, BulkResult } from '../../../src/sends/bulk.ts';
import { createDispatcher } from '../../../src/sends/dispatch/dispatcher.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';
import { createQuietHours } from '../../../src/sends/quiet-hours.ts';
import type { Send } from '../../../src/sends/send.ts';
import { createStoreTrouble } from '../../../src/sends/store-trouble.ts';
import { createTimers } from '../../../src/sends/tasks.ts';
import { createStoredCatalogue } from '../../../src/sends/templates/catalogue.ts';
import { ALONE } from '../../../src/store/alone.ts';
import { openDatabase } from '../../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../../src/store/sqlite/stores.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { watchCollections } from '../../fakes/collections.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { bulkSend } from '../../store/bulk-send.ts';

const SMS: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'TRANS', unicode: false };
const HOUR = 3_600_000;
const BUSY: Outcome = {
  state: 'not_sent',
  failure: { what: 'Too fast.', next: 'Wait.', scope: 'recipient', status: 429 },
  retry: { kind: 'after', delayMs: 500 },
};
const INDIA_AT_NIGHT = [
  { country: 'IN', types: ['PROMO'], from: '21:00', to: '10:00', timezone: 'Asia/Kolkata' },
];

function openedStores() {
  const database = openDatabase(':memory:');
  if (!database.ok) throw new Error(database.error);
  return { ...createSqliteStores(database.value), database: database.value };
}

function setting(
  over: Partial<ApprovalPolicy> = {},
  stores = openedStores(),
  frequencyCap?: { readonly perNumber: number; readonly hours: number },
) {
  const { sends: store, audiences: audienceStore, templates, replies, database } = stores;
  const clock = createManualClock(Date.UTC(2026, 0, 5, 8, 0));
  const logger = createRecordingLogger();
  let seed = 0;
  const random = {
    fraction: () => 0.5,
    bytes: (length: number) => Uint8Array.from({ length }, () => (seed += 1)),
  };
  const delivered: string[] = [];
  const answers: { next: (to: string) => Outcome; afterMs: (to: string) => number } = {
    next: () => ({ state: 'accepted', status: 200 }),
    afterMs: () => 10,
  };
  const gateway = {
    deliver: async (_: Message, to: readonly Recipient[]) => {
      delivered.push(...to.map(({ number }) => number));
      await clock.sleep(answers.afterMs(to[0]?.number ?? ''));
      return answers.next(to[0]?.number ?? '');
    },
  };
  const problems = new Map<string, ApproverProblem>();
  const shown: { what: string; state: string; stalled?: true }[] = [];
  /** Sends whose requester was told of their state. */
  const notified: string[] = [];
  const storeTrouble = createStoreTrouble();
  /** What Slack's answer to a progress message waits for. */
  const slow = { progress: Promise.resolve() };
  const note = (what: string) => (progress: BulkProgress) => {
    shown.push({ what, state: progress.send.state, ...(progress.stalled && { stalled: true }) });
    return what === 'progress' ? slow.progress : Promise.resolve();
  };
  const stop = new AbortController();
  const shared = { store, clock, random, logger, stopping: stop.signal, storeTrouble };
  const pace = { perSecond: 100, concurrency: 10 };
  const quietHours = createQuietHours(INDIA_AT_NIGHT);
  const dispatching: Parameters<typeof createDispatcher>[0] = {
    lease: ALONE,
    ...shared,
    gateway,
    pacing: { chatapp: pace, rcs: pace, sms: pace, flash: pace },
    beforeAttempt: createFinalCheck({ store, audiences: audienceStore, clock, quietHours, frequencyCap }),
    quietHours,
  };
  const dispatcher = createDispatcher(dispatching);
  const dependencies: Parameters<typeof createBulkSends>[0] = {
    ...shared,
    audiences: audienceStore,
    catalogue: createStoredCatalogue(templates),
    dispatcher,
    quietHours,
    lease: ALONE,
    tasks: createTimers(shared),
    directory: { whyNot: async (userId) => problems.get(userId) },
    frequencyCap,
    policy: {
      approvers: ['S0MANAGERS'],
      over: 1,
      tiers: [{ over: 20, approvals: 2 }],
      expireHours: 24,
      lateAfterMinutes: 60,
      ...over,
    },
    announcer: {
      showApproval: async (send) => void shown.push({ what: 'approval', state: send.state }),
      remind: async (send) => void shown.push({ what: 'reminder', state: send.state }),
      showProgress: note('progress'),
      showRestart: note('restart'),
      showEnd: note('end'),
      notifyRequester: async (sendId) => void notified.push(sendId),
    },
  };
  const { tasks } = dependencies;
  const bulk = createBulkSends(dependencies);
  const audiences = createAudiences({ store: audienceStore, clock, random, logger, defaultCountry: 'IN' });

  async function ask(count: number, more: Partial<BulkRequest> = {}): Promise<BulkResult> {
    const numbers = Array.from({ length: count }, (_, n) => `+9198${String(n + 10_000_000)}`).join('\n');
    const list = await audiences.fromNumbers(numbers, 'U0ASHA');
    if (list.state !== 'ready') throw new Error('the list was not taken');
    const origin = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
    return bulk.request({
      message: SMS,
      audienceId: list.audience.id,
      origin,
      requestKey: `k${seed}`,
      ...more,
    });
  }

  async function waiting(count: number, more: Partial<BulkRequest> = {}): Promise<Send> {
    const result = await ask(count, more);
    if (result.state !== 'awaiting_approval') throw new Error(`not waiting: ${JSON.stringify(result)}`);
    return result.send;
  }

  const approve = ({ id, digest = '' }: Send, userId = 'U0RAVI') =>
    bulk.approve({ sendId: id, userId, teamId: 'T', digest });
  const state = async ({ id }: Send) => (await store.find(id))?.state;
  return {
    bulk,
    /** Another process on the same store. */
    restarted: ({ stopping, ...policy }: Partial<ApprovalPolicy> & { stopping?: AbortSignal } = {}) => {
      const more = stopping === undefined ? {} : { stopping };
      return createBulkSends({
        ...dependencies,
        ...more,
        tasks: createTimers(shared),
        dispatcher: createDispatcher({ ...dispatching, ...more }),
        policy: { ...dependencies.policy, ...policy },
      });
    },
    tasks,
    database,
    store,
    replies,
    clock,
    delivered,
    answers,
    problems,
    shown,
    notified,
    slow,
    storeTrouble,
    audiences,
    audienceStore,
    ask,
    waiting,
    approve,
    state,
    stop,
    logger,
  };
}

describe('what the card says', () => {
  it('is shown again when quiet hours begin and end, and at no other time', async () => {
    const { bulk, waiting, clock, shown, store } = setting({ expireHours: 72 });
    await bulk.start();
    for (const message of [SMS, { ...SMS, type: 'PROMO' }] as const) {
      const { id } = await waiting(10, { message });
      await store.setApprovalCard(id, { channelId: 'C', ts: id });
    }
    const cards = () => shown.filter(({ what }) => what === 'approval').length;
    // It is half past one in India.
    await clock.advance(7 * HOUR);
    expect(cards()).toBe(2);
    await clock.advance(HOUR);
    expect(cards()).toBe(3);
    await clock.advance(12 * HOUR);
    expect(cards()).toBe(3);
    await clock.advance(HOUR);
    expect(cards()).toBe(4);
  });

  it('is brought up to date though its list is gone', async () => {
    const { bulk, waiting, audienceStore, shown } = setting();
    const { id: sendId } = await waiting(3);
    audienceStore.find = async () => undefined;
    await bulk.reject({ sendId, userId: 'U0RAVI', teamId: 'T', reason: 'No.' });
    expect(shown).toContainEqual({ what: 'approval', state: 'rejected' });
  });

  it('is brought up to date after a restart over the beginning of quiet hours', async () => {
    const { waiting, clock, shown, store, restarted } = setting({ expireHours: 72 });
    for (const message of [SMS, { ...SMS, type: 'PROMO' }] as const) {
      const { id } = await waiting(10, { message });
      await store.setApprovalCard(id, { channelId: 'C', ts: id });
    }
    await clock.advance(9 * HOUR);
    await restarted().start();
    await clock.advance(1_000);
    expect(shown.filter(({ what }) => what === 'approval')).toHaveLength(3);
  });

  it('stands in the record of who approved it', async () => {
    const { bulk, waiting, store } = setting();
    const { id: sendId, digest = '' } = await waiting(10);
    await bulk.approve({ sendId, userId: 'U0RAVI', teamId: 'T', digest, warnings: '3 rows are left out.' });
    const approved = (await store.events(sendId)).find(({ action }) => action === 'approved_by');
    expect(approved).toMatchObject({
      actor: 'U0RAVI',
      reason: { what: 'The card warned: 3 rows are left out.' },
    });
  });
});

describe('asking for a bulk send', () => {
  it('waits for approval, and sends nothing meanwhile', async () => {
    const { waiting, state, clock, delivered, shown } = setting();
    const send = await waiting(10);
    await clock.advance(HOUR);
    expect(await state(send)).toBe('awaiting_approval');
    expect(delivered).toEqual([]);
    expect(shown).toEqual([{ what: 'approval', state: 'awaiting_approval' }]);
  });

  it('goes on at once when it is small enough, and leaves the record all the same', async () => {
    const { ask, clock, delivered, store } = setting({ over: 10 });
    const result = await ask(10);
    expect(result.state).toBe('started');
    await clock.advance(10_000);
    expect(delivered).toHaveLength(10);
    const id = result.state === 'started' ? result.send.id : '';
    expect((await store.events(id)).map(({ action }) => action)).toEqual([
      'requested',
      'approved',
      'sending',
      'done',
    ]);
  });

  it('keeps with it how many get which texts, and who is shown to its approvers', async () => {
    const { audiences, bulk, store } = setting();
    const csv = 'phone,text\n+919810000001,Hi\n+919810000002,Hello\n+919810000003,Hi\n+919810000004,\n';
    const bytes = new Blob([csv]).stream();
    const list = await audiences.fromFile({ name: 'list.csv', bytes, by: 'U0ASHA' });
    if (list.state !== 'ready') throw new Error('the list was not taken');
    const result = await bulk.request({
      message: { ...SMS, text: '{{text}}' },
      audienceId: list.audience.id,
      origin: { teamId: 'T', userId: 'U0ASHA', channelId: 'C' },
      requestKey: 'survey',
    });
    const [send] = await store.list({ limit: 1 });
    expect(result.state).toBe('awaiting_approval');
    expect(send?.survey).toEqual({
      recipients: 3,
      countries: { IN: 3 },
      texts: { count: 2, more: false },
      rows: [{ row: 2, why: 'shortest' }, { row: 3, why: 'longest' }, { row: 4 }],
      list: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('leaves out whom the review leaves out: by value, by opt-out since the list was read, and by the cap', async () => {
    const cap = { perNumber: 1, hours: 24 };
    const { audiences, bulk, store, clock, waiting, approve } = setting({}, undefined, cap);
    await approve(await waiting(2));
    await clock.advance(HOUR);
    const lines = ['phone,name', '+919810000000,A', '+919810000005,', '+919810000006,C', '+919810000007,D'];
    const file = { name: 'list.csv', bytes: new Blob([lines.join('\n')]).stream(), by: 'U0ASHA' };
    const list = await audiences.fromFile(file);
    if (list.state !== 'ready') throw new Error('the list was not taken');
    const { id: audienceId, counts } = list.audience;
    await audiences.optOut('+919810000006' as never, 'U0RAVI');
    const asked = { message: { ...SMS, text: 'Hi {{name}}' }, audienceId };
    const optedOut = 'This number has opted out.';
    const empty = 'The column “name” is empty in this row.';
    const often = 'This number was sent as many messages as the frequency cap allows.';
    expect(counts.valid).toBe(4);
    expect(await bulk.review(asked)).toEqual({
      recipients: 1,
      causes: [often, empty, optedOut].map((what) => ({ what, count: 1 })),
      rows: [
        { row: 2, number: '+919810000000', what: often },
        { row: 3, number: '+919810000005', what: empty },
        { row: 4, number: '+919810000006', what: optedOut },
      ],
    });
    expect(await bulk.review({ ...asked, startAt: clock.now() + 24 * HOUR })).toMatchObject({
      recipients: 2,
    });
    expect(await bulk.review({ ...asked, message: { ...SMS, text: '{{gone}}' } })).toBeUndefined();
    expect(await bulk.review(asked, AbortSignal.abort())).toBeUndefined();
    const origin = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
    const result = await bulk.request({ ...asked, origin, requestKey: 'review' });
    const send = result.state === 'refused' ? undefined : await store.find(result.send.id);
    expect(send).toMatchObject({ recipientCount: 4, counts: { pending: 1, skipped: 3 } });
  });

  it('waits where one person has sent so much within an hour, if anybody may approve', async () => {
    const few = { over: 9, singlesPerHour: 4 };
    const { ask, clock } = setting(few);
    expect(await ask(3)).toMatchObject({ state: 'started' });
    const what = 'More than 4 messages of one person within an hour need an approval.';
    expect(await ask(2)).toMatchObject({
      state: 'awaiting_approval',
      send: { approval: { needed: 1 }, reason: { what, next: 'Nothing was sent yet.' } },
    });
    const alert = { id: 'L-1', threadTs: '1.0', urgent: false };
    const origin = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
    expect(await ask(2, { origin: { ...origin, alert } })).toMatchObject({ state: 'started' });
    expect(await ask(1)).toMatchObject({ state: 'started' });
    await clock.advance(HOUR + 1);
    expect(await ask(4)).toMatchObject({ state: 'started' });

    const alone = setting({ ...few, approvers: [] });
    expect(await alone.ask(5)).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(/no approvers are configured/),
    });
    expect(await alone.store.list({ limit: 9 })).toMatchObject([{ state: 'cancelled' }]);
  });

  it('happens once, however often the same click comes', async () => {
    const { ask, store } = setting();
    await ask(3, { requestKey: 'click' });
    expect(await ask(3, { requestKey: 'click' })).toMatchObject({ state: 'repeated' });
    expect(await store.list({ limit: 9 })).toHaveLength(1);
  });

  it.each<[string, Partial<BulkRequest>, Partial<ApprovalPolicy>, RegExp]>([
    ['nobody may approve', {}, { approvers: [] }, /no approvers are configured/],
    ['it should have started already', { startAt: Date.UTC(2026, 0, 5, 7, 58) }, {}, /is in the past/],
    ['the list is gone', { audienceId: 'A-NONE' }, {}, /no longer there/],
    ['it holds a one-time password', { message: { ...SMS, type: 'OTP' } }, {}, /one-time password/],
    ['a column is missing', { message: { ...SMS, text: 'Hello {{name}}' } }, {}, /no column “name”/],
  ])('is refused when %s', async (_, request, policy, what) => {
    const { ask, delivered } = setting(policy);
    expect(await ask(10, request)).toMatchObject({ state: 'refused', what: expect.stringMatching(what) });
    expect(delivered).toEqual([]);
  });
});

describe('asking for a bulk send that comes to nothing', () => {
  it('says so while Herald is stopping, and begins nothing', async () => {
    const { ask, stop, store } = setting();
    stop.abort();
    expect(await ask(3)).toStrictEqual({
      state: 'refused',
      what: 'Herald is being restarted and takes nothing new. Nothing was sent.',
      next: 'Try again in a minute.',
    });
    expect(await store.list({ limit: 9 })).toEqual([]);
  });

  it('says so when what it needs cannot be read', async () => {
    const { bulk, audienceStore, logger } = setting();
    audienceStore.find = () => Promise.reject(new Error('gone'));
    const origin = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
    const asked = bulk.request({ message: SMS, audienceId: 'A', origin, requestKey: 'k' });
    expect(await asked).toStrictEqual({
      state: 'refused',
      what: 'Herald could not write this send to its database. Nothing was sent.',
      next: 'Try again; if it happens again, tell whoever runs Herald to check its disk.',
    });
    expect(logger.lines.map(({ level }) => level)).toEqual(['error']);
  });

  it('ends its draft, with the reason, when every row is left out', async () => {
    const { audiences, bulk, store, delivered, clock } = setting();
    const bytes = new Blob(['phone,text\n+919810000001,\n']).stream();
    const list = await audiences.fromFile({ name: 'list.csv', bytes, by: 'U0ASHA' });
    if (list.state !== 'ready') throw new Error('the list was not taken');
    const message = { ...SMS, text: '{{text}}' };
    const origin = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
    const asked = { message, audienceId: list.audience.id, origin, requestKey: 'k' };
    const what = 'This list has no valid recipient. Nothing was sent.';
    const next = 'Look at the rows that were left out, correct them, and upload the list again.';
    expect(await bulk.request(asked)).toStrictEqual({ state: 'refused', what, next });
    const [send] = await store.list({ limit: 9 });
    expect(send).toMatchObject({ state: 'cancelled', reason: { what, next, scope: 'send' } });
    const events = await store.events(send?.id ?? '');
    expect(events.at(-1)).toMatchObject({ action: 'cancelled', actor: 'herald', at: clock.now() });
    expect(delivered).toEqual([]);
  });

  it('is not asked of approvers whom nobody has named, and one that needs none goes out', async () => {
    const { ask, clock, delivered } = setting({ approvers: [], over: 5 });
    expect(await ask(6)).toMatchObject({ state: 'refused' });
    expect(await ask(6, { approvalOver: 6, requestKey: 'own rule' })).toMatchObject({ state: 'started' });
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(6);
  });

  it.each([
    [-60_000, 'awaiting_approval'],
    [-60_001, 'refused'],
  ])('is in the past a minute after its time: %i ms', async (late, state) => {
    const { ask, clock } = setting();
    expect(await ask(3, { startAt: clock.now() + late })).toMatchObject({ state });
  });
});

describe('the frequency cap', () => {
  it('leaves out who has had enough by the time it is sent, and counts the last hours only', async () => {
    const cap = { perNumber: 1, hours: 24 };
    const { waiting, approve, clock, delivered, store } = setting({}, undefined, cap);
    const [first, second] = [await waiting(3), await waiting(5)];
    await approve(first);
    await clock.advance(HOUR);
    await approve(second);
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(5);
    expect(await store.find(second.id)).toMatchObject({ state: 'done', counts: { accepted: 2, skipped: 3 } });
    expect(
      (await store.failures(second.id)).map(({ state, failure, count }) => [state, failure, count]),
    ).toEqual([
      [
        'skipped',
        {
          what: 'This number was sent as many messages as the frequency cap allows.',
          next: 'Send it later.',
          scope: 'recipient',
        },
        3,
      ],
    ]);
    await clock.leap(24 * HOUR);
    await approve(await waiting(3));
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(8);
  });
});

describe('asking for a bulk send while the store does not say what it has taken', () => {
  type Write = 'begin' | 'addRecipients' | 'seal';

  /** This write is done, and fails all the same; afterwards reads fail, too, until they are given back. */
  function losing(name: Write, { reads = false } = {}) {
    const at = setting({ over: 10 });
    const { store } = at;
    const whole = { ...store };
    const broken = () => Promise.reject(new Error('Connection terminated unexpectedly'));
    const write = store[name] as (...given: readonly unknown[]) => Promise<unknown>;
    const lost = async (...given: readonly unknown[]) => {
      await write(...given);
      if (reads) Object.assign(store, { find: broken, moveSend: broken });
      return broken();
    };
    Object.assign(store, { [name]: lost });
    const restore = () => void Object.assign(store, whole);
    const begun = async () => (await store.list({ limit: 9 })).map(({ state }) => state);
    return { ...at, restore, begun };
  }

  it.each<[Write]>([['begin'], ['addRecipients']])(
    'says that nothing was sent, and nothing is, until the form is pressed again: %s',
    async (write) => {
      const { ask, begun, restore, clock, delivered } = losing(write);
      expect(await ask(5, { requestKey: 'form' })).toMatchObject({
        state: 'refused',
        what: expect.stringMatching(/Nothing was sent/),
      });
      expect(await begun()).toEqual(['cancelled']);
      await clock.advance(HOUR);
      expect(delivered).toEqual([]);
      restore();
      expect(await ask(5, { requestKey: 'form' })).toMatchObject({ state: 'started' });
      expect(await ask(5, { requestKey: 'form' })).toMatchObject({ state: 'repeated' });
      await clock.advance(HOUR);
      expect(delivered).toHaveLength(5);
    },
  );

  it('says that nothing was sent when others have ended the draft before it was sealed', async () => {
    const { ask, store, clock, delivered } = setting({ over: 10 });
    const { seal } = store;
    store.seal = async (sealed) => {
      const ended = { from: 'draft', to: 'cancelled', at: 1, actor: 'herald' } as const;
      await store.moveSend({ sendId: sealed.sendId, ...ended });
      return seal(sealed);
    };
    expect(await ask(5)).toMatchObject({ state: 'refused', what: expect.stringMatching(/Nothing was sent/) });
    await clock.advance(HOUR);
    const begun = await store.list({ limit: 9 });
    expect([begun.map(({ state }) => state), delivered]).toEqual([['cancelled'], []]);
  });

  it('ends at its start the draft of a process that died, so that another retry can be asked for', async () => {
    const { bulk, store, waiting } = setting();
    const { id } = await waiting(5);
    const retry = { retryOf: id, retryGroup: 'failed' } as const;
    await store.begin({ ...bulkSend('S-DRAFT'), ...retry });
    await bulk.start();
    expect((await store.find('S-DRAFT'))?.state).toBe('cancelled');
    expect((await store.begin({ ...bulkSend('S-NEXT'), ...retry })).created).toBe(true);
  });

  it('goes on with what it finds sealed: one that starts at once, and one that waits', async () => {
    const { ask, begun, clock, delivered, shown } = losing('seal');
    expect(await ask(5)).toMatchObject({ state: 'started' });
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(5);
    expect(await ask(12)).toMatchObject({ state: 'awaiting_approval' });
    await clock.advance(1_000);
    expect(shown).toContainEqual({ what: 'approval', state: 'awaiting_approval' });
    expect((await begun()).toSorted()).toEqual(['awaiting_approval', 'done']);
  });

  it('says that it may be sent when nobody can say, and sends it once', async () => {
    const { ask, bulk, restore, clock, delivered } = losing('seal', { reads: true });
    await bulk.start();
    const asked = ask(5);
    await clock.advance(10_000);
    expect(await asked).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(/it may be sent, or wait for approval/),
      next: expect.stringMatching(/Look at \/sends/),
    });
    restore();
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(5);
  });

  it('ends a draft that it could not end at once, so that it stands in nobody’s way', async () => {
    const { ask, bulk, restore, begun, clock } = losing('addRecipients', { reads: true });
    await bulk.start();
    const asked = ask(5);
    await clock.advance(10_000);
    await asked;
    expect(await begun()).toEqual(['draft']);
    restore();
    await clock.advance(60_000);
    expect(await begun()).toEqual(['cancelled']);
  });
});

describe('approving', () => {
  it('is refused when the list is not there any more', async () => {
    const { waiting, approve, clock, delivered, state, audienceStore } = setting();
    const send = await waiting(10);
    audienceStore.find = async () => undefined;
    expect(await approve(send)).toMatchObject({ state: 'refused' });
    await clock.advance(10_000);
    expect([await state(send), delivered]).toEqual(['cancelled', []]);
  });

  it('by one other person starts it, and everybody is reached once', async () => {
    const { waiting, approve, clock, delivered, state, shown } = setting();
    const send = await waiting(20);
    expect(await approve(send)).toMatchObject({ state: 'recorded', complete: true });
    await clock.advance(10_000);
    expect(new Set(delivered).size).toBe(20);
    expect(delivered).toHaveLength(20);
    expect(await state(send)).toBe('done');
    expect(shown.filter(({ what }) => what === 'end')).toEqual([{ what: 'end', state: 'done' }]);
  });

  it('fifty times in parallel gives one start', async () => {
    const { waiting, approve, clock, delivered, store } = setting();
    const send = await waiting(20);
    const results = await Promise.all(Array.from({ length: 50 }, (_, n) => approve(send, `U${n}`)));
    await clock.advance(20_000);
    expect(results.filter((result) => result.state === 'recorded' && result.complete)).toHaveLength(1);
    expect(results.filter((result) => result.state === 'refused')).toHaveLength(49);
    expect(delivered).toHaveLength(20);
    expect((await store.events(send.id)).filter(({ action }) => action === 'sending')).toHaveLength(1);
  });

  it('takes as many people as the tier asks for, each once', async () => {
    const { waiting, approve, state, clock } = setting();
    const send = await waiting(21);
    expect(await approve(send, 'U0RAVI')).toMatchObject({ complete: false });
    expect(await approve(send, 'U0RAVI')).toMatchObject({ state: 'repeated' });
    expect(await state(send)).toBe('awaiting_approval');
    expect(await approve(send, 'U0MEI')).toMatchObject({ complete: true });
    await clock.advance(10_000);
    expect(await state(send)).toBe('done');
  });

  it.each<[string, ApproverProblem | 'self', RegExp]>([
    ['the person who asked', 'self', /Nobody approves their own send/],
    ['somebody who is not listed', 'not_listed', /not among the approvers/],
    ['a guest', 'guest', /Guests may not/],
    ['somebody of another workspace', 'other_workspace', /another workspace/],
    ['somebody of whom Slack does not say', 'unknown', /Slack did not say/],
  ])('by %s is refused', async (_, problem, what) => {
    const { waiting, approve, problems, delivered, clock, state } = setting();
    const send = await waiting(5);
    if (problem !== 'self') problems.set('U0X', problem);
    expect(await approve(send, problem === 'self' ? 'U0ASHA' : 'U0X')).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(what),
    });
    await clock.advance(HOUR);
    expect([await state(send), delivered]).toEqual(['awaiting_approval', []]);
  });

  it.each<[string, ApproverProblem | 'self', string]>([
    ['of their own send', 'self', 'It was their own send.'],
    ['of somebody who is not listed', 'not_listed', 'They were not among the approvers.'],
    ['of a guest', 'guest', 'They were a guest.'],
  ])('a refused approval %s stands in the record, however often it is clicked', async (_, problem, what) => {
    const { waiting, approve, problems, store } = setting();
    const send = await waiting(5);
    if (problem !== 'self') problems.set('U0X', problem);
    const actor = problem === 'self' ? 'U0ASHA' : 'U0X';
    await approve(send, actor);
    await approve(send, actor);
    const refused = (await store.events(send.id)).filter(({ action }) => action === 'approval_refused');
    expect(refused).toMatchObject([{ actor, reason: { what } }]);
  });

  it('of something else than what the card showed is refused', async () => {
    const { waiting, approve, state } = setting();
    const send = await waiting(5);
    expect(await approve({ ...send, digest: 'old' })).toMatchObject({ state: 'refused' });
    expect(await state(send)).toBe('awaiting_approval');
  });

  it('is asked for once more, once, in the last quarter of its time, whatever restarts in between', async () => {
    const { bulk, restarted, waiting, clock, shown, store } = setting();
    await bulk.start();
    const send = await waiting(5);
    const reminders = () => shown.filter(({ what }) => what === 'reminder');
    await clock.leap(18 * HOUR - 60_000);
    expect(reminders()).toEqual([]);
    await clock.advance(90_000);
    expect(reminders()).toEqual([{ what: 'reminder', state: 'awaiting_approval' }]);
    await restarted().start();
    await clock.leap(HOUR);
    await clock.advance(60_000);
    expect(reminders()).toHaveLength(1);
    expect((await store.events(send.id)).filter(({ action }) => action === 'reminded')).toHaveLength(1);
  });

  it('comes too late after it has expired, and says so', async () => {
    const { bulk, waiting, approve, state, clock, delivered, shown } = setting();
    await bulk.start();
    const send = await waiting(5);
    await clock.leap(24 * HOUR);
    await clock.advance(15_000);
    expect(await state(send)).toBe('expired');
    expect(await approve(send)).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(/has expired/),
    });
    expect(delivered).toEqual([]);
    expect(shown.at(-1)).toEqual({ what: 'approval', state: 'expired' });
  });

  it('comes too late at the moment at which it expires, whatever looks after time', async () => {
    const { waiting, approve, state, clock, delivered, store } = setting();
    const [early, late] = [await waiting(5), await waiting(5)];
    await clock.leap(24 * HOUR - 1);
    expect(await approve(early)).toMatchObject({ state: 'recorded' });
    await clock.leap(1);
    expect(await approve(late)).toStrictEqual({
      state: 'refused',
      what: `${late.id} has expired, so this changed nothing.`,
      next: 'Look at its card or at /sends for how it stands.',
    });
    await clock.advance(10_000);
    expect([await state(late), delivered.length]).toEqual(['expired', 5]);
    expect((await store.events(late.id)).at(-1)).toMatchObject({
      action: 'expired',
      actor: 'herald',
      reason: { what: 'Nobody approved it in time. Nothing was sent.' },
    });
  });

  it('says what has become of it instead', async () => {
    const { bulk, waiting, approve } = setting();
    const [taken, refused] = [await waiting(5), await waiting(5)];
    await bulk.withdraw({ sendId: taken.id, userId: 'U0ASHA' });
    await bulk.reject({ sendId: refused.id, userId: 'U0MEI', teamId: 'T', reason: 'No.' });
    const what = async (send: Send) => (await approve(send)) as { what: string };
    expect((await what(taken)).what).toBe(`${taken.id} was withdrawn, so this changed nothing.`);
    expect((await what(refused)).what).toBe(`${refused.id} was rejected, so this changed nothing.`);
    const none = { state: 'refused', what: 'There is no such send.', next: 'Check the reference.' };
    const by = { sendId: 'S-NONE', userId: 'U0RAVI', teamId: 'T' };
    expect(await bulk.approve({ ...by, digest: 'd' })).toStrictEqual(none);
    expect(await bulk.reject({ ...by, reason: 'No.' })).toStrictEqual(none);
    for (const click of [bulk.withdraw, bulk.pause, bulk.resume, bulk.stop])
      expect(await click(by)).toStrictEqual(none);
    const reason = { what: 'x', next: 'y', scope: 'send' } as const;
    expect(await bulk.void({ ...by, reason })).toStrictEqual(none);
    expect(await bulk.progress('S-NONE')).toBeUndefined();
  });

  it('is refused even when the refusal cannot be noted', async () => {
    const { waiting, approve, store, state, logger } = setting();
    const send = await waiting(5);
    store.recordOnce = () => Promise.reject(new Error('disk full'));
    expect(await approve(send, 'U0ASHA')).toMatchObject({ state: 'refused' });
    expect(await state(send)).toBe('awaiting_approval');
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { sendId: send.id } }]);
  });

  it('does not start when the approver has lost the role meanwhile', async () => {
    const { bulk, waiting, approve, state, clock, delivered, problems, store } = setting();
    await bulk.start();
    const send = await waiting(5, { startAt: Date.UTC(2026, 0, 5, 9, 0) });
    await approve(send);
    expect(await state(send)).toBe('scheduled');
    problems.set('U0RAVI', 'not_listed');
    await clock.advance(HOUR + 15_000);
    expect(await store.find(send.id)).toMatchObject({
      state: 'cancelled',
      reason: { what: expect.stringMatching(/is no longer an approver/) },
    });
    expect(delivered).toEqual([]);
  });

  it('does not start by an approval of who asked, however that came into the database', async () => {
    const { bulk, waiting, approve, clock, delivered, store, database } = setting({
      tiers: [{ over: 4, approvals: 2 }],
    });
    await bulk.start();
    const send = await waiting(5);
    database.exec('INSERT INTO approvals SELECT id, user_id, digest, 1 FROM sends');
    await approve(send);
    await clock.advance(HOUR);
    expect(await store.find(send.id)).toMatchObject({ state: 'cancelled' });
    expect(delivered).toEqual([]);
  });

  it.each([
    ['a number', `UPDATE recipients SET number = '+919810000009' WHERE row = 1`],
    ['the values of a row', `UPDATE recipients SET cells = '["x"]' WHERE row = 1`],
    [
      'one row more',
      `INSERT INTO recipients (send_id, row, number, state) SELECT id, 9, '+65', 'pending' FROM sends`,
    ],
    ['one row less', 'DELETE FROM recipients WHERE row = 1'],
    ['somebody who was left out', `UPDATE recipients SET state = 'pending' WHERE state = 'skipped'`],
  ])('does not start with another list than was approved: %s', async (_, edit) => {
    const { bulk, waiting, approve, clock, delivered, store, audiences, database } = setting();
    await bulk.start();
    const list = await audiences.fromNumbers('+919810000001\n+919810000002\n+919810000003', 'U0ASHA');
    if (list.state !== 'ready') throw new Error('the list was not taken');
    await audiences.optOut('+919810000003' as never, 'U0RAVI');
    const audienceId = list.audience.id;
    const send = await waiting(1, { audienceId, startAt: Date.UTC(2026, 0, 5, 9, 0) });
    expect(send.counts).toMatchObject({ pending: 2, skipped: 1 });
    await approve(send);
    database.exec(edit);
    await clock.advance(HOUR + 15_000);
    expect(await store.find(send.id)).toMatchObject({
      state: 'cancelled',
      reason: { what: expect.stringMatching(/no longer what was approved/) },
    });
    expect(delivered).toEqual([]);
  });

  it('waits while Slack does not say who may approve, and starts when it does', async () => {
    const { bulk, waiting, approve, state, clock, problems } = setting();
    await bulk.start();
    const send = await waiting(5, { startAt: Date.UTC(2026, 0, 5, 9, 0) });
    await approve(send);
    problems.set('U0RAVI', 'unknown');
    await clock.advance(HOUR + 15_000);
    expect(await state(send)).toBe('scheduled');
    problems.delete('U0RAVI');
    await clock.advance(30_000);
    expect(await state(send)).toBe('done');
  });
});

describe('approvals that have become stricter', () => {
  const NINE = Date.UTC(2026, 0, 5, 9, 0);
  const TWO = { tiers: [{ over: 4, approvals: 2 }] };
  const digestOf = ({ id, digest = '' }: Send) => ({ sendId: id, teamId: 'T', digest });

  it('reach what waits: one approval is no longer enough, and its card says why', async () => {
    const { waiting, restarted, state, clock, delivered, store, shown } = setting();
    const send = await waiting(5);
    await store.setApprovalCard(send.id, { channelId: 'C', ts: '1.0' });
    const after = restarted(TWO);
    shown.length = 0;
    await after.start();
    await clock.advance(1_000);
    expect(await store.find(send.id)).toMatchObject({
      state: 'awaiting_approval',
      approval: { needed: 2 },
      reason: { what: expect.stringMatching(/stricter.* 2 approvals/) },
    });
    expect(shown).toContainEqual({ what: 'approval', state: 'awaiting_approval' });
    expect(shown).toContainEqual({ what: 'reminder', state: 'awaiting_approval' });
    expect(await after.approve({ ...digestOf(send), userId: 'U0RAVI' })).toMatchObject({ complete: false });
    await clock.advance(HOUR);
    expect([await state(send), delivered]).toEqual(['awaiting_approval', []]);
    expect(await after.approve({ ...digestOf(send), userId: 'U0MEI' })).toMatchObject({ complete: true });
    await clock.advance(10_000);
    expect(delivered).toHaveLength(5);
  });

  it('hold at the click, too, where the send was asked for under milder ones meanwhile', async () => {
    const { waiting, restarted, state, clock, delivered } = setting();
    const after = restarted(TWO);
    await after.start();
    const send = await waiting(5);
    expect(await after.approve({ ...digestOf(send), userId: 'U0RAVI' })).toMatchObject({ complete: false });
    await clock.advance(HOUR);
    expect([await state(send), delivered]).toEqual(['awaiting_approval', []]);
  });

  it.each<[string, Partial<ApprovalPolicy>, Partial<ApprovalPolicy>, number]>([
    ['more approvals', {}, TWO, 1],
    ['a lower limit', { over: 10 }, { over: 1 }, 0],
  ])('reach what is scheduled, which goes back to its approvers: %s', async (_, then, now, given) => {
    const { ask, approve, restarted, clock, delivered, store } = setting(then);
    const asked = await ask(5, { startAt: NINE });
    if (asked.state === 'refused') throw new Error(asked.what);
    const { send } = asked;
    if (given > 0) await approve(send);
    await clock.advance(1_000);
    expect((await store.find(send.id))?.state).toBe('scheduled');
    const after = restarted(now);
    await after.start();
    await clock.advance(1_000);
    expect(await store.find(send.id)).toMatchObject({
      state: 'awaiting_approval',
      approval: { needed: given + 1, expiresAt: expect.any(Number) },
      reason: { what: expect.stringMatching(/stricter/) },
    });
    expect(await store.approvals(send.id)).toHaveLength(given);
    const last = (await store.find(send.id)) ?? send;
    expect(await after.approve({ ...digestOf(last), userId: 'U0MEI' })).toMatchObject({ complete: true });
    await clock.advance(1_000);
    expect([(await store.find(send.id))?.state, delivered]).toEqual(['scheduled', []]);
    await clock.advance(2 * HOUR);
    expect(delivered).toHaveLength(5);
  });

  it('reach what was approved and has not begun, whoever resumes it', async () => {
    const { waiting, approve, restarted, clock, delivered, store } = setting();
    const send = await waiting(5, { startAt: NINE });
    await approve(send);
    await clock.leap(2 * HOUR + 60_000);
    await clock.advance(0);
    const move = { sendId: send.id, from: 'scheduled', to: 'paused', at: 1, actor: 'herald' } as const;
    await store.moveSend(move);
    const after = restarted(TWO);
    const by = { sendId: send.id, userId: 'U0ASHA', teamId: 'T' };
    expect(await after.resume(by)).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(/needs 2 approvals.* not resumed.*nothing was sent/i),
    });
    await clock.advance(HOUR);
    expect([(await store.find(send.id))?.state, delivered]).toEqual(['awaiting_approval', []]);
  });

  it('leave those alone who were asked for by a rule of their own', async () => {
    const { ask, restarted, clock, delivered } = setting({ over: 1 });
    expect((await ask(5, { approvalOver: 10, startAt: NINE })).state).toBe('started');
    await clock.advance(1_000);
    await restarted({ over: 1 }).start();
    await clock.advance(2 * HOUR);
    expect(delivered).toHaveLength(5);
  });
});

describe('rejecting and taking back', () => {
  it('ends it with the reason; an approval in the same moment does not start it too', async () => {
    const { bulk, waiting, approve, store, clock, delivered } = setting();
    const send = await waiting(10);
    const reject = bulk.reject({ sendId: send.id, userId: 'U0MEI', teamId: 'T', reason: 'Wrong list.' });
    const [rejected, ...approvals] = await Promise.all([
      reject,
      ...Array.from({ length: 20 }, (_, n) => approve(send, `U${n}`)),
    ]);
    await clock.advance(10_000);
    const started = approvals.some((result) => result.state === 'recorded' && result.complete);
    expect(started).toBe(rejected.state === 'refused');
    expect(delivered).toHaveLength(started ? 10 : 0);
    if (!started) expect((await store.find(send.id))?.reason?.what).toBe('Wrong list.');
  });

  it('is not for the person who asked; taking it back is for nobody else', async () => {
    const { bulk, waiting, state } = setting();
    const send = await waiting(5);
    expect(await bulk.reject({ sendId: send.id, userId: 'U0ASHA', teamId: 'T', reason: 'x' })).toMatchObject({
      state: 'refused',
    });
    expect(await bulk.withdraw({ sendId: send.id, userId: 'U0RAVI' })).toMatchObject({ state: 'refused' });
    expect(await bulk.withdraw({ sendId: send.id, userId: 'U0ASHA' })).toMatchObject({ state: 'cancelled' });
    expect(await state(send)).toBe('cancelled');
  });
});

describe('voiding what has not begun', () => {
  const reason = { what: 'The template was changed.', next: 'Look.', scope: 'send' } as const;

  it('cancels it, with the reason, whether it waits for people or for its time', async () => {
    const { bulk, waiting, approve, clock, store, delivered, notified } = setting();
    await bulk.start();
    const [waits, scheduled] = [await waiting(5), await waiting(5, { startAt: clock.now() + HOUR })];
    await approve(scheduled);
    await clock.advance(1_000);
    for (const { id } of [waits, scheduled]) {
      expect(await bulk.void({ sendId: id, userId: 'U0MEI', reason })).toMatchObject({
        state: 'cancelled',
        reason,
      });
      expect((await store.events(id)).at(-1)).toMatchObject({ action: 'cancelled', actor: 'U0MEI', reason });
      expect(notified).toContain(id);
    }
    await clock.advance(2 * HOUR);
    expect(delivered).toEqual([]);
  });

  it('stops it where it was paused before anybody was sent to, and leaves what has begun', async () => {
    const { bulk, waiting, approve, clock, store } = setting({ tiers: [] });
    await bulk.start();
    const [late, begun] = [await waiting(5, { startAt: clock.now() + HOUR }), await waiting(500)];
    await clock.leap(2 * HOUR);
    await approve(late);
    await approve(begun);
    await clock.advance(2_000);
    expect(await bulk.void({ sendId: late.id, userId: 'U0MEI', reason })).toMatchObject({
      state: 'stopped',
      reason,
    });
    expect(await bulk.void({ sendId: begun.id, userId: 'U0MEI', reason })).toMatchObject({
      what: `${begun.id} is being sent, so this changed nothing.`,
    });
    await bulk.pause({ sendId: begun.id, userId: 'U0ASHA' });
    await clock.advance(1_000);
    expect(await bulk.void({ sendId: begun.id, userId: 'U0MEI', reason })).toMatchObject({
      what: `${begun.id} is paused, so this changed nothing.`,
    });
    expect((await store.find(begun.id))?.state).toBe('paused');
  });
});

describe('while it is sent', () => {
  it('is paused and stopped by who asked or by an approver, and by nobody else', async () => {
    const { bulk, waiting, approve, clock, problems, state } = setting({ tiers: [] });
    const send = await waiting(500);
    await approve(send);
    await clock.advance(2_000);
    problems.set('U0SAM', 'not_listed');
    const sam = { sendId: send.id, userId: 'U0SAM', teamId: 'T' };
    const refused = {
      state: 'refused',
      what: 'Only the person who asked for this send, or an approver, may do that. Nothing changed.',
      next: 'Ask one of them.',
    };
    expect([await bulk.pause(sam), await bulk.stop(sam)]).toStrictEqual([refused, refused]);
    expect(await bulk.withdraw(sam)).toStrictEqual({
      state: 'refused',
      what: 'Only the person who asked for this send may do that. Nothing changed.',
      next: 'Ask them.',
    });
    expect(await state(send)).toBe('sending');
    expect(await bulk.pause({ ...sam, userId: 'U0RAVI' })).toMatchObject({ state: 'paused' });
    expect(await bulk.resume(sam)).toStrictEqual(refused);
    expect(await bulk.stop({ ...sam, userId: 'U0RAVI' })).toMatchObject({ state: 'stopped' });
  });

  it('says its speed and how long the rest takes, from one reading to the next', async () => {
    const { bulk, waiting, approve, clock } = setting({ tiers: [] });
    const send = await waiting(500);
    expect(await bulk.progress(send.id)).toMatchObject({ perSecond: 0, failures: [] });
    await approve(send);
    await clock.advance(2_000);
    await bulk.progress(send.id);
    await clock.advance(400);
    const progress = await bulk.progress(send.id);
    const { perSecond = 0, counts } = progress ?? {};
    const left = (counts?.pending ?? 0) + (counts?.attempting ?? 0);
    // Its pace is a hundred a second.
    expect(Math.abs(perSecond - 100)).toBeLessThan(10);
    expect(progress?.remainingMs).toBe((left / perSecond) * 1_000);
    expect(progress).not.toHaveProperty('stalled');
    await clock.advance(20_000);
    expect(await bulk.progress(send.id)).not.toHaveProperty('remainingMs');
  });

  it('can be paused, resumed and stopped', async () => {
    const { bulk, waiting, approve, clock, delivered, state } = setting({ tiers: [] });
    const send = await waiting(1_000);
    await approve(send);
    await clock.advance(3_000);
    const by = { sendId: send.id, userId: 'U0ASHA', teamId: 'T' };
    expect(await bulk.pause(by)).toMatchObject({ state: 'paused' });
    await clock.advance(1_000);
    const paused = delivered.length;
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(paused);
    expect(await bulk.resume(by)).toMatchObject({ state: 'sending' });
    await clock.advance(2_000);
    expect(delivered.length).toBeGreaterThan(paused);
    expect(await bulk.stop(by)).toMatchObject({ state: 'stopped' });
    await clock.advance(HOUR);
    expect(await state(send)).toBe('stopped');
    expect(delivered.length).toBeLessThan(1_000);
    expect(new Set(delivered).size).toBe(delivered.length);
    expect(await bulk.resume(by)).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(/was stopped/),
    });
  });

  it('goes on when it is resumed while Slack has not yet taken that it was paused', async () => {
    const { bulk, waiting, approve, clock, delivered, state, slow } = setting({ tiers: [] });
    const send = await waiting(500);
    await approve(send);
    await clock.advance(2_000);
    slow.progress = new Promise(() => {});
    const by = { sendId: send.id, userId: 'U0ASHA', teamId: 'T' };
    await bulk.pause(by);
    await clock.advance(2_000);
    await bulk.resume(by);
    await clock.advance(10_000);
    expect([await state(send), delivered.length, new Set(delivered).size]).toEqual(['done', 500, 500]);
  });

  it('goes on when it is resumed before what was on its way has come back', async () => {
    const { bulk, waiting, approve, clock, delivered, state } = setting({ tiers: [] });
    const send = await waiting(500);
    await approve(send);
    await clock.advance(2_000);
    const by = { sendId: send.id, userId: 'U0ASHA', teamId: 'T' };
    await bulk.pause(by);
    await bulk.resume(by);
    await clock.advance(20_000);
    expect([await state(send), delivered.length, new Set(delivered).size]).toEqual(['done', 500, 500]);
  });

  it('loses nobody whose request comes back as “too many” after it was paused and resumed', async () => {
    const { bulk, waiting, approve, clock, delivered, answers, state, store } = setting({ tiers: [] });
    const send = await waiting(500);
    await approve(send);
    await clock.advance(2_000);
    answers.afterMs = (to) => (to.endsWith('7') ? 3_000 : 10);
    await clock.advance(500);
    const by = { sendId: send.id, userId: 'U0ASHA', teamId: 'T' };
    await bulk.pause(by);
    await clock.advance(500);
    let busy = (await store.find(send.id))?.counts.attempting ?? 0;
    expect(busy).toBeGreaterThan(3);
    await bulk.resume(by);
    answers.next = () => (busy-- > 0 ? BUSY : { state: 'accepted', status: 200 });
    answers.afterMs = () => 10;
    await clock.advance(20_000);
    expect([await state(send), new Set(delivered).size]).toEqual(['done', 500]);
    expect((await store.find(send.id))?.counts).toMatchObject({ accepted: 500, not_sent: 0 });
  });

  it('is found, said and gone on with when recipients are left and nobody works on them', async () => {
    const { waiting, approve, clock, state, database, logger } = setting({ tiers: [] });
    const send = await waiting(500);
    await approve(send);
    await clock.advance(2_000);
    database.exec('UPDATE sends SET next_row = 1000');
    await clock.advance(10_000);
    expect(await state(send)).toBe('sending');
    await clock.advance(30_000);
    expect(await state(send)).toBe('done');
    expect(logger.lines).toContainEqual({
      level: 'error',
      fields: { sendId: send.id, pending: expect.any(Number) },
      message: expect.stringMatching(/nobody worked on them/),
    });
  });

  it('leaves out who opts out meanwhile', async () => {
    const { waiting, approve, audiences, clock, delivered, store } = setting();
    const send = await waiting(10);
    await audiences.optOut('+919810000007' as never, 'herald');
    await approve(send);
    await clock.advance(10_000);
    expect(delivered).toHaveLength(9);
    expect((await store.find(send.id))?.counts).toMatchObject({ accepted: 9, skipped: 1 });
  });

  it('tries the failed ones again only when a person says so, with an approval of their own', async () => {
    const { bulk, waiting, approve, clock, delivered, answers, store } = setting();
    answers.next = (to) =>
      to.endsWith('3')
        ? { state: 'unknown', failure: { what: 'x', next: 'y', scope: 'recipient' } }
        : { state: 'accepted', status: 200 };
    const send = await waiting(20);
    await approve(send);
    await clock.advance(HOUR);
    expect((await store.find(send.id))?.counts).toMatchObject({ accepted: 18, unknown: 2 });
    const again = await bulk.retry({
      sendId: send.id,
      origin: { ...send.origin, userId: 'U0MEI' },
      group: 'unknown',
      requestKey: 'r',
    });
    expect(again).toMatchObject({
      state: 'awaiting_approval',
      send: { recipientCount: 2, retryOf: send.id, retryGroup: 'unknown', origin: { userId: 'U0MEI' } },
    });
    expect(delivered).toHaveLength(20);
    const nothing = await bulk.retry({
      sendId: send.id,
      origin: send.origin,
      group: 'failed',
      requestKey: 'r2',
    });
    expect(nothing).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(/No recipient is left to try again/),
    });
  });

  it('sends nothing again to whom a report has found meanwhile, before the retry is made or before it starts', async () => {
    const { bulk, waiting, approve, clock, delivered, answers, store, replies } = setting();
    answers.next = (to) =>
      to.endsWith('3')
        ? { state: 'accepted', status: 200 }
        : { state: 'unknown', failure: { what: 'x', next: 'y', scope: 'recipient', code: to.slice(-1) } };
    const send = await waiting(13);
    await approve(send);
    await clock.advance(HOUR);
    const rows = (await store.recipients(send.id)).filter(({ state }) => state === 'unknown');
    expect(rows).toHaveLength(12);
    const arrived = async (at: number) => {
      await replies.keep([{ digest: `d${at}`, receivedAt: at, body: '' }], 1);
      const [webhook] = await replies.waiting(at, 1);
      const { row = -1 } = rows[at] ?? {};
      const deliveries = [{ sendId: send.id, row, status: 'delivered', at } as const];
      await replies.record([{ webhookId: webhook?.id ?? -1, events: [], deliveries }]);
    };
    await arrived(0);
    const retry = { sendId: send.id, origin: send.origin, group: 'unknown', requestKey: 'r' } as const;
    const again = await bulk.retry(retry);
    if (again.state !== 'awaiting_approval') throw new Error(again.state);
    expect(again.send.recipientCount).toBe(11);
    await arrived(1);
    delivered.length = 0;
    answers.next = () => ({ state: 'accepted', status: 200 });
    await approve(again.send, 'U0MEI');
    await clock.advance(HOUR);
    expect(await store.find(again.send.id)).toMatchObject({
      state: 'done',
      counts: { accepted: 10, skipped: 1 },
    });
    expect(delivered.toSorted()).toEqual(rows.slice(2).map(({ number }) => number));
    expect(await store.failures(again.send.id)).toMatchObject([
      { state: 'skipped', failure: { what: expect.stringMatching(/was taken after all/) }, count: 1 },
    ]);
  });

  it('tries nothing again of which texts or numbers are no longer kept, and sends to no pseudonym', async () => {
    const { bulk, waiting, approve, clock, answers, store, database } = setting();
    answers.next = () => ({ state: 'unknown', failure: { what: 'x', next: 'y', scope: 'recipient' } });
    const send = await waiting(3);
    await approve(send);
    await clock.advance(HOUR);
    const retry = { sendId: send.id, origin: send.origin, group: 'unknown', requestKey: 'r' } as const;
    // In the middle of its request: the first row is gone, the others are still there.
    database.exec(`UPDATE recipients SET number = '#gone' WHERE row = (SELECT min(row) FROM recipients)`);
    expect(await bulk.retry(retry)).toMatchObject({ send: { recipientCount: 2 } });
    database.exec('UPDATE sends SET removed_at = 5');
    expect((await store.find(send.id))?.removedAt).toBe(5);
    expect(await bulk.retry({ ...retry, requestKey: 'r2' })).toMatchObject({
      state: 'refused',
      what: expect.stringContaining('no longer kept'),
    });
  });
});

describe('another send to some of its recipients', () => {
  const origin = { teamId: 'T', userId: 'U0MEI', channelId: 'C' };
  const odd = (to: string) => Number(to.at(-1)) % 2 === 1;
  const failure = { what: 'x', next: 'y', scope: 'recipient' } as const;

  /** Done, with six of twelve rejected; so small that nobody needs to approve anything. */
  async function halfRejected() {
    const at = setting({ over: 100 });
    const { ask, clock, answers } = at;
    answers.next = (to) => (odd(to) ? { state: 'rejected', failure } : { state: 'accepted', status: 200 });
    const asked = await ask(12);
    if (asked.state !== 'started') throw new Error('not started');
    await clock.advance(HOUR);
    answers.next = () => ({ state: 'accepted', status: 200 });
    let clicks = 0;
    const retry = (sendId = asked.send.id) => {
      clicks += 1;
      return at.bulk.retry({ sendId, origin, group: 'failed', requestKey: `click-${clicks}` });
    };
    return { ...at, send: asked.send, retry };
  }

  it('is one, however many ask for it at the same moment', async () => {
    const { retry, clock, delivered } = await halfRejected();
    const results = await Promise.all(Array.from({ length: 20 }, () => retry()));
    expect(results.filter(({ state }) => state === 'started')).toHaveLength(1);
    expect(results.filter(({ state }) => state === 'repeated')).toHaveLength(19);
    await clock.advance(HOUR);
    expect(delivered.filter(odd)).toHaveLength(12);
  });

  it('is the last one to its group: whom it did not reach is tried again from there', async () => {
    const { retry, answers, clock, delivered } = await halfRejected();
    answers.next = (to) =>
      to.endsWith('1') ? { state: 'rejected', failure } : { state: 'accepted', status: 200 };
    const first = await retry();
    if (first.state !== 'started') throw new Error('not started');
    await clock.advance(HOUR);
    expect(await retry()).toMatchObject({ state: 'repeated', send: { id: first.send.id } });
    answers.next = () => ({ state: 'accepted', status: 200 });
    expect(await retry(first.send.id)).toMatchObject({ state: 'started', send: { recipientCount: 2 } });
    await clock.advance(HOUR);
    const times = Map.groupBy(delivered, (to) => to.at(-1));
    expect(Object.fromEntries([...times].map(([last, all]) => [last, all.length]))).toEqual({
      // Of twelve two end in 0, and two in 1.
      0: 2,
      1: 6,
      2: 1,
      3: 2,
      4: 1,
      5: 2,
      6: 1,
      7: 2,
      8: 1,
      9: 2,
    });
  });

  it('can be asked for anew, and is offered again, when the one before came to nothing', async () => {
    const { bulk, waiting, approve, answers, clock, shown } = setting();
    answers.next = (to) => (odd(to) ? { state: 'rejected', failure } : { state: 'accepted', status: 200 });
    const send = await waiting(12);
    await approve(send);
    await clock.advance(HOUR);
    const retry = (requestKey: string) =>
      bulk.retry({ sendId: send.id, origin, group: 'failed', requestKey });
    const first = await retry('first');
    if (first.state !== 'awaiting_approval') throw new Error(`not waiting: ${first.state}`);
    expect((await retry('second')).state).toBe('repeated');
    await clock.advance(1_000);
    shown.length = 0;
    const by = { sendId: first.send.id, userId: 'U0RAVI', teamId: 'T', reason: 'Not again.' };
    expect(await bulk.reject(by)).toMatchObject({ state: 'rejected' });
    await clock.advance(1_000);
    expect(shown).toContainEqual({ what: 'progress', state: 'done' });
    expect((await retry('third')).state).toBe('awaiting_approval');
  });

  it('goes to exactly those who were not tried when it was stopped, with an approval of its own', async () => {
    const { bulk, waiting, approve, clock, delivered, store } = setting({ tiers: [] });
    const send = await waiting(500);
    await approve(send);
    await clock.advance(2_000);
    const rest = { sendId: send.id, origin, group: 'untried', requestKey: 'rest' } as const;
    const early = { state: 'refused', what: expect.stringMatching(/has not ended\. Nothing was sent again/) };
    expect(await bulk.retry(rest)).toMatchObject(early);
    const by = { sendId: send.id, userId: 'U0ASHA', teamId: 'T' };
    expect(await bulk.stop(by)).toMatchObject({ state: 'stopped' });
    expect((await store.find(send.id))?.counts.attempting).toBeGreaterThan(0);
    expect(await bulk.retry(rest)).toMatchObject(early);
    await clock.advance(1_000);
    const before = delivered.length;
    const { pending = 0 } = (await store.find(send.id))?.counts ?? {};
    expect([pending + before, pending > 0]).toEqual([500, true]);

    const asked = await bulk.retry(rest);
    expect(asked).toMatchObject({
      state: 'awaiting_approval',
      send: { message: SMS, recipientCount: pending, retryOf: send.id, retryGroup: 'untried' },
    });
    if (asked.state !== 'awaiting_approval') return;
    expect(await bulk.retry({ ...rest, requestKey: 'again' })).toMatchObject({ state: 'repeated' });
    expect(await approve(asked.send, 'U0MEI')).toMatchObject({ state: 'refused' });
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(before);
    await approve(asked.send);
    await clock.advance(HOUR);
    expect([delivered.length, new Set(delivered).size]).toEqual([500, 500]);
    expect(await bulk.retry({ ...rest, requestKey: 'later' })).toMatchObject({ state: 'repeated' });
  });
});

describe('a retry that needs approval', () => {
  const failing = () => {
    const set = setting();
    set.answers.next = () => ({ state: 'rejected', failure: { what: 'x', next: 'y', scope: 'recipient' } });
    return set;
  };
  type Set = ReturnType<typeof failing>;

  /** Sent in vain to as many, and asked for again by somebody. */
  async function triedAgain(
    { bulk, store, approve, clock, state }: Set,
    send: Send,
    userId: string,
  ): Promise<Send> {
    await approve(send, 'U0RAVI');
    await clock.advance(HOUR);
    expect(await state(send)).toMatch(/done|stopped/);
    const origin = { ...send.origin, userId };
    const again = await bulk.retry({ sendId: send.id, origin, group: 'failed', requestKey: userId });
    if (again.state !== 'awaiting_approval') throw new Error(JSON.stringify(again));
    return (await store.find(again.send.id)) ?? again.send;
  }

  it('is approved by nobody who asked for it, now or before', async () => {
    const set = failing();
    const retry = await triedAgain(set, await set.waiting(3), 'U0MEI');
    const third = await triedAgain(set, retry, 'U0SAM');
    const refusals = [];
    for (const userId of ['U0ASHA', 'U0MEI', 'U0SAM'])
      refusals.push(
        await set.approve(third, userId),
        await set.bulk.reject({ sendId: third.id, userId, teamId: 'T', reason: 'No.' }),
      );
    expect(refusals.map((one) => one.state)).toEqual(Array.from({ length: 6 }, () => 'refused'));
    expect(refusals[0]).toMatchObject({
      what: 'You asked for the send that this one tries again, so it counts as your own. Nothing was approved.',
    });
    expect(await set.state(third)).toBe('awaiting_approval');
    expect(await set.approve(third, 'U0ZOE')).toMatchObject({ state: 'recorded', complete: true });
  });
});

describe('a time to start', () => {
  it('is kept, whoever clicks a button that a send before its start does not have', async () => {
    const { bulk, waiting, approve, clock, delivered, state } = setting();
    await bulk.start();
    const send = await waiting(5, { startAt: clock.now() + HOUR });
    await approve(send);
    await clock.advance(1_000);
    const by = { sendId: send.id, userId: 'U0ASHA', teamId: 'T' };
    for (const click of [bulk.resume, bulk.pause, bulk.resume])
      expect(await click(by)).toMatchObject({
        state: 'refused',
        what: expect.stringMatching(/changed nothing/),
      });
    await clock.advance(HOUR / 2);
    expect([await state(send), delivered]).toEqual(['scheduled', []]);
    await clock.advance(HOUR);
    expect([await state(send), delivered.length]).toEqual(['done', 5]);
  });

  it('is kept', async () => {
    const { bulk, waiting, approve, clock, delivered, state } = setting();
    await bulk.start();
    const send = await waiting(5, { startAt: Date.UTC(2026, 0, 5, 10, 0) });
    await approve(send);
    await clock.advance(2 * HOUR - 60_000);
    expect([await state(send), delivered.length]).toEqual(['scheduled', 0]);
    await clock.advance(90_000);
    expect([await state(send), delivered.length]).toEqual(['done', 5]);
  });

  it('that was missed by more than an hour is held, not fired', async () => {
    const { bulk, waiting, approve, clock, delivered, store } = setting();
    const send = await waiting(5, { startAt: Date.UTC(2026, 0, 5, 9, 0) });
    await approve(send);
    await clock.advance(2 * HOUR + 60_000);
    await bulk.start();
    await clock.advance(60_000);
    expect(await store.find(send.id)).toMatchObject({
      state: 'paused',
      reason: { what: expect.stringMatching(/more than an hour late/) },
    });
    expect(delivered).toEqual([]);
    await bulk.resume({ sendId: send.id, userId: 'U0ASHA', teamId: 'T' });
    await clock.advance(60_000);
    expect(delivered).toHaveLength(5);
  });

  it('that had passed when it was approved is not made up for at once: it is asked about', async () => {
    const { bulk, waiting, approve, clock, delivered, store, shown } = setting();
    await bulk.start();
    const send = await waiting(5, { startAt: Date.UTC(2026, 0, 5, 9, 0) });
    await clock.leap(HOUR + 60_000);
    await approve(send);
    await clock.advance(60_000);
    expect(await store.find(send.id)).toMatchObject({
      state: 'paused',
      reason: {
        what: expect.stringMatching(/approved after its scheduled start/),
        next: expect.stringMatching(/^Resume/),
      },
    });
    expect(shown).toContainEqual({ what: 'progress', state: 'paused' });
    expect(delivered).toEqual([]);
    await bulk.resume({ sendId: send.id, userId: 'U0ASHA', teamId: 'T' });
    await clock.advance(60_000);
    expect(delivered).toHaveLength(5);
  });

  it('that was missed is not made up for when whoever approved it may not any more', async () => {
    const { bulk, waiting, approve, clock, delivered, store, problems } = setting();
    const send = await waiting(5, { startAt: Date.UTC(2026, 0, 5, 9, 0) });
    await approve(send);
    await clock.leap(2 * HOUR + 60_000);
    await bulk.start();
    await clock.advance(20_000);
    const by = { sendId: send.id, userId: 'U0ASHA', teamId: 'T' };
    problems.set('U0RAVI', 'unknown');
    expect(await bulk.resume(by)).toMatchObject({ what: expect.stringMatching(/Slack did not say/) });
    expect(await store.find(send.id)).toMatchObject({ state: 'paused' });
    problems.set('U0RAVI', 'not_listed');
    expect(await bulk.resume(by)).toMatchObject({ what: expect.stringMatching(/is no longer an approver/) });
    await clock.advance(60_000);
    expect([(await store.find(send.id))?.state, delivered]).toEqual(['stopped', []]);
  });
});

describe('what is due', () => {
  it('is not done before its time when the clock is set back meanwhile', async () => {
    const { bulk, waiting, approve, clock, delivered } = setting();
    await bulk.start();
    await approve(await waiting(5, { startAt: clock.now() + HOUR }));
    await clock.advance(1_000);
    clock.set(-HOUR / 2);
    await clock.advance(HOUR + 60_000);
    expect(delivered).toEqual([]);
    await clock.advance(HOUR / 2 + 60_000);
    expect(delivered).toHaveLength(5);
  });

  it('is not done for what others gave more time while the look was busy with another send', async () => {
    const { bulk, waiting, approve, clock, store, restarted } = setting({ tiers: [] });
    await bulk.start();
    const first = await waiting(5, { startAt: clock.now() + 24 * HOUR - 60_000 });
    await approve(first);
    await clock.advance(1_000);
    const { id, approval } = await waiting(30);
    const expiresAt = approval?.expiresAt ?? 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = store.recipients.bind(store);
    const slow = vi.spyOn(store, 'recipients').mockImplementation(async (...which) => {
      await promise;
      return read(...which);
    });
    await clock.advance(expiresAt - clock.now() - 25_000);
    expect(slow).toHaveBeenCalled();
    const stricter = restarted({ tiers: [{ over: 20, approvals: 2 }] });
    const { digest = '' } = (await store.find(id)) ?? {};
    await stricter.approve({ sendId: id, userId: 'U0RAVI', teamId: 'T', digest });
    await clock.advance(40_000);
    resolve();
    await clock.advance(1_000);
    expect(await store.find(id)).toMatchObject({ state: 'awaiting_approval', approval: { needed: 2 } });
  });

  it('is found by the next look when nothing could be armed for it', async () => {
    const { bulk, tasks, waiting, state, clock, logger } = setting();
    await bulk.start();
    const { arm } = tasks;
    tasks.arm = () => Promise.reject(new Error('gone'));
    const send = await waiting(5);
    tasks.arm = arm;
    expect(logger.lines.map(({ level, fields }) => [level, (fields as { task: object }).task])).toEqual([
      ['error', { kind: 'remind', sendId: send.id }],
      ['error', { kind: 'expire', sendId: send.id }],
    ]);
    await clock.leap(24 * HOUR - 60_000);
    await clock.advance(59_000);
    expect(await state(send)).toBe('awaiting_approval');
    await clock.advance(31_000);
    expect(await state(send)).toBe('expired');
  });

  it('is a start that was approved a moment before its process died', async () => {
    const { waiting, store, restarted, clock, delivered, state } = setting();
    const send = await waiting(5);
    const { id: sendId, digest = '' } = send;
    await store.approve({ sendId, userId: 'U0RAVI', digest, at: clock.now() });
    await restarted().start();
    await clock.advance(60_000);
    expect([await state(send), delivered.length]).toEqual(['done', 5]);
  });

  it('is a card, a result or a word to who asked that nobody has posted', async () => {
    const { waiting, approve, restarted, clock, shown, notified, store } = setting();
    const [done, waits] = [await waiting(5), await waiting(6)];
    await approve(done);
    await clock.advance(9_000);
    await store.setApprovalCard(done.id, { channelId: 'C', ts: '1.0' });
    const seen = async () => {
      shown.length = 0;
      notified.length = 0;
      await restarted().start();
      await clock.advance(0);
      return shown.map(({ what, state }) => `${what}: ${state}`);
    };
    expect(await seen()).toEqual(['end: done']);
    expect(notified).toContain(done.id);
    await clock.advance(2_000);
    expect((await seen()).toSorted()).toEqual(['approval: awaiting_approval', 'end: done']);
    await store.setApprovalCard(waits.id, { channelId: 'C', ts: '2.0' });
    vi.spyOn(store, 'announces').mockResolvedValue(false);
    expect(await seen()).toEqual([]);
    expect(notified).toEqual([]);
  });

  it.each([
    [HOUR, 'done'],
    [HOUR + 1, 'paused'],
  ])('is done %i ms late: %s', async (late, then) => {
    const { bulk, waiting, approve, state, clock } = setting();
    const startAt = clock.now() + HOUR;
    const send = await waiting(5, { startAt });
    await approve(send);
    await clock.advance(0);
    await clock.leap(HOUR + late);
    await bulk.start();
    await clock.advance(10_000);
    expect(await state(send)).toBe(then);
  });
});

describe('a send that belongs to another process', () => {
  it('waits for its canaries, and then is helped with', async () => {
    const { waiting, approve, store, clock, delivered } = setting({ tiers: [] });
    const owns = vi.spyOn(store, 'owns').mockResolvedValue(false);
    const send = await waiting(50);
    await approve(send);
    await clock.advance(30_000);
    expect(delivered).toEqual([]);
    await store.markCanaryJudged(send.id);
    await clock.advance(10_000);
    expect(delivered).toHaveLength(50);
    owns.mockRestore();
  });

  it('is announced by that one', async () => {
    const { waiting, approve, store, clock, shown, state } = setting({ tiers: [] });
    vi.spyOn(store, 'announces').mockResolvedValue(false);
    const send = await waiting(500);
    await approve(send);
    await clock.advance(3_000);
    expect(await state(send)).toBe('sending');
    await clock.advance(20_000);
    expect(await state(send)).toBe('done');
    expect(shown.filter(({ what }) => what !== 'approval')).toEqual([]);
  });
});

describe('in quiet hours', () => {
  const PROMO: Message = { ...SMS, type: 'PROMO' };
  const NIGHT = Date.UTC(2026, 0, 5, 16, 0);
  const MORNING = Date.UTC(2026, 0, 6, 4, 30);

  it('are over, and it is stopped: whoever approved it may not any more, and nothing was sent yet', async () => {
    const { bulk, waiting, approve, clock, delivered, store, problems } = setting();
    await bulk.start();
    const send = await waiting(5, { message: PROMO, startAt: NIGHT });
    await approve(send);
    await clock.leap(8 * HOUR);
    await clock.advance(60_000);
    problems.set('U0RAVI', 'not_listed');
    await clock.advance(MORNING - clock.now() + 60_000);
    expect(delivered).toEqual([]);
    expect(await store.find(send.id)).toMatchObject({
      state: 'stopped',
      reason: { what: expect.stringMatching(/is no longer an approver/) },
    });
    expect((await store.events(send.id)).at(-1)).toMatchObject({ action: 'stopped', actor: 'herald' });
  });

  it('nothing starts, nobody can hurry it, and it goes on by itself when they end', async () => {
    const { bulk, waiting, approve, clock, delivered, store } = setting();
    await bulk.start();
    const send = await waiting(5, { message: PROMO, startAt: NIGHT });
    await approve(send);
    await clock.leap(8 * HOUR);
    await clock.advance(60_000);
    expect(await store.find(send.id)).toMatchObject({
      state: 'paused',
      resumeAt: MORNING,
      counts: { pending: 5, attempting: 0 },
      reason: {
        what: 'Messages of this type to India are held back from 21:00 to 10:00 (Asia/Kolkata).',
        next: 'What is left goes on by itself at 10:00.',
      },
    });
    expect(await bulk.resume({ sendId: send.id, userId: 'U0ASHA', teamId: 'T' })).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(/So it was not resumed, and nothing was sent/),
    });
    expect(delivered).toEqual([]);
    await clock.advance(MORNING - clock.now() + 60_000);
    expect(delivered).toHaveLength(5);
    expect(await store.find(send.id)).toMatchObject({ state: 'done' });
    const resumed = (await store.events(send.id)).findLast(({ action }) => action === 'sending');
    expect(resumed?.actor).toBe('herald');
    expect((await store.find(send.id))?.resumeAt).toBeUndefined();
  });

  it('a send approved in them waits for their end instead of being lost', async () => {
    const { bulk, waiting, approve, clock, delivered, state } = setting();
    await bulk.start();
    await clock.leap(NIGHT - clock.now());
    const send = await waiting(5, { message: PROMO });
    await approve(send);
    await clock.advance(10_000);
    expect(await state(send)).toBe('paused');
    await clock.advance(MORNING - clock.now() + 60_000);
    expect(delivered).toHaveLength(5);
  });

  it('a running send stops at the edge, and the rest follows once', async () => {
    const { bulk, waiting, approve, clock, delivered, store } = setting({ tiers: [] });
    await bulk.start();
    await clock.advance(Date.UTC(2026, 0, 5, 15, 29, 58) - clock.now());
    const send = await waiting(400, { message: PROMO });
    await approve(send);
    await clock.advance(10_000);
    const before = delivered.length;
    expect(before).toBeGreaterThan(20);
    expect(before).toBeLessThan(399);
    expect(await store.find(send.id)).toMatchObject({ state: 'paused', counts: { pending: 400 - before } });
    await clock.advance(MORNING - clock.now() + 30_000);
    expect(delivered).toHaveLength(400);
    expect(new Set(delivered).size).toBe(400);
  });

  it('only the country that has them waits', async () => {
    const { bulk, audiences, approve, clock, delivered, store } = setting({ tiers: [] });
    await bulk.start();
    await clock.leap(NIGHT - clock.now());
    const indian = Array.from({ length: 30 }, (_, n) => `+9198${10_000_000 + n}`);
    const others = Array.from({ length: 30 }, (_, n) => `+659123${4_000 + n}`);
    const list = await audiences.fromNumbers(
      indian.flatMap((number, n) => [number, others[n]]).join('\n'),
      'U0ASHA',
    );
    if (list.state !== 'ready') throw new Error('the list was not taken');
    const asked = await bulk.request({
      message: PROMO,
      audienceId: list.audience.id,
      origin: { teamId: 'T', userId: 'U0ASHA', channelId: 'C' },
      requestKey: 'mixed',
    });
    if (asked.state !== 'awaiting_approval') throw new Error(`not waiting: ${asked.state}`);
    await approve(asked.send);
    await clock.advance(30_000);
    expect(delivered.toSorted()).toEqual(others);
    expect(await store.find(asked.send.id)).toMatchObject({
      state: 'paused',
      counts: { pending: 30, accepted: 30, attempting: 0 },
    });
    await clock.advance(MORNING - clock.now() + 60_000);
    expect(delivered.toSorted()).toEqual([...others, ...indian].toSorted());
  });

  it('who waits can still be stopped for good', async () => {
    const { bulk, waiting, approve, clock, delivered, state } = setting();
    await bulk.start();
    await clock.leap(NIGHT - clock.now());
    const send = await waiting(5, { message: PROMO });
    await approve(send);
    await clock.advance(10_000);
    await bulk.stop({ sendId: send.id, userId: 'U0ASHA' });
    await clock.leap(24 * HOUR);
    await clock.advance(60_000);
    expect(await state(send)).toBe('stopped');
    expect(delivered).toEqual([]);
  });

  it('what is no promotion goes out', async () => {
    const { bulk, waiting, approve, clock, delivered } = setting();
    await bulk.start();
    await clock.leap(NIGHT - clock.now());
    await approve(await waiting(5));
    await clock.advance(10_000);
    expect(delivered).toHaveLength(5);
  });
});

describe('a decision about a pause, while the send goes on and is paused again', () => {
  const REFUSED: Outcome = {
    state: 'rejected',
    failure: { what: 'No such sender.', next: 'Register it.', scope: 'recipient', code: '133010' },
  };
  const pausedByCanaries = {
    state: 'paused',
    counts: { rejected: 5, pending: 5 },
    reason: { what: expect.stringMatching(/^The first recipients all failed/) },
  };

  /** Whoever reads the list next does so until `finish` is called. */
  function readingSlowly({ store, clock }: ReturnType<typeof setting>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = store.recipients.bind(store);
    vi.spyOn(store, 'recipients').mockImplementationOnce(async (...which) => {
      await promise;
      return read(...which);
    });
    return async () => {
      resolve();
      await clock.advance(60_000);
    };
  }

  it('does not count when it was made by a task', async () => {
    const all = setting({ tiers: [] });
    const { bulk, waiting, approve, clock, store, answers } = all;
    answers.next = () => REFUSED;
    await bulk.start();
    const night = Date.UTC(2026, 0, 5, 16, 0);
    const send = await waiting(10, { message: { ...SMS, type: 'PROMO' }, startAt: night });
    const { id } = send;
    await approve(send);
    await clock.leap(8 * HOUR);
    await clock.advance(60_000);
    const finish = readingSlowly(all);
    // The task for its time begins to look at it, and so does the look that finds lost tasks: one is quicker.
    await clock.advance(((await store.find(id))?.resumeAt ?? 0) - clock.now() + 2_000);
    expect(await store.find(id)).toMatchObject(pausedByCanaries);
    await finish();
    expect(await store.find(id)).toMatchObject(pausedByCanaries);
  });

  it('does not count when it was made by a person', async () => {
    const all = setting({ tiers: [] });
    const { bulk, waiting, approve, clock, store, answers } = all;
    answers.next = () => REFUSED;
    const send = await waiting(10, { startAt: clock.now() + HOUR });
    await clock.leap(2 * HOUR);
    await approve(send);
    await clock.advance(1_000);
    const by = { teamId: 'T', sendId: send.id };
    const finish = readingSlowly(all);
    const slow = bulk.resume({ ...by, userId: 'U0RAVI' });
    await clock.advance(0);
    await bulk.resume({ ...by, userId: 'U0ASHA' });
    await clock.advance(2_000);
    expect(await store.find(send.id)).toMatchObject(pausedByCanaries);
    await finish();
    expect(await store.find(send.id)).toMatchObject(pausedByCanaries);
    expect(await slow).toMatchObject({ what: `${send.id} is paused, so this changed nothing.` });
  });
});

describe('when the store refuses writes', () => {
  it('says so, although what was told before is still on its way to Slack, and nothing else happens', async () => {
    const { waiting, approve, clock, storeTrouble, shown, slow } = setting({ tiers: [] });
    await approve(await waiting(500));
    let arrive = (): void => undefined;
    slow.progress = new Promise((resolve) => {
      arrive = resolve;
    });
    await clock.advance(1_500);
    const before = shown.length;
    storeTrouble.began(clock.now(), new Error('full'));
    await clock.advance(100);
    expect(shown).toHaveLength(before);
    storeTrouble.ended();
    storeTrouble.began(clock.now(), new Error('full'));
    arrive();
    await clock.advance(1_500);
    expect(shown.slice(before).map(({ what, stalled }) => [what, stalled])).toContainEqual([
      'progress',
      true,
    ]);
  });
});

describe('after a restart', () => {
  it('says nothing of what is left when the store does not', async () => {
    const { bulk, store, stop, logger } = setting();
    stop.abort();
    store.findByState = () => Promise.reject(new Error('gone'));
    expect(await bulk.drained(1_000)).toEqual([]);
    expect(logger.lines).toMatchObject([{ level: 'error' }]);
  });

  it('goes on where it was', async () => {
    const first = setting({ tiers: [] });
    const send = await first.waiting(500);
    await first.approve(send);
    await first.clock.advance(2_000);
    first.stop.abort();
    await first.clock.advance(2_000);
    const left = await first.bulk.drained(1_000);
    const before = first.delivered.length;
    expect(before).toBeLessThan(500);
    expect(left).toEqual([{ sendId: send.id, left: 500 - before }]);
    expect(first.shown.filter(({ what }) => what === 'restart')).toEqual([
      { what: 'restart', state: 'sending' },
    ]);
    expect((await first.store.find(send.id))?.counts).toMatchObject({
      accepted: before,
      attempting: 0,
      pending: 500 - before,
    });
  });

  it('tells of what was stopped because the database was restored', async () => {
    const { waiting, restarted, shown, store } = setting();
    const { id } = await waiting(5);
    const reason = { what: 'It was restored.', next: 'Look.', scope: 'send' } as const;
    await store.moveSend({
      sendId: id,
      from: 'awaiting_approval',
      to: 'rejected',
      at: 1,
      actor: 'herald',
      reason,
    });
    shown.length = 0;
    await restarted().start([id]);
    expect(shown).toEqual([{ what: 'approval', state: 'rejected' }]);
  });

  it('tries those of a send that was stopped before its time at that time', async () => {
    const { ask, bulk, store, clock } = setting({ over: 10 });
    const startAt = clock.now() + HOUR;
    const asked = await ask(3, { startAt });
    if (asked.state !== 'started') throw new Error('not started');
    const { id } = asked.send;
    await clock.advance(1);
    const rows = (await store.recipients(id)).map(({ row }) => row);
    const failure = { what: 'It may have been sent.', next: 'Look.', scope: 'recipient' } as const;
    await store.settle(
      rows.map((row) => ({ sendId: id, row, outcome: { state: 'unknown', failure }, settledAt: 1 })),
    );
    const move = { sendId: id, at: 1, actor: 'herald' } as const;
    await store.moveSend({ ...move, from: 'scheduled', to: 'paused' });
    await store.moveSend({ ...move, from: 'paused', to: 'stopped' });
    const origin = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
    const retry = () => bulk.retry({ sendId: id, origin, group: 'unknown', requestKey: `r${clock.now()}` });
    const early = await retry();
    expect(early).toMatchObject({ state: 'started', send: { startAt, retryOf: id } });
    await clock.advance(1);
    if (early.state === 'started') await bulk.withdraw({ sendId: early.send.id, userId: 'U0ASHA' });
    await clock.advance(2 * HOUR);
    const late = await retry();
    expect(late.state === 'started' && late.send.startAt).toBeUndefined();
  });
});

describe('a send that is found in the middle', () => {
  async function brokenOff() {
    const made = setting({ tiers: [] });
    const { waiting, approve, clock, stop } = made;
    const send = await waiting(500);
    await approve(send);
    await clock.advance(2_000);
    stop.abort();
    await clock.advance(1_000);
    const next = { stopping: new AbortController().signal };
    return { ...made, send, restarted: made.restarted(next) };
  }

  it('goes on by itself within the hour', async () => {
    const { restarted, clock, state, send, delivered } = await brokenOff();
    await clock.leap(HOUR - 60_000);
    await restarted.start();
    await clock.advance(20_000);
    expect([await state(send), new Set(delivered).size, delivered.length]).toEqual(['done', 500, 500]);
  });

  it('is paused and asked about later, and goes on when a person says so', async () => {
    const { restarted, clock, store, send, delivered, shown, state } = await brokenOff();
    const before = delivered.length;
    await clock.leap(HOUR + 60_000);
    await restarted.start();
    await clock.advance(60_000);
    expect(await store.find(send.id)).toMatchObject({
      state: 'paused',
      reason: {
        what: expect.stringMatching(/more than 60 minutes/),
        next: expect.stringMatching(/resume it/),
      },
    });
    expect(delivered).toHaveLength(before);
    expect(shown).toContainEqual({ what: 'progress', state: 'paused' });
    await restarted.resume({ sendId: send.id, userId: 'U0ASHA', teamId: 'T' });
    await clock.advance(30_000);
    expect([await state(send), new Set(delivered).size, delivered.length]).toEqual(['done', 500, 500]);
  });

  it('is left to another process that looks after it, until there is an attempt', async () => {
    const { restarted, clock, store, send, delivered, state } = await brokenOff();
    const owns = vi.spyOn(store, 'owns').mockResolvedValue(false);
    const before = delivered.length;
    await clock.leap(2 * HOUR);
    await restarted.start();
    await clock.advance(60_000);
    expect([await state(send), delivered.length]).toEqual(['sending', before]);
    owns.mockRestore();
    await store.claim(send.id, 1, clock.now());
    await clock.advance(60_000);
    expect(delivered.length).toBeGreaterThan(before);
  });
});

describe('what is kept in memory', () => {
  /** Made before, because it keeps each statement that it has prepared. */
  let stores: ReturnType<typeof openedStores>;
  beforeEach(() => {
    stores = openedStores();
  });

  it('holds nothing of sends that have ended, however many there were', async () => {
    const { made, held } = watchCollections(() => setting({ tiers: [] }, stores));
    const { bulk, waiting, approve, clock, store } = made;
    await bulk.start();
    async function oneToItsEnd(): Promise<void> {
      const send = await waiting(10);
      await approve(send);
      await clock.advance(10_000);
      await bulk.progress(send.id);
    }
    // What is remembered of a kind of message is there from the first on.
    await oneToItsEnd();
    await clock.leap(25 * HOUR);
    await clock.advance(60_000);
    const before = held();
    for (let n = 0; n < 3; n += 1) await oneToItsEnd();
    const late = await Promise.all([waiting(5), waiting(6)]);
    await clock.leap(19 * HOUR);
    await clock.advance(60_000);
    for (const { id } of late) expect(await store.events(id)).toHaveLength(3);
    await clock.leap(25 * HOUR);
    await clock.advance(120_000);
    expect(await store.findByState(['done', 'expired'], 99)).toHaveLength(6);
    expect(held()).toBe(before);
  });
});
