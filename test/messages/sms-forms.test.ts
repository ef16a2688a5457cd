import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../src/core/result.ts';
import { KINDS } from '../../src/messages/kinds.ts';
import { parseBulkMessage, parseSubmission } from '../../src/messages/parse-submission.ts';
import { leavesOf, optionsOf } from '../../src/slack/kit/forms/form-blocks.ts';
import { table } from '../table.ts';
import { BY_COUNTRY, CONTEXT } from './samples.ts';

const VALUE = { sender: 'ACMEIN', to: '+65 9123 4567', text: 'Hello World!' };

describe.each(['sms', 'flash'] as const)('%s form', (kind) => {
  const message = { kind, sender: 'ACMEIN', text: 'Hello World!', type: 'TRANS', unicode: false };
  const submit = (change: object) => parseSubmission(kind, CONTEXT, { ...VALUE, ...change });

  it('makes a message of the sender’s type', () => {
    expect(submit({ type: null })).toStrictEqual(ok({ to: '+6591234567', message }));
  });

  it.each(['TRANS', 'PROMO', 'OTP'])('makes a message of type %s', (type) => {
    expect(submit({ type })).toStrictEqual(ok({ to: '+6591234567', message: { ...message, type } }));
  });

  it('keeps the text as typed but for line breaks, and finds whether it needs Unicode', () => {
    expect(submit({ text: ' <!channel> {x}\r\n€ ' })).toStrictEqual(
      ok({ to: '+6591234567', message: { ...message, text: ' <!channel> {x}\n€ ' } }),
    );
    expect(submit({ text: 'नमस्ते' })).toStrictEqual(
      ok({ to: '+6591234567', message: { ...message, text: 'नमस्ते', unicode: true } }),
    );
    expect(submit({ text: 'x'.repeat(3000) }).ok).toBe(true);
  });

  it.each(table`
{ "sender": null } | sender | Choose the sender of the message.
{ "sender": "OTHER" } | sender | Choose the sender of the message.
{ "text": null } | text | Enter the text of the message.
{ "text": " \u200B\n" } | text | Enter the text of the message.
{ "text": 7 } | text | Only text can be entered here.
{ "text": "${'x'.repeat(3001)}" } | text | Text has 3001 characters; at most 3000 are possible. Shorten it.
{ "type": "FLASH" } | type | The type is one of TRANS, PROMO, OTP.
{ "text": "Hello {{ first name }}" } | text | Only a list fills in “{{first name}}”, and this goes to one number. Write the value here.
{ "to": "" } | to | Enter the phone number of the recipient.
{ "to": "+91 98765 43210, +91 98123 45678" } | to | Enter one number. A message to several people is a bulk send, which needs a manager’s approval.
{ "sender": "6598765432", "to": "+65 9876 5432" } | to | This is the number that sends the message. Enter the recipient’s number.
{ "template": "x" } | template | The template “x” is not in the catalogue. Choose another one.
{ "params": ["x"] } | params | The form has no such field. Open the form again.`)(
    'refuses %s at %s: %s',
    (change = '', path, sentence) => {
      expect(submit(JSON.parse(change))).toEqual(fail([{ path, message: sentence }]));
    },
  );
});

describe.each(['sms', 'flash'] as const)('%s form by country', (kind) => {
  const context = { ...CONTEXT, senders: { ...CONTEXT.senders, sms: BY_COUNTRY } };
  const value = { ...VALUE, sender: 'By country' };
  const text = { kind, text: 'Hello World!', unicode: false };

  it('is offered first, and says who sends to which country', () => {
    const sender = leavesOf(KINDS[kind].form(context)).find(({ path }) => path === 'sender');
    expect(sender?.meta).toMatchObject({
      initial: 'By country',
      hint: 'By country, TRANS: ACMEIN for India, ACMEAE for United Arab Emirates, ACME for others; PROMO: ACMEPR for India.',
    });
    expect(sender && optionsOf(sender).map(({ value }) => value)).toEqual([
      'By country',
      ...BY_COUNTRY.map(({ id }) => id),
    ]);
  });

  it('keeps all in a message to many, which says them as the form and as a fact', () => {
    const message = { ...text, sender: 'ACME', senders: { IN: 'ACMEIN', AE: 'ACMEAE' }, type: 'TRANS' };
    const { to: _to, ...rest } = value;
    const parsed = parseBulkMessage(kind, { ...context, recipients: 'many' }, rest);
    expect(parsed).toEqual(ok(message));
    if (!parsed.ok) return;
    expect(KINDS[kind].formValues(parsed.value as never)).toMatchObject({ sender: 'By country' });
    expect(KINDS[kind].facts(parsed.value as never)[0]).toEqual({
      label: 'Sender',
      value: 'ACMEIN for India, ACMEAE for United Arab Emirates, ACME for others',
    });
  });

  it.each([
    [{ to: '+919876543210' }, { sender: 'ACMEIN', type: 'TRANS' }],
    [
      { to: '+919876543210', type: 'PROMO' },
      { sender: 'ACMEPR', type: 'PROMO' },
    ],
    [{}, { sender: 'ACME', type: 'TRANS' }],
    [
      { sender: 'ACMEIN', to: '+919876543210', type: 'OTP' },
      { sender: 'ACMEIN', type: 'OTP' },
    ],
  ])('to one number makes %o one of %o', (change, expected) => {
    const parsed = parseSubmission(kind, context, { ...value, ...change });
    expect(parsed).toMatchObject({ value: { message: { ...text, ...expected } } });
  });

  it.each([
    [{ type: 'PROMO' }, 'PROMO'],
    [{ sender: 'ACMEAE' }, 'TRANS'],
  ])('refuses %o to a country without a sender, under the number', (change, type) => {
    const message = `The message has no ${type} sender for numbers of Singapore: choose another sender.`;
    expect(parseSubmission(kind, context, { ...value, ...change })).toEqual(fail([{ path: 'to', message }]));
  });
});

it('takes no text where SMS are made of templates only', () => {
  for (const kind of ['sms', 'flash'] as const)
    expect(parseSubmission(kind, { ...CONTEXT, freeText: 'refused' }, VALUE)).toEqual(
      fail([{ path: 'template', message: 'Choose a template.' }]),
    );
});

it('only SMS has a campaign name', () => {
  const value = { ...VALUE, campaignName: ' Spring ' };
  expect(parseSubmission('sms', CONTEXT, value)).toMatchObject({
    value: { message: { campaignName: 'Spring' } },
  });
  expect(parseSubmission('flash', CONTEXT, value)).toEqual(
    fail([{ path: 'campaignName', message: 'The form has no such field. Open the form again.' }]),
  );
});
