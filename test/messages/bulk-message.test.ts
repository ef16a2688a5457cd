import { describe, expect, test } from 'vitest';
import { fail, ok } from '../../src/core/result.ts';
import { kindOf } from '../../src/messages/kinds.ts';
import { parseBulkMessage } from '../../src/messages/parse-submission.ts';
import { personalise } from '../../src/messages/personalise.ts';
import { SENDERS, templateNamed } from '../slack/compose/setting.ts';
import { addressFormIn, buttonForm, changed, listForm } from './interactive-samples.ts';

const MANY = { senders: SENDERS, defaultCountry: 'IN', recipients: 'many' } as const;
const refused = (path: string, message: string) => fail([{ path, message }]);
const same = (column: string) =>
  `This is the same for every recipient, so “{{${column}}}” cannot stand here. Write it out.`;

describe('a message to many', () => {
  const template = templateNamed('order_update');
  const from = '+919876543210';

  test('values may name columns; without the list any', () => {
    const value = { template: template.name, from, params: ['{{name}}', 'A'] };
    const message = {
      kind: 'chatapp',
      variant: 'text',
      from,
      templateName: 'order_update',
      params: value.params,
    };
    expect(parseBulkMessage('chatapp', { ...MANY, template }, value)).toEqual(ok(message));
    expect(parseBulkMessage('chatapp', { ...MANY, template }, value, ['name'])).toMatchObject({ ok: true });
    const none = 'The list has numbers only, so “{{name}}” cannot be filled in.';
    expect(parseBulkMessage('chatapp', { ...MANY, template }, value, [])).toEqual(refused('params.0', none));
  });

  test('values may stay empty only while columns may still fill them', () => {
    const value = { template: template.name, from };
    const unfilled = { ...MANY, template, recipients: 'many-unfilled' } as const;
    expect(parseBulkMessage('chatapp', unfilled, value)).toMatchObject({ ok: true });
    const error = [{ path: 'params.0' }, { path: 'params.1' }];
    expect(parseBulkMessage('chatapp', { ...MANY, template }, value)).toMatchObject({ ok: false, error });
  });

  test('what is the same for all names no column', () => {
    const invoice = templateNamed('invoice');
    const header = { link: 'https://a.example/{{id}}', filename: '{{id}}.pdf' };
    const value = { template: invoice.name, from, params: ['May'], header, campaignName: '{{id}}' };
    const paths = ['header.link', 'header.filename', 'campaignName'];
    expect(parseBulkMessage('chatapp', { ...MANY, template: invoice }, value)).toEqual(
      fail(paths.map((path) => ({ path, message: same('id') }))),
    );
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
    expect(parseBulkMessage(kind, MANY, changed(form, at, value))).toEqual(refused(path, same('id')));
  });

  test.each([
    ['chatapp', 'login_code', { template: 'login_code', from, otp: '123456' }, 'template'],
    ['sms', undefined, { sender: 'ACMEIN', text: 'Your code is 1', type: 'OTP' }, 'type'],
  ] as const)('a one-time password by %s is refused', (kind, name, value, path) => {
    const context = name === undefined ? MANY : { ...MANY, template: templateNamed(name) };
    const sentence = 'A one-time password is for one person: it cannot be sent to a list. Choose another.';
    expect(parseBulkMessage(kind, context, value)).toEqual(refused(path, sentence));
  });

  const document = { link: 'https://a.example/i', filename: 'i.pdf' };
  const content = [{ fileUrl: 'https://a.example/1' }, { fileUrl: 'https://a.example/2' }];
  test.each([
    ['chatapp', 'invoice', { from, params: ['May'], header: document }],
    ['chatapp', 'festive_photo', { from, header: { link: 'https://a.example/i.png' }, campaignName: 'May' }],
    ['rcs', 'appointment', { botId: 'acme-bot', params: ['{{day}}', '10:00'] }],
    ['rcs', 'weekly_offers', { botId: 'acme-bot', content }],
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

const columns = (count: number) => Array.from({ length: count }, (_none, index) => `c${index}`);
const TEN = columns(10)
  .map((name) => `{{${name}}}`)
  .join(', ');
test.each([
  [['Name', 'city'], 'Write {{Name}}.'],
  [['city', 'day'], 'It has {{city}}, {{day}}.'],
  [columns(10), `It has ${TEN}.`],
  [columns(12), `It has ${TEN} and 2 more.`],
])('a column that the list %j lacks is named', (has, advice) => {
  const value = { sender: 'ACMEIN', text: 'Hi {{name}}', type: 'TRANS' };
  const sentence = `The list has no column “name”. ${advice}`;
  expect(parseBulkMessage('sms', MANY, value, has)).toEqual(refused('text', sentence));
  expect(parseBulkMessage('sms', MANY, value, [...has, 'name'])).toMatchObject({ ok: true });
});

test('a name in another script makes the text need Unicode', () => {
  const message = { kind: 'sms', sender: 'A', text: 'Hi {{name}}', type: 'TRANS', unicode: false } as const;
  expect(personalise(message, ['name'], ['Asha'])).toEqual({ ...message, text: 'Hi Asha' });
  expect(personalise(message, ['name'], ['आशा'])).toEqual({ ...message, text: 'Hi आशा', unicode: true });
});
