import { expect, it } from 'vitest';
import { kindOf, type Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { personalise, readingOf } from '../../src/messages/personalise.ts';
import type { Template } from '../../src/messages/templates/template.ts';

const SMS = { kind: 'sms', sender: 'ACME', text: 'Hi {{name}}', type: 'TRANS', unicode: false } as const;
const PHOTO: Message = {
  kind: 'chatapp',
  variant: 'image',
  from: '+919876543210' as Msisdn,
  templateName: 'photo',
  params: ['{{name}}'],
  header: { type: 'image', link: 'https://a.test/1.png' },
  language: { code: 'en' },
};
const ORDER: Message = {
  kind: 'interactive',
  from: '+919876543210' as Msisdn,
  body: 'Hi {{name}}',
  action: { type: 'button', buttons: [{ id: 'yes', title: 'Yes', proposed: true }] },
} as never;
const template = (text: string) =>
  ({ channel: 'chatapp', name: 'photo', placeholders: [{ name: 'name' }], text }) as unknown as Template;

const read = (message: Message, values = ['Asha'], columns = ['name'], of?: Template) =>
  readingOf(personalise(message, columns, values), of, 7);

it('is the same for the same words, whoever sends them and wherever they come from', () => {
  const same = read(SMS);
  expect(same).toEqual({ seen: expect.stringMatching(/^[\w-]{43}$/), at: 7 });
  expect(read({ ...SMS, sender: 'OTHER', type: 'PROMO' })).toEqual(same);
  expect(read({ ...SMS, text: 'Hi {{who}}' }, ['x', 'Asha'], ['a', 'who'])).toEqual(same);
  expect(read({ ...SMS, text: 'Hi Asha' }, [])).toEqual(same);
  expect(read({ ...SMS, templateName: 'greeting', params: ['{{name}}'] })).toEqual(same);
  expect(read({ ...PHOTO, from: '+911' as Msisdn, campaignName: 'Spring' })).toEqual(read(PHOTO));
  const withReference = kindOf(ORDER).withReplyReference(ORDER, 'S-1');
  expect(withReference).not.toEqual(ORDER);
  expect(read(withReference)).toEqual(read(ORDER));
});

it('is another one for whatever a customer sees', () => {
  const others = [
    read(SMS),
    read(SMS, ['Ravi']),
    read({ ...SMS, kind: 'flash' }),
    read(PHOTO),
    read({ ...PHOTO, templateName: 'picture' }),
    read({ ...PHOTO, language: { code: 'hi' } }),
    read({ ...PHOTO, header: { type: 'image', link: 'https://a.test/2.png' } }),
    read(PHOTO, ['Asha'], ['name'], template('Hi {{1}}')),
    read(PHOTO, ['Asha'], ['name'], template('Hello {{1}}')),
    read(ORDER),
    read({ ...(ORDER as object), body: 'Bye {{name}}' } as Message),
  ].map((one) => one?.seen);
  expect(new Set(others).size).toBe(others.length);
});

it('is none for a one-time password', () => {
  expect(read({ ...SMS, type: 'OTP', text: '481516 is your code' })).toBeUndefined();
  const code = { ...PHOTO, variant: 'otp', templateName: 'login', params: [], otp: '481516' } as Message;
  expect(read(code)).toBeUndefined();
});
