import { expect, test } from 'vitest';
import { Form } from '../../../sandbox/form.ts';
import type { ActResult, SandboxView } from '../../../sandbox/protocol.ts';
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

/** A form to which the workspace says this when it is submitted. */
function opened(submitted: ActResult): Form {
  let view: SandboxView | undefined = BEFORE;
  const done = async (): Promise<ActResult> => ({ ok: true });
  return new Form('V1', new Watch([]), {
    view: () => view,
    submit: async () => submitted,
    suggest: async () => ({ ok: true, options: [] }),
    act: done,
    close: () => {
      view = undefined;
      return done();
    },
  });
}

test('errors come back by path', async () => {
  const form = opened({
    ok: false,
    error: 'view_errors',
    errors: { 'params.0:order_update': 'Say who.' },
  });
  expect(await form.submit()).toEqual({ ok: false, errors: { 'params.0': 'Say who.' } });
});

test('what a person could not do throws: no such field, no such suggestion, a closed form, no answer', async () => {
  const form = opened({ ok: false, error: 'operation_timeout' });
  expect(() => form.fill('otp', '1')).toThrow('The form has no field "otp"; it has template, to');
  await expect(form.chooseTemplate('nothing')).rejects.toThrow('No template is suggested for "nothing"');
  await expect(form.submit()).rejects.toThrow('operation_timeout');
  await form.close();
  expect(form.open).toBe(false);
  expect(() => form.view).toThrow('The form is closed');
});
