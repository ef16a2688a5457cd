import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { ASHA, type E2eStack, RAVI, startStack, TEAM } from './stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

const MEI = 'U0MEI';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [${RAVI}], over: 1 }
webhooks: { channel: ${TEAM} }
`;
const REFUSED = '+919999131009';
const LOST = '+919999800002';

describe('/sends finds what was sent', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    stack = await startStack({ config: CONFIG });
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/chatapp order_update ${CUSTOMER} "Asha" "A-1001"`);
    await conversation.message(/accepted by the service/);
    await asha.command(TEAM, `/sms ${REFUSED} Refused words`);
    await conversation.message(/rejected, nothing was sent/);
    const mei = stack.person(MEI);
    await mei.command(TEAM, `/sms ${LOST} Lost words`);
    await conversation.message(/it may have been sent/);
  }, 60_000);
  afterAll(() => stack?.stop());

  /** What a line answers, to the person alone. */
  async function answer(userId: string, line: string): Promise<SandboxMessage> {
    const person = stack.person(userId);
    const conversation = stack.from(person);
    await person.command(TEAM, line);
    const message = await conversation.message(/./);
    expect(message.ephemeralFor).toBe(userId);
    return message;
  }
  const fresh = ({ ts }: SandboxMessage): SandboxMessage | undefined =>
    stack.workspace.snapshot().messages.find((one) => one.channel === TEAM && one.ts === ts);

  test('a list says what became of each, by outcome, person, template and day', async () => {
    const mine = messageText(await answer(ASHA, '/sends'));
    expect(mine).toContain('Chat-app message to +65 •••• 4567 | 1 | ✅ accepted by the service');
    expect(mine).toContain('SMS to +91 ••••• •1009 | 1 | ⛔ rejected, nothing was sent');
    expect(mine).not.toContain('Lost words');
    const failed = messageText(await answer(ASHA, '/sends all failed unknown today'));
    expect(failed).toMatch(/❓[\s\S]*it may have been sent[\s\S]*Lost words[\s\S]*⛔[\s\S]*Refused words/);
    expect(failed).not.toContain('Chat-app');
    expect(messageText(await answer(ASHA, '/sends order_update'))).not.toContain('Refused words');
    const meis = messageText(await answer(ASHA, '/sends @mei'));
    expect(meis).toContain('Lost words');
    expect(meis).not.toContain('Refused words');
    expect(messageText(await answer(ASHA, '/sends yesterday'))).toContain('You have no sends');
    expect(messageText(await answer(ASHA, '/sends faild'))).toContain('does not know “faild”');
  });

  test('the menus below it narrow it down where it stands', async () => {
    const list = await answer(ASHA, '/sends all');
    const block = (list.blocks as { type: string; block_id: string }[]).findLast(
      ({ type }) => type === 'actions',
    );
    await stack.workspace.act({
      type: 'block_action',
      as: ASHA,
      container: { type: 'message', channel: TEAM, ts: list.ts },
      blockId: block?.block_id ?? '',
      actionId: 'sends_narrow:filter',
      value: { type: 'static_select', selected_option: { value: 'unknown' } },
    });
    const narrowed = await stack.eventually('the narrowed list', () => {
      const now = fresh(list);
      return now !== undefined && messageText(now).includes('Everyone’s sends (unknown)') && now;
    });
    expect(messageText(narrowed)).toContain('Lost words');
    expect(messageText(narrowed)).not.toContain('Refused words');
  });

  test('a number finds what it got and what it answered, whole only for who may have it', async () => {
    const messageId = stack.carrier.state().phones[CUSTOMER]?.at(-1)?.id ?? '';
    await stack.carrier.reply({
      number: CUSTOMER,
      messageId,
      answer: { type: 'text', text: 'At five, please' },
    });
    await stack.eventually('the answer', () =>
      stack.workspace.snapshot().messages.some((one) => /At five/.test(messageText(one))),
    );
    const ravis = messageText(await answer(RAVI, `/sends ${CUSTOMER}`));
    expect(ravis).toContain(`What was sent to ${CUSTOMER} and what it answered`);
    expect(ravis).toMatch(/At five, please[\s\S]*Chat-app message/);
    const ashas = messageText(await answer(ASHA, `/sends ${CUSTOMER}`));
    expect(ashas).toMatch(/At five, please[\s\S]*Chat-app message/);
    expect(ashas).not.toContain(CUSTOMER);
    const meis = messageText(await answer(MEI, `/sends ${CUSTOMER}`));
    expect(meis).toMatch(/There is nothing to or from \+65 •••• 4567 in your sends/);
    const refusal = messageText(await answer(MEI, `/sends all ${CUSTOMER}`));
    expect(refusal).toMatch(/Only @ravi may see the full numbers of other people’s sends/);
  });
});
