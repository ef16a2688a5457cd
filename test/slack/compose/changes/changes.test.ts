import type { ModalView } from '@slack/types';
import { beforeEach, describe, expect, test } from 'vitest';
import { validateSuggestion } from '../../../../sandbox/slack/block-kit/index.ts';
import {
  handleFieldChanged,
  handleSourceChosen,
  handleTemplateChosen,
  handleTemplateSuggestions,
} from '../../../../src/slack/compose/changes/changes.ts';
import { templateMark } from '../../../../src/slack/compose/form/form-metadata.ts';
import { composeView } from '../../../../src/slack/compose/form/form-view.ts';
import {
  clickIn,
  createSetting,
  focusIn,
  heldBy,
  notesOf,
  openView,
  type Setting,
  TEMPLATES,
  templateNamed,
} from '../setting.ts';

let setting: Setting;
beforeEach(() => {
  setting = createSetting();
});

const TO = '+6591234567';
const REMINDED = `params.0:${templateMark(templateNamed('reminder'))}`;

const withoutFocus = (blocks: ModalView['blocks']): ModalView['blocks'] =>
  JSON.parse(JSON.stringify(blocks, (key, value) => (key === 'focus_on_load' ? undefined : value)));

function formOf(setting: Setting, templateName?: string, more: object = {}): ModalView {
  const template = templateName === undefined ? undefined : templateNamed(templateName);
  return composeView(
    { kind: template?.channel ?? 'chatapp', template, channelId: 'C0TEAM', ...more },
    setting.compose,
  );
}

function change(setting: Setting, view: ReturnType<typeof openView>, at = '1000.1') {
  return clickIn(view, { action_ts: at }, setting.client);
}

describe('searching templates', () => {
  const suggest = async (setting: Setting, callbackId: string, value: string) => {
    const answers: { options: { value?: string }[] }[] = [];
    const body = { value, user: { id: 'U0ASHA' }, view: { callback_id: callbackId } };
    const ack = async (answer: (typeof answers)[number]) => void answers.push(answer);
    await handleTemplateSuggestions({ body, ack }, setting.compose);
    for (const answer of answers) expect(validateSuggestion(answer)).toEqual([]);
    return answers.map((answer) => answer.options.map((option) => option.value));
  };

  test.each([
    ['chatapp', 'order', ['order_update']],
    ['chatapp', ' Diwali ', ['festive_photo']],
    ['rcs', '', ['store_open', 'rate_us', 'appointment', 'catalogue_fixed', 'weekly_offers']],
    ['flash', 'shipped', ['order_shipped']],
    ['something_else', '', []],
  ])('%s “%s”', async (callbackId, query, names) => {
    expect(await suggest(createSetting(), callbackId, query)).toEqual([names]);
  });

  test('a hundred at most', async () => {
    const reminder = templateNamed('reminder');
    setting.catalogue.templates = Array.from({ length: 150 }, (_none, n) => ({ ...reminder, name: `t${n}` }));
    expect((await suggest(setting, 'chatapp', ''))[0]).toHaveLength(100);
  });

  test('a silent catalogue is answered in time, with nothing', async () => {
    setting.catalogue.silent = true;
    const answered = suggest(setting, 'chatapp', '');
    await setting.clock.advance(1000);
    expect(await answered).toEqual([[]]);
  });
});

