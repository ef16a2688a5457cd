import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { repeatsOf } from '../../../src/sends/bulk/repeats.ts';
import type { ApproverProblem, BulkRequest } from '../../../src/sends/bulk.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';
import type { Send } from '../../../src/sends/send.ts';
import type { ApprovalPolicy } from '../../../src/sends/settings.ts';
import { watchCollections } from '../../fakes/collections.ts';
import { openMemoryStores } from '../../fakes/stores.ts';
import { bulkSend } from '../../store/steps.ts';
import {
  ACCEPTED,
  by,
  EIGHT,
  HOUR,
  made,
  ORIGIN,
  type BulkSetting as Setting,
  SMS,
  sendingBulk as sending,
  createBulkSetting as setting,
  startedBulk as started,
  waits,
} from './setting.ts';

const PROMO: Message = { ...SMS, type: 'PROMO' };
const NINE = EIGHT + HOUR;
const FAILURE = { what: 'x', next: 'y', scope: 'recipient' } as const;
const REASON = { what: 'The template was changed.', next: 'Look.', scope: 'send' } as const;
const BUSY: Outcome = {
  state: 'not_sent',
  failure: { what: 'Too fast.', next: 'Wait.', scope: 'recipient', status: 429 },
  retry: { kind: 'after', delayMs: 500 },
};

/** Sends to more than four need two approvals. */
const TWO = { tiers: [{ over: 4, approvals: 2 }] };

const what = (words: RegExp) => ({ what: expect.stringMatching(words) });
const refused = (words: RegExp) => ({ state: 'refused', ...what(words) });

describe('what the card says', () => {
  const cards = async ({ waiting, store }: Setting) => {
    for (const message of [SMS, PROMO]) await waiting(10, { message });
    return vi.spyOn(store, 'showAgain');
  };

  it('is shown again when quiet hours begin and end, and at no other time', async () => {
    const at = await started({ expireHours: 72 });
    const shown = await cards(at);
    // It is half past one in India.
    const seen: number[] = [];
    for (const hours of [7, 1, 12, 1]) {
      await at.clock.advance(hours * HOUR);
      seen.push(shown.mock.calls.length);
    }
    expect(seen).toEqual([0, 1, 1, 2]);
  });

  it('is brought up to date after a restart over the beginning of quiet hours', async () => {
    const at = setting({ expireHours: 72 });
    const shown = await cards(at);
    await at.clock.advance(9 * HOUR);
    await at.restarted().start();
    await at.clock.advance(1_000);
    expect(shown).toHaveBeenCalledOnce();
  });

  it('stands in the record of who approved it', async () => {
    const { bulk, waiting, events } = setting();
    const send = await waiting(10);
    const { digest = '' } = send;
    await bulk.approve({ ...by(send, 'U0RAVI'), digest, warnings: '3 rows are left out.' });
    expect((await events(send)).find(({ action }) => action === 'approved_by')).toMatchObject({
      actor: 'U0RAVI',
      reason: { what: 'The card warned: 3 rows are left out.' },
    });
  });
});

describe('who gets the very same by other sends', () => {
  it('is asked about with each one more, however few it takes and whomever the card names', async () => {
    const { bulk, waiting, store, clock } = setting({ over: 0 });
    const send = await waiting(10);
    const { digest = '' } = send;
    const found = async () => repeatsOf(send, { store, now: clock.now() });
    const click = (repeats: string) => bulk.approve({ ...by(send, 'U0RAVI'), digest, repeats });
    const asked = refused(/more or other sends have come to bring/);
    const first = await waiting(3);
    expect(await click('')).toMatchObject(asked);
    const before = await found();
    await waiting(1);
    const after = await found();
    // What the card names is as before: only a send more is said there.
    expect(before).toMatchObject({ sendId: first.id, count: 3, others: 0 });
    expect(after).toMatchObject({ sendId: first.id, count: 3, others: 1 });
    expect(await click(before?.which ?? '')).toMatchObject(asked);
    expect(await store.approvals(send.id)).toEqual([]);
    expect(await click(after?.which ?? '')).toMatchObject({ state: 'recorded' });
  });
});

describe('an edit', () => {
  it('is no repetition of what it stands in the place of', async () => {
    const { bulk, waiting } = setting();
    const { id, message, audience } = await waiting(3);
    const wish = { message, audienceId: audience?.id ?? '' };
    expect((await bulk.review(wish))?.repeats).toMatchObject({ sendId: id, count: 3 });
    expect((await bulk.review({ ...wish, replaces: id }))?.repeats).toBeUndefined();
  });

  it('ends what it stands in the place of when it is handed in, and not before', async () => {
    const { ask, waiting, approve, now, store, clock, delivered, events } = setting();
    const first = await waiting(30);
    expect(await approve(first)).toMatchObject({ state: 'recorded', complete: false });
    const edit = waits(await ask(30, { message: PROMO, replaces: first.id, note: 'A better text.' }));
    expect(edit).toMatchObject({ replaces: first.id, note: 'A better text.', state: 'awaiting_approval' });
    expect(await now(first)).toMatchObject({
      state: 'cancelled',
      reason: what(new RegExp(`asked for again as ${edit.id}`)),
    });
    expect(await approve(first, 'U0MEI')).toMatchObject(refused(/was cancelled/));
    expect(await store.approvals(edit.id)).toEqual([]);
    expect((await events(first)).at(-1)).toMatchObject({ action: 'cancelled', actor: 'U0ASHA' });
    await clock.advance(HOUR);
    expect(delivered).toEqual([]);
  });

  it('of what has begun meanwhile is refused, and asks for nothing', async () => {
    const { ask, approved, reached, store, clock } = setting();
    const first = await approved(10);
    await clock.advance(HOUR);
    expect(await ask(10, { replaces: first.id })).toMatchObject(refused(/has begun as it was/));
    expect(await reached(first)).toEqual(['done', 10, 10]);
    expect(await store.findByState(['awaiting_approval', 'draft'], 9)).toEqual([]);
  });

  it('is one, from however many forms, unless it came to nothing', async () => {
    const { ask, waiting, bulk } = setting();
    const first = await waiting(10);
    const second = waits(await ask(10, { replaces: first.id }));
    const repeated = { state: 'repeated', send: { id: second.id } };
    expect(await ask(10, { replaces: first.id })).toMatchObject(repeated);
    await bulk.reject({ ...by(second, 'U0RAVI'), reason: 'No.' });
    expect(waits(await ask(10, { replaces: first.id })).id).not.toBe(second.id);
  });

  it('is for who asked alone', async () => {
    const { ask, waiting, state } = setting();
    const first = await waiting(10);
    const other = { ...ORIGIN, userId: 'U0MEI' };
    expect(await ask(10, { replaces: first.id, origin: other })).toMatchObject(refused(/Only the person/));
    expect(await state(first)).toBe('awaiting_approval');
  });
});

