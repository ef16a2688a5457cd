import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { askByNumbers, clickOn, NUMBERS, reached, shown } from './bulk-steps.ts';
import { ASHA, type E2eStack, RAVI, startStack, TEAM } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

const APPROVALS = 'C0APPROVALS';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }
`;

// A PostgreSQL database is put back by its own server; test/store/postgres.test.ts does that.
const name = 'a database that was restored';
const onFile = process.env.HERALD_E2E_STORE !== 'postgres';
describe.skipIf(!onFile).each([{ mode: 'socket' as const }, { mode: 'http' as const }])(
  onFile ? `${name} ($mode)` : `${name} (skipped: this is about the file)`,
  ({ mode }) => {
    let stack: E2eStack;
    afterEach(() => stack?.stop());

    test('sends to nobody again, tells its channels, and goes on only when a person says so', async () => {
      stack = await startStack({ mode, config: CONFIG });
      await askByNumbers(stack, APPROVALS, 'The shop opens at nine.');
      await stack.stopHerald();
      const file = join(stack.dataDirectory, 'herald.db');
      const copy = join(stack.dataDirectory, 'backup');
      copyFileSync(file, copy);
      await stack.restart();
      await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
      await stack.eventually('everybody', () => reached(stack).length === NUMBERS.length);
      await stack.eventually('the end', () => shown(stack, TEAM, /: done/));
      await stack.stopHerald();

      copyFileSync(copy, file);
      await stack.restart();
      const progress = await stack.eventually('the stop', () => shown(stack, TEAM, /: stopped/));
      expect(messageText(progress)).toContain('Herald’s database was restored from an older copy');
      expect(messageText(progress)).toMatch(/12\D+may have been sent/);
      const card = await stack.eventually('the card', () =>
        shown(stack, APPROVALS, /Stopped by Herald itself/),
      );
      expect(JSON.stringify(card)).not.toContain('approval_approve');
      expect(stack.logs()).toContain('the database is an older copy');
      await stack.eventually('the question', () => shown(stack, TEAM, /may or may not have received this/));
      await stack.restart();
      expect(reached(stack).toSorted()).toEqual(NUMBERS);

      await clickOn(stack, ASHA, TEAM, 'send_retry_unknown');
      await stack.eventually('the new request', () => shown(stack, APPROVALS, /waits for approval/));
      await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
      await stack.eventually('everybody once more', () => reached(stack).length === 2 * NUMBERS.length);
    });
  },
);
