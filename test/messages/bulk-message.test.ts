import { describe, expect, test } from 'vitest';
import { columnNamed } from '../../src/messages/columns.ts';
import { kindOf } from '../../src/messages/kinds.ts';
import { parseBulkMessage, parseSubmission } from '../../src/messages/parse-submission.ts';
import { personalise } from '../../src/messages/personalise.ts';
import { SENDERS, templateNamed } from '../slack/compose/setting.ts';
import { addressFormIn, buttonForm, changed, listForm } from './interactive-samples.ts';

const MANY = { senders: SENDERS, defaultCountry: 'IN', recipients: 'many' } as const;

describe('a message to many', () => {
  const template = templateNamed('order_update');
  const from = '+919876543210';

  test('values may name columns; without the list any', () => {
    const value = { template: template.name, from, params: ['{{name}}', 'A'] };
    expect(parseBulkMessage('chatapp', { ...MANY, template }, value)).toEqual({
      ok: true,
      value: {
        kind: 'chatapp',
        variant: 'text',
        from,
        templateName: 'order_update',
        params: ['{{name}}', 'A'],
      },
    });
    expect(parseBulkMessage('chatapp', { ...MANY, template }, value, ['name'])).toMatchObject({ ok: true });
    expect(parseBulkMessage('chatapp', { ...MANY, template }, value, [])).toEqual({
      ok: false,
      error: [{ path: 'params.0', message: 'The list has numbers only, so “{{name}}” cannot be filled in.' }],
    });
  });

  test('values may stay empty only while columns may still fill them', () => {
    const value = { template: template.name, from };
    expect(
      parseBulkMessage('chatapp', { ...MANY, template, recipients: 'many-unfilled' }, value),
    ).toMatchObject({ ok: true });
    expect(parseBulkMessage('chatapp', { ...MANY, template }, value)).toMatchObject({
      ok: false,
      error: [{ path: 'params.0' }, { path: 'params.1' }],
    });
  });

  test('what is the same for all names no column', () => {
    const invoice = templateNamed('invoice');
    const value = {
      template: invoice.name,
      from,
      params: ['May'],
      header: { link: 'https://a.example/{{id}}', filename: '{{id}}.pdf' },
      campaignName: '{{id}}',
    };
    const message = 'This is the same for every recipient, so “{{id}}” cannot stand here. Write it out.';
    expect(parseBulkMessage('chatapp', { ...MANY, template: invoice }, value)).toEqual({
      ok: false,
      error: ['header.link', 'header.filename', 'campaignName'].map((path) => ({ path, message })),
    });
  });

  const ID = '{{id}}';
  const media = { link: 'https://a.example/i.png', provider: { name: ID } };
  test.each([
    ['interactive.action.buttons.0.reply.id', 'interactive', buttonForm(), ID],
    ['interactive.action.sections.0.rows.1.id', 'interactive', listForm(), ID],
    ['interactive.header.image.id', 'interactive', buttonForm(), { type: 'image', image: { id: ID } }],
    ['interactive.header.image.provider.name', 'interactive', buttonForm(), { type: 'image', image: media }],
    ['savedAddresses.0.id', 'address', addressFormIn(), [{ id: ID, value: { city: 'Pune' } }]],
  ] as const)('nor does %s', (path, kind, { to: _to, ...form }, value) => {
    const at = typeof value === 'string' ? path : path.replace(/(header|savedAddresses)\..*/, '$1');
    const message = 'This is the same for every recipient, so “{{id}}” cannot stand here. Write it out.';
    const refused = { ok: false, error: [{ path, message }] };
    expect(parseBulkMessage(kind, MANY, changed(form, at, value))).toEqual(refused);
  });

  test.each([
    ['chatapp', 'login_code', { template: 'login_code', from, otp: '123456' }, 'template'],
    ['sms', undefined, { sender: 'ACMEIN', text: 'Your code is 1', type: 'OTP' }, 'type'],
  ] as const)('a one-time password by %s is refused', (kind, name, value, path) => {
    const context = name === undefined ? MANY : { ...MANY, template: templateNamed(name) };
    expect(parseBulkMessage(kind, context, value)).toEqual({
      ok: false,
      error: [
        {
          path,
          message: 'A one-time password is for one person: it cannot be sent to a list. Choose another.',
        },
      ],
    });
  });

  test.each([
    [
      'chatapp',
      'invoice',
      { from, params: ['May'], header: { link: 'https://a.example/i', filename: 'i.pdf' } },
    ],
    ['chatapp', 'festive_photo', { from, header: { link: 'https://a.example/i.png' }, campaignName: 'May' }],
    ['rcs', 'appointment', { botId: 'acme-bot', params: ['{{day}}', '10:00'] }],
    [
      'rcs',
      'weekly_offers',
      {
        botId: 'acme-bot',
        content: [{ fileUrl: 'https://a.example/1' }, { fileUrl: 'https://a.example/2' }],
      },
    ],
    ['sms', undefined, { sender: 'ACMEIN', text: 'Hi {{name}}', campaignName: 'May' }],
    ['flash', undefined, { sender: 'ACMEIN', text: 'Hi', type: 'PROMO' }],
  ] as const)('%s %s: a form filled from its message makes the same message', (kind, name, typed) => {
    const context = name === undefined ? MANY : { ...MANY, template: templateNamed(name) };
    const value = name === undefined ? typed : { template: name, ...typed };
    const first = parseBulkMessage(kind, context, value);
    if (!first.ok) throw new Error(JSON.stringify(first.error));
    expect(parseBulkMessage(kind, context, kindOf(first.value).formValues(first.value))).toEqual(first);
  });
});

