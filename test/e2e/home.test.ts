import { describe, expect, test } from 'vitest';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [${RAVI}], over: 1 }
`;

describe('Home', () => {
  const stack = runningStack({ config: CONFIG });

  /** Home as it is when it is opened, and opened again until it shows what is looked for. */
  async function home(userId: string, pattern = /./): Promise<string> {
    const shown = await opened(userId);
    return pattern.test(shown) ? shown : home(userId, pattern);
  }

  async function opened(userId: string): Promise<string> {
    const before = stack.workspace.snapshot().homes[userId]?.hash;
    await stack.workspace.act({ type: 'home_opened', as: userId });
    const view = await stack.eventually('Home', () => {
      const shown = stack.workspace.snapshot().homes[userId];
      return shown?.hash === before ? undefined : shown;
    });
    return JSON.stringify(view.blocks);
  }

  test('shows what was sent, and to an approver what waits for them', async () => {
    expect(await home(RAVI)).not.toContain('Waits for your decision');
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/chatapp order_update ${CUSTOMER} "Asha" "A-1001"`);
    await conversation.message(/accepted by the service/);
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'numbers');
    form.fill('numbers', '+919812345001\n+919812345002').fill('text', 'The shop opens at nine.');
    await form.submit();
    await stack.eventually('the review', () => /Ask for approval/.test(JSON.stringify(asha.views())));
    await form.submit();
    await stack.eventually('the card', () =>
      stack.workspace.snapshot().messages.some(({ channel }) => channel === 'C0APPROVALS'),
    );
    // The card is in the channel a moment before Herald knows where.
    const ravis = await home(RAVI, /archives\/C0APPROVALS/);
    expect(ravis).toContain('Waits for your decision');
    expect(ravis).toMatch(/SMS\*? to 2 people|to 2 people\*: waits for approval/);
    expect(ravis).toMatch(/Chat-app message to \+65 •••• 4567\*: accepted by the service/);
    expect(ravis).not.toContain('Failed or unknown today');
    const ashas = await home(ASHA);
    expect(ashas).not.toContain('Waits for your decision');
    expect(ashas).toContain('Your sends that wait');
    expect(ashas + ravis).not.toContain(CUSTOMER);
  });

  test('shows what failed today, and leads to its message', async () => {
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, '/sms +919999131009 Refused words');
    await conversation.message(/rejected, nothing was sent/);
    const ravis = await home(
      RAVI,
      /⛔[^"]*rejected, nothing was sent[^"]*Refused words[^"]*archives\/C0TEAM/,
    );
    const [, failed = ''] = ravis.split('Failed or unknown today');
    expect(failed.split('The last 14 days')[0]).toContain('Refused words');
  });

  test('opens the forms', async () => {
    await home(ASHA);
    const view = stack.workspace.snapshot().homes[ASHA];
    const actions = view?.blocks.find((block) => block.type === 'actions') as
      | { block_id: string; elements: { action_id: string; value: string }[] }
      | undefined;
    if (view === undefined || actions === undefined) throw new Error('Home has no buttons');
    await stack.workspace.act({
      type: 'block_action',
      as: ASHA,
      container: { type: 'view', viewId: view.id },
      blockId: actions.block_id,
      actionId: 'home_start',
      value: { type: 'button', value: 'send' },
    });
    await stack.eventually('the choice of a kind', () =>
      JSON.stringify(stack.person(ASHA).views()).includes('Kind of message'),
    );
  });
});
