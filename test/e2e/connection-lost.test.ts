import { afterEach, expect, test } from 'vitest';
import { type CuttableProxy, startProxy } from '../chaos/proxy.ts';
import { describeWithPostgres, freshDatabase } from '../postgres/database.ts';
import { expectOnlyLogAndSentences } from './said.ts';
import { type E2eStack, startStack } from './stack.ts';

await describeWithPostgres('a PostgreSQL server that is lost', () => {
  let stack: E2eStack | undefined;
  let way: CuttableProxy | undefined;
  afterEach(async () => {
    await stack?.stop();
    way?.close();
  });

  test('before a stop: Herald says so in a sentence and ends', async () => {
    way = await startProxy(await freshDatabase());
    stack = await startStack({ env: { DATABASE_URL: way.url } });
    const from = stack.logs().length;
    way.refuse();
    const exit = await stack.signal('SIGTERM');
    const said = stack.logs().slice(from).trim();
    expectOnlyLogAndSentences(said);
    expect(said).toMatch(/^Herald broke off: its database does not answer/m);
    expect(exit).toEqual({ code: 1, signal: null });
  });

  test('during the start: so it does', async () => {
    way = await startProxy(await freshDatabase());
    stack = await startStack({ env: { DATABASE_URL: way.url } });
    await stack.stopHerald();
    way.refuseFrom('select_pg_advisory_xact_lock');
    const said = await stack.refusedStart();
    expectOnlyLogAndSentences(said);
    expect(said).toMatch(/^Herald broke off: its database does not answer/m);
  });
});
