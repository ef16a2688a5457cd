import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { askByNumbers, clickOn, NUMBERS, reached, shown } from './bulk-steps.ts';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { APPROVALS, TEAM_CONFIGURATION } from './team.ts';

/* What a send did not reach is reached by one more, however many people ask for it at the same moment. */

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 8 }
pacing: { sms: { perSecond: 10, concurrency: 5, recipientsPerRequest: 1 } }
`;
/** Not the first ones, after which the rest would be held back; and so few that trying them again needs nobody’s leave. */
const FAILING = NUMBERS.slice(9);
const CLICKS = 20;

describe('trying again', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });

  /** What only Asha was told in the team's channel. */
  const told = () =>
    stack
      .person(ASHA)
      .messages(TEAM)
      .filter(({ ephemeralFor }) => ephemeralFor === ASHA)
      .map(messageText);

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
      stack.workspace.snapshot().messages.some(({ blocks }) => JSON.stringify(blocks ?? []).includes(action)),
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
      shown(stack, TEAM, new RegExp(`3 people\\*: done[\\s\\S]*${text}`)),
    );
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
  });
});
