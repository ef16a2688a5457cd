import { afterEach, describe, expect, test } from 'vitest';
import { clickOn, NUMBERS, reached } from './bulk-steps.ts';
import { type E2eStack, startStack } from './stack.ts';
import { APPROVALS, ASHA, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* What nobody has been sent yet keeps to the rules for approvals that hold when it would start. */

const withApprovals = (rules: string) =>
  `${TEAM_CONFIGURATION}\napprovals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], ${rules} }\n`;
const STRICTER = withApprovals('over: 1, tiers: [{ over: 8, approvals: 2 }]');

describe('stricter rules after a restart', () => {
  let stack: E2eStack;
  afterEach(() => stack?.stop());

  /** Asha asks for `text` to twelve people in an hour. */
  async function schedule(text: string): Promise<void> {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'numbers');
    form.fill('numbers', NUMBERS.join('\n')).fill('text', text);
    await form.submit();
    await stack.shows(/12 of 12 people get it/);
    await form.press('More');
    form.chooseTime('schedule', Date.now() + 3_600_000);
    expect(await form.submit()).toEqual({ ok: true });
    await form.close();
  }

  const card = (pattern: RegExp) => stack.untilShown(APPROVALS, pattern);

  test('one approval that was enough is one of two: the card says so, and asks for the other', async () => {
    stack = await startStack({ config: withApprovals('over: 1'), isQuick: true });
    stack.workspace.setUserGroup('S0MANAGERS', [RAVI, MEI]);
    await schedule('In an hour.');
    await card(/In an hour/);
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await card(/scheduled[\s\S]*In an hour/);
    await stack.restart({ config: STRICTER });
    await card(
      /please decide[\s\S]*rules for approvals have become stricter: it needs 2 approvals now[\s\S]*In an hour[\s\S]*1 more needed/,
    );
    await card(/still waits: 1 of 2 approvals.*become stricter/);
    expect(reached(stack)).toEqual([]);
    await clickOn(stack, MEI, APPROVALS, 'approval_approve');
    await card(/scheduled[\s\S]*In an hour/);
    expect(reached(stack)).toEqual([]);
  });

  test('what needed nobody’s leave asks for it', async () => {
    stack = await startStack({ config: withApprovals('over: 20'), isQuick: true });
    await schedule('Without leave.');
    expect(stack.shown(APPROVALS, /Without leave/)).toBeUndefined();
    await stack.restart({ config: STRICTER });
    await card(
      /please decide[\s\S]*it needs 2 approvals now[\s\S]*Without leave[\s\S]*once two have approved/,
    );
    expect(reached(stack)).toEqual([]);
  });
});
