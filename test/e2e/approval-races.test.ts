import { beforeEach, describe, expect, it } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { askByNumbers, NUMBERS, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* Each race that people can run on an approval card has one right ending, and whoever loses is told. */

const GROUP = 'S0MANAGERS';
const CONFIG = `${TEAM_CONFIGURATION}
approvals:
  channel: ${APPROVALS}
  approvers: [${GROUP}]
  over: 1
  tiers: [{ over: 8, approvals: 2 }]
`;
const FEW = NUMBERS.slice(0, 5);

describe('an approval card', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });
  let asked = 0;

  beforeEach(() => {
    stack.carrier.reset();
    stack.workspace.setUserGroup(GROUP, [RAVI, MEI]);
  });

  /** Asks for a send of its own text; returns the card as it was first shown. */
  async function card(numbers: readonly string[]): Promise<SandboxMessage> {
    asked += 1;
    const text = `Offer number ${asked}.`;
    await askByNumbers(stack, APPROVALS, text, numbers);
    const message = stack.shown(APPROVALS, new RegExp(RegExp.escape(text)));
    if (message === undefined) throw new Error('there is no card');
    return message;
  }

  /** Changes who may approve; what Slack said within a second before is an answer of the same moment. */
  async function regroup(people: readonly string[]): Promise<void> {
    stack.workspace.setUserGroup(GROUP, people);
    const changed = Date.now();
    await expect.poll(() => Date.now() - changed, { timeout: 5_000 }).toBeGreaterThan(1_000);
  }

  const referenceOf = (message: SandboxMessage) => /S-[0-9A-Z]{10}/.exec(messageText(message))?.[0] ?? '';
  const now = ({ channel, ts }: SandboxMessage) =>
    stack.messages().find((one) => one.channel === channel && one.ts === ts);
  /** What only this person was told about a send, last. */
  const told = (person: string, message: SandboxMessage) =>
    stack
      .person(person)
      .messages(APPROVALS)
      .filter(({ ephemeralFor }) => ephemeralFor === person)
      .map(messageText)
      .findLast((text) => text.includes(referenceOf(message)));

  /** Until the card is drawn anew, everybody has the same in front of them. */
  const click = (person: string, message: SandboxMessage, actionId: string) =>
    stack.person(person).click(actionId, { message: now(message) ?? message });

  async function endedWith(message: SandboxMessage, numbers: readonly string[]): Promise<void> {
    await stack.eventually('the end', () =>
      stack.shown(
        TEAM,
        new RegExp(`${referenceOf(message)}[\\s\\S]*done|done[\\s\\S]*${referenceOf(message)}`, 'i'),
      ),
    );
    expect(reached(stack).toSorted()).toEqual(numbers);
  }

  it('two managers at once: one starts it, the other is told who was quicker', async () => {
    const message = await card(FEW);
    await Promise.all([click(RAVI, message, 'approval_approve'), click(MEI, message, 'approval_approve')]);
    const answers = await stack.eventually('both answers', () => {
      const both = [told(RAVI, message), told(MEI, message)];
      return both.every((text) => text !== undefined) && (both as string[]);
    });
    expect(answers.filter((text) => /It has all its approvals/.test(text))).toHaveLength(1);
    expect(answers.filter((text) => /^Too late: .* Your answer changed nothing/.test(text))).toHaveLength(1);
    await endedWith(message, FEW);
  });

  it('the same payload twice counts once', async () => {
    const message = await card(NUMBERS);
    stack.workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });
    await click(RAVI, message, 'approval_approve');
    await stack.eventually('the first approval', () =>
      /1 more needed/.test(JSON.stringify(now(message)?.blocks)),
    );
    await click(RAVI, message, 'approval_approve');
    await stack.eventually('the answer', () =>
      /You have approved .* before. It has 1 of 2 approvals/.test(told(RAVI, message) ?? ''),
    );
    expect(reached(stack)).toEqual([]);
    await click(MEI, message, 'approval_approve');
    await endedWith(message, NUMBERS);
  });

  it('approve against reject: one of them, and the other is told', async () => {
    const message = await card(FEW);
    const mei = stack.person(MEI);
    await mei.press('approval_reject', { message });
    const form = mei.form();
    form.fill('reason', 'The offer is over.');
    await Promise.all([form.submit(), click(RAVI, message, 'approval_approve')]);
    const approved = await stack.eventually('Ravi’s answer', () => told(RAVI, message));
    if (/It has all its approvals/.test(approved)) {
      expect(JSON.stringify(mei.views().at(-1))).toMatch(/Too late: .* Your answer changed nothing/);
      await endedWith(message, FEW);
    } else {
      expect(approved).toMatch(/^Too late: \S+ is rejected, .*Your answer changed nothing/);
      await stack.eventually('the reason', () =>
        /The offer is over/.test(JSON.stringify(now(message)?.blocks)),
      );
      expect(reached(stack)).toEqual([]);
    }
    await form.close();
  });

  it('a role that is removed after the click stops the start, and says why', async () => {
    const message = await card(NUMBERS);
    await click(RAVI, message, 'approval_approve');
    await stack.eventually('the first approval', () =>
      /1 more needed/.test(JSON.stringify(now(message)?.blocks)),
    );
    await regroup([MEI]);
    await click(MEI, message, 'approval_approve');
    await stack.eventually('the end', () =>
      /is no longer an approver/.test(JSON.stringify(now(message)?.blocks)),
    );
    expect(reached(stack)).toEqual([]);
  });
});
