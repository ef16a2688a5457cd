import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../src/core/result.ts';
import { parseSubmission } from '../../src/messages/parse-submission.ts';
import { CONTEXT } from './samples.ts';

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

  it.each([
    [{ sender: null }, 'sender', 'Choose the sender of the message.'],
    [{ sender: 'OTHER' }, 'sender', 'Choose the sender of the message.'],
    [{ text: null }, 'text', 'Enter the text of the message.'],
    [{ text: ' \u200B\n' }, 'text', 'Enter the text of the message.'],
    [{ text: 7 }, 'text', 'Only text can be entered here.'],
    [{ text: 'x'.repeat(3001) }, 'text', 'Text has 3001 characters; at most 3000 are possible. Shorten it.'],
    [{ type: 'FLASH' }, 'type', 'The type is one of TRANS, PROMO, OTP.'],
    [
      { text: 'Hello {{ first name }}' },
      'text',
      'Only a list fills in “{{first name}}”, and this goes to one number. Write the value here.',
    ],
    [{ to: '' }, 'to', 'Enter the phone number of the recipient.'],
    [
      { to: '+91 98765 43210, +91 98123 45678' },
      'to',
      'Enter one number. A message to several people is a bulk send, which needs a manager’s approval.',
    ],
    [
      { sender: '6598765432', to: '+65 9876 5432' },
      'to',
      'This is the number that sends the message. Enter the recipient’s number.',
    ],
    [{ template: 'x' }, 'template', 'The form has no such field. Open the form again.'],
  ])('refuses %o', (change, path, sentence) => {
    expect(submit(change)).toEqual(fail([{ path, message: sentence }]));
  });
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
