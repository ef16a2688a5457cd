import { describe, expect, test } from 'vitest';
import { validateSuggestion, validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import type { MessageKind } from '../../../../src/messages/kinds.ts';
import { templateSchema } from '../../../../src/messages/templates/template.ts';
import { isMarkOf, readMetadata, templateMark } from '../../../../src/slack/compose/form/form-metadata.ts';
import { composeView } from '../../../../src/slack/compose/form/form-view.ts';
import { templateOption } from '../../../../src/slack/kit/templates/template-picker.ts';
import { outline } from '../../outline.ts';
import { textsOf } from '../../texts-of.ts';
import { createSetting, focusIn, heldBy, inputsOf, notesOf, TEMPLATES, templateNamed } from '../setting.ts';

const { compose } = createSetting();
const CHANNEL = 'C0TEAM';

function shown(
  form: Omit<Parameters<typeof composeView>[0], 'channelId'> & { channelId?: string | undefined },
) {
  const view = composeView({ channelId: CHANNEL, more: true, ...form }, compose);
  expect(validateView(view)).toEqual([]);
  return view;
}

const paths = (view: ReturnType<typeof shown>) => inputsOf(view).map((input) => input.block_id);

describe('every kind and variant is a view that Slack takes', () => {
  test.each<[MessageKind, string[]]>([
    ['chatapp', ['template', 'recipients', 'to', 'from', 'campaignName']],
    ['rcs', ['template', 'recipients', 'to', 'botId', 'type', 'campaignName']],
    ['sms', ['template', 'text', 'recipients', 'to', 'sender', 'type', 'campaignName']],
    ['flash', ['template', 'text', 'recipients', 'to', 'sender', 'type']],
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
    order_shipped: ['params.0', 'params.1'],
  };
  const SENDER = { chatapp: 'from', rcs: 'botId', sms: 'sender' } as const;

  test.each(TEMPLATES.map((template) => [template.name, template] as const))('%s', (name, template) => {
    const view = shown({ kind: template.channel, template });
    const marked = (path: string) => `${path}:${templateMark(template)}`;
    const language = name === 'login_code' ? [marked('language')] : [];
    const more = template.channel === 'chatapp' ? language : ['type'];
    const common = ['recipients', 'to', SENDER[template.channel], ...more, 'campaignName'];
    expect(paths(view)).toEqual(['template', ...(OWN[name] ?? []).map(marked), ...common]);
    expect(heldBy(view).template).toBe(name);
    expect(readMetadata(view.private_metadata ?? '')).toEqual({
      channelId: CHANNEL,
      more: true,
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
  const params = (values: object) =>
    outline(shown({ kind: 'chatapp', template, values: { ...values }, more: undefined }));

  test('are chosen from a menu, or explained', () => {
    const shown = params({ params: ['large'] });
    expect(shown).toMatch(/label="size" dispatch_action=true\n {4}static_select .*placeholder="small"/);
    expect(shown).toMatch(/"small" value=small\n.*"large" value=large\n +initial_option: text="large"/);
    expect(shown).toMatch(/label="amount" .*hint="A number\."[\s\S]*placeholder="12"/);
  });

  test('are typed for many, where a column may stand for them', () => {
    const shown = params({ recipients: 'file', params: ['small', '12'] });
    const columns = 'Write {{column}} for what stands in that column of the list.';
    for (const hint of ['One of: small, large.', 'A number.'])
      expect(shown).toContain(`hint="${hint} ${columns}"`);
    expect(shown).not.toContain('text="small"');
  });
});

test('the form of a template, whole', async () => {
  const view = shown({
    kind: 'chatapp',
    template: templateNamed('reminder'),
    values: { to: '+6591234567', params: ['milk <!channel>'] },
    notes: ['Nothing was sent yet.'],
    more: undefined,
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
      'names an emoji that no phone knows, and counts the parts of an SMS',
      { kind: 'sms', values: { text: ':acme:' } },
      [
        ':acme:',
        expect.stringMatching(/^:acme: is no emoji that phones know/),
        '1 SMS · 6 of 160 characters',
      ],
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

test.each<[string, Parameters<typeof shown>[0], string[], boolean]>([
  ['short at first', { kind: 'sms' }, ['template', 'text', 'recipients', 'to'], true],
  [
    'whole where something else than a default is in it',
    { kind: 'sms', values: { type: 'PROMO' } },
    ['template', 'text', 'recipients', 'to', 'sender', 'type', 'campaignName'],
    false,
  ],
  [
    'first the list, then its columns',
    { kind: 'chatapp', template: templateNamed('order_update'), values: { recipients: 'file' } },
    ['template', 'recipients', 'file'],
    true,
  ],
])('a form is %s', (_what, form, expected, hasMore) => {
  const view = shown({ ...form, more: undefined });
  expect(paths(view)).toEqual(expected);
  expect(view.blocks.at(-1)?.block_id === 'more').toBe(hasMore);
});

test('on-call groups are offered for what may go to one', () => {
  const groups = { ...compose.groups, names: ['Night shift'] };
  const offered = (kind: MessageKind) => textsOf(composeView({ kind }, { ...compose, groups }));
  expect(offered('flash')).toContain('On call now: Night shift');
  expect(offered('sms')).not.toContain('On call now');
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
    [
      'what is wrong',
      { kind: 'flash', values: { to: '12', text: 'x' }, wrong: [{ path: 'to', message: 'Short.' }] },
      'to',
    ],
    ['nothing', inReminder({ to: TO, params: ['milk'] }), undefined],
    ['a file, which takes no cursor', { kind: 'sms', values: { text: 'x', recipients: 'file' } }, undefined],
    ['the text, unasked for', { kind: 'sms', focus: false }, undefined],
  ])('%s', (_what, form, expected) => {
    expect(focusIn(shown({ more: undefined, ...form }))).toBe(expected);
  });
});

test('without a channel of its own the form asks for one; a default campaign name stands in it', () => {
  const view = shown({ kind: 'sms', channelId: undefined });
  const own = ['template', 'text', 'recipients', 'to', 'channel', 'sender', 'type', 'campaignName'];
  expect(paths(view)).toEqual(own);
  expect(readMetadata(view.private_metadata ?? '')).toEqual({ more: true });
  const setting = createSetting({ defaults: { country: 'IN', campaignName: 'Spring' } });
  const named = composeView({ kind: 'sms', channelId: CHANNEL, more: true }, setting.compose);
  expect(heldBy(named)).toMatchObject({ campaignName: 'Spring', sender: 'ACMEIN', type: 'TRANS' });
});

test.each([
  ['shows what is invisible in it', ['No template “a\u202eb\ud83d”.'], 'No template “a⟨U+202E⟩b\ufffd”.'],
  ['is said once', ['One.', 'Two.', 'One.'], 'One. Two.'],
])('a note %s', (_what, notes, expected) => expect(notesOf(shown({ kind: 'sms', notes }))).toBe(expected));

test.each([
  ['order_update', 'order_update', 'order_update'],
  ['order_update', 'Order update '.repeat(10), `${'Order update '.repeat(4)}Order u… (order_update)`],
  ['n'.repeat(66), 'Order update', 'n'.repeat(66)],
])('a template in the picker: %s, %s', (name, label, expected) => {
  const option = templateOption({ ...templateNamed('reminder'), name, label });
  expect(option.text.text).toBe(expected);
  expect(validateSuggestion({ options: [option] })).toEqual([]);
});

test('a template’s mark is another for any other definition, not for another label, and says whose it is', () => {
  const template = templateNamed('order_update');
  const other = { ...template, text: 'Other' };
  const others = [
    other,
    { ...template, placeholders: [...template.placeholders].reverse() },
    { ...template, languages: ['hi'] },
    { ...template, name: 'order_update2' },
  ];
  const marks = [template, ...others].map(templateMark);
  expect(new Set(marks).size).toBe(marks.length);
  expect(templateMark({ ...template, label: 'Other' })).toBe(templateMark(template));
  const named = [templateMark(other), templateMark(templateNamed('reminder')), undefined];
  expect(named.map((mark) => isMarkOf(mark, template))).toEqual([true, false, false]);
});
