import { expect, test } from 'vitest';
import { NUMBERS } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, CUSTOMER, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* The service tells what becomes of a template, as the chat-app cloud API does (message_template_status_update). */
const stack = runningStack({
  config: `${TEAM_CONFIGURATION}
operators: ${TEAM}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }
wire:
  webhooks:
    templates:
      each: entry[].changes[].value
      when: { path: event }
      template: message_template_name
      status: event
      text: reason
`,
  isQuick: true,
});

async function post(event: string, reason: string): Promise<void> {
  const value = {
    event,
    message_template_id: 594425479261596,
    message_template_name: 'order_update',
    message_template_language: 'en_US',
    reason,
  };
  const changes = [{ value, field: 'message_template_status_update' }];
  const entry = [{ id: '102290129340398', time: Date.now(), changes }];
  expect(await stack.webhook({ object: 'whatsapp_business_account', entry })).toBe(200);
}

const words = () => JSON.stringify(stack.person(ASHA).views().at(-1)?.blocks ?? '');
const PAUSED = 'The service has paused this template: “LOW_QUALITY”. Messages of it may be refused.';

async function look(): Promise<string> {
  await stack.person(ASHA).openForm(TEAM, '/templates look order_update');
  return words();
}

test('a paused template is warned of in forms and on cards, until somebody says that it is approved again', async () => {
  const asha = stack.person(ASHA);
  await post('PAUSED', 'LOW_QUALITY');
  await stack.eventually('the mark', async () => {
    const view = await look();
    await stack.workspace.act({ type: 'view_closed', as: ASHA, viewId: asha.views().at(-1)?.id ?? '' });
    return view.includes(PAUSED);
  });
  const form = await asha.openForm(TEAM, '/chatapp');
  await form.chooseTemplate('order_update');
  await stack.eventually('the note', () => words().includes(PAUSED));
  await form.choose('recipients', 'numbers');
  form.fillAll({ numbers: NUMBERS.join('\n'), 'params.0': 'Asha', 'params.1': 'A-1' });
  expect(await form.submit()).toEqual({ ok: true });
  await stack.review();
  await form.submit();
  const card = await stack.untilShown(APPROVALS, /your order A-1/);
  expect(JSON.stringify(card.blocks)).toContain(PAUSED);
  await form.close();

  await stack.untilShown(TEAM, /template `order_update` is paused/);
  await look();
  await asha.press('template_approved');
  await stack.eventually('the note', () => words().includes('Marked as approved'));
  expect(words()).not.toContain(PAUSED);
  expect(stack.carrier.state().phones[CUSTOMER]).toBeUndefined();
});
