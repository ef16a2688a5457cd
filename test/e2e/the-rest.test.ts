import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { clickOn, NUMBERS, reached, sendToMany } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* What a send did not reach is reached by one more: those of a stopped one, and those that failed. */

const config = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 8 }
pacing: { sms: { perSecond: 10, concurrency: 5, recipientsPerRequest: 1 } }
`;
const stack = runningStack({ config });
beforeEach(() => stack.carrier.reset());

describe('after a stop', () => {
  const MANY = Array.from({ length: 60 }, (_, n) => `+9198123470${String(n).padStart(2, '0')}`);

  test('the rest is sent to, with an approval, over restarts, and nobody else or twice', async () => {
    const text = 'Enough for now.';
    await sendToMany(stack, text, MANY);
    await stack.untilShown(TEAM, /\[Stop\]/);
    await clickOn(stack, ASHA, TEAM, 'send_stop');
    const stopped = await stack.untilShown(
      TEAM,
      /: stopped[\s\S]*Enough for now[\s\S]*Send to the remaining \d+/,
    );
    const left = MANY.length - reached(stack).length;
    expect(messageText(stopped)).toContain(`Send to the remaining ${left}`);
    expect(left).toBeGreaterThan(8);

    await stack.restart();
    expect(reached(stack)).toHaveLength(MANY.length - left);
    await clickOn(stack, ASHA, TEAM, 'send_to_rest');
    await stack.untilShown(APPROVALS, /please decide[\s\S]*goes to those who were not tried by S-/);
    await stack.untilShown(
      TEAM,
      /: stopped[\s\S]*Enough for now[\s\S]*Another send goes to(?![\s\S]*Send to the)/,
    );
    expect(reached(stack)).toHaveLength(MANY.length - left);
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('the middle', () => reached(stack).length > MANY.length - left + 6);
    await stack.restart();
    expect(reached(stack).length).toBeLessThan(MANY.length);
    await stack.untilShown(TEAM, new RegExp(`${left} people\\*: done[\\s\\S]*${text}`));
    expect(reached(stack).toSorted()).toEqual(MANY);
  });
});

describe('trying again', () => {
  /** Not the first ones, after which the rest would be held back; and so few that trying them again needs nobody’s leave. */
  const FAILING = NUMBERS.slice(9);
  const CLICKS = 20;

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
    stack.carrier.setFaults(FAILING.map((number) => ({ number, do: fault })));
    await sendToMany(stack, text);
    await stack.untilShown(TEAM, new RegExp(`: done[\\s\\S]*${text}`));
    await stack.eventually('the button', () =>
      stack.messages().some(({ blocks }) => JSON.stringify(blocks ?? []).includes(action)),
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
    await stack.untilShown(TEAM, new RegExp(`3 people\\*: done[\\s\\S]*${text}`));
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
  });
});