describe('choosing a template', () => {
  const choose = async (view: ModalView, name: string, typed: Record<string, string> = {}) => {
    const filled = openView(view, { template: name, to: TO, ...typed });
    await handleTemplateChosen(change(setting, filled), setting.compose);
    return setting.client.view;
  };

  test.each(TEMPLATES.filter((template) => template.channel === 'chatapp').map((template) => template.name))(
    '%s: shows its fields and keeps To',
    async (name) => {
      const before = formOf(setting, undefined, { more: true });
      const view = await choose(before, name, { campaignName: 'Spring' });
      const values = { to: TO, from: '+919876543210', campaignName: 'Spring' };
      expect(view).toEqual(formOf(setting, name, { values, more: true }));
      expect(setting.client.of('views.update')).toMatchObject([{ view_id: 'V1', hash: 'opened' }]);
    },
  );

  test('forgets the values of the one before; the same again keeps them', async () => {
    const other = await choose(formOf(setting, 'order_update'), 'reminder', { 'params.0': 'Asha' });
    expect(heldBy(other)).toMatchObject({ to: TO, [REMINDED]: undefined });
    const same = await choose(formOf(setting, 'reminder'), 'reminder', { 'params.0': 'milk' });
    expect(heldBy(same)).toMatchObject({ [REMINDED]: 'milk' });
  });

  test('values of a quick line that waited for it take their places', async () => {
    const word = (text: string) => ({ text, quoted: true, doubtful: false, newLine: false });
    const waiting = [word('Asha'), word('A-1')];
    const view = await choose(formOf(setting, undefined, { waiting }), 'order_update');
    const mark = templateMark(templateNamed('order_update'));
    expect(heldBy(view)).toMatchObject({ [`params.0:${mark}`]: 'Asha', [`params.1:${mark}`]: 'A-1' });
    const other = await choose(view, 'reminder');
    expect(heldBy(other)).toMatchObject({ [REMINDED]: 'Asha' });
    expect(notesOf(other)).toBe('The template has no place for: “A-1”.');
  });

  test('one that is gone is said, and To is kept', async () => {
    const view = await choose(formOf(setting, 'reminder'), 'nowhere');
    expect(notesOf(view)).toMatch(/“nowhere” is no longer in the catalogue\. Nothing was sent\./);
    expect(heldBy(view)).toMatchObject({ to: TO });
  });

  test('with a silent catalogue is said, too', async () => {
    const form = formOf(setting);
    setting.catalogue.silent = true;
    const chosen = choose(form, 'reminder');
    await setting.clock.advance(1000);
    expect(notesOf(await chosen)).toMatch(/did not answer in time/);
  });

  test('in a view of something else nothing happens', async () => {
    const other = { ...openView(formOf(setting)), callback_id: 'other' };
    await handleTemplateChosen(change(setting, other), setting.compose);
    expect(setting.client.calls).toEqual([]);
  });
});

test.each([
  ['numbers', 'numbers'],
  ['file', undefined],
  ['one', 'to'],
])('choosing recipients, %s, puts the cursor there', async (source, field) => {
  const view = openView(formOf(setting, 'reminder'), { recipients: source });
  await handleSourceChosen(change(setting, view), setting.compose);
  expect(focusIn(setting.client.view)).toBe(field);
});

test.each([
  ['chatapp', 'login_code', { otp: '482913' }],
  ['sms', undefined, { type: 'OTP', text: '482913 is your code' }],
] as const)('a one-time password is not set aside with the recipients: %s', async (kind, name, typed) => {
  const view = formOf(setting, name, { kind, more: true });
  const chosen = openView(view, { recipients: 'numbers', to: TO, ...typed });
  await handleSourceChosen(change(setting, chosen), setting.compose);
  expect(await setting.compose.setAside.get('V1')).toEqual({ to: TO });
});

describe('typing', () => {
  const typeInto = async (setting: Setting, view: ModalView, typed: Record<string, string>) => {
    const changed = handleFieldChanged(change(setting, openView(view, typed)), setting.compose);
    await setting.clock.advance(1000);
    await changed;
  };

  test('redraws the preview and nothing else', async () => {
    const form = formOf(setting, 'order_update', { notes: ['Nothing was sent yet.'] });
    await typeInto(setting, form, { 'params.0': 'Asha' });
    const now = JSON.stringify(withoutFocus(form.blocks)).replace('⟨customer⟩', 'Asha');
    // It takes the cursor from no field.
    expect(focusIn(form)).toMatch(/^params\.0:/);
    expect(setting.client.view).toEqual({ ...form, blocks: JSON.parse(now) });
  });

  test('after the template changed is left to the redrawing', async () => {
    await typeInto(setting, formOf(setting, 'order_update'), { template: 'reminder', 'params.0': 'Asha' });
    expect(setting.client.calls).toEqual([]);
  });
});
