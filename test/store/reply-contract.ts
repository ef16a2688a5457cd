import { beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import type { PostResult, PostStore } from '../../src/sends/posts.ts';
import type { DeliveryStatus } from '../../src/sends/replies/event.ts';
import type {
  ConversationStore,
  NewCustomerEvent,
  NewDelivery,
  NewWebhook,
  ReplyStore,
} from '../../src/sends/replies/ports.ts';
import { showAnswers } from './shown.ts';
import { accepted, endedSend, type Open, oneSend, settleRows, startSending } from './steps.ts';

const DAY_MS = 24 * 60 * 60_000;
const FIRST = '+919812345678' as Msisdn;
const SECOND = '+6591234567' as Msisdn;
const TO_BOTH = [
  [FIRST, 'm-1'],
  [SECOND, 'm-2'],
] as const;
const ORIGIN = { teamId: 'T', userId: 'U', channelId: 'C' };
const FAILURE = { code: '131009', what: 'It did not arrive.', next: 'Look.', scope: 'recipient' } as const;

const webhook = (digest: string, receivedAt = 1_000): NewWebhook => ({
  digest,
  receivedAt,
  contentType: 'application/json',
  body: Buffer.from(`{"body":"${digest}"}`).toString('base64'),
});

/**
 * Says what every store must do with webhooks, answers and deliveries.
 *
 * @param open fresh, empty stores over the same data
 */
export function describeReplyStore(
  name: string,
  open: Open<'replies' | 'sends' | 'posts' | 'conversations'>,
): void {
  describe(`${name} keeps webhooks`, () => {
    let store: ReplyStore;
    let sends: SendStore;
    let posts: PostStore;
    let conversations: ConversationStore;
    beforeEach(async () => {
      ({ replies: store, sends, posts, conversations } = await open());
    });
    const shown = (noted?: Partial<PostResult>) => showAnswers({ posts, replies: store }, 5, noted);
    const shownKeys = async () =>
      (await shown()).map(({ subject, events }) => [subject, ...events.map(({ key }) => key)]);

    /** A send of one message to each number, attempted at `at` and accepted with these ids. */
    async function sent(id: string, at: number, to: readonly (readonly [Msisdn, string])[]): Promise<void> {
      const ended = to.map(([number, messageId]) => [number, accepted(messageId)] as const);
      await endedSend(sends, id, ended, at, { createdAt: at, origin: ORIGIN });
    }

    /** Keeps one webhook and says what came of it. */
    async function processed(
      digest: string,
      events: readonly NewCustomerEvent[],
      deliveries: readonly NewDelivery[] = [],
    ) {
      await store.keep([webhook(digest)], DAY_MS);
      const kept = (await store.waiting(DAY_MS, 100)).find((one) => one.digest === digest);
      return store.record([{ webhookId: kept?.id ?? -1, events, deliveries }]);
    }

    const tap = (key: string, from: Msisdn, label: string, sendId = 'S-1'): NewCustomerEvent => ({
      key,
      event: { kind: 'reply', replyId: label, title: label, from },
      sendId,
      label,
      optedOut: false,
    });

    it('byte for byte, once within the time in which a service repeats', async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      const binary = { digest: 'd0', receivedAt: 5, body: Buffer.from(bytes).toString('base64') };
      expect(await store.keep([binary, webhook('d1', 6), webhook('d1', 7)], 100)).toEqual([
        { repeated: false },
        { repeated: false },
        { repeated: true },
      ]);
      expect(await store.keep([webhook('d1', 106)], 100)).toEqual([{ repeated: true }]);
      expect(await store.keep([webhook('d1', 107)], 100)).toEqual([{ repeated: false }]);
      const waiting = await store.waiting(200, 10);
      expect(waiting.map(({ id: _, ...rest }) => rest)).toEqual([
        { ...binary, postponed: 0, heard: false },
        { ...webhook('d1', 6), postponed: 0, heard: false },
        { ...webhook('d1', 107), postponed: 0, heard: false },
      ]);
      expect(await store.waiting(200, 1)).toEqual(waiting.slice(0, 1));
    });

    it('again when the same sender wrote something else in between', async () => {
      const by = (digest: string, receivedAt: number, sender: Msisdn) => ({
        ...webhook(digest, receivedAt),
        sender,
      });
      const kept = await store.keep(
        [by('stop', 1, FIRST), by('start', 2, FIRST), by('stop', 3, FIRST), by('stop', 4, FIRST)],
        DAY_MS,
      );
      expect(kept.map(({ repeated }) => repeated)).toEqual([false, false, false, true]);
      // What another one writes in between says nothing, and neither does a body of which no sender is known.
      expect(await store.keep([by('other', 5, SECOND), by('stop', 6, FIRST)], DAY_MS)).toEqual([
        { repeated: false },
        { repeated: true },
      ]);
      expect(await store.keep([webhook('start', 7)], DAY_MS)).toEqual([{ repeated: true }]);
    });

    it('until they are processed, and puts off those that are early', async () => {
      await store.keep([webhook('a', 10), webhook('b', 20)], DAY_MS);
      expect(await store.nextDue()).toBe(10);
      const [first, second] = await store.waiting(20, 10);
      await store.record([{ webhookId: first?.id ?? -1, events: [], deliveries: [], again: 500 }]);
      expect((await store.waiting(499, 10)).map(({ digest }) => digest)).toEqual(['b']);
      await store.record([{ webhookId: second?.id ?? -1, events: [], deliveries: [] }]);
      expect(await store.nextDue()).toBe(500);
      expect((await store.waiting(500, 10)).map(({ digest, postponed }) => [digest, postponed])).toEqual([
        ['a', 1],
      ]);
      await store.record([{ webhookId: first?.id ?? -1, events: [], deliveries: [] }]);
      expect(await store.nextDue()).toBeUndefined();
    });

    it('once only, and writes what is known of one that is early', async () => {
      await sent('S-1', 10, TO_BOTH);
      await store.keep([webhook('a', 10)], DAY_MS);
      const [kept] = await store.waiting(DAY_MS, 1);
      const delivered = (row: number) => ({ sendId: 'S-1', row, status: 'delivered', at: 11 }) as const;
      const one = {
        webhookId: kept?.id ?? -1,
        events: [tap('k1', FIRST, 'Yes')],
        deliveries: [delivered(0)],
      };
      expect(await store.record([{ ...one, again: 500 }])).toEqual(['S-1']);
      expect(await store.record([{ ...one, deliveries: [delivered(0), delivered(1)] }])).toEqual(['S-1']);
      expect(await store.record([{ ...one, events: [tap('k2', SECOND, 'Yes')], again: 900 }])).toEqual([]);
      expect(await store.summary('S-1')).toMatchObject({ tally: [{ label: 'Yes', count: 1 }], delivered: 2 });
      expect(await shownKeys()).toEqual([['S-1', 'k1']]);
      expect(await store.nextDue()).toBeUndefined();
    });

    it('gives those first in which customers speak', async () => {
      await store.keep([webhook('a', 10), { ...webhook('b', 20), heard: true }, webhook('c', 15)], DAY_MS);
      const waiting = await store.waiting(20, 10);
      expect(waiting.map(({ digest, heard }) => [digest, heard])).toEqual([
        ['b', true],
        ['a', false],
        ['c', false],
      ]);
      expect(await store.nextDue()).toBeLessThanOrEqual(20);
    });

    it('and takes none for a repetition that is said to be new', async () => {
      const isNew = { ...webhook('a', 20), isNew: true } as const;
      const kept = await store.keep([webhook('a', 10), isNew, webhook('a', 30)], DAY_MS);
      expect(kept.map(({ repeated }) => repeated)).toEqual([false, false, true]);
    });

    it('knows whether a request is under way that could explain a report', async () => {
      await sent('S-1', 10, [[FIRST, 'm-1']]);
      await sends.create({ ...oneSend('S-2'), recipients: [{ number: FIRST }] });
      await startSending(sends, 'S-2', 5);
      expect(await store.isUnderWay()).toBe(false);
      await sends.claim('S-2', 1, 5);
      expect(await store.isUnderWay()).toBe(true);
      // What is in flight when somebody stops the send is under way, too.
      await sends.moveSend({ sendId: 'S-2', from: 'sending', to: 'stopped', at: 6, actor: 'U' });
      expect(await store.isUnderWay()).toBe(true);
      await settleRows(sends, 'S-2', [accepted('m-2')], 7);
      expect(await store.isUnderWay()).toBe(false);
    });

    it('finds who was sent a message, and nobody where that is not certain', async () => {
      await sent('S-1', 10, [
        [FIRST, 'shared'],
        [SECOND, 'shared'],
      ]);
      await sent('S-2', 20, [[FIRST, 'own']]);
      await store.indexIds();
      expect(await store.findByMessageId('own')).toEqual({ sendId: 'S-2', row: 0, number: FIRST });
      // A number that is written otherwise does not matter where the id alone tells.
      expect(await store.findByMessageId('own', SECOND)).toEqual({ sendId: 'S-2', row: 0, number: FIRST });
      expect(await store.findByMessageId('shared')).toBeUndefined();
      const second = { sendId: 'S-1', row: 1, number: SECOND };
      expect(await store.findByMessageId('shared', SECOND)).toEqual(second);
      expect(await store.findByMessageId('none')).toBeUndefined();
      await sent('S-7K2M9QX4TB', 5, [
        [FIRST, 'a'],
        [SECOND, 'b'],
      ]);
      expect(await store.findByMessageId('S-7K2M9QX4TB-1', FIRST)).toEqual({
        ...second,
        sendId: 'S-7K2M9QX4TB',
      });
      expect(await store.findByMessageId('S-7K2M9QX4TB-2')).toBeUndefined();
      expect(await store.newestTo(FIRST)).toEqual({ sendId: 'S-2', row: 0, number: FIRST });
      expect(await store.newestTo(SECOND)).toEqual(second);
      expect(await store.newestTo('+911' as Msisdn)).toBeUndefined();
    });

    const stray: NewCustomerEvent = {
      key: 'k0',
      event: { kind: 'unknown', text: '{}', readable: true },
      optedOut: false,
    };
    const address = (key: string): NewCustomerEvent => ({
      key,
      event: { kind: 'address', values: [], from: FIRST },
      sendId: 'S-1',
      optedOut: false,
    });
    /** Begins to place what is to be placed. */
    const claimed = async (): Promise<readonly string[]> => {
      const claim = { now: 1e14, how: 'post', limit: 99, restingChannels: [], inFlight: [] } as const;
      const marks = (await posts.claim(claim)).map(({ mark }) => mark);
      return marks.filter((mark) => mark.startsWith('reply:'));
    };
    const keysIn = async (mark = '') => (await store.shownBy(mark)).map(({ key }) => key);

    it('shows what came by its send in one post, the first of each marked, and what is to none by itself', async () => {
      await sent('S-1', 10, [[FIRST, 'm-1']]);
      await sent('S-2', 10, [[SECOND, 'm-2']]);
      await processed('a', [tap('k1', FIRST, 'Yes'), stray, tap('k2', SECOND, 'No', 'S-2')]);
      await processed('b', [{ ...tap('k3', SECOND, 'Yes'), optedOut: true }, tap('k1', FIRST, 'Yes')]);
      const all = await shown();
      expect(all.map(({ subject }) => subject)).toEqual(['S-1', '', 'S-2']);
      expect(all[0]?.events.map(({ id: _, ...rest }) => rest)).toEqual([
        { ...tap('k1', FIRST, 'Yes'), receivedAt: 1_000, first: true },
        { ...tap('k3', SECOND, 'Yes'), optedOut: true, receivedAt: 1_000, first: false },
      ]);
      await processed('c', [tap('k4', FIRST, 'No')]);
      expect((await shown()).map(({ events }) => events.map(({ key, first }) => [key, first]))).toEqual([
        [['k4', false]],
      ]);
    });

    it('adds to a post that nobody has begun to place, and begins the next one behind any other', async () => {
      await sent('S-1', 10, [[FIRST, 'm-1']]);
      await processed('a', [tap('k1', FIRST, 'Yes')]);
      await processed('b', [tap('k2', FIRST, 'No')]);
      const [mark = ''] = await claimed();
      expect(await keysIn(mark)).toEqual(['k1', 'k2']);
      // It is being placed, was refused, or may stand already: what comes waits behind it.
      for (const [index, noted] of [undefined, { tries: 1, refusedSince: 5 }, { lost: 1 }].entries()) {
        if (noted) await posts.note({ mark, restMs: 0, ...noted }, 5);
        await processed(`c${index}`, [tap(`k3${index}`, FIRST, 'Yes')]);
        expect(await claimed()).toEqual([mark]);
      }
      expect(await keysIn(mark)).toEqual(['k1', 'k2']);
      await posts.note({ mark, shown: 1, restMs: 0 }, 5);
      expect(await shownKeys()).toEqual([['S-1', 'k30', 'k31', 'k32']]);
      // What certainly stands nowhere yet takes more.
      await processed('d', [tap('k4', FIRST, 'No')]);
      const [next = ''] = await claimed();
      await posts.note({ mark: next, restMs: 0 }, 5);
      await processed('e', [tap('k5', FIRST, 'Yes')]);
      expect(await shownKeys()).toEqual([['S-1', 'k4', 'k5']]);
    });

    it('shows addresses by themselves, and in each post as many as a message has room for', async () => {
      await sent('S-1', 10, [[FIRST, 'm-1']]);
      const words = Array.from({ length: 150 }, (_, at) => tap(`w${at}`, FIRST, 'Yes'));
      await processed('a', [address('a0'), ...words.slice(0, 120), address('a1'), address('a2')]);
      await processed('b', [...words.slice(120), address('a3'), address('a4')]);
      await processed(
        'c',
        Array.from({ length: 60 }, (_, at) => tap(`x${at}`, SECOND, 'No')),
      );
      const all = (await shownKeys()).map(([subject, first, ...rest]) => [subject, first, 1 + rest.length]);
      expect(all).toEqual([
        ['S-1', 'a0', 4],
        ['S-1', 'w0', 200],
        ['S-1', 'a4', 1],
        ['S-1', 'x50', 10],
      ]);
    });

    it('keeps what is left out of a post, and shows it no more', async () => {
      await processed('a', [stray, { ...stray, key: 'k1' }]);
      const [mark] = await claimed();
      const [odd] = await store.shownBy(mark ?? '');
      await store.leaveOut([odd?.id ?? -1]);
      expect(await keysIn(mark)).toEqual(['k1']);
      expect(await conversations.findEvent(odd?.id ?? -1)).toMatchObject({ key: 'k0' });
    });

    describe('and conversations:', () => {
      const THREAD = { channelId: 'C', threadTs: '1.0' };
      const words = (key: string, from: Msisdn, askedAt: number): NewCustomerEvent => ({
        key,
        event: { kind: 'text', text: key, from },
        sendId: 'S-1',
        optedOut: false,
        askedAt,
      });
      /** They are told of in the thread; returns their ids. */
      async function told(digest: string, events: readonly NewCustomerEvent[], thread = THREAD) {
        await processed(digest, events);
        const { channelId, threadTs } = thread;
        const all = await shown({ place: { channelId, ts: `${digest}.1` }, threadTs });
        return all.flatMap((post) => post.events.map(({ id }) => id));
      }
      /** Somebody answers from the thread. */
      async function answered(id: string, createdAt: number, number: Msisdn, threadTs = '1.0') {
        const origin = { ...ORIGIN, userId: 'U2', threadTs };
        await sends.create({ ...oneSend(id), origin, recipients: [{ number }], createdAt });
      }
      const fail = async (sendId: string) => {
        await startSending(sends, sendId, 9);
        await sends.claim(sendId, 1, 9);
        await settleRows(sends, sendId, [{ state: 'rejected', failure: FAILURE }], 9);
      };
      const open = async (asked: { since?: number; userId?: string; limit?: number } = {}) =>
        (await conversations.openQuestions({ since: 0, limit: 10, ...asked })).map(({ key }) => key);
      beforeEach(() => sent('S-1', 10, TO_BOTH));

      it('keep where words stand, and the newest of each customer in a thread', async () => {
        const [first] = await told('a', [words('one', FIRST, 20), words('two', SECOND, 21)]);
        await told('b', [tap('three', FIRST, 'Yes')]);
        await told('c', [words('elsewhere', FIRST, 22)], { ...THREAD, threadTs: '2.0' });
        expect(await conversations.findEvent(first ?? -1)).toEqual({
          ...words('one', FIRST, 20),
          id: first,
          receivedAt: 1_000,
          first: false,
          place: { ...THREAD, ts: 'a.1' },
        });
        expect(await conversations.findEvent(-1)).toBeUndefined();
        const keys = async (limit: number, channelId = 'C') =>
          (await conversations.inThread({ ...THREAD, channelId }, limit)).map(({ key }) => key);
        expect(await keys(9)).toEqual(['three', 'two']);
        expect(await keys(1)).toEqual(['three']);
        expect(await keys(9, 'C2')).toEqual([]);
      });

      it('are open until somebody answers from their thread, and again when nothing was sent', async () => {
        await processed('untold', [words('nowhere', FIRST, 19)]);
        await shown({ place: { channelId: 'C', ts: '1.0' } });
        await told('a', [words('one', FIRST, 20), words('two', FIRST, 21), words('three', SECOND, 22)]);
        await told('b', [tap('four', FIRST, 'Yes')]);
        expect(await open()).toEqual(['three', 'two']);
        expect(await open({ limit: 1 })).toEqual(['three']);
        expect(await open({ since: 22 })).toEqual(['three']);
        expect(await open({ userId: 'U' })).toEqual(['three', 'two']);
        expect(await open({ userId: 'U2' })).toEqual([]);
        await answered('S-OLD', 20, FIRST);
        await answered('S-ELSEWHERE', 30, FIRST, '2.0');
        expect(await open()).toEqual(['three', 'two']);
        await answered('S-2', 31, FIRST);
        expect(await open()).toEqual(['three']);
        const answer = { sendId: 'S-2', at: 31 };
        expect(await conversations.newestAnswer(THREAD, FIRST)).toEqual({ ...answer, failed: false });
        await fail('S-2');
        expect(await open()).toEqual(['three', 'two']);
        expect(await conversations.newestAnswer(THREAD, FIRST)).toEqual({ ...answer, failed: true });
        expect(await conversations.newestAnswer(THREAD, SECOND)).toBeUndefined();
        expect((await sends.find('S-2'))?.origin).toEqual({ teamId: 'T', userId: 'U2', ...THREAD });
      });

      it('are closed by whoever says that no answer is needed, until the customer writes again', async () => {
        const ids = await told('a', [words('one', FIRST, 20), words('two', SECOND, 21)]);
        await conversations.closeQuestions(ids, 'U2');
        await conversations.closeQuestions([], 'U2');
        expect(await open()).toEqual([]);
        await told('b', [words('three', FIRST, 22)]);
        expect(await open()).toEqual(['three']);
      });

      it('are nobody’s once the customer asked for no more messages, wherever they did', async () => {
        await told('a', [words('one', FIRST, 20), words('two', SECOND, 21)]);
        const { askedAt: _none, ...stop } = words('STOP', FIRST, 22);
        await processed('b', [{ ...stop, optedOut: true }]);
        expect(await open()).toEqual(['two']);
      });

      it('tell each person once in a thread', async () => {
        expect(await conversations.claimHint(THREAD, 'U')).toBe(true);
        expect(await conversations.claimHint(THREAD, 'U')).toBe(false);
        expect(await conversations.claimHint(THREAD, 'U2')).toBe(true);
        expect(await conversations.claimHint({ ...THREAD, threadTs: '2.0' }, 'U')).toBe(true);
      });
    });

    it('counts somebody who changes the answer once, under the newest, and the nameless each time', async () => {
      await sent('S-1', 10, [[FIRST, 'm-1']]);
      await sent('S-2', 10, [[FIRST, 'm-2']]);
      const nothing = { tally: [], delivered: 0, read: 0, failed: 0, failures: [] };
      expect(await store.summary('S-1')).toEqual(nothing);
      await processed('a', [tap('0', FIRST, 'Yes'), tap('1', FIRST, 'Yes'), tap('2', FIRST, 'No')]);
      await processed('other', [tap('3', FIRST, 'Yes', 'S-2')]);
      expect(
        await processed('b', [tap('4', FIRST, 'Yes'), tap('5', SECOND, 'Yes'), tap('6', SECOND, 'Yes')]),
      ).toEqual(['S-1']);
      // The same event once more changes nothing.
      expect(await processed('again', [tap('5', SECOND, 'No')])).toEqual([]);
      const nameless = (key: string): NewCustomerEvent => ({
        ...tap(key, FIRST, 'No'),
        event: { kind: 'reply', replyId: 'No' },
      });
      await processed('c', [nameless('7'), nameless('8')]);
      expect((await store.summary('S-1')).tally).toEqual([
        { label: 'No', count: 2 },
        { label: 'Yes', count: 2 },
      ]);
      await processed('d', [tap('9', SECOND, 'Call me'), tap('10', FIRST, 'Call me')]);
      expect((await store.summary('S-1')).tally).toEqual([
        { label: 'Call me', count: 2 },
        { label: 'No', count: 2 },
      ]);
      expect((await store.summary('S-2')).tally).toEqual([{ label: 'Yes', count: 1 }]);
    });

    it.each<[readonly DeliveryStatus[], object]>([
      [['sent'], { delivered: 0, read: 0, failed: 0 }],
      [['delivered', 'sent', 'delivered'], { delivered: 1, read: 0, failed: 0 }],
      [['read', 'delivered'], { delivered: 1, read: 1, failed: 0 }],
      [['failed', 'sent'], { delivered: 0, read: 0, failed: 1 }],
      [['failed', 'delivered'], { delivered: 1, read: 0, failed: 0 }],
    ])('reports %j, in whatever order, are %j', async (statuses, expected) => {
      await sent('S-1', 10, [[FIRST, 'm-1']]);
      for (const [index, status] of statuses.entries()) {
        const failure = status === 'failed' ? { failure: FAILURE } : {};
        await processed(`r${index}`, [], [{ sendId: 'S-1', row: 0, status, at: 7, ...failure }]);
      }
      const { tally: _, failures, ...counts } = await store.summary('S-1');
      expect(counts).toEqual(expected);
      expect(failures).toEqual(
        'failed' in expected && expected.failed === 1 ? [{ failure: FAILURE, count: 1 }] : [],
      );
    });

    it('keeps the service’s words of each report, in row order, and one example a cause', async () => {
      await sent('S-1', 10, TO_BOTH);
      const failed = (row: number, explanation: string) =>
        ({ row, status: 'failed', at: 8, failure: { ...FAILURE, explanation } }) as const;
      const [first, second] = [failed(1, 'No such user'), failed(0, 'Nobody there')];
      const given = [first, second].map((one) => ({ sendId: 'S-1', ...one }));
      expect(await processed('a', [], given)).toEqual(['S-1']);
      expect(await store.deliveries('S-1', 0, 9)).toEqual([second, first]);
      expect(await store.deliveries('S-1', 1, 1)).toEqual([first]);
      const { failures } = await store.summary('S-1');
      expect(failures).toEqual([{ failure: { ...FAILURE, explanation: 'No such user' }, count: 2 }]);
      await processed('c', [], [{ sendId: 'S-1', row: 0, status: 'read', at: 9 }]);
      expect(await store.deliveries('S-1', 0, 0)).toEqual([{ row: 0, status: 'read', at: 9 }]);
      expect((await store.summary('S-1')).failures).toMatchObject([{ count: 1 }]);
    });
  });
}
