import { beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '../../src/sends/alerts/alert.ts';
import type { Post, PostClaim, PostResult } from '../../src/sends/posts.ts';
import type { Send } from '../../src/sends/send.ts';
import type { Memory } from '../../src/store/stores.ts';
import { draftedSend, endedSend, FAILURE, numberOf, oneSend, sealSend, UNKNOWN } from './steps.ts';

type Stores = Pick<Memory, 'sends' | 'alerts' | 'posts'>;

const NOW = Date.UTC(2026, 0, 5, 8, 0);

/** Says what every store must do with the outbox. @param open fresh, empty stores */
export function describePosts(name: string, open: () => Promise<Stores>): void {
  describe(`${name} keeps the outbox`, () => {
    let sends: Stores['sends'];
    let alerts: Stores['alerts'];
    let posts: Stores['posts'];
    beforeEach(async () => {
      ({ sends, alerts, posts } = await open());
    });

    const claim = (over: Partial<PostClaim> = {}): Promise<readonly Post[]> =>
      posts.claim({ now: NOW, how: 'post', limit: 9, restingChannels: [], inFlight: [], ...over });
    /** Gives back at once what it claims. */
    async function marks(over?: Partial<PostClaim>): Promise<readonly string[]> {
      const due = (await claim(over)).map(({ mark }) => mark);
      for (const mark of due) await posts.note({ mark, restMs: 0 }, NOW);
      return due;
    }

    /** A send to one person that has ended. */
    async function ended(id: string, channelId = 'C0TEAM', alert?: Send['origin']['alert']): Promise<void> {
      const origin = { ...oneSend(id).origin, channelId, ...(alert && { alert }) };
      await endedSend(sends, id, [[numberOf(1), UNKNOWN]], NOW, { origin, createdAt: NOW });
    }

    it('wants a message shown at once when it has ended, and again at each change', async () => {
      await ended('S-1');
      const [post] = await claim();
      expect(post).toMatchObject({ mark: 'send:S-1', subject: 'S-1', attempts: 0, lost: 0, tries: 0 });
      const place = { channelId: 'C0TEAM', ts: '7.1' };
      await posts.note({ mark: 'send:S-1', shown: post?.wanted ?? 0, place, digest: 'd', restMs: 0 }, NOW);
      expect(await marks({ how: 'update' })).toEqual([]);
      expect(await posts.waiting()).toEqual({ count: 0 });
      expect((await sends.find('S-1'))?.announcement).toEqual(place);
      // Whoever tries it again is named on its card.
      const again = { ...oneSend('S-2'), retryOf: 'S-1', retryGroup: 'unknown' } as const;
      await sends.create({ ...again, createdAt: NOW - 10_000 });
      expect(await claim({ how: 'update' })).toMatchObject([{ mark: 'send:S-1', place, digest: 'd' }]);
      expect(await posts.waiting()).toEqual({ count: 2, since: NOW - 10_000 });
    });

    it('wants what is slow only after a moment', async () => {
      await sends.create({ ...oneSend('S-1'), createdAt: Date.now() });
      expect(await marks({ now: Date.now() })).toEqual([]);
      expect((await posts.waiting()).count).toBe(1);
    });

    it('keeps a wish that came while the one before was shown', async () => {
      await ended('S-1');
      const [post] = await claim();
      await sends.create({ ...oneSend('S-2'), retryOf: 'S-1', retryGroup: 'unknown' });
      await posts.note({ mark: 'send:S-1', shown: post?.wanted ?? 0, restMs: 0 }, NOW);
      expect(await marks()).toContain('send:S-1');
    });

    it('wants an alert shown with each of its changes and of its sends', async () => {
      const alert = { id: 'L-1', channelId: 'C0ALERTS', receivedAt: NOW, state: 'open', steps: [] };
      await alerts.commit(0, { alerts: [alert as unknown as Alert] }, NOW);
      const shown = async () => {
        const [post, ...others] = await claim();
        expect(others).toEqual([]);
        expect(post).toMatchObject({ mark: 'alert:L-1', subject: 'L-1', since: NOW });
        await posts.note({ mark: 'alert:L-1', shown: post?.wanted ?? 0, restMs: 0 }, NOW);
        expect(await claim()).toEqual([]);
      };
      await shown();
      await ended('S-1', 'C0ALERTS', { id: 'L-1', threadTs: '1.0', urgent: true });
      await shown();
      await alerts.commit(1, { alerts: [alert as unknown as Alert] }, NOW);
      await shown();
    });

    it('wants what a rule holds said at once, and told when that is over', async () => {
      const now = Date.now();
      const hold = { id: 'L-1', channelId: 'C0ALERTS', since: now, count: 1, titles: {} };
      const commit = (version: number, until: number) =>
        alerts.commit(version, { rules: [{ rule: 'critical', holds: [{ ...hold, until }] }] }, now);
      await commit(0, now + 60 * 60_000);
      expect(await marks({ now })).toEqual(['hold:L-1']);
      expect((await posts.waiting()).count).toBe(2);
      await commit(1, now);
      expect((await marks({ now })).toSorted()).toEqual(['digest:L-1', 'hold:L-1']);
    });

    it('leaves alone what rests, whose channel rests, and what is being shown', async () => {
      await ended('S-1');
      await ended('S-2', 'C0OTHER');
      await ended('S-3', 'C0THIRD');
      await posts.note({ mark: 'send:S-1', restMs: 60_000, tries: 2, refusedSince: 5, lost: 1 }, NOW);
      expect(await marks({ restingChannels: ['C0OTHER'] })).toEqual(['send:S-3']);
      expect(await marks({ inFlight: ['send:S-2'] })).toEqual(['send:S-3']);
      expect(await marks({ limit: 1 })).toHaveLength(1);
    });

    /** A send to many that waits for approval. */
    async function waiting(): Promise<void> {
      await draftedSend(sends, 'S-9', 1, { createdAt: NOW });
      const approval = { needed: 1, expiresAt: NOW };
      await sealSend(sends, 'S-9', { to: 'awaiting_approval', approval, at: NOW });
    }
    const shown = async (mark: string, over: Partial<PostResult> = {}) => {
      for (const post of await claim({ early: 60_000 })) {
        const end = post.mark === mark && { shown: post.wanted, ...over };
        await posts.note({ mark: post.mark, restMs: 0, ...end }, NOW);
      }
    };
    const OF_MANY = ['card', 'course', 'file', 'progress', 'report', 'unknown'].map((kind) => `${kind}:S-9`);
    const place = { channelId: 'C', ts: '1.1' };

    it('wants all that shows a send to many, and again what links to a message that now stands', async () => {
      await waiting();
      expect((await marks()).toSorted()).toEqual(OF_MANY);
      for (const mark of OF_MANY) await shown(mark);
      expect(await marks()).toEqual([]);
      await posts.note({ mark: 'card:S-9', shown: 1, place, digest: 'd', restMs: 0 }, NOW);
      expect((await marks()).toSorted()).toEqual(OF_MANY.filter((mark) => mark !== 'card:S-9'));
      expect((await sends.find('S-9'))?.approval?.card).toEqual(place);
      // Once: an update puts it nowhere else.
      for (const mark of OF_MANY.slice(1)) await shown(mark);
      await posts.note({ mark: 'card:S-9', shown: 1, place, digest: 'e', restMs: 0 }, NOW);
      expect(await marks()).toEqual([]);
    });

    it('wants each line that is news in order, and a reminder below a card that stands', async () => {
      await waiting();
      const note = { sendId: 'S-9', action: 'reminded', at: NOW, actor: 'herald' } as const;
      await sends.approve({ sendId: 'S-9', userId: 'V', digest: 'd', at: NOW });
      for (const [from, to] of [
        ['approved', 'paused'],
        ['paused', 'stopped'],
      ] as const)
        await sends.moveSend({ sendId: 'S-9', from, to, at: NOW + 1, actor: 'V' });
      const news = async () => (await marks()).filter((mark) => mark.startsWith('news:'));
      // After the progress message, where that is due.
      expect(await news()).toEqual([]);
      await shown('progress:S-9', { place, digest: 'd' });
      expect(await news()).toEqual(['news:3:S-9']);
      await shown('news:3:S-9', { place });
      expect(await news()).toEqual(['news:4:S-9']);
      await sends.recordOnce(note);
      expect((await marks()).filter((mark) => mark.startsWith('reminder:'))).toEqual([]);
      await shown('card:S-9', { place, digest: 'd' });
      await sends.recordOnce({ ...note, at: NOW + 2, reason: FAILURE });
      expect((await marks()).filter((mark) => mark.startsWith('reminder:'))).toEqual([
        `reminder:${NOW + 2}:S-9`,
      ]);
    });

    it('wants by itself what is to be looked at again, a while later or at once', async () => {
      await waiting();
      await shown('progress:S-9', { place, digest: 'd', againAfterMs: 60_000 });
      expect(await marks({ how: 'update' })).toEqual([]);
      const [due] = await claim({ how: 'update', early: 61_000 });
      expect(due).toMatchObject({ mark: 'progress:S-9' });
      const again = { mark: 'progress:S-9', shown: due?.wanted ?? 0, againAfterMs: 0 };
      await posts.note({ ...again, restMs: 0 }, NOW);
      expect(await marks({ how: 'update' })).toEqual(['progress:S-9']);
    });

    it('counts attempts of which nobody noted the end, and forgets them with a note', async () => {
      await ended('S-1');
      await claim();
      expect(await claim()).toMatchObject([{ attempts: 1 }]);
      await posts.note({ mark: 'send:S-1', restMs: 0, lost: 2, tries: 3, refusedSince: 5 }, NOW);
      expect(await claim()).toMatchObject([{ attempts: 0, lost: 2, tries: 3, refusedSince: 5 }]);
    });

    it('gives what ended two processes no third at once', async () => {
      await ended('S-1');
      for (const attempts of [0, 1]) expect(await claim()).toMatchObject([{ attempts }]);
      expect(await claim()).toEqual([]);
    });
  });
}
