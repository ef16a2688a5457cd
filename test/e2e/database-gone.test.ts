import { afterEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { type CuttableProxy, startProxy } from '../chaos/proxy.ts';
import { describeWithPostgres, freshDatabase } from '../postgres/database.ts';
import { NUMBERS, reached, sendToMany } from './bulk-steps.ts';
import { type E2eStack, startStack } from './stack.ts';
import { ASHA, slowly, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = WITH_APPROVALS + slowly(2);
/** What was said before the first statement failed may be as long as a few errors. */
const MOST_BYTES = 10_000;

await describeWithPostgres('PostgreSQL is gone in the middle of a send', () => {
  describe('and comes back', () => {
    let stack: E2eStack | undefined;
    let way: CuttableProxy | undefined;
    afterEach(async () => {
      way?.restore();
      await stack?.stop();
      way?.close();
    });

    test('the log and the send’s card say so once, and it goes on by itself', async () => {
      way = await startProxy(await freshDatabase());
      stack = await startStack({ config: CONFIG, env: { DATABASE_URL: way.url } });
      await sendToMany(stack, 'The shop opens at nine.');
      await stack.eventually('some', () => reached(stack as E2eStack).length >= 3);
      // One that does not stand there yet cannot be made without the database.
      await stack.untilShown(TEAM, /S-[0-9A-Z]{10}/);
      const before = stack.logs().length;
      way.refuse();
      const card = await stack.untilShown(TEAM, /Herald cannot write to its database, so it sends to nobody/);
      expect(messageText(card)).toContain('send');
      const conversation = stack.from(stack.person(ASHA));
      await stack.person(ASHA).command(TEAM, '/sends');
      expect(messageText(await conversation.message(/database does not answer/))).toBe(
        'Herald’s database does not answer, so there is nothing to show now. Nothing was lost and nothing was changed. Try again in a minute.',
      );
      // As long as sweeps, heartbeats, tasks and retries need to find out as well.
      const started = performance.now();
      await expect.poll(() => performance.now() - started, { timeout: 20_000 }).toBeGreaterThan(6_000);
      const said = stack.logs().slice(before);
      expect(said.match(/the database is gone, or takes no writes, since \d{4}-/g)).toHaveLength(1);
      expect(said.length, said).toBeLessThan(MOST_BYTES);
      way.restore();
      const done = await stack.untilShown(TEAM, /: done/, 60_000);
      expect(messageText(done)).not.toContain('cannot write');
      expect(new Set(reached(stack)).size).toBe(reached(stack).length);
      expect(NUMBERS).toEqual(expect.arrayContaining(reached(stack)));
      expect(stack.logs().match(/the database answers and takes writes again/g)).toHaveLength(1);
    });
  });
});
