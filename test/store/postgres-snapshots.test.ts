import { expect, it, vi } from 'vitest';
import { prepareSend, SMS_ID } from '../chaos/plan.ts';
import { PATIENT } from '../patience.ts';
import {
  behind,
  contentsOf,
  describeWithPostgres,
  directly,
  preparedDatabase,
  WAITING,
} from '../postgres/database.ts';
import { typed } from '../run-command.ts';
import { closing } from './postgres-stores.ts';
import { bulkSend, endedSend, FAILURE, listed, numberOf, sealSend } from './steps.ts';

/*
 * A statement reads the tables as they were when it began. Where it waits for a lock it finds the row behind it as it is now,
 * and all others as they were.
 */
await describeWithPostgres('a statement on PostgreSQL that waits for a lock', () => {
  const { stores: opened } = closing();

  const move = (from: 'sending' | 'paused', to: 'sending' | 'paused') =>
    ({ sendId: SMS_ID, from, to, at: 3, actor: 'U' }) as const;

  it('resumes a send with whom others released meanwhile', async () => {
    const url = await preparedDatabase();
    const { sends } = await opened(url);
    await prepareSend(sends, 5, SMS_ID);
    await sends.claim(SMS_ID, 3, 2);
    await sends.moveSend(move('sending', 'paused'));
    const release = `UPDATE recipients SET state = 'pending' WHERE row = 0;
      UPDATE sends SET pending = pending + 1, attempting = attempting - 1`;
    const resumed = await behind(
      url,
      release,
      () => sends.moveSend({ ...move('paused', 'sending'), activeAt: 2 }),
      async () => {},
    );
    expect(resumed).toBe(true);
    expect((await sends.claim(SMS_ID, 5, 4)).map(({ row }) => row)).toEqual([0, 3, 4]);
  });

  it('claims nobody past those who were released meanwhile, and from whom claims are to go on', async () => {
    const url = await preparedDatabase();
    const [one, other] = [await opened(url), await opened(url)];
    await prepareSend(one.sends, 6, SMS_ID);
    await one.sends.claim(SMS_ID, 3, 2);
    // As while a claim whose answer was lost is taken back.
    const lock = `SELECT FROM replicas WHERE id = '${other.replica?.()}' FOR UPDATE`;
    const claimed = await behind(
      url,
      lock,
      () => other.sends.claim(SMS_ID, 2, 3),
      async () => {
        await one.sends.release(SMS_ID, [1]);
        await one.sends.rewind(SMS_ID);
      },
    );
    expect(claimed.map(({ row }) => row)).toEqual([3, 4]);
    expect((await other.sends.claim(SMS_ID, 6, 4)).map(({ row }) => row)).toEqual([1, 5]);
  });

  const environment = (url: string) => ({ DATABASE_URL: url, PSEUDONYM_KEY: 'a-key-that-nobody-guesses' });

  it.each(['a send', 'a list'])(
    'leaves nothing of a number that is erased in what is made of %s',
    async (from) => {
      const url = await preparedDatabase();
      const { sends, audiences } = await opened(url);
      const number = numberOf(1);
      await endedSend(sends, 'S-1', [[number, { state: 'rejected', failure: FAILURE }]]);
      await audiences.begin({ id: 'A', source: 'numbers', columns: [], createdBy: 'U', createdAt: 1 });
      await audiences.append('A', listed({ row: 1, number, values: [] }), []);
      const prepare = async () => {
        const retried = from === 'a send' && ({ retryOf: 'S-1', retryGroup: 'failed' } as const);
        await sends.begin({ ...bulkSend('S-2'), ...retried });
        const rows = retried ? await sends.recipients('S-1') : await audiences.rows('A', 0, 9);
        await sends.addRecipients(
          'S-2',
          rows.map((row) => ({ ...row, values: [] })),
        );
      };
      let isWaiting = true;
      let preparing: Promise<void> | undefined;
      const erased = await behind(
        url,
        'SELECT FROM recipients FOR UPDATE',
        () => typed(['erase', number], environment(url)),
        async () => {
          preparing = prepare().finally(() => {
            isWaiting = false;
          });
          await vi.waitFor(async () => {
            const [waiting] = await directly(url, WAITING);
            expect(isWaiting && waiting?.count !== 2).toBe(false);
          }, PATIENT);
        },
      );
      await preparing;
      expect(erased.said).toContain('Erased from messages (1)');
      expect(await contentsOf(url)).not.toContain(number.slice(1));
    },
  );

  it('erases nothing where a send that is prepared from the number is sealed meanwhile', async () => {
    const url = await preparedDatabase();
    const { sends } = await opened(url);
    const number = numberOf(1);
    await endedSend(sends, 'S-1', [[number, { state: 'rejected', failure: FAILURE }]]);
    await sends.begin({ ...bulkSend('S-2'), retryOf: 'S-1', retryGroup: 'failed' });
    const erased = await behind(
      url,
      'LOCK TABLE audience_rows IN ACCESS EXCLUSIVE MODE',
      () => typed(['erase', number], environment(url)),
      async () => {
        await sends.addRecipients('S-2', [{ row: 0, number, values: [] }]);
        await sealSend(sends, 'S-2');
      },
    );
    expect(erased).toMatchObject({ code: 1, said: expect.stringContaining('(1): S-2. Nothing was erased.') });
  });
});
