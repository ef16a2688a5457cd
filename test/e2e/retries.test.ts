import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { askByNumbers, clickOn, NUMBERS, reached, shown } from './bulk-steps.ts';
import { ASHA, type E2eStack, RAVI, startStack, TEAM } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

/* What a send did not reach is reached by one more, however many people ask for it at the same moment. */

const APPROVALS = 'C0APPROVALS';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 8 }
pacing: { sms: { perSecond: 10, concurrency: 5, recipientsPerRequest: 1 } }
`;
/** Not the first ones, after which the rest would be held back; and so few that trying them again needs nobody’s leave. */
const FAILING = NUMBERS.slice(9);
const CLICKS = 20;
const MANY = Array.from({ length: 60 }, (_, n) => `+9198123470${String(n).padStart(2, '0')}`);

describe.each([{ mode: 'socket' as const }, { mode: 'http' as const }])(
  'trying again ($mode)',
  ({ mode }) => {
    let stack: E2eStack;
    beforeAll(async () => {
      stack = await startStack({ mode, config: CONFIG });
    });
    afterAll(() => stack?.stop());

    /** What only Asha was told in the team's channel. */
    const told = () =>
      stack
        .person(ASHA)
        .messages(TEAM)
        .filter(({ ephemeralFor }) => ephemeralFor === ASHA)
        .map(messageText);

    test('after a stop the rest is sent to, with an approval, over restarts, and nobody else or twice', async () => {
      stack.carrier.reset();
      const text = 'Enough for now.';
      await askByNumbers(stack, APPROVALS, text, MANY);
      await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
      await stack.eventually('progress', () => shown(stack, TEAM, /\[Stop\]/));
      await clickOn(stack, ASHA, TEAM, 'send_stop');
      const stopped = await stack.eventually('the button', () =>
        shown(stack, TEAM, /: stopped[\s\S]*Enough for now[\s\S]*Send to the remaining \d+/),
      );
      const left = MANY.length - reached(stack).length;
      expect(messageText(stopped)).toContain(`Send to the remaining ${left}`);
      expect(left).toBeGreaterThan(8);

      await stack.restart();
      expect(reached(stack)).toHaveLength(MANY.length - left);
      await clickOn(stack, ASHA, TEAM, 'send_to_rest');
      await stack.eventually('the new request', () =>
        shown(stack, APPROVALS, /waits for approval[\s\S]*goes to those who were not tried by S-/),
      );
      await stack.eventually('no button any more', () =>
        shown(stack, TEAM, /: stopped[\s\S]*Enough for now[\s\S]*Another send goes to(?![\s\S]*Send to the)/),
      );
      expect(reached(stack)).toHaveLength(MANY.length - left);
      await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
      await stack.eventually('the middle', () => reached(stack).length > MANY.length - left + 6);
      await stack.restart();
      expect(reached(stack).length).toBeLessThan(MANY.length);
      await stack.eventually('the end', () =>
        shown(stack, TEAM, new RegExp(`${left} recipients\\*: done[\\s\\S]*${text}`)),
      );
      expect(reached(stack).toSorted()).toEqual(MANY);
    });

    test.each([
      ['send_retry_failed', 'All of it failed', { type: 'status', status: 400 } as const],
      ['send_retry_unknown', 'Nobody knows', { type: 'status', status: 500 } as const],
    ])('%s, clicked twenty times at once, reaches everybody once', async (action, text, fault) => {
      stack.carrier.reset();
      stack.carrier.setFaults(FAILING.map((number) => ({ number, do: fault })));
      await askByNumbers(stack, APPROVALS, text);
      await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
      await stack.eventually('the end', () => shown(stack, TEAM, new RegExp(`: done[\\s\\S]*${text}`)));
      await stack.eventually('the button', () =>
        stack.workspace
          .snapshot()
          .messages.some(({ blocks }) => JSON.stringify(blocks ?? []).includes(action)),
      );
      expect(reached(stack).toSorted()).toEqual(NUMBERS.slice(0, 9));
      stack.carrier.setFaults([]);
      const before = told().length;

      await Promise.all(Array.from({ length: CLICKS }, () => clickOn(stack, ASHA, TEAM, action)));
      await stack.eventually('everybody', () => reached(stack).length >= NUMBERS.length);
      const answers = await stack.eventually('the answers', () => {
        const all = told().slice(before);
        return all.length >= CLICKS - 1 && all;
      });
      expect(answers.filter((one) => /asked for before, as S-/.test(one))).toHaveLength(CLICKS - 1);
      await stack.eventually('the second end', () =>
        shown(stack, TEAM, new RegExp(`3 recipients\\*: done[\\s\\S]*${text}`)),
      );
      expect(reached(stack).toSorted()).toEqual(NUMBERS);
    });
  },
);
