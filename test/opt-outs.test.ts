import { afterEach, expect, it } from 'vitest';
import type { Msisdn } from '../src/messages/numbers/phone-number.ts';
import type { Stores } from '../src/store/stores.ts';
import { ownFolder } from './folder.ts';
import { describeWithPostgres, directly, freshDatabase } from './postgres/database.ts';
import { openedStores, typed } from './run-command.ts';
import { RESTORED } from './store/restored-contract.ts';
import { oneSend } from './store/steps.ts';

const at = ownFolder();
const [BEFORE, SINCE] = ['+911' as Msisdn, '+912' as Msisdn];

const open: Stores[] = [];
afterEach(async () => {
  await closed();
});

async function stores(url: string): Promise<Stores> {
  const one = await openedStores(url);
  open.push(one);
  return one;
}

async function closed(): Promise<void> {
  for (const one of open.splice(0)) await one.sends.close();
}

const optOut = (one: Stores, number: Msisdn) =>
  one.audiences.optOut([{ number, at: 3, actor: 'U0ASHA', source: 'command' }]);

const take = (from: string, to: string) => typed(['take-over-opt-outs', from], { DATABASE_URL: to });

it('says which of the two cannot be used', async () => {
  const [here, nowhere] = [`file:${at('herald.db')}`, `file:${at('nowhere.db')}`];
  await stores(here);
  const inUse = await take(here, here);
  expect([inUse.code, inUse.said]).toEqual([1, expect.stringContaining('is in use by another Herald')]);
  await closed();
  const absent = `There is no database ${at('nowhere.db')} that this user can see. Check the path, and whose folder it is.`;
  expect(await take(nowhere, here)).toEqual({ code: 1, said: absent });
  expect(await take(here, nowhere)).toEqual({ code: 1, said: absent });
  expect((await take('herald.db', here)).said).toContain('take-over-opt-outs needs one address');
  const server = await take('postgres://herald:a-password@127.0.0.1:1/herald', here);
  expect(server).toEqual({
    code: 1,
    said: expect.stringMatching(/127\.0\.0\.1:1\/herald cannot be read: nothing/),
  });
  expect(server.said).not.toContain('a-password');
});

await describeWithPostgres('a dump of PostgreSQL that is restored into a new database', () => {
  it('sends nothing by itself, and takes over who has opted out since, also while Herald runs on it', async () => {
    const url = await freshDatabase();
    const first = await stores(url);
    await first.sends.stopRestored(RESTORED, 1);
    await first.sends.create(oneSend('S-1'));
    await optOut(first, BEFORE);
    await closed();
    const { pathname } = new URL(url);
    const restored = url.replace(pathname, `${pathname}_restored`);
    const elsewhere = url.replace(pathname, '/postgres');
    await directly(elsewhere, `CREATE DATABASE ${pathname.slice(1)}_restored TEMPLATE ${pathname.slice(1)}`);
    await optOut(await stores(url), SINCE);
    await closed();

    expect(await take(url, restored)).toEqual({ code: 0, said: 'Opt-outs taken over: 1.' });
    const { sends, audiences } = await stores(restored);
    expect(await sends.stopRestored(RESTORED, 2)).toEqual(['S-1']);
    expect((await audiences.listOptOuts('', 10)).map(({ number }) => number)).toEqual([BEFORE, SINCE]);
    expect(await take(url, restored)).toEqual({ code: 0, said: 'Opt-outs taken over: 0.' });
  });
});
