import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM, TEAM_CONFIGURATION } from './team.ts';

describe('the catalogue', () => {
  const stack = runningStack({ config: `${TEAM_CONFIGURATION}access: { templates: [U0ASHA] }\n` });
  beforeEach(() => stack.carrier.reset());

  const words = (userId = ASHA) => JSON.stringify(stack.person(userId).views().at(-1)?.blocks ?? '');

  async function closeAll(): Promise<void> {
    await stack.closeViews();
  }

  test('begins with herald.yml; a new template is sent with its own form, hints and rules, also after a restart', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/templates add');
    form.fillAll({ name: 'order_update_size', label: 'Sizes', text: 'Your {{1}} is ready.' });
    expect(await form.submit()).toEqual({ ok: true });
    form.fill('placeholders.0.name', 'size');
    await form.choose('placeholders.0.rule', 'One of these values');
    form.fill('placeholders.0.detail', 'small, large');
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('saved', () => words().includes('Saved.'));
    await closeAll();
    await stack.restart({});

    const sending = await asha.openForm(TEAM, '/chatapp');
    await sending.chooseTemplate('sizes');
    sending.fill('to', CUSTOMER);
    await sending.choose('params.0', 'large');
    const conversation = stack.from(asha);
    expect(await sending.submit()).toEqual({ ok: true });
    // The service has no such template: the result says so, and leads to the template.
    await conversation.message(/132001/);
    expect(stack.wholeRequests()[0]?.body).toMatchObject({
      templateName: 'order_update_size',
      components: { body: { params: ['large'] } },
    });
    const result = stack
      .messages()
      .findLast((message) => message.channel === TEAM && messageText(message).includes('132001'));
    if (result === undefined) throw new Error('no result says so');
    await asha.press('template_look', { message: result });
    expect(words()).toContain('Code 132001: the service does not know this template in that language');
    expect(words()).toContain('the name “order_update_size” and the languages (none is listed here)');
    await closeAll();

    const refused = stack.from(asha);
    await asha.command(TEAM, `/chatapp order_update_size ${CUSTOMER} "medium"`);
    await stack.eventually('the form', () => words().includes('“size” must be one of: small, large.'));
    expect(refused.texts()).toEqual([]);
    expect(stack.wholeRequests()).toHaveLength(1);
    await closeAll();
  });
});