test.each([
  ['Order No.', ['order_no', 'name'], 'order_no'],
  ['name', ['Name', 'NAME'], undefined],
  ['name', ['Name', 'name'], 'name'],
  ['नाम', ['नाम '], 'नाम '],
  ['!', ['?'], undefined],
])('the column for “%s” among %j is %s', (name, columns, expected) => {
  expect(columnNamed(name, columns)).toBe(expected);
});

test.each([
  [['Name', 'city'], 'The list has no column “name”. Write {{Name}}.'],
  [['city', 'day'], 'The list has no column “name”. It has {{city}}, {{day}}.'],
  [
    Array.from({ length: 10 }, (_none, index) => `c${index}`),
    'The list has no column “name”. It has {{c0}}, {{c1}}, {{c2}}, {{c3}}, {{c4}}, {{c5}}, {{c6}}, {{c7}}, {{c8}}, {{c9}}.',
  ],
  [
    Array.from({ length: 12 }, (_none, index) => `c${index}`),
    'The list has no column “name”. It has {{c0}}, {{c1}}, {{c2}}, {{c3}}, {{c4}}, {{c5}}, {{c6}}, {{c7}}, {{c8}}, {{c9}} and 2 more.',
  ],
])('a column that the list %j lacks is named', (columns, message) => {
  const value = { sender: 'ACMEIN', text: 'Hi {{name}}', type: 'TRANS' };
  expect(parseBulkMessage('sms', MANY, value, columns)).toEqual({
    ok: false,
    error: [{ path: 'text', message }],
  });
  expect(parseBulkMessage('sms', MANY, value, [...columns, 'name'])).toMatchObject({ ok: true });
});

test('what only a list fills in is not sent to one number', () => {
  const value = { sender: 'ACMEIN', text: 'Hi {{name}}', type: 'TRANS', to: '+919812345670' };
  const sentence = 'Only a list fills in “{{name}}”, and this goes to one number. Write the value here.';
  expect(parseSubmission('sms', { senders: SENDERS, defaultCountry: 'IN' }, value)).toEqual({
    ok: false,
    error: [{ path: 'text', message: sentence }],
  });
});

test('a name in another script makes the text need Unicode', () => {
  const message = { kind: 'sms', sender: 'A', text: 'Hi {{name}}', type: 'TRANS', unicode: false } as const;
  expect(personalise(message, ['name'], ['Asha'])).toEqual({ ...message, text: 'Hi Asha' });
  expect(personalise(message, ['name'], ['आशा'])).toEqual({ ...message, text: 'Hi आशा', unicode: true });
});
