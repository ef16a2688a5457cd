import { beforeAll, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { askByNumbers } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, CUSTOMER, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* What was sent is found again, by /sends and on Home. */

const config = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 1 }
webhooks: { channel: ${TEAM} }
`;
const REFUSED = '+919999131009';
const LOST = '+919999800002';
const stack = runningStack({ config });
beforeAll(async () => {
  await stack.says(ASHA, `/chatapp order_update ${CUSTOMER} "Asha" "A-1001"`, /accepted by the service/);
  await stack.says(ASHA, `/sms ${REFUSED} Refused words`, /rejected, nothing was sent/);
  await stack.says(MEI, `/sms ${LOST} Lost words`, /it may have been sent/);
}, 60_000);

describe('/sends', () => {
  /** What a line answers, to the person alone. */
  async function answer(userId: string, line: string): Promise<string> {
    const message = await stack.says(userId, line, /./);
    expect(message.ephemeralFor).toBe(userId);
    return messageText(message);
  }

  test('says what became of each, by outcome and person', async () => {
    const mine = await answer(ASHA, '/sends');
    expect(mine).toContain('Chat-app message to +65 •••• 4567 | 1 | ✅ accepted by the service');
    expect(mine).toContain('SMS to +91 ••••• •1009 | 1 | ⛔ rejected, nothing was sent');
    expect(mine).not.toContain('Lost words');
    const failed = await answer(ASHA, '/sends all failed unknown today');
    expect(failed).toMatch(/❓[\s\S]*it may have been sent[\s\S]*Lost words[\s\S]*⛔[\s\S]*Refused words/);
    expect(failed).not.toContain('Chat-app');
    expect(await answer(ASHA, '/sends faild')).toContain('does not know “faild”');
  });

  test('finds by a number what it got and what it answered, whole only for who may have it', async () => {
    const messageId = stack.phone(CUSTOMER).at(-1)?.id ?? '';
    const reply = { type: 'text', text: 'At five, please' } as const;
    await stack.carrier.reply({ number: CUSTOMER, messageId, answer: reply });
    await stack.untilShown(TEAM, /At five/);
    const ravis = await answer(RAVI, `/sends ${CUSTOMER}`);
    expect(ravis).toContain(`What was sent to ${CUSTOMER} and what it answered`);
    expect(ravis).toMatch(/At five, please[\s\S]*Chat-app message/);
    const ashas = await answer(ASHA, `/sends ${CUSTOMER}`);
    expect(ashas).toMatch(/At five, please[\s\S]*Chat-app message/);
    expect(ashas).not.toContain(CUSTOMER);
    expect(await answer(MEI, `/sends ${CUSTOMER}`)).toMatch(/There is nothing to or from \+65 •••• 4567/);
    expect(await answer(MEI, `/sends all ${CUSTOMER}`)).toMatch(/Only @ravi may see the full numbers/);
  });
});

describe('Home', () => {
  test('shows what was sent, and to an approver what waits for them', async () => {
    expect(await stack.home(RAVI)).not.toContain('Waits for your decision');
    await askByNumbers(stack, APPROVALS, 'The shop opens at nine.', ['+919812345001', '+919812345002']);
    // The card is in the channel a moment before Herald knows where.
    const ravis = await stack.home(RAVI, /archives\/C0APPROVALS/);
    expect(ravis).toContain('Waits for your decision');
    expect(ravis).toMatch(/SMS\*? to 2 people|to 2 people\*: waits for approval/);
    expect(ravis).toMatch(/Chat-app message to \+65 •••• 4567\*: accepted by the service/);
    const ashas = await stack.home(ASHA);
    expect(ashas).not.toContain('Waits for your decision');
    expect(ashas).toContain('Your sends that wait');
    expect(ashas + ravis).not.toContain(CUSTOMER);
  });

  test('shows what failed today, and leads to its message', async () => {
    const ravis = await stack.home(
      RAVI,
      /⛔[^"]*rejected, nothing was sent[^"]*Refused words[^"]*archives\/C0TEAM/,
    );
    const [, failed = ''] = ravis.split('Failed or unknown today');
    expect(failed.split('The last 14 days')[0]).toContain('Refused words');
  });

  test('opens the forms', async () => {
    await stack.home(ASHA);
    const view = stack.workspace.snapshot().homes[ASHA];
    const actions = view?.blocks.find(({ type }) => type === 'actions');
    if (view === undefined || actions === undefined) throw new Error('Home has no buttons');
    const container = { type: 'view', viewId: view.id } as const;
    const value = { type: 'button', value: 'send' };
    const pressed = { blockId: String(actions.block_id), actionId: 'home_start', value };
    await stack.workspace.act({ type: 'block_action', as: ASHA, container, ...pressed });
    await stack.shows(/Kind of message/);
  });
});
