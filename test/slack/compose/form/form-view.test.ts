import { describe, expect, test } from 'vitest';
import { validateSuggestion, validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import type { MessageKind } from '../../../../src/messages/kinds.ts';
import { templateSchema } from '../../../../src/messages/templates/template.ts';
import { isMarkOf, readMetadata, templateMark } from '../../../../src/slack/compose/form/form-metadata.ts';
import { composeView } from '../../../../src/slack/compose/form/form-view.ts';
import { sayingView } from '../../../../src/slack/kit/blocks/blocks.ts';
import { templateOption } from '../../../../src/slack/kit/templates/template-picker.ts';
import { outline } from '../../outline.ts';
import { textsOf } from '../../texts-of.ts';
import { createSetting, focusIn, heldBy, inputsOf, notesOf, TEMPLATES, templateNamed } from '../setting.ts';

const { compose } = createSetting();
const CHANNEL = 'C0TEAM';

function shown(
  form: Omit<Parameters<typeof composeView>[0], 'channelId'> & { channelId?: string | undefined },
) {
  const view = composeView({ channelId: CHANNEL, ...form }, compose);
  expect(validateView(view)).toEqual([]);
  return view;
}

const paths = (view: ReturnType<typeof shown>) => inputsOf(view).map((input) => input.block_id);

describe('every kind and variant is a view that Slack takes', () => {
  test.each<[MessageKind, string[]]>([
    ['chatapp', ['template', 'recipients', 'to', 'from', 'campaignName']],
    ['rcs', ['template', 'recipients', 'to', 'botId', 'type', 'campaignName']],
    ['sms', ['text', 'recipients', 'to', 'sender', 'type', 'campaignName']],
    ['flash', ['text', 'recipients', 'to', 'sender', 'type']],
  ])('%s before anything is chosen', (kind, expected) => {
    expect(paths(shown({ kind }))).toEqual(expected);
  });

  const OWN: Readonly<Record<string, string[]>> = {
    login_code: ['otp'],
    order_update: ['params.0', 'params.1'],
    reminder: ['params.0'],
    closed_today: [],
    invoice: ['header.link', 'header.filename', 'params.0'],
    festive_photo: ['header.link'],
    '2024': [],
    store_open: [],
    rate_us: [],
    appointment: ['params.0', 'params.1'],
    catalogue_fixed: [],
    weekly_offers: ['content.0.fileUrl', 'content.1.fileUrl'],
  };

  test.each(TEMPLATES.map((template) => [template.name, template] as const))('%s', (name, template) => {
    const view = shown({ kind: template.channel, template });
    const marked = (path: string) => `${path}:${templateMark(template)}`;
    const language = name === 'login_code' ? [marked('language')] : [];
    const common =
      template.channel === 'chatapp'
        ? ['recipients', 'to', 'from', ...language, 'campaignName']
        : ['recipients', 'to', 'botId', 'type', 'campaignName'];
    expect(paths(view)).toEqual(['template', ...(OWN[name] ?? []).map(marked), ...common]);
    expect(heldBy(view).template).toBe(name);
    expect(readMetadata(view.private_metadata ?? '')).toEqual({
      channelId: CHANNEL,
      shown: templateMark(template),
    });
  });

  test('the largest template that there can be', () => {
    const template = templateSchema.parse({
      name: 'n'.repeat(75),
      channel: 'chatapp',
      variant: 'document',
      label: 'L'.repeat(500),
      placeholders: Array.from({ length: 20 }, (_none, index) => ({
        name: `${index}${'p'.repeat(2990)}`,
        example: 'e'.repeat(2990),
      })),
    });
    const values = { to: '+65', params: template.placeholders.map(() => '🙂'.repeat(1500)) };
    const notes = Array.from({ length: 30 }, (_none, index) => `${index} ${'x'.repeat(300)}.`);
    shown({ kind: 'chatapp', template, values, notes });
  });
});

describe('placeholders with rules', () => {
  const template = templateSchema.parse({
    name: 'booking',
    channel: 'chatapp',
    variant: 'text',
    text: '{{1}} {{2}}',
    placeholders: [
      { name: 'size', oneOf: ['small', 'large'], example: 'small' },
      { name: 'amount', type: 'number', example: '12' },
    ],
  });
  const params = (form: Parameters<typeof shown>[0]) =>
    inputsOf(shown(form)).filter(({ block_id: id }) => id?.startsWith('params.'));
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

  test('are chosen from a menu, or explained', () => {
    const [size, amount] = params({ kind: 'chatapp', template, values: { params: ['large'] } });
    const large = { text: plain('large'), value: 'large' };
    expect(size).toMatchObject({
      label: plain('size'),
      dispatch_action: true,
      element: {
        type: 'static_select',
        placeholder: plain('small'),
        options: [{ text: plain('small'), value: 'small' }, large],
        initial_option: large,
      },
    });
    expect(amount).toMatchObject({ hint: plain('A number.'), element: { placeholder: plain('12') } });
  });

  test('are typed for many, where a column may stand for them', () => {
    const form = { kind: 'chatapp', template, values: { recipients: 'file' }, channelId: CHANNEL } as const;
    const view = composeView(form, compose);
    expect(validateView(view)).toEqual([]);
    const [size, amount] = inputsOf(view).filter(({ block_id: id }) => id.startsWith('params.'));
    expect(size).toMatchObject({
      element: { type: 'plain_text_input' },
      hint: plain(
        'One of: small, large. Write {{column}} for what stands in that column of the list. Left empty, it is taken from the column of the same name.',
      ),
    });
    expect(amount).toMatchObject({
      hint: { text: expect.stringMatching(/^A number\. Write \{\{column\}\}/) },
    });
  });
});

test('the form of a template, whole', async () => {
  const view = shown({
    kind: 'chatapp',
    template: templateNamed('reminder'),
    values: { to: '+6591234567', params: ['milk <!channel>'] },
    notes: ['Nothing was sent yet.'],
  });
  await expect(outline(view)).toMatchFileSnapshot('golden/reminder.txt');
});

describe('the preview', () => {
  const preview = (form: Parameters<typeof shown>[0]) =>
    shown(form).blocks.flatMap((block) => {
      const { block_id: id = '' } = block;
      return id.startsWith('preview:') && id !== 'preview:title' ? [textsOf(block)] : [];
    });

  test.each<[string, Parameters<typeof shown>[0], string[]]>([
    ['is not there before a template is chosen', { kind: 'chatapp' }, []],
    [
      'shows what is missing by name',
      { kind: 'chatapp', template: templateNamed('order_update'), values: { params: ['Asha'] } },
      ['Hello Asha, your order ⟨order⟩ is on its way.'],
    ],
    [
      'never shows a one-time password',
      { kind: 'chatapp', template: templateNamed('login_code'), values: { otp: '482913' } },
      ['•••••• is your code.'],
    ],
    [
      'counts the parts of an SMS',
      { kind: 'sms', values: { text: 'Hello' } },
      ['Hello', '1 SMS · 5 of 160 characters (GSM-7)'],
    ],
    [
      'says what will be there while there is nothing',
      { kind: 'flash', values: { text: ' ' } },
      ['What the recipient will read appears here while you type.'],
    ],
  ])('%s', (_what, form, expected) => expect(preview(form)).toEqual(expected));
  test('writes out what cannot be seen, and takes any length', () => {
    expect(preview({ kind: 'sms', values: { text: 'a\u202eb' } })[0]).toBe('a⟨U+202E⟩b');
    expect(preview({ kind: 'sms', values: { text: '\ud83d' } })[0]).toBe('\ufffd');
    expect(preview({ kind: 'sms', values: { text: 'x'.repeat(5000) } })[0]).toHaveLength(3000);
  });
});

test.each<[MessageKind, string]>([
  ['interactive', 'interactive.action.buttons.0.reply.title:r1'],
  ['address', 'country'],
  ['sms', 'text'],
])('%s: the preview stands between the message and its recipients', (kind, last) => {
  const ids = shown({ kind }).blocks.map(({ block_id: id = '' }) => id);
  const isPreview = (id: string) => id.startsWith('preview:');
  expect(ids.indexOf(last)).toBeLessThan(ids.findIndex(isPreview));
  expect(ids[ids.findLastIndex(isPreview) + 1]).toBe('recipients');
});

describe('the cursor stands in the first value that is missing', () => {
  const reminder = templateNamed('reminder');
  const TO = '+6591234567';
  const inReminder = (values: Record<string, unknown>) =>
    ({ kind: 'chatapp', template: reminder, values }) as const;
  test.each<[string, Parameters<typeof shown>[0], string | undefined]>([
    ['a template', { kind: 'chatapp' }, 'template'],
    ['a value', inReminder({}), `params.0:${templateMark(reminder)}`],
    ['the number', inReminder({ params: ['milk'] }), 'to'],
    ['the text', { kind: 'flash', values: { to: TO } }, 'text'],
    ['the body', { kind: 'interactive', values: { to: TO } }, 'interactive.body.text:r1'],
    ['a body of an address', { kind: 'address', values: { to: TO } }, 'body.text'],
    ['nothing', inReminder({ to: TO, params: ['milk'] }), undefined],
    ['a file, which takes no cursor', { kind: 'sms', values: { text: 'x', recipients: 'file' } }, undefined],
    ['the text, unasked for', { kind: 'sms', focus: false }, undefined],
  ])('%s', (_what, form, expected) => {
    expect(focusIn(shown(form))).toBe(expected);
  });
});

test('without a channel of its own the form asks for one', () => {
  const view = shown({ kind: 'sms', channelId: undefined });
  expect(paths(view)).toEqual(['text', 'recipients', 'to', 'sender', 'type', 'campaignName', 'channel']);
  expect(readMetadata(view.private_metadata ?? '')).toEqual({});
});

test('a default campaign name stands in the form', () => {
  const setting = createSetting({ defaults: { country: 'IN', campaignName: 'Spring' } });
  expect(heldBy(composeView({ kind: 'sms', channelId: CHANNEL }, setting.compose))).toMatchObject({
    campaignName: 'Spring',
    sender: 'ACMEIN',
    type: 'TRANS',
  });
});

test('a note shows what is invisible in it', () => {
  expect(notesOf(shown({ kind: 'sms', notes: ['No template “a\u202eb\ud83d”.'] }))).toBe(
    'No template “a⟨U+202E⟩b\ufffd”.',
  );
});

test('the same note is said once, and notes end before Slack’s limit', () => {
  expect(notesOf(shown({ kind: 'sms', notes: ['One.', 'Two.', 'One.'] }))).toBe('One. Two.');
});

test('a sentence is a view too', () => {
  expect(validateView(sayingView('flash', 'x'.repeat(4000)))).toEqual([]);
});

describe('a template in the picker', () => {
  const option = (name: string, label: string) =>
    templateOption({ ...templateNamed('reminder'), name, label }).text.text;
  test.each([
    ['order_update', 'Order update', 'Order update (order_update)'],
    ['order_update', 'order_update', 'order_update'],
    [
      'order_update',
      'Order update '.repeat(10),
      'Order update Order update Order update Order update Order u… (order_update)',
    ],
    ['n'.repeat(75), 'Order update', 'n'.repeat(75)],
    ['n'.repeat(66), 'Order update', 'n'.repeat(66)],
  ])('%s, %s', (name, label, expected) => {
    expect(option(name, label)).toBe(expected);
    expect(
      validateSuggestion({ options: [templateOption({ ...templateNamed('reminder'), name, label })] }),
    ).toEqual([]);
  });
});

describe('a template’s mark', () => {
  const template = templateNamed('order_update');
  test('is the same for the same definition, and another for any other', () => {
    expect(templateMark({ ...template })).toBe(templateMark(template));
    const others = [
      { ...template, text: 'Other' },
      { ...template, placeholders: [...template.placeholders].reverse() },
      { ...template, languages: ['hi'] },
      { ...template, name: 'order_update2' },
    ];
    const marks = [template, ...others].map((one) => templateMark(one));
    expect(new Set(marks).size).toBe(marks.length);
  });
  test('does not change with the label, which is nobody’s content', () => {
    expect(templateMark({ ...template, label: 'Other' })).toBe(templateMark(template));
  });
  test('tells whose it is', () => {
    expect(isMarkOf(templateMark({ ...template, text: 'Other' }), template)).toBe(true);
    expect(isMarkOf(templateMark(templateNamed('reminder')), template)).toBe(false);
    expect(isMarkOf(undefined, template)).toBe(false);
  });
});
