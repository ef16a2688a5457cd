import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import type { Failure, Outcome, Settlement } from '../../src/sends/outcome.ts';
import type { NewBulkSend, NewSend, SendStore } from '../../src/sends/ports.ts';
import type { Send, Survey } from '../../src/sends/send.ts';
import { UNSETTLED } from '../../src/sends/states.ts';
import { NO_RECIPIENTS } from '../fakes/sends.ts';
import { accepted, bulkSend, FAILURE, oneSend, sealSend } from './steps.ts';

const BILL: Template = {
  channel: 'chatapp',
  variant: 'text',
  name: 'bill',
  label: 'Bill',
  languages: ['en'],
  placeholders: [{ name: 'amount', optional: false }],
  text: 'You owe {{1}}. \u0000 “quoted” 🛵',
  cards: 0,
};
const SURVEY: Survey = {
  recipients: 2,
  texts: { count: 2, more: false },
  rows: [{ row: 2 }, { row: 7, why: 'longest' }],
};
const { message: TEXT, origin: ORIGIN } = oneSend('');
const ALERT = { id: 'L-7K2M9QX4TB', threadTs: '1.2', urgent: true };
const LOST = FAILURE;
/** On PostgreSQL what is taken over is dated to when it was found, a moment after it was asked for. */
const SOON_AFTER_9_000: unknown = expect.closeTo(9_000, -3);
const ACCEPTED: Outcome = accepted('m-1');
const OUTCOMES: Readonly<Record<Settlement['outcome']['state'], Settlement['outcome']>> = {
  accepted: ACCEPTED,
  rejected: { state: 'rejected', failure: LOST },
  not_sent: { state: 'not_sent', failure: LOST, retry: { kind: 'never' } },
  unknown: { state: 'unknown', failure: LOST },
  skipped: { state: 'skipped', failure: LOST },
};
const SETTLED = (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]).filter(
  (state) => !UNSETTLED.includes(state),
);

function newSend(over: Partial<NewSend> = {}): NewSend {
  const recipients = [{ number: '+919812345678' as Msisdn }];
  return { ...oneSend('S-AAAAAAAAAA'), recipients, createdAt: 1_000, requestKey: 'view-1', ...over };
}

const start = {
  sendId: 'S-AAAAAAAAAA',
  from: 'approved',
  to: 'sending',
  at: 2_000,
  actor: 'U0ASHA',
} as const;

/** A store as the contract asks for it. */
export interface OpenedSendStore {
  readonly store: SendStore;
  /** The store as another process opens it, after the one that `store` belongs to has died. */
  successor(): Promise<SendStore>;
  close(): Promise<void>;
}

/**
 * Says what every store must do. A store joins with a function that opens an empty one, and inherits every test.
 *
 * @param open a fresh, empty store
 */
