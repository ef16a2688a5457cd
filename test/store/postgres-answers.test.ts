import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { Stores } from '../../src/store/stores.ts';
import { describeWithPostgres, preparedDatabase } from '../postgres/database.ts';
import { closing } from './postgres-stores.ts';
import { bulkSend, oneSend } from './steps.ts';

const SENDS = ['S-1', 'S-2', 'S-3'];
const ANSWERS = 240;

await describeWithPostgres('answers on PostgreSQL', () => {
  const { stores } = closing();

  it('join posts while these are claimed, and none is left behind or waits for ever', async () => {
    const url = await preparedDatabase();
    const [one, other, shows] = [await stores(url), await stores(url), await stores(url)];
    for (const id of SENDS) await one.sends.create(oneSend(id));

    /** As a replica that receives webhooks: each in a transaction of its own. */
    async function record({ replies }: Stores, from: number): Promise<void> {
      for (let at = from; at < ANSWERS; at += 2) {
        await replies.keep([{ digest: `d${at}`, receivedAt: at, body: '' }], 1);
        const webhook = (await replies.waiting(ANSWERS, ANSWERS)).find(({ digest }) => digest === `d${at}`);
        const events = SENDS.map((sendId, index) => {
          const isAddress = (at + index) % 7 === 0;
          const event = isAddress
            ? ({ kind: 'address', values: [] } as const)
            : ({ kind: 'text', text: 'Hello' } as const);
          return { key: `${at}-${sendId}`, event, sendId, optedOut: false };
        });
        await replies.record([{ webhookId: webhook?.id ?? -1, events, deliveries: [] }]);
      }
    }

    let isOver = false;
    const shown: string[] = [];
    /** As the outbox: what was claimed is read afterwards, and noted. */
    async function show({ posts, replies }: Stores): Promise<void> {
      for (;;) {
        const wasOver = isOver;
        const claim = { now: 1e14, how: 'post', limit: 20, restingChannels: [], inFlight: [] } as const;
        const claimed = await posts.claim({ ...claim, early: 1e13 });
        for (const { mark, wanted } of claimed) {
          shown.push(...(await replies.shownBy(mark)).map(({ key }) => key));
          await posts.note({ mark, shown: wanted, restMs: 0 }, 1);
        }
        if (wasOver && claimed.length === 0) return;
      }
    }

    const showing = show(shows);
    await Promise.all([record(one, 0), record(other, 1)]);
    isOver = true;
    await showing;
    const all = Array.from({ length: ANSWERS }, (_, at) => SENDS.map((id) => `${at}-${id}`)).flat();
    expect(shown.toSorted()).toEqual(all.toSorted());
    expect(await shows.posts.waiting()).toEqual({ count: 0 });
  });

  it('leaves alone a post that somebody holds, and does not wait for it', async () => {
    const url = await preparedDatabase();
    const { sends, posts } = await stores(url);
    for (const id of SENDS) await sends.create(oneSend(id));
    const holder = new Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(`BEGIN; UPDATE posts SET wanted = wanted + 1 WHERE mark = 'send:S-2'`);
    const claim = { now: 1e14, how: 'post', limit: 9, restingChannels: [], inFlight: [] } as const;
    const marks = async () => (await posts.claim({ ...claim, early: 1e13 })).map(({ mark }) => mark);
    expect((await marks()).toSorted()).toEqual(['send:S-1', 'send:S-3']);
    await holder.query('COMMIT');
    expect(await marks()).toContain('send:S-2');
  });

  it('notes posts of one send while all of them are wanted anew, and nobody waits in a circle', async () => {
    const url = await preparedDatabase();
    const [one, other] = [await stores(url), await stores(url)];
    await one.sends.begin(bulkSend('S-1'));
    await one.sends.showAgain('S-1');
    const note = async ({ posts }: Stores, kind: string, n: number) =>
      posts.note({ mark: `${kind}:S-1`, shown: n, digest: `${kind} ${n}`, restMs: 0 }, n);
    const rounds = Array.from({ length: 200 }, (_, n) => n);
    const each = async (act: (n: number) => Promise<unknown>) => {
      for (const n of rounds) await act(n);
    };
    await Promise.all([
      each((n) => note(one, 'progress', n)),
      each((n) => note(other, 'card', n)),
      each(() => one.sends.showAgain('S-1')),
      each(() => other.sends.showAgain('S-1')),
    ]);
    expect((await one.posts.waiting()).count).toBeGreaterThan(0);
  });
});
