import { expect, test } from 'vitest';
import { Form, type FormClient } from '../../../sandbox/form.ts';
import type { ActResult, SandboxView, StateValues } from '../../../sandbox/protocol.ts';
import { Watch } from '../../../sandbox/watch.ts';

const text = (blockId: string, label: string): Record<string, unknown> => ({
  type: 'input',
  block_id: blockId,
  label: { type: 'plain_text', text: label },
  element: { type: 'plain_text_input', action_id: 'field' },
});

const BEFORE: SandboxView = {
  id: 'V1',
  hash: '1',
  type: 'modal',
  callback_id: 'chatapp',
  private_metadata: '',
  blocks: [
    {
      type: 'input',
      block_id: 'template',
      dispatch_action: true,
      label: { type: 'plain_text', text: 'Template' },
      element: { type: 'external_select', action_id: 'field' },
    },
    text('to', 'To'),
  ],
  state: { values: { to: { field: { type: 'plain_text_input', value: null } } } },
};
const OPTION = { text: { type: 'plain_text', text: 'Order update' }, value: 'order_update' };

function opened(submitted: ActResult) {
  let view: SandboxView | undefined = BEFORE;
  const seen: StateValues[] = [];
  const client: FormClient = {
    view: () => view,
    submit: async (_id, state) => {
      seen.push(state);
      return submitted;
    },
    close: async () => {
      view = undefined;
      return { ok: true };
    },
    suggest: async (_id, _block, _action, value) => ({
      ok: true,
      options: value === 'order' ? [OPTION] : [],
    }),
    act: async (_id, _block, _action, _value, state) => {
      seen.push(state);
      view = {
        ...BEFORE,
        hash: '2',
        blocks: [...BEFORE.blocks, text('params.0:order_update', 'customer')],
        state: { values: { template: { field: { type: 'external_select', selected_option: OPTION } } } },
      };
      return { ok: true };
    },
  };
  return { form: new Form('V1', new Watch([]), client), seen };
}

test('what was typed survives the choice of a template, and fields are found by path or label', async () => {
  const { form, seen } = opened({ ok: true });
  form.fill('To', '+6591234567');
  await form.chooseTemplate('order');
  expect(form.paths()).toEqual(['template', 'to', 'params.0']);
  form.fill('params.0', 'Asha');
  expect(await form.submit()).toEqual({ ok: true });
  const to = { field: { type: 'plain_text_input', value: '+6591234567' } };
  const template = { field: { type: 'external_select', selected_option: OPTION } };
  expect(seen).toEqual([
    { template, to },
    { template, to, 'params.0:order_update': { field: { type: 'plain_text_input', value: 'Asha' } } },
  ]);
});

test('errors come back by path', async () => {
  const { form } = opened({
    ok: false,
    error: 'view_errors',
    errors: { 'params.0:order_update': 'Say who.' },
  });
  expect(await form.submit()).toEqual({ ok: false, errors: { 'params.0': 'Say who.' } });
});

test('what a person could not do throws: no such field, no such suggestion, a closed form, no answer', async () => {
  const { form } = opened({ ok: false, error: 'operation_timeout' });
  expect(() => form.fill('otp', '1')).toThrow('The form has no field "otp"; it has template, to');
  await expect(form.chooseTemplate('nothing')).rejects.toThrow('No template is suggested for "nothing"');
  await expect(form.submit()).rejects.toThrow('operation_timeout');
  await form.close();
  expect(form.open).toBe(false);
  expect(() => form.view).toThrow('The form is closed');
});