describe('asking for a bulk send', () => {
  it('goes on at once when it is small enough, and leaves the record all the same', async () => {
    const { ask, clock, delivered, events } = setting({ over: 10 });
    const send = made(await ask(10));
    await clock.advance(10_000);
    expect(delivered).toHaveLength(10);
    const actions = (await events(send)).map(({ action }) => action);
    expect(actions).toEqual(['requested', 'approved', 'sending', 'done']);
  });

  it('keeps with it how many get which texts, and who is shown to its approvers', async () => {
    const { asked, listOfFile } = setting();
    const rows = ['+919810000001,Hi', '+919810000002,Hello', '+919810000003,Hi', '+919810000004,'];
    const message = { ...SMS, text: '{{text}}' };
    expect(waits(await asked(await listOfFile('phone,text', ...rows), { message })).survey).toEqual({
      recipients: 3,
      countries: { IN: 3 },
      texts: { count: 2, more: false },
      rows: [{ row: 2, why: 'shortest' }, { row: 3, why: 'longest' }, { row: 4 }],
      list: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('leaves out whom the review leaves out: by value, by opt-out since the list was read, and by the cap', async () => {
    const cap = { perNumber: 1, hours: 24 };
    const { audiences, bulk, asked, now, clock, approved, listOfFile } = setting({}, { frequencyCap: cap });
    await approved(2);
    await clock.advance(HOUR);
    const rows = ['+919810000000,A', '+919810000005,', '+919810000006,C', '+919810000007,D'];
    const audienceId = await listOfFile('phone,name', ...rows);
    await audiences.optOut('+919810000006' as never, 'U0RAVI');
    const wish = { message: { ...SMS, text: 'Hi {{name}}' }, audienceId };
    const optedOut = 'This number has opted out.';
    const empty = 'The column “name” is empty in this row.';
    const often = 'This number was sent as many messages as the frequency cap allows.';
    expect(await bulk.review(wish)).toMatchObject({
      recipients: 1,
      causes: [often, empty, optedOut].map((cause) => ({ failure: { what: cause }, count: 1 })),
      rows: [
        { row: 2, number: '+919810000000', what: often },
        { row: 3, number: '+919810000005', what: empty },
        { row: 4, number: '+919810000006', what: optedOut },
      ],
      sample: [{ row: 5 }],
      measured: [{ row: 5 }],
      needed: 0,
    });
    const tomorrow = { ...wish, startAt: clock.now() + 24 * HOUR };
    expect(await bulk.review(tomorrow)).toMatchObject({ recipients: 2 });
    expect(await bulk.review({ ...wish, message: { ...SMS, text: '{{gone}}' } })).toBeUndefined();
    expect(await bulk.review(wish, AbortSignal.abort())).toBeUndefined();
    const send = made(await asked(audienceId, wish));
    expect(await now(send)).toMatchObject({ recipientCount: 4, counts: { pending: 1, skipped: 3 } });
  });

  it('waits where one person has sent so much within an hour, if anybody may approve', async () => {
    const few = { over: 9, singlesPerHour: 4 };
    const { ask, clock } = setting(few);
    expect(await ask(3)).toMatchObject({ state: 'started' });
    expect(waits(await ask(2))).toMatchObject({
      approval: { needed: 1 },
      reason: {
        what: 'More than 4 messages of one person within an hour need an approval.',
        next: 'Nothing was sent yet.',
      },
    });
    const alert = { id: 'L-1', threadTs: '1.0', urgent: false };
    expect(await ask(2, { origin: { ...ORIGIN, alert } })).toMatchObject({ state: 'started' });
    expect(await ask(1)).toMatchObject({ state: 'started' });
    await clock.advance(HOUR + 1);
    expect(await ask(4)).toMatchObject({ state: 'started' });

    const alone = setting({ ...few, approvers: [] });
    expect(await alone.ask(5)).toMatchObject(refused(/no approvers are configured/));
    expect(await alone.store.list({ limit: 9 })).toMatchObject([{ state: 'cancelled' }]);
  });

  it.each<[string, Partial<BulkRequest>, Partial<ApprovalPolicy>, RegExp]>([
    ['nobody may approve', {}, { approvers: [] }, /no approvers are configured/],
    ['it should have started already', { startAt: EIGHT - 60_001 }, {}, /is in the past/],
    ['the list is gone', { audienceId: 'A-NONE' }, {}, /no longer there/],
    ['it holds a one-time password', { message: { ...SMS, type: 'OTP' } }, {}, /one-time password/],
    ['a column is missing', { message: { ...SMS, text: 'Hello {{name}}' } }, {}, /no column “name”/],
  ])('is refused when %s', async (_, request, policy, words) => {
    const { ask, delivered } = setting(policy);
    expect(await ask(10, request)).toMatchObject(refused(words));
    expect(delivered).toEqual([]);
  });

  it('is in the past a minute after its time', async () => {
    expect(await setting().ask(3, { startAt: EIGHT - 60_000 })).toMatchObject({ state: 'awaiting_approval' });
  });

  it('is not asked of approvers whom nobody has named, where it needs none', async () => {
    const { ask, clock, delivered } = setting({ approvers: [], over: 5 });
    expect(await ask(6, { approvalOver: 6 })).toMatchObject({ state: 'started' });
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(6);
  });
});

describe('asking for a bulk send that comes to nothing', () => {
  it('says so while Herald is stopping, and begins nothing', async () => {
    const { ask, stop, store } = setting();
    stop.abort();
    expect(await ask(3)).toMatchObject(refused(/being restarted.*Nothing was sent/));
    expect(await store.list({ limit: 9 })).toEqual([]);
  });

  it('says so when what it needs cannot be read', async () => {
    const { asked, audienceStore, logger } = setting();
    audienceStore.find = () => Promise.reject(new Error('gone'));
    expect(await asked('A')).toMatchObject(refused(/could not write this send.*Nothing was sent/));
    expect(logger.lines.map(({ level }) => level)).toEqual(['error']);
  });

  it('ends its draft, with the reason, when every row is left out', async () => {
    const { asked, listOfFile, store, delivered, clock, events } = setting();
    const message = { ...SMS, text: '{{text}}' };
    const words = {
      what: 'This list has no valid recipient. Nothing was sent.',
      next: 'Look at the rows that were left out, correct them, and upload the list again.',
    };
    const audienceId = await listOfFile('phone,text', '+919810000001,');
    expect(await asked(audienceId, { message })).toStrictEqual({ state: 'refused', ...words });
    const [send] = await store.list({ limit: 9 });
    expect(send).toMatchObject({ state: 'cancelled', reason: { ...words, scope: 'send' } });
    const last = { action: 'cancelled', actor: 'herald', at: clock.now() };
    expect((await events(send as Send)).at(-1)).toMatchObject(last);
    expect(delivered).toEqual([]);
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
      expect(await ask(5, { requestKey: 'form' })).toMatchObject(refused(/Nothing was sent/));
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
    expect(await ask(5)).toMatchObject(refused(/Nothing was sent/));
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
    const { ask, begun, clock, delivered } = losing('seal');
    expect(await ask(5)).toMatchObject({ state: 'started' });
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(5);
    expect(await ask(12)).toMatchObject({ state: 'awaiting_approval' });
    await clock.advance(1_000);
    expect((await begun()).toSorted()).toEqual(['awaiting_approval', 'done']);
  });

  it('says that it may be sent when nobody can say, and sends it once', async () => {
    const { ask, bulk, restore, clock, delivered } = losing('seal', { reads: true });
    await bulk.start();
    const asked = ask(5);
    await clock.advance(10_000);
    expect(await asked).toMatchObject({
      ...refused(/it may be sent, or wait for approval/),
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
    const { waiting, approve, clock, reached, audienceStore } = setting();
    const send = await waiting(10);
    audienceStore.find = async () => undefined;
    expect(await approve(send)).toMatchObject({ state: 'refused' });
    await clock.advance(10_000);
    expect(await reached(send)).toEqual(['cancelled', 0, 0]);
  });

  it.each<[string, ApproverProblem | 'self', RegExp, string]>([
    ['the person who asked', 'self', /Nobody approves their own send/, 'It was their own send.'],
    ['who is not listed', 'not_listed', /not among the approvers/, 'They were not among the approvers.'],
    ['a guest', 'guest', /Guests may not/, 'They were a guest.'],
    ['who is elsewhere', 'other_workspace', /another workspace/, 'They were of another workspace.'],
    ['of whom Slack does not say', 'unknown', /did not say/, 'Slack did not say whether they may approve.'],
  ])('by %s is refused, and is in the record once', async (_, problem, words, noted) => {
    const { waiting, approve, problems, reached, clock, events } = setting();
    const send = await waiting(5);
    const actor = problem === 'self' ? 'U0ASHA' : 'U0X';
    if (problem !== 'self') problems.set(actor, problem);
    for (let click = 0; click < 2; click += 1)
      expect(await approve(send, actor)).toMatchObject(refused(words));
    await clock.advance(HOUR);
    expect(await reached(send)).toEqual(['awaiting_approval', 0, 0]);
    const record = (await events(send)).filter(({ action }) => action === 'approval_refused');
    expect(record).toMatchObject([{ actor, reason: { what: noted } }]);
  });

  it('is asked for once more, once, in the last quarter of its time, whatever restarts in between', async () => {
    const { restarted, waiting, clock, events } = await started();
    const send = await waiting(5);
    const reminders = async () => (await events(send)).filter(({ action }) => action === 'reminded').length;
    await clock.leap(18 * HOUR - 60_000);
    expect(await reminders()).toBe(0);
    await clock.advance(90_000);
    expect(await reminders()).toBe(1);
    await restarted().start();
    await clock.leap(HOUR);
    await clock.advance(60_000);
    expect(await reminders()).toBe(1);
  });

  it('says what has become of it instead', async () => {
    const { bulk, waiting, approve } = setting();
    const [taken, rejected] = [await waiting(5), await waiting(5)];
    await bulk.withdraw(by(taken));
    await bulk.reject({ ...by(rejected, 'U0MEI'), reason: 'No.' });
    expect(await approve(taken)).toMatchObject(refused(/was withdrawn, so this changed nothing/));
    expect(await approve(rejected)).toMatchObject(refused(/was rejected, so this changed nothing/));
    const none = { state: 'refused', what: 'There is no such send.', next: 'Check the reference.' };
    const click = { sendId: 'S-NONE', userId: 'U0RAVI', teamId: 'T', digest: 'd' };
    for (const act of [bulk.approve, bulk.withdraw, bulk.pause, bulk.resume, bulk.stop])
      expect(await act(click)).toStrictEqual(none);
    expect(await bulk.reject({ ...click, reason: 'No.' })).toStrictEqual(none);
    expect(await bulk.void({ ...click, reason: REASON })).toStrictEqual(none);
  });

  it('is refused even when the refusal cannot be noted', async () => {
    const { waiting, approve, store, state, logger } = setting();
    const send = await waiting(5);
    store.recordOnce = () => Promise.reject(new Error('disk full'));
    expect(await approve(send, 'U0ASHA')).toMatchObject({ state: 'refused' });
    expect(await state(send)).toBe('awaiting_approval');
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { sendId: send.id } }]);
  });

  it('does not start by an approval of who asked, however that came into the database', async () => {
    const { waiting, approve, clock, reached, database } = await started(TWO);
    const send = await waiting(5);
    database.exec('INSERT INTO approvals SELECT id, user_id, digest, 1 FROM sends');
    await approve(send);
    await clock.advance(HOUR);
    expect(await reached(send)).toEqual(['cancelled', 0, 0]);
  });

  it.each([
    ['a number', `UPDATE recipients SET number = '+919810000009' WHERE row = 2`],
    ['the values of a row', `UPDATE recipients SET cells = '["x"]' WHERE row = 2`],
    [
      'a row more',
      `INSERT INTO recipients (send_id, row, number, state) SELECT id, 9, '+65', 'pending' FROM sends`,
    ],
    ['one row less', 'DELETE FROM recipients WHERE row = 2'],
    ['somebody who was left out', `UPDATE recipients SET state = 'pending' WHERE state = 'skipped'`],
  ])('does not start with another list than was approved: %s', async (_, edit) => {
    const { approved, clock, delivered, now, audiences, listOf, database } = await started();
    const audienceId = await listOf(['+919810000001', '+919810000002', '+919810000003']);
    await audiences.optOut('+919810000003' as never, 'U0RAVI');
    const send = await approved(1, { audienceId, startAt: NINE });
    expect(send.counts).toMatchObject({ pending: 2, skipped: 1 });
    database.exec(edit);
    await clock.advance(HOUR + 15_000);
    expect(await now(send)).toMatchObject({
      state: 'cancelled',
      reason: what(/no longer what was approved/),
    });
    expect(delivered).toEqual([]);
  });
});

describe('approvals that have become stricter', () => {
  const click = (send: Send, userId: string) => ({ ...by(send, userId), digest: send.digest ?? '' });

  it('reach what waits: one approval is no longer enough, and its card says why', async () => {
    const { waiting, restarted, reached, clock, delivered, now } = setting();
    const send = await waiting(5);
    await clock.advance(0);
    const after = restarted(TWO);
    await after.start();
    await clock.advance(1_000);
    const asksForTwo = { approval: { needed: 2 }, reason: what(/stricter.* 2 approvals/) };
    expect(await now(send)).toMatchObject({ state: 'awaiting_approval', ...asksForTwo });
    expect(await after.approve(click(send, 'U0RAVI'))).toMatchObject({ complete: false });
    expect(await after.approve(click(send, 'U0RAVI'))).toMatchObject({ state: 'repeated' });
    await clock.advance(HOUR);
    expect(await reached(send)).toEqual(['awaiting_approval', 0, 0]);
    expect(await after.approve(click(send, 'U0MEI'))).toMatchObject({ complete: true });
    await clock.advance(10_000);
    expect(delivered).toHaveLength(5);
  });

  it('hold at the click, too, where the send was asked for under milder ones meanwhile', async () => {
    const { waiting, restarted, reached, clock } = setting();
    const after = restarted(TWO);
    await after.start();
    const send = await waiting(5);
    expect(await after.approve(click(send, 'U0RAVI'))).toMatchObject({ complete: false });
    await clock.advance(HOUR);
    expect(await reached(send)).toEqual(['awaiting_approval', 0, 0]);
  });

  it.each<[string, Partial<ApprovalPolicy>, Partial<ApprovalPolicy>, number]>([
    ['more approvals', {}, TWO, 1],
    ['a lower limit', { over: 10 }, { over: 1 }, 0],
  ])('reach what is scheduled, which goes back to its approvers: %s', async (_, then, strict, given) => {
    const { ask, approve, restarted, clock, reached, delivered, now, state, store } = setting(then);
    const send = made(await ask(5, { startAt: NINE }));
    if (given > 0) await approve(send);
    await clock.advance(1_000);
    expect(await state(send)).toBe('scheduled');
    const after = restarted(strict);
    await after.start();
    await clock.advance(1_000);
    expect(await now(send)).toMatchObject({
      state: 'awaiting_approval',
      approval: { needed: given + 1, expiresAt: expect.any(Number) },
      reason: what(/stricter/),
    });
    expect(await store.approvals(send.id)).toHaveLength(given);
    expect(await after.approve(click(await now(send), 'U0MEI'))).toMatchObject({ complete: true });
    await clock.advance(1_000);
    expect(await reached(send)).toEqual(['scheduled', 0, 0]);
    await clock.advance(2 * HOUR);
    expect(delivered).toHaveLength(5);
  });

  it('reach what was approved and has not begun, whoever resumes it', async () => {
    const { approved, restarted, clock, reached, store } = setting();
    const send = await approved(5, { startAt: NINE });
    await clock.leap(2 * HOUR + 60_000);
    await clock.advance(0);
    await store.moveSend({ sendId: send.id, from: 'scheduled', to: 'paused', at: 1, actor: 'herald' });
    const answer = await restarted(TWO).resume(by(send));
    expect(answer).toMatchObject(refused(/needs 2 approvals.* not resumed.*nothing was sent/i));
    await clock.advance(HOUR);
    expect(await reached(send)).toEqual(['awaiting_approval', 0, 0]);
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

it('rejecting is not for the person who asked; taking it back is for nobody else', async () => {
  const { bulk, waiting, state } = setting();
  const [send, other] = [await waiting(5), await waiting(5)];
  expect(await bulk.reject({ ...by(send), reason: 'x' })).toMatchObject({ state: 'refused' });
  expect(await bulk.reject({ ...by(other, 'U0MEI'), reason: 'Wrong list.' })).toMatchObject({
    state: 'rejected',
    reason: { what: 'Wrong list.' },
  });
  expect(await bulk.withdraw(by(send, 'U0RAVI'))).toStrictEqual({
    state: 'refused',
    what: 'Only the person who asked for this send may do that. Nothing changed.',
    next: 'Ask them.',
  });
  expect(await bulk.withdraw(by(send))).toMatchObject({ state: 'cancelled' });
  expect(await state(send)).toBe('cancelled');
});

it('voiding stops what was paused before anybody was sent to, and leaves what has begun', async () => {
  const { bulk, waiting, approve, clock, state } = await started({ tiers: [] });
  const [late, begun] = [await waiting(5, { startAt: NINE }), await waiting(500)];
  await clock.leap(2 * HOUR);
  await approve(late);
  await approve(begun);
  await clock.advance(2_000);
  const voided = (send: Send) => bulk.void({ ...by(send, 'U0MEI'), reason: REASON });
  expect(await voided(late)).toMatchObject({ state: 'stopped', reason: REASON });
  expect(await voided(begun)).toMatchObject(refused(/is being sent, so this changed nothing/));
  await bulk.pause(by(begun));
  await clock.advance(1_000);
  expect(await voided(begun)).toMatchObject(refused(/is paused, so this changed nothing/));
  expect(await state(begun)).toBe('paused');
});

describe('while it is sent', () => {
  it('is paused, resumed and stopped by who asked or by an approver, and by nobody else', async () => {
    const { bulk, send, problems, state, clock, delivered, reached } = await sending(1_000);
    problems.set('U0SAM', 'not_listed');
    const [sam, ravi] = [by(send, 'U0SAM'), by(send, 'U0RAVI')];
    const answer = {
      state: 'refused',
      what: 'Only the person who asked for this send, or an approver, may do that. Nothing changed.',
      next: 'Ask one of them.',
    };
    expect([await bulk.pause(sam), await bulk.stop(sam)]).toStrictEqual([answer, answer]);
    expect(await state(send)).toBe('sending');
    expect(await bulk.pause(ravi)).toMatchObject({ state: 'paused' });
    await clock.advance(1_000);
    const paused = delivered.length;
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(paused);
    expect(await bulk.resume(sam)).toStrictEqual(answer);
    expect(await bulk.resume(by(send))).toMatchObject({ state: 'sending' });
    await clock.advance(2_000);
    expect(delivered.length).toBeGreaterThan(paused);
    expect(await bulk.stop(ravi)).toMatchObject({ state: 'stopped' });
    await clock.advance(HOUR);
    expect(delivered.length).toBeLessThan(1_000);
    expect(await reached(send)).toEqual(['stopped', delivered.length, delivered.length]);
    expect(await bulk.resume(by(send))).toMatchObject(refused(/was stopped/));
  });

  it('goes on when it is resumed before what was on its way has come back', async () => {
    const { bulk, send, clock, reached } = await sending();
    await bulk.pause(by(send));
    await bulk.resume(by(send));
    await clock.advance(20_000);
    expect(await reached(send)).toEqual(['done', 500, 500]);
  });

  it('goes on when it is resumed while its loop has just read that it is paused', async () => {
    const { bulk, send, store, clock, reached } = await sending();
    await bulk.pause(by(send));
    const { promise, resolve } = Promise.withResolvers<void>();
    const paused = await store.find(send.id);
    vi.spyOn(store, 'find').mockImplementationOnce(() => promise.then(() => paused));
    await clock.advance(100);
    await bulk.resume(by(send));
    resolve();
    await clock.advance(20_000);
    expect(await reached(send)).toEqual(['done', 500, 500]);
  });

  it('loses nobody whose request comes back as “too many” after it was paused and resumed', async () => {
    const { bulk, send, clock, delivered, answers, now } = await sending();
    answers.afterMs = (to) => (to.endsWith('7') ? 3_000 : 10);
    await clock.advance(500);
    await bulk.pause(by(send));
    await clock.advance(500);
    let busy = (await now(send)).counts.attempting;
    expect(busy).toBeGreaterThan(3);
    await bulk.resume(by(send));
    answers.next = () => (busy-- > 0 ? BUSY : ACCEPTED);
    answers.afterMs = () => 10;
    await clock.advance(20_000);
    expect(new Set(delivered).size).toBe(500);
    expect(await now(send)).toMatchObject({ state: 'done', counts: { accepted: 500, not_sent: 0 } });
  });

  it('is found, said and gone on with when recipients are left and nobody works on them', async () => {
    const { send, clock, state, database, logger } = await sending();
    database.exec('UPDATE sends SET next_row = 1000');
    await clock.advance(10_000);
    expect(await state(send)).toBe('sending');
    await clock.advance(30_000);
    expect(await state(send)).toBe('done');
    expect(logger.lines).toContainEqual({
      level: 'warn',
      fields: { sendId: send.id, pending: expect.any(Number) },
      message: expect.stringMatching(/nobody attempted/),
    });
  });
});

describe('another send to some of its recipients', () => {
  const origin = { ...ORIGIN, userId: 'U0MEI' };
  const unknown = (to = ''): Outcome => ({ state: 'unknown', failure: { ...FAILURE, code: to.slice(-1) } });

  /** Sent to as many, an hour ago, with these answers. */
  async function sent(count: number, answer: (to: string) => Outcome) {
    const at = setting();
    at.answers.next = answer;
    const send = await at.approved(count);
    await at.clock.advance(HOUR);
    at.answers.next = () => ACCEPTED;
    let clicks = 0;
    const retry = (group: 'failed' | 'unknown') => {
      clicks += 1;
      return at.bulk.retry({ sendId: send.id, origin, group, requestKey: `click-${clicks}` });
    };
    return { ...at, send, retry };
  }

  /** The service reports what became of one of them. */
  async function reported(
    { send, replies }: Awaited<ReturnType<typeof sent>>,
    row: number,
    status: 'delivered' | 'failed',
    at: number,
  ) {
    await replies.keep([{ digest: `d${at}`, receivedAt: at, body: '' }], 1);
    const [webhook] = await replies.waiting(at, 1);
    const failed = status === 'failed' ? { failure: FAILURE } : {};
    const deliveries = [{ sendId: send.id, row, status, at, ...failed }];
    await replies.record([{ webhookId: webhook?.id ?? -1, events: [], deliveries }]);
  }

  it('tries the failed ones again only when a person says so, with an approval of their own', async () => {
    const { send, retry, delivered, now } = await sent(20, (to) => (to.endsWith('3') ? unknown() : ACCEPTED));
    expect((await now(send)).counts).toMatchObject({ accepted: 18, unknown: 2 });
    expect(await retry('unknown')).toMatchObject({
      state: 'awaiting_approval',
      send: { recipientCount: 2, retryOf: send.id, retryGroup: 'unknown', origin: { userId: 'U0MEI' } },
    });
    expect(delivered).toHaveLength(20);
    expect(await retry('failed')).toMatchObject(refused(/No recipient is left to try again/));
  });

  it('sends nothing again to whom a report has found meanwhile, before the retry is made or before it starts', async () => {
    const at = await sent(13, (to) => (to.endsWith('3') ? ACCEPTED : unknown(to)));
    const { send, retry, approve, clock, delivered, store, now } = at;
    const rows = (await store.recipients(send.id)).filter(({ state }) => state === 'unknown');
    expect(rows).toHaveLength(12);
    const arrived = (place: number) => reported(at, rows[place]?.row ?? -1, 'delivered', place);
    await arrived(0);
    const again = waits(await retry('unknown'));
    expect(again.recipientCount).toBe(11);
    await arrived(1);
    delivered.length = 0;
    await approve(again);
    await clock.advance(HOUR);
    expect(await now(again)).toMatchObject({ state: 'done', counts: { accepted: 10, skipped: 1 } });
    expect(delivered.toSorted()).toEqual(rows.slice(2).map(({ number }) => number));
    expect(await store.failures(again.id)).toMatchObject([
      { state: 'skipped', failure: what(/was taken after all/), count: 1 },
    ]);
  });

  it.each<[string, Outcome, boolean]>([
    ['before it starts', ACCEPTED, false],
    ['before it is asked for', ACCEPTED, true],
    ['and nobody knows whether it arrived', unknown(), true],
  ])('goes to nobody of another group whom another retry has had, %s', async (_when, outcome, isFirst) => {
    const at = await sent(3, () => unknown());
    const { send, retry, approve, clock, delivered, answers, store, now } = at;
    const again = waits(await retry('unknown'));
    answers.next = () => outcome;
    const sendAgain = async () => {
      await approve(again);
      await clock.advance(HOUR);
    };
    if (isFirst) await sendAgain();
    for (const { row } of await store.recipients(send.id)) await reported(at, row, 'failed', row);
    const other = waits(await retry('failed'));
    if (!isFirst) await sendAgain();
    await approve(other);
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(6);
    expect((await now(other)).counts).toMatchObject({ skipped: 3 });
  });

  it('tries nothing again of which texts or numbers are no longer kept, and sends to no pseudonym', async () => {
    const { send, retry, now, database } = await sent(3, () => unknown());
    // In the middle of its request: the first row is gone, the others are still there.
    database.exec(`UPDATE recipients SET number = '#gone' WHERE row = (SELECT min(row) FROM recipients)`);
    expect(await retry('unknown')).toMatchObject({ send: { recipientCount: 2 } });
    database.exec('UPDATE sends SET removed_at = 5');
    expect((await now(send)).removedAt).toBe(5);
    expect(await retry('unknown')).toMatchObject(refused(/no longer kept/));
  });

  it('goes to exactly those who were not tried when it was stopped, with an approval of its own', async () => {
    const { bulk, send, approve, clock, delivered, now } = await sending();
    const rest = { sendId: send.id, origin, group: 'untried', requestKey: 'rest' } as const;
    const early = refused(/has not ended\. Nothing was sent again/);
    expect(await bulk.retry(rest)).toMatchObject(early);
    expect(await bulk.stop(by(send))).toMatchObject({ state: 'stopped' });
    expect((await now(send)).counts.attempting).toBeGreaterThan(0);
    expect(await bulk.retry(rest)).toMatchObject(early);
    await clock.advance(1_000);
    const before = delivered.length;
    const { pending } = (await now(send)).counts;
    expect([pending + before, pending > 0]).toEqual([500, true]);

    const again = waits(await bulk.retry(rest));
    const wish = { message: SMS, recipientCount: pending, retryOf: send.id, retryGroup: 'untried' };
    expect(again).toMatchObject(wish);
    expect(await bulk.retry({ ...rest, requestKey: 'again' })).toMatchObject({ state: 'repeated' });
    expect(await approve(again, 'U0MEI')).toMatchObject({ state: 'refused' });
    await clock.advance(HOUR);
    expect(delivered).toHaveLength(before);
    await approve(again);
    await clock.advance(HOUR);
    expect([delivered.length, new Set(delivered).size]).toEqual([500, 500]);
    expect(await bulk.retry({ ...rest, requestKey: 'later' })).toMatchObject({ state: 'repeated' });
  });

  it('is approved by nobody who asked for it, now or before', async () => {
    const { bulk, approve, state, waiting, answers, clock } = setting();
    answers.next = () => ({ state: 'rejected', failure: FAILURE });
    let last = await waiting(3);
    for (const userId of ['U0MEI', 'U0SAM']) {
      await approve(last);
      await clock.advance(HOUR);
      expect(await state(last)).toMatch(/done|stopped/);
      const again = { sendId: last.id, origin: { ...ORIGIN, userId }, group: 'failed' } as const;
      last = waits(await bulk.retry({ ...again, requestKey: userId }));
    }
    for (const userId of ['U0ASHA', 'U0MEI', 'U0SAM']) {
      const own = userId === 'U0SAM' ? /their own send/ : /You asked for the send that this one tries again/;
      expect(await approve(last, userId)).toMatchObject(refused(own));
      expect(await bulk.reject({ ...by(last, userId), reason: 'No.' })).toMatchObject({ state: 'refused' });
    }
    expect(await state(last)).toBe('awaiting_approval');
    expect(await approve(last, 'U0ZOE')).toMatchObject({ state: 'recorded', complete: true });
  });

  it('keeps a time that is still to come when the one before was stopped before it', async () => {
    const { ask, bulk, store, clock } = setting({ over: 10 });
    const { id: sendId } = made(await ask(3, { startAt: NINE }));
    await clock.advance(1);
    const outcome = { state: 'unknown', failure: FAILURE } as const;
    const rows = await store.recipients(sendId);
    await store.settle(rows.map(({ row }) => ({ sendId, row, outcome, settledAt: 1 })));
    const move = { sendId, at: 1, actor: 'herald' } as const;
    await store.moveSend({ ...move, from: 'scheduled', to: 'paused' });
    await store.moveSend({ ...move, from: 'paused', to: 'stopped' });
    const retry = async () =>
      made(await bulk.retry({ sendId, origin: ORIGIN, group: 'unknown', requestKey: `r${clock.now()}` }));
    const early = await retry();
    expect(early).toMatchObject({ state: 'approved', startAt: NINE, retryOf: sendId });
    await clock.advance(1);
    await bulk.withdraw(by(early));
    await clock.advance(2 * HOUR);
    const late = await retry();
    expect([late.state, late.startAt]).toEqual(['approved', undefined]);
  });
});

describe('a time to start', () => {
  it('is kept, whoever clicks a button that a send before its start does not have', async () => {
    const { bulk, approved, clock, reached } = await started();
    const send = await approved(5, { startAt: NINE });
    await clock.advance(1_000);
    for (const click of [bulk.resume, bulk.pause, bulk.resume])
      expect(await click(by(send))).toMatchObject(refused(/changed nothing/));
    await clock.advance(NINE - clock.now() - 1);
    expect(await reached(send)).toEqual(['scheduled', 0, 0]);
    await clock.advance(30_000);
    expect(await reached(send)).toEqual(['done', 5, 5]);
  });

  it('that had passed when it was approved is not made up for at once: it is asked about', async () => {
    const { bulk, waiting, approve, clock, delivered, now } = await started();
    const send = await waiting(5, { startAt: NINE });
    await clock.leap(HOUR + 60_000);
    await approve(send);
    await clock.advance(60_000);
    const reason = { ...what(/approved after its scheduled start/), next: expect.stringMatching(/^Resume/) };
    expect(await now(send)).toMatchObject({ state: 'paused', reason });
    expect(delivered).toEqual([]);
    await bulk.resume(by(send));
    await clock.advance(60_000);
    expect(delivered).toHaveLength(5);
  });

  it('that was missed is not made up for when whoever approved it may not any more', async () => {
    const { bulk, approved, clock, now, reached, state, problems } = setting();
    const send = await approved(5, { startAt: NINE });
    await clock.leap(2 * HOUR + 60_000);
    await bulk.start();
    await clock.advance(20_000);
    expect(await now(send)).toMatchObject({ state: 'paused', reason: what(/more than an hour late/) });
    problems.set('U0RAVI', 'unknown');
    expect(await bulk.resume(by(send))).toMatchObject(what(/Slack did not say/));
    expect(await state(send)).toBe('paused');
    problems.set('U0RAVI', 'not_listed');
    expect(await bulk.resume(by(send))).toMatchObject(what(/is no longer an approver/));
    await clock.advance(60_000);
    expect(await reached(send)).toEqual(['stopped', 0, 0]);
  });
});

describe('what is due', () => {
  it('is not done for what others gave more time while the look was busy with another send', async () => {
    const { approved, waiting, clock, store, now, restarted } = await started({ tiers: [] });
    await approved(5, { startAt: EIGHT + 24 * HOUR - 60_000 });
    await clock.advance(1_000);
    const late = await waiting(30);
    const finish = readingSlowly({ store, clock });
    await clock.advance((late.approval?.expiresAt ?? 0) - clock.now() - 25_000);
    expect(store.recipients).toHaveBeenCalled();
    const stricter = restarted({ tiers: [{ over: 20, approvals: 2 }] });
    await stricter.approve({ ...by(late, 'U0RAVI'), digest: late.digest ?? '' });
    await clock.advance(40_000);
    await finish(1_000);
    expect(await now(late)).toMatchObject({ state: 'awaiting_approval', approval: { needed: 2 } });
  });

  it('is found by the next look when nothing could be armed for it', async () => {
    const { tasks, waiting, state, clock, logger } = await started();
    const { arm } = tasks;
    tasks.arm = () => Promise.reject(new Error('gone'));
    const send = await waiting(5);
    await clock.advance(0);
    tasks.arm = arm;
    const task = { sendId: send.id };
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { task } }]);
    await clock.leap(24 * HOUR - 60_000);
    await clock.advance(59_000);
    expect(await state(send)).toBe('awaiting_approval');
    await clock.advance(31_000);
    expect(await state(send)).toBe('expired');
  });

  it('is a start that was approved a moment before its process died', async () => {
    const { waiting, store, restarted, clock, reached } = setting();
    const send = await waiting(5);
    const { id: sendId, digest = '' } = send;
    await store.approve({ sendId, userId: 'U0RAVI', digest, at: clock.now() });
    await restarted().start();
    await clock.advance(60_000);
    expect(await reached(send)).toEqual(['done', 5, 5]);
  });
});

it('nothing of what was approved by day starts in quiet hours, nobody can hurry it, and it goes on when they end', async () => {
  const { bulk, approved, clock, now, reached, events, delivered } = await started();
  const night = Date.UTC(2026, 0, 5, 16, 0);
  const morning = Date.UTC(2026, 0, 6, 4, 30);
  const send = await approved(5, { message: PROMO, startAt: night });
  await clock.leap(8 * HOUR);
  await clock.advance(60_000);
  expect(await now(send)).toMatchObject({
    state: 'paused',
    resumeAt: morning,
    counts: { pending: 5, attempting: 0 },
    reason: what(/^Messages of this type to India are held back from 21:00 to 10:00/),
  });
  const answer = await bulk.resume(by(send));
  expect(answer).toMatchObject(refused(/So it was not resumed, and nothing was sent/));
  expect(delivered).toEqual([]);
  await clock.advance(morning - clock.now() + 60_000);
  expect(await reached(send)).toEqual(['done', 5, 5]);
  const resumed = (await events(send)).findLast(({ action }) => action === 'sending');
  expect([resumed?.actor, (await now(send)).resumeAt]).toEqual(['herald', undefined]);
});

it('goes on in the morning when somebody of whom nobody had to wait opted out at night', async () => {
  const { asked, listOf, approve, audiences, clock, now } = await started();
  const list = await listOf(['+919812345678', '+919812345679', '+6591234567']);
  const send = waits(await asked(list, { message: PROMO, startAt: Date.UTC(2026, 0, 5, 16, 0) }));
  await approve(send);
  await audiences.optOut('+6591234567' as Msisdn, 'U0RAVI');
  await clock.leap(8 * HOUR);
  await clock.advance(60_000);
  expect(await now(send)).toMatchObject({ state: 'paused', counts: { pending: 2, skipped: 1 } });
  await clock.leap(13 * HOUR);
  await clock.advance(60_000);
  expect(await now(send)).toMatchObject({ state: 'done', counts: { accepted: 2, skipped: 1 } });
});

/** Whoever reads a list next does so until `finish` is called. */
function readingSlowly({ store, clock }: Pick<Setting, 'store' | 'clock'>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const read = store.recipients.bind(store);
  vi.spyOn(store, 'recipients').mockImplementationOnce(async (...which) => {
    await promise;
    return read(...which);
  });
  return async (ms = 60_000) => {
    resolve();
    await clock.advance(ms);
  };
}

it('a decision about a pause does not count when the send went on and is paused again meanwhile', async () => {
  const at = setting({ tiers: [] });
  at.answers.next = () => ({ state: 'rejected', failure: { ...FAILURE, code: '133010' } });
  const send = await at.waiting(10, { startAt: NINE });
  await at.clock.leap(2 * HOUR);
  await at.approve(send);
  await at.clock.advance(1_000);
  const finish = readingSlowly(at);
  const slow = at.bulk.resume(by(send, 'U0RAVI'));
  await at.clock.advance(0);
  await at.bulk.resume(by(send));
  await at.clock.advance(2_000);
  const pausedByCanaries = {
    state: 'paused',
    counts: { rejected: 5, pending: 5 },
    reason: what(/^The first recipients all failed/),
  };
  expect(await at.now(send)).toMatchObject(pausedByCanaries);
  await finish();
  expect(await at.now(send)).toMatchObject(pausedByCanaries);
  expect(await slow).toMatchObject({ what: `${send.id} is paused, so this changed nothing.` });
});

describe('after a restart', () => {
  it('says nothing of what is left when the store does not', async () => {
    const { bulk, store, stop, logger } = setting();
    stop.abort();
    store.findByState = () => Promise.reject(new Error('gone'));
    expect(await bulk.drained(1_000)).toEqual([]);
    expect(logger.lines).toMatchObject([{ level: 'error' }]);
  });

  it('has said what is left, of which nothing is on its way', async () => {
    const { send, stop, clock, bulk, delivered, now } = await sending();
    stop.abort();
    await clock.advance(2_000);
    const left = 500 - delivered.length;
    expect(left).toBeGreaterThan(0);
    expect(await bulk.drained(1_000)).toEqual([{ sendId: send.id, left }]);
    expect((await now(send)).counts).toMatchObject({ accepted: 500 - left, attempting: 0, pending: left });
  });
});

describe('a send that is found in the middle', () => {
  async function brokenOff() {
    const made = await sending();
    made.stop.abort();
    await made.clock.advance(1_000);
    return { ...made, next: made.restarted({ stopping: new AbortController().signal }) };
  }

  it('goes on by itself within the hour; later it is paused, and goes on when a person says so', async () => {
    for (const isLate of [false, true]) {
      const { next, clock, now, send, delivered, reached } = await brokenOff();
      const before = delivered.length;
      await clock.leap(HOUR + (isLate ? 60_000 : -60_000));
      await next.start();
      await clock.advance(20_000);
      if (isLate) {
        const reason = { ...what(/more than 60 minutes/), next: expect.stringMatching(/resume it/) };
        expect(await now(send)).toMatchObject({ state: 'paused', reason });
        expect(delivered).toHaveLength(before);
        await next.resume(by(send));
        await clock.advance(30_000);
      }
      expect(await reached(send)).toEqual(['done', 500, 500]);
    }
  });

  it('is left to another process that looks after it, until there is an attempt', async () => {
    const { next, clock, store, send, delivered, state } = await brokenOff();
    vi.spyOn(store, 'owns').mockResolvedValue(false);
    // Of a small send nobody waits for canaries.
    await store.markCanaryJudged(send.id);
    const before = delivered.length;
    await clock.leap(2 * HOUR);
    await next.start();
    await clock.advance(60_000);
    expect([await state(send), delivered.length]).toEqual(['sending', before]);
    await store.claim(send.id, 1, clock.now());
    await clock.advance(60_000);
    expect(delivered.length).toBeGreaterThan(before);
  });
});

describe('what is kept in memory', () => {
  /** Made before, because it keeps each statement that it has prepared. */
  let stores: ReturnType<typeof openMemoryStores>;
  beforeEach(() => {
    stores = openMemoryStores();
  });

  it('holds nothing of sends that have ended, however many there were', async () => {
    const { made, held } = watchCollections(() => setting({ tiers: [] }, { stores }));
    const { bulk, waiting, approved, clock, store, events } = made;
    await bulk.start();
    async function oneToItsEnd(): Promise<void> {
      await approved(10);
      await clock.advance(10_000);
    }
    // What is remembered of a kind of message is there from the first on.
    await oneToItsEnd();
    await clock.leap(25 * HOUR);
    await clock.advance(60_000);
    const before = held();
    for (let n = 0; n < 3; n += 1) await oneToItsEnd();
    const late = [await waiting(5), await waiting(6)];
    await clock.leap(19 * HOUR);
    await clock.advance(60_000);
    for (const send of late) expect(await events(send)).toHaveLength(3);
    await clock.leap(25 * HOUR);
    await clock.advance(120_000);
    expect(await store.findByState(['done', 'expired'], 99)).toHaveLength(6);
    expect(held()).toBe(before);
  });
});