export function describeSendStore(name: string, open: () => Promise<OpenedSendStore>): void {
  describe(`${name} keeps sends`, () => {
    let opened: OpenedSendStore;
    let store: SendStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    const three = () =>
      newSend({ recipients: ['+911', '+912', '+913'].map((n) => ({ number: n as Msisdn })) });
    /** Starts a send, and claims as many of its recipients. */
    async function sending(send: NewSend, claimed = 0): Promise<void> {
      await store.create(send);
      await store.moveSend({ ...start, sendId: send.id });
      if (claimed > 0) await store.claim(send.id, claimed, 3_000);
    }
    const settle = (row: number, outcome: Settlement['outcome'], settledAt = 4_000) =>
      store.settle([{ sendId: start.sendId, row, outcome, settledAt }]);

    it('gives back a send as it was stored', async () => {
      const origin = { ...ORIGIN, alert: ALERT };
      const stored = await store.create(newSend({ origin, template: BILL }));
      expect(stored?.created).toBe(true);
      const send = stored?.send as Send;
      expect(send).toEqual({
        id: 'S-AAAAAAAAAA',
        kind: 'sms',
        message: TEXT,
        template: BILL,
        origin,
        state: 'approved',
        recipientCount: 1,
        createdAt: 1_000,
        counts: { ...NO_RECIPIENTS, pending: 1 },
      });
      expect(await store.find(send.id)).toEqual(send);
      expect(await store.recipients(send.id)).toEqual([
        { sendId: send.id, row: 0, number: '+919812345678', state: 'pending' },
      ]);
      expect(await store.find('S-NONE')).toBeUndefined();
      await store.markCanaryJudged(send.id);
      expect(await store.find(send.id)).toEqual({ ...send, canaryJudged: true });
    });

    it('makes one send of the same request key, whatever else differs', async () => {
      await store.create(newSend());
      const again = await store.create(newSend({ id: 'S-BBBBBBBBBB', createdAt: 9_000 }));
      expect(again?.created).toBe(false);
      expect(again?.send.id).toBe('S-AAAAAAAAAA');
      expect(await store.find('S-BBBBBBBBBB')).toBeUndefined();
      expect(await store.recipients('S-BBBBBBBBBB')).toEqual([]);
    });

    it('lets one of fifty racing changes of state win', async () => {
      await store.create(newSend());
      const won = await Promise.all(Array.from({ length: 50 }, () => store.moveSend(start)));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await store.find(start.sendId))?.state).toBe('sending');
    });

    it('refuses a change that no state allows', async () => {
      await store.create(newSend());
      await expect(store.moveSend({ ...start, to: 'done' })).rejects.toThrow(
        'may not go from approved to done',
      );
      expect((await store.find(start.sendId))?.state).toBe('approved');
    });

    it('claims each recipient once, in row order, and only while the send is sending', async () => {
      await store.create(three());
      expect(await store.claim(start.sendId, 2, 3_000)).toEqual([]);
      await store.moveSend(start);
      const first = await store.claim(start.sendId, 2, 3_000);
      expect(first).toEqual([
        { sendId: start.sendId, row: 0, number: '+911', state: 'attempting', attemptedAt: 3_000 },
        { sendId: start.sendId, row: 1, number: '+912', state: 'attempting', attemptedAt: 3_000 },
      ]);
      expect((await store.claim(start.sendId, 9, 4_000)).map((row) => row.row)).toEqual([2]);
      expect(await store.claim(start.sendId, 9, 5_000)).toEqual([]);
    });

    it('gives a released recipient out again', async () => {
      await sending(newSend(), 1);
      expect(await store.release(start.sendId, [0])).toBe(1);
      expect(await store.release(start.sendId, [0])).toBe(0);
      expect(await store.claim(start.sendId, 1, 4_000)).toEqual([]);
      expect((await store.claimAgain(start.sendId, [0, 7], 4_000)).map(({ row }) => row)).toEqual([0]);
      expect(await store.claimAgain(start.sendId, [0], 4_000)).toEqual([]);
      await store.release(start.sendId, [0]);
      await store.moveSend({ ...start, from: 'sending', to: 'paused' });
      expect(await store.claimAgain(start.sendId, [0], 5_000)).toEqual([]);
    });

    it('gives out whatever is pending once it was told to begin anew, and nobody else', async () => {
      await sending(three(), 3);
      await settle(1, ACCEPTED, 3_500);
      await store.release(start.sendId, [2]);
      expect(await store.claim(start.sendId, 9, 4_000)).toEqual([]);
      await store.rewind(start.sendId);
      expect((await store.claim(start.sendId, 9, 5_000)).map(({ row }) => row)).toEqual([2]);
      await store.release(start.sendId, [0, 2]);
      await store.rewind(start.sendId);
      await store.rewind('S-NONE');
      expect((await store.claim(start.sendId, 9, 6_000)).map(({ row }) => row)).toEqual([0, 2]);
      await store.rewind(start.sendId);
      expect(await store.claim(start.sendId, 9, 7_000)).toEqual([]);
    });

    it('begins where it was told to, whoever is claimed again before that', async () => {
      await sending(three(), 3);
      await store.release(start.sendId, [0, 2]);
      await store.rewind(start.sendId);
      expect(await store.claimAgain(start.sendId, [2], 4_000)).toHaveLength(1);
      expect((await store.claim(start.sendId, 9, 5_000)).map(({ row }) => row)).toEqual([0]);
    });

    it('knows when a send was last begun, gone on with or claimed from', async () => {
      await store.create(three());
      const activeAt = async () => (await store.find(start.sendId))?.activeAt;
      expect(await activeAt()).toBeUndefined();
      await store.moveSend(start);
      expect(await activeAt()).toBe(start.at);
      await store.claim(start.sendId, 1, 3_000);
      expect(await activeAt()).toBe(3_000);
      await store.release(start.sendId, [0]);
      await store.claimAgain(start.sendId, [0], 4_000);
      await store.claimAgain(start.sendId, [0], 5_000);
      expect(await activeAt()).toBe(4_000);
      await store.moveSend({ ...start, from: 'sending', to: 'paused', at: 6_000 });
      expect(await activeAt()).toBe(4_000);
      await store.moveSend({ ...start, from: 'paused', at: 7_000, activeAt: 4_000 });
      expect(await activeAt()).toBe(7_000);
    });

    it('is done with the last recipient and not before', async () => {
      await sending(three(), 2);
      expect(await settle(0, ACCEPTED)).toEqual({ written: 1, done: [] });
      expect((await settle(1, OUTCOMES.unknown, 4_001)).written).toBe(1);
      expect((await store.find(start.sendId))?.state).toBe('sending');
      await store.claim(start.sendId, 1, 4_500);
      const refused: Failure = { ...LOST, code: '131009', status: 400 };
      await settle(2, { state: 'rejected', failure: refused }, 4_002);
      expect((await store.find(start.sendId))?.state).toBe('done');
      const first = { sendId: start.sendId, number: '+911', attemptedAt: 3_000 };
      expect(await store.recipients(start.sendId)).toEqual([
        { ...first, row: 0, ...ACCEPTED, settledAt: 4_000 },
        { ...first, row: 1, number: '+912', state: 'unknown', failure: LOST, settledAt: 4_001 },
        {
          ...{ ...first, row: 2, number: '+913', state: 'rejected', status: 400, failure: refused },
          ...{ attemptedAt: 4_500, settledAt: 4_002 },
        },
      ]);
      expect(await store.outcomesSince(1_000)).toEqual({ accepted: 1, unknown: 1, rejected: 1 });
      expect(await store.outcomesSince(1_001)).toEqual({});
      expect(await store.outcomesSince(0, 1_000)).toEqual({});
      expect(await store.outcomesSince(0, 1_001)).toEqual({ accepted: 1, unknown: 1, rejected: 1 });
    });

    it('takes an answer that holds anything', async () => {
      await sending(newSend(), 1);
      const odd: Outcome = { state: 'accepted', status: 200, messageId: 'm\u0000 \\ "{,}" NULL' };
      await settle(0, odd);
      expect((await store.find(start.sendId))?.state).toBe('done');
    });

    it.each(SETTLED)('never changes a recipient that is %s', async (settled) => {
      await sending(newSend(), 1);
      // Of two outcomes at once the first counts.
      const twice = [OUTCOMES[settled], OUTCOMES[settled === 'unknown' ? 'rejected' : 'unknown']];
      const given = twice.map((outcome) => ({ sendId: start.sendId, row: 0, outcome, settledAt: 4_000 }));
      expect(await store.settle(given)).toEqual({ written: 1, done: [start.sendId] });
      const before = await store.recipients(start.sendId);
      expect(before).toMatchObject([{ state: settled }]);
      for (const late of Object.values(OUTCOMES))
        expect(await settle(0, late, 5_000)).toEqual({ written: 0, done: [] });
      expect(await store.release(start.sendId, [0])).toBe(0);
      expect(await store.recoverInterrupted(LOST, 6_000)).toEqual([]);
      expect(await store.recipients(start.sendId)).toEqual(before);
    });

    it('makes what was under way unknown, and only that', async () => {
      await sending(three(), 2);
      await settle(0, ACCEPTED, 3_500);
      expect(await store.recoverInterrupted(LOST, 8_000)).toEqual([]);
      const successor = await opened.successor();
      expect(await successor.recoverInterrupted(LOST, 9_000)).toEqual([start.sendId]);
      expect(await successor.recipients(start.sendId)).toEqual([
        expect.objectContaining({ row: 0, state: 'accepted' }),
        {
          ...{ sendId: start.sendId, row: 1, number: '+912', state: 'unknown', failure: LOST },
          ...{ attemptedAt: 3_000, settledAt: SOON_AFTER_9_000 },
        },
        { sendId: start.sendId, row: 2, number: '+913', state: 'pending' },
      ]);
      expect(await successor.find(start.sendId)).toMatchObject({
        state: 'sending',
        counts: { pending: 1, attempting: 0, accepted: 1, unknown: 1 },
      });
      expect(await successor.failures(start.sendId)).toEqual([{ state: 'unknown', failure: LOST, count: 1 }]);
      expect(await successor.recoverInterrupted(LOST, 9_001)).toEqual([]);
    });

    it('ends a send whose last recipient was under way when its process died', async () => {
      await sending(newSend(), 1);
      const successor = await opened.successor();
      await successor.recoverInterrupted(LOST, 9_000);
      expect((await successor.find(start.sendId))?.state).toBe('done');
      expect((await successor.events(start.sendId)).at(-1)).toEqual({
        sendId: start.sendId,
        at: SOON_AFTER_9_000,
        actor: 'herald',
        action: 'done',
      });
    });

    it('gives the sends of a dead process to one that lives, each once, and nobody else’s', async () => {
      await store.create(newSend());
      await store.create(newSend({ id: 'S-B', requestKey: 'b', createdAt: 900 }));
      await store.create(newSend({ id: 'S-C', requestKey: 'c', state: 'awaiting_approval' }));
      expect(await store.adopt(['approved'], 9)).toEqual([]);
      expect(await store.owns(start.sendId)).toBe(true);
      const successor = await opened.successor();
      await successor.recoverInterrupted(LOST, 9_000);
      await successor.create(newSend({ id: 'S-D', requestKey: 'd', createdAt: 1 }));
      expect(await successor.adopt(['draft', 'sending'], 9)).toEqual([]);
      expect((await successor.adopt(['approved'], 1)).map(({ id }) => id)).toEqual(['S-B']);
      expect((await successor.adopt(['approved'], 9)).map(({ id }) => id)).toEqual([start.sendId]);
      expect(await successor.adopt(['approved'], 9)).toEqual([]);
      expect(await successor.owns('S-C')).toBe(true);
      expect(await successor.owns('S-NONE')).toBe(false);
    });

    it('finds sends by state, oldest first', async () => {
      for (const [id, createdAt] of Object.entries({ 'S-B': 30, 'S-A': 20, 'S-C': 10 }))
        await store.create(newSend({ id, createdAt, requestKey: id }));
      await store.moveSend({ ...start, sendId: 'S-A' });
      expect((await store.findByState(['approved'], 9)).map((send) => send.id)).toEqual(['S-C', 'S-B']);
      const two = await store.findByState(['approved', 'sending'], 2);
      expect(two.map((send) => send.id)).toEqual(['S-C', 'S-A']);
    });

    it('records who did what, in order', async () => {
      await store.create(newSend());
      await store.moveSend(start);
      await store.moveSend(start);
      await store.claim(start.sendId, 1, 3_000);
      await settle(0, ACCEPTED);
      expect(await store.events(start.sendId)).toEqual([
        { sendId: start.sendId, at: 1_000, actor: 'U0ASHA', action: 'requested' },
        { sendId: start.sendId, at: 2_000, actor: 'U0ASHA', action: 'sending' },
        { sendId: start.sendId, at: 4_000, actor: 'herald', action: 'done' },
      ]);
    });

    describe('bulk sends', () => {
      const person = (row: number, skipped?: Failure) => ({
        row,
        number: `+9198${row}` as Msisdn,
        values: [`Person ${row}`, ''],
        ...(skipped && { skipped }),
      });
      const begin = (over: Partial<NewBulkSend> = {}) =>
        store.begin({
          ...bulkSend('S-BULK'),
          origin: ORIGIN,
          createdAt: 1_000,
          requestKey: 'view-9',
          audience: { id: 'A-1', label: 'vip.csv', columns: ['name', 'city'] },
          startAt: 9_000,
          ...over,
        });
      const seal = (needed = 1, survey?: Survey) =>
        sealSend(store, 'S-BULK', {
          ...{ digest: 'd1', to: 'awaiting_approval', at: 1_500, actor: 'U0ASHA' },
          ...{ approval: { needed, expiresAt: 50_000 }, ...(survey && { survey }) },
        });
      const approve = (userId: string, digest = 'd1') =>
        store.approve({ sendId: 'S-BULK', userId, digest, at: 2_000 });

      const by = { sendId: 'S-BULK', actor: 'U0ASHA' };
      /** Waits for one approval. */
      async function sealedTo(...recipients: readonly ReturnType<typeof person>[]): Promise<void> {
        await begin();
        await store.addRecipients('S-BULK', recipients);
        await seal();
      }
      async function sendingTo(...rows: number[]): Promise<void> {
        await sealedTo(...rows.map((row) => person(row)));
        await approve('U0RAVI');
        await store.moveSend({ ...by, from: 'approved', to: 'sending', at: 3_000 });
      }

      it('grow as drafts and are sealed once', async () => {
        const asked = {
          ...{ origin: { ...ORIGIN, alert: ALERT }, approvalOver: 10, replaces: 'S-BEFORE' },
          note: 'For “Asha”\u0000 🛵',
        };
        expect((await begin(asked)).created).toBe(true);
        expect(await begin({ id: 'S-OTHER' })).toMatchObject({ created: false, send: { id: 'S-BULK' } });
        await store.addRecipients('S-BULK', [person(2), person(5, LOST)]);
        await store.addRecipients('S-BULK', [person(7)]);
        expect(await seal()).toBe(true);
        expect(await seal()).toBe(false);
        expect(await store.find('S-BULK')).toEqual({
          id: 'S-BULK',
          kind: 'sms',
          message: TEXT,
          ...asked,
          state: 'awaiting_approval',
          recipientCount: 3,
          createdAt: 1_000,
          counts: { ...NO_RECIPIENTS, pending: 2, skipped: 1 },
          audience: { id: 'A-1', label: 'vip.csv', columns: ['name', 'city'] },
          digest: 'd1',
          approval: { needed: 1, expiresAt: 50_000 },
          startAt: 9_000,
        });
        await expect(store.addRecipients('S-BULK', [person(9)])).rejects.toThrow('drafts only');
        expect(await store.failures('S-BULK')).toEqual([{ state: 'skipped', failure: LOST, count: 1 }]);
      });

      it('keep the service’s words for each recipient, and count those alike of whom it says the same', async () => {
        await sendingTo(0, 1, 2, 3, 4);
        await store.claim('S-BULK', 9, 3_000);
        const refused = (row: number, explanation?: string): Settlement => ({
          sendId: 'S-BULK',
          row,
          outcome: { state: 'rejected', failure: { ...LOST, ...(explanation && { explanation }) } },
          settledAt: 4_000,
        });
        await store.settle([refused(0), refused(1, 'It is “odd”')]);
        const accepted = { ...refused(3), outcome: ACCEPTED };
        await store.settle([refused(2, 'It is even'), accepted, refused(4, 'It is “odd”')]);
        const [odd, even] = ['It is “odd”', 'It is even'].map((explanation) => ({ ...LOST, explanation }));
        const rows = await store.recipients('S-BULK');
        expect(rows.map(({ failure }) => failure)).toEqual([LOST, odd, even, undefined, odd]);
        const groups = await store.failures('S-BULK');
        expect(groups).toHaveLength(3);
        expect(groups[0]).toEqual({ state: 'rejected', failure: odd, count: 2 });
        for (const failure of [LOST, even])
          expect(groups).toContainEqual({ state: 'rejected', failure, count: 1 });
      });

      it('settle each of those who shared a request, and count causes that are alike', async () => {
        await sendingTo(0, 1, 2, 3, 4, 5);
        await store.claim('S-BULK', 5, 3_000);
        const settled = { sendId: 'S-BULK', outcome: OUTCOMES.rejected, settledAt: 4_000 };
        await store.settle([{ ...settled, row: 2, outcome: ACCEPTED }]);
        await store.release('S-BULK', [3]);
        // Of the five one is settled, and one was released.
        expect(await store.settle([0, 1, 2, 3, 4].map((row) => ({ ...settled, row })))).toEqual({
          written: 4,
          done: [],
        });
        const rows = await store.recipients('S-BULK');
        const rejected = 'rejected';
        expect(rows.map(({ state }) => state)).toEqual([
          ...[rejected, rejected, 'accepted', rejected],
          ...[rejected, 'pending'],
        ]);
        expect(rows[4]).toMatchObject({ failure: LOST, settledAt: 4_000 });
        const counts = { ...NO_RECIPIENTS, pending: 1, accepted: 1, rejected: 4 };
        expect((await store.find('S-BULK'))?.counts).toEqual(counts);
        expect(await store.failures('S-BULK')).toEqual([{ state: rejected, failure: LOST, count: 4 }]);
        expect(await store.settle([{ ...settled, row: 5 }])).toEqual({ written: 1, done: ['S-BULK'] });
      });

      it('have in the record what was asked for, and after that what was sealed', async () => {
        await begin({ template: BILL, retryOf: 'S-BEFORE' });
        expect((await store.find('S-BULK'))?.template).toEqual(BILL);
        await store.addRecipients('S-BULK', [person(2), person(5, LOST), person(7)]);
        await seal(1, SURVEY);
        expect(await store.find('S-BULK')).toMatchObject({ template: BILL, survey: SURVEY });
        await approve('U0RAVI');
        const [asked, ...rest] = await store.allEvents(0, 9);
        expect(asked).toMatchObject({ ...by, id: expect.any(Number), at: 1_000, action: 'requested' });
        expect(asked?.asked).toEqual({ message: TEXT, template: BILL, retryOf: 'S-BEFORE' });
        expect(rest.map(({ action, digest, recipients }) => [action, digest, recipients])).toEqual([
          ['awaiting_approval', 'd1', 2],
          ['approved_by', 'd1', 2],
          ['approved', 'd1', 2],
        ]);
        await store.create(newSend());
        expect((await store.allEvents(rest.at(-1)?.id ?? 0, 9)).map(({ asked }) => asked)).toEqual([
          { message: TEXT },
        ]);
      });

      it('are never claimed before they are sending, nor their skipped ones at all', async () => {
        await sealedTo(person(2), person(3, LOST), person(4));
        expect(await store.claim('S-BULK', 9, 3_000)).toEqual([]);
        await approve('U0RAVI');
        await store.moveSend({ ...by, from: 'approved', to: 'sending', at: 3_000 });
        const claimed = { sendId: 'S-BULK', state: 'attempting', attemptedAt: 3_000 };
        expect(await store.claim('S-BULK', 9, 3_000)).toEqual([
          { ...claimed, ...person(2) },
          { ...claimed, ...person(4) },
        ]);
      });

      it('are approved by as many different people as needed', async () => {
        await begin();
        await store.addRecipients('S-BULK', [person(2)]);
        await seal(2);
        const one = [{ userId: 'U0RAVI', at: 2_000 }];
        expect(await approve('U0RAVI')).toEqual({ state: 'recorded', approvals: one, complete: false });
        expect(await approve('U0RAVI')).toEqual({ state: 'repeated', approvals: one });
        expect(await approve('U0MEI', 'other')).toMatchObject({ state: 'too_late' });
        expect(await approve('U0MEI')).toMatchObject({ state: 'recorded', complete: true });
        expect(await approve('U0LATE')).toMatchObject({ state: 'too_late', send: { state: 'approved' } });
        expect(await store.approvals('S-BULK')).toEqual([
          { userId: 'U0MEI', at: 2_000 },
          { userId: 'U0RAVI', at: 2_000 },
        ]);
        expect((await store.events('S-BULK')).map(({ actor, action }) => [actor, action])).toEqual([
          ['U0ASHA', 'requested'],
          ['U0ASHA', 'awaiting_approval'],
          ['U0RAVI', 'approved_by'],
          ['U0MEI', 'approved_by'],
          ['U0MEI', 'approved'],
        ]);
      });

      it('wait for more approvals when the rules ask for more; those that were given count', async () => {
        await sealedTo(person(2));
        await approve('U0RAVI');
        const asked = { ...by, needed: 2, expiresAt: 90_000, at: 3_000, reason: LOST };
        expect(await store.askForMore({ ...asked, from: 'scheduled' })).toBe(false);
        expect(await store.askForMore({ ...asked, from: 'approved' })).toBe(true);
        expect(await store.askForMore({ ...asked, from: 'approved' })).toBe(false);
        const approval = { needed: 2, expiresAt: 90_000 };
        const waits = { state: 'awaiting_approval', approval, reason: LOST };
        expect(await store.find('S-BULK')).toMatchObject(waits);
        expect(await store.approvals('S-BULK')).toEqual([{ userId: 'U0RAVI', at: 2_000 }]);
        // Never fewer than before.
        const fewer = { ...asked, from: 'awaiting_approval', needed: 1 } as const;
        expect(await store.askForMore(fewer)).toBe(false);
        expect((await store.find('S-BULK'))?.approval?.needed).toBe(2);
        expect(await approve('U0MEI')).toMatchObject({ state: 'recorded', complete: true });
        expect((await store.find('S-BULK'))?.reason).toBeUndefined();
        expect((await store.events('S-BULK')).map(({ action, reason }) => [action, reason])).toContainEqual([
          'awaiting_approval',
          LOST,
        ]);
      });

      it('have one ending when approvals and a rejection race', async () => {
        await sealedTo(person(2));
        const [rejected, ...approvals] = await Promise.all([
          store.moveSend({ ...by, from: 'awaiting_approval', to: 'rejected', at: 2_000, reason: LOST }),
          ...Array.from({ length: 50 }, (_, n) => approve(`U${n}`)),
        ]);
        const complete = approvals.filter((result) => result.state === 'recorded' && result.complete);
        expect(complete.length + (rejected ? 1 : 0)).toBe(1);
        expect((await store.find('S-BULK'))?.reason).toEqual(rejected ? LOST : undefined);
      });

      it('go on at the first recipient left when they are resumed', async () => {
        await sendingTo(2, 3, 4);
        const move = { ...by, at: 3_000, activeAt: 3_000 };
        await store.claim('S-BULK', 2, 3_000);
        await store.release('S-BULK', [2]);
        await store.settle([{ sendId: 'S-BULK', row: 3, outcome: ACCEPTED, settledAt: 3_100 }]);
        await store.moveSend({ ...move, from: 'sending', to: 'paused', resumeAt: 90_000 });
        expect(await store.claim('S-BULK', 9, 3_200)).toEqual([]);
        expect((await store.find('S-BULK'))?.resumeAt).toBe(90_000);
        await store.moveSend({ ...move, from: 'paused', to: 'sending' });
        expect((await store.find('S-BULK'))?.resumeAt).toBeUndefined();
        expect((await store.claim('S-BULK', 9, 3_300)).map(({ row }) => row)).toEqual([2, 4]);
      });

      it('are not moved by whoever saw a pause before the present one', async () => {
        await sealedTo(person(2), person(3));
        await approve('U0RAVI');
        await store.moveSend({ ...by, from: 'approved', to: 'paused', at: 3_000 });
        const seen = await store.find('S-BULK');
        await store.moveSend({ ...by, from: 'paused', to: 'sending', at: 4_000, activeAt: seen?.activeAt });
        await store.claim('S-BULK', 1, 5_000);
        await store.moveSend({ ...by, from: 'sending', to: 'paused', at: 6_000 });
        const before = { ...by, from: 'paused', at: 7_000, activeAt: seen?.activeAt } as const;
        const more = { needed: 2, expiresAt: 90_000, reason: LOST };
        expect(await store.moveSend({ ...before, to: 'sending' })).toBe(false);
        expect(await store.moveSend({ ...before, to: 'stopped' })).toBe(false);
        expect(await store.askForMore({ ...before, ...more })).toBe(false);
        const now = await store.find('S-BULK');
        expect(now).toMatchObject({ state: 'paused', activeAt: 5_000 });
        expect(await store.moveSend({ ...before, to: 'sending', activeAt: now?.activeAt })).toBe(true);
      });

      it('tell when their recipients came to which outcome, without those who were left out', async () => {
        // Beyond what is counted in one statement, and on both sides of where the next begins.
        await sendingTo(2, 3, 4, 5, 19_999, 20_000, 20_001, 45_000);
        await store.claim('S-BULK', 7, 3_000);
        const settled = [
          [2, ACCEPTED, 10_000],
          [3, ACCEPTED, 14_999],
          [4, OUTCOMES.skipped, 14_999],
          [5, OUTCOMES.rejected, 15_000],
          [19_999, OUTCOMES.unknown, 30_000],
          [20_000, ACCEPTED, 14_999],
          [20_001, ACCEPTED, 9_999],
        ] as const;
        await store.settle(
          settled.map(([row, outcome, settledAt]) => ({ sendId: 'S-BULK', row, outcome, settledAt })),
        );
        const spans = await store.outcomesOverTime('S-BULK', 10_000, 5_000);
        expect(spans.toSorted((one, other) => one.span - other.span)).toEqual([
          { span: 0, state: 'accepted', count: 3 },
          { span: 1, state: 'rejected', count: 1 },
          { span: 4, state: 'unknown', count: 1 },
        ]);
        expect(await store.outcomesOverTime('S-NONE', 0, 5_000)).toEqual([]);
      });

      it('find those again, after a restart, that were released behind the last claim', async () => {
        await sendingTo(2, 3, 4);
        await store.claim('S-BULK', 2, 3_000);
        await store.release('S-BULK', [2]);
        const successor = await opened.successor();
        await successor.recoverInterrupted(LOST, 4_000);
        expect((await successor.claim('S-BULK', 9, 5_000)).map(({ row }) => row)).toEqual([2, 4]);
      });

      it('have each note in the record once, and with a cause once for each person and cause', async () => {
        await sendingTo(2);
        const note = { sendId: 'S-BULK', action: 'reminded', at: 4_000, actor: 'herald' } as const;
        const firsts = await Promise.all([1, 2, 3].map(() => store.recordOnce(note)));
        expect(firsts.filter(Boolean)).toHaveLength(1);
        expect(await store.recordOnce({ ...note, action: 'left_unknown', actor: 'U0MEI' })).toBe(true);
        expect((await store.events('S-BULK')).slice(-2)).toEqual([
          { sendId: 'S-BULK', at: 4_000, actor: 'herald', action: 'reminded' },
          { sendId: 'S-BULK', at: 4_000, actor: 'U0MEI', action: 'left_unknown' },
        ]);
        const refused = (actor: string, reason: Failure) =>
          store.recordOnce({ sendId: 'S-BULK', action: 'approval_refused', at: 4_000, actor, reason });
        const other: Failure = { ...LOST, what: 'Another cause.' };
        const answers = await Promise.all([
          ...[refused('U0GUEST', LOST), refused('U0GUEST', LOST)],
          ...[refused('U0GUEST', other), refused('U0OTHER', LOST)],
        ]);
        expect(answers.filter(Boolean)).toHaveLength(3);
        const [last] = (await store.events('S-BULK')).filter(({ actor }) => actor === 'U0OTHER');
        expect(last).toMatchObject({ at: 4_000, action: 'approval_refused', reason: LOST });
      });
    });

    it('says how much there is to do, since when, and what nobody has decided about', async () => {
      expect(await store.workload(0)).toEqual({ sends: {}, recipientsLeft: 0, undecided: 0 });
      await sending(three());
      await store.begin({ ...bulkSend('S-WAITS'), createdAt: 1_500 });
      const approval = { needed: 1, expiresAt: 99_000 };
      await sealSend(store, 'S-WAITS', { to: 'awaiting_approval', approval, at: 1_600 });
      expect(await store.workload(0)).toEqual({
        sends: { awaiting_approval: 1, sending: 1 },
        recipientsLeft: 3,
        oldestPendingAt: start.at,
        oldestApprovalAt: 1_500,
        undecided: 0,
      });
      await store.claim(start.sendId, 3, 3_000);
      await settle(0, ACCEPTED);
      await settle(1, OUTCOMES.unknown);
      expect((await store.workload(0)).undecided).toBe(0);
      await settle(2, OUTCOMES.unknown);
      const { createdAt } = three();
      expect(await store.workload(createdAt)).toMatchObject({ recipientsLeft: 0, undecided: 2 });
      expect((await store.workload(createdAt + 1)).undecided).toBe(0);
      const again = { requestKey: 'again', retryOf: start.sendId, retryGroup: 'unknown' } as const;
      await store.create(newSend({ id: 'S-AGAIN', ...again }));
      expect((await store.workload(0)).undecided).toBe(0);
      await store.moveSend({ ...start, sendId: 'S-AGAIN', to: 'cancelled', at: 5_000 });
      expect((await store.workload(0)).undecided).toBe(2);
      await store.recordOnce({ sendId: start.sendId, action: 'left_unknown', at: 6_000, actor: 'U' });
      expect((await store.workload(0)).undecided).toBe(0);
    });

    it('pages through recipients, sends and the record', async () => {
      await store.create(three());
      expect((await store.recipients(start.sendId, 0, 1)).map(({ row }) => row)).toEqual([1]);
      await store.create(newSend({ id: 'S-B', requestKey: 'b', createdAt: 2_000 }));
      expect(await store.list({ limit: 1 })).toMatchObject([{ id: 'S-B' }]);
      const [first] = await store.allEvents(0, 1);
      expect(first).toMatchObject({ sendId: start.sendId, action: 'requested' });
      expect(await store.allEvents(first?.id ?? 0, 9)).toHaveLength(1);
    });

    it('leaves out who had enough, whatever may have reached them included, and nobody else', async () => {
      await sending(three(), 2);
      await settle(0, OUTCOMES.unknown, 3_100);
      await settle(1, OUTCOMES.rejected, 3_100);
      const again = newSend({ ...three(), id: 'S-BBBBBBBBBB', requestKey: 'view-2' });
      await sending(again);
      const recipients = await store.claim(again.id, 3, 4_000);
      const numbers = recipients.map(({ number }) => number);
      expect(await store.hadEnough(numbers, 1, 3_001)).toEqual(new Set(numbers));
      expect(await store.hadEnough(numbers, 2, 2_000)).toEqual(new Set(numbers.slice(0, 1)));
      expect(await store.hadEnough(numbers, 2, 3_001)).toEqual(new Set());
      const asked = { sendId: again.id, recipients, failure: LOST, at: 4_001 };
      expect(await store.skipOverCap({ ...asked, most: 1, since: 3_001 })).toEqual([]);
      expect(await store.skipOverCap({ ...asked, most: 2, since: 2_000 })).toEqual([]);
      expect(await store.skipOverCap({ ...asked, most: 1, since: 2_000 })).toEqual([0]);
      expect((await store.recipients(again.id)).map(({ state, failure }) => [state, failure])).toEqual([
        ['skipped', LOST],
        ['attempting', undefined],
        ['attempting', undefined],
      ]);
      expect((await store.find(again.id))?.counts).toMatchObject({ skipped: 1, attempting: 2 });
    });

    it('lets one of many sends that ask for a number at once have it, where the cap leaves room for one', async () => {
      const ids = Array.from({ length: 8 }, (_, n) => `S-RACE${n}`);
      for (const id of ids) await sending(newSend({ id, requestKey: id }));
      const claimed = await Promise.all(ids.map((id) => store.claim(id, 1, 3_000)));
      const over = await Promise.all(
        ids.map((sendId, n) => {
          const recipients = claimed[n] ?? [];
          return store.skipOverCap({ sendId, recipients, most: 1, since: 0, failure: LOST, at: 3_001 });
        }),
      );
      expect(over.filter((rows) => rows.length === 0)).toHaveLength(1);
    });
  });
}
