import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { clickOn, NUMBERS, sendToMany } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* One request for many, in whose answer the service says of each what became of it; and what its reports say later. */

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 8 }
wire:
  success: [{ path: data.status, values: [AWAITED-DLR] }, { path: messageId }]
  failure: { path: data.status, values: [INVALID-NUM] }
`;
const MANY = Array.from({ length: 100 }, (_, n) => `+9198123480${String(n).padStart(2, '0')}`);
const [INVALID = '', BLACKLISTED = ''] = [MANY[50], MANY[60]];

describe('one request for many', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });
  beforeEach(() => stack.carrier.reset());

  /** Whom the requests went to, one list a request. */
  const requests = () =>
    stack.carrier
      .state()
      .requests.map(({ body }) =>
        (body as { readonly to: readonly string[] }).to.map((digits) => `+${digits}`),
      );

  async function sent(text: string, numbers: readonly string[], doubts: string): Promise<string> {
    await sendToMany(stack, text, numbers);
    // Nothing is clicked before all is told: the question is the last of it.
    await stack.untilShown(TEAM, new RegExp(`${doubts} may or may not`));
    const end = new RegExp(`: done[\\s\\S]*${text}`);
    return messageText(await stack.untilShown(TEAM, end));
  }

  test('leaves 98 accepted, one refused and one in doubt, and tries again these two alone', async () => {
    const data = MANY.slice(5).map((number, n) => ({
      mobile: number.slice(1),
      id: `own-${n}`,
      status: { [INVALID]: 'INVALID-NUM', [BLACKLISTED]: 'BLACKLISTED' }[number] ?? 'AWAITED-DLR',
    }));
    const body = JSON.stringify({ status: 'OK', data: data.toReversed() });
    stack.carrier.setFaults([{ number: INVALID, times: 1, do: { type: 'status', status: 200, body } }]);
    const card = await sent('An entry for each.', MANY, '1 person');
    expect(requests().map((to) => to.length)).toEqual([1, 1, 1, 1, 1, 95]);
    expect(card).toMatch(/98 of 100 accepted[\s\S]*1 failed[\s\S]*1 may have been sent/);

    await stack.webhook({ id: 'own-0', status: 'delivered' });
    await stack.untilShown(TEAM, /98 of 100 accepted[\s\S]*1 delivered[\s\S]*An entry for each/);
    stack.carrier.reset();
    await clickOn(stack, ASHA, TEAM, 'send_retry_failed');
    await stack.eventually('the refused one', () => requests().length === 1);
    await clickOn(stack, ASHA, TEAM, 'send_retry_unknown');
    await stack.eventually('the doubtful one', () => requests().length === 2);
    expect(requests()).toEqual([[INVALID], [BLACKLISTED]]);
  });

  test('has its doubts settled by reports, and tries again who is left', async () => {
    const shared = NUMBERS.slice(5);
    const [arrived = '', failed = '', ...left] = shared;
    const body = JSON.stringify({ messageId: 'doubt', message: 'Try later' });
    stack.carrier.setFaults([{ number: arrived, times: 1, do: { type: 'status', status: 500, body } }]);
    expect(await sent('Nobody knows yet.', NUMBERS, '7 people')).toMatch(/5 of 12 accepted/);
    await stack.webhook({ id: 'doubt', status: 'delivered', recipient: arrived });
    await stack.webhook({ id: 'doubt', status: 'failed', recipient: failed });
    await stack.untilShown(
      TEAM,
      /6 of 12 accepted[\s\S]*1 failed[\s\S]*5 may have been sent[\s\S]*Nobody knows yet/,
    );
    stack.carrier.reset();
    await clickOn(stack, ASHA, TEAM, 'send_retry_unknown');
    await stack.eventually('who is left', () => requests().flat().length === 5);
    expect(requests().flat().toSorted()).toEqual(left.toSorted());
  });
});
