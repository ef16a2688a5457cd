import { describe, expect, it } from 'vitest';
import { readReplyId } from '../../src/messages/interactive/message.ts';
import { KINDS, kindOf, type Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { parseBulkMessage } from '../../src/messages/parse-submission.ts';
import { personalise } from '../../src/messages/personalise.ts';
import {
  addressFormIn,
  addressFormSg,
  buttonForm,
  changed,
  listForm,
  messageOf,
  type Values,
} from './interactive-samples.ts';
import { CONTEXT } from './samples.ts';

const SEND = 'S-7K2M9QX4TB';
const OTHER = 'S-0000000001';

const named = (message: Message, sendId: string) => kindOf(message).withReplyReference(message, sendId);

describe('the send that a tapped id names', () => {
  const idsOf = (message: Message) =>
    message.kind === 'interactive' && message.action.type === 'button'
      ? message.action.buttons.map(({ id }) => id)
      : [];

  it('is in every id that Herald made, and in none that its author chose', () => {
    const message = named(messageOf('interactive', buttonForm()), SEND);
    expect(idsOf(message)).toEqual([`yes~${SEND}`, 'no-thanks', `call-me~${SEND}`]);
    expect(idsOf(message).map(readReplyId)).toEqual([
      { id: 'yes', sendId: SEND },
      { id: 'no-thanks' },
      { id: 'call-me', sendId: SEND },
    ]);
  });

  it('is another one when the message is sent again', () => {
    const message = named(messageOf('interactive', buttonForm()), OTHER);
    expect(idsOf(named(message, SEND))[0]).toBe(`yes~${SEND}`);
  });

  it('is in the rows of a list', () => {
    const message = named(messageOf('interactive', listForm()), SEND);
    expect(message).toMatchObject({
      action: {
        sections: [
          { rows: [{ id: `morning~${SEND}` }, { id: 'today-evening' }] },
          { rows: [{ id: `morning-2~${SEND}` }] },
        ],
      },
    });
  });

  it('changes nothing else', () => {
    const address = messageOf('address', addressFormIn());
    expect(named(address, SEND)).toBe(address);
    expect(readReplyId('a~b~S-short')).toEqual({ id: 'a~b~S-short' });
    expect(readReplyId(`a~b~${SEND}`)).toEqual({ id: 'a~b', sendId: SEND });
  });
});

describe('a message goes back into the form it was made in', () => {
  it.each([
    ['buttons', 'interactive', buttonForm()],
    ['a list', 'interactive', listForm()],
    ['an Indian address', 'address', addressFormIn()],
    [
      'corrections and saved addresses',
      'address',
      changed(changed(addressFormSg(), 'validationErrors.name', 'Which?'), 'savedAddresses', [
        { id: 'home', value: { sg_post_code: '018956' } },
      ]),
    ],
    [
      'header, footer and campaign name of an address',
      'address',
      {
        ...addressFormIn(),
        header: { type: 'document', document: { link: 'https://files.example/a', filename: 'a.pdf' } },
        footer: { text: 'Thanks' },
        campaignName: 'Spring',
      },
    ],
    ['a campaign name', 'interactive', { ...buttonForm(), campaignName: 'Spring' }],
  ] as const)('%s', (_what, kind, form: Values) => {
    const message = messageOf(kind, form);
    expect(JSON.stringify(kindOf(message).formValues(message))).not.toMatch(/"section-|"values":\{\}/);
    const again = messageOf(kind, { ...kindOf(message).formValues(named(message, SEND)), to: form.to });
    expect(again).toEqual(message);
  });
});

describe('to many', () => {
  const bulk = (kind: 'interactive' | 'address', form: object, columns: readonly string[]) => {
    const { to: _none, ...values } = form as { to: string };
    const parsed = parseBulkMessage(kind, { ...CONTEXT, recipients: 'many' }, values, columns);
    return parsed.ok ? parsed.value : parsed.error;
  };
  const greeting = changed(buttonForm(), 'interactive.body.text', 'Hello {{name}}, shall we come?');
  const indian = changed(addressFormIn(), 'values', { name: '{{name}}', in_pin_code: '{{pin code}}' });

  it('each reads what stands in their row', () => {
    const message = bulk('interactive', greeting, ['name']) as Message;
    expect(personalise(message, ['name'], ['Asha'])).toMatchObject({ body: 'Hello Asha, shall we come?' });
    const address = bulk('address', indian, ['name', 'pin code']) as Message;
    const framed = {
      ...indian,
      header: { type: 'text', text: 'Dear {{name}}' },
      footer: { text: '{{name}}!' },
    };
    const asked = bulk('address', framed, ['name', 'pin code']) as Message;
    expect(personalise(asked, ['name', 'pin code'], ['Asha', '560001'])).toMatchObject({
      header: { type: 'text', text: 'Dear Asha' },
      footer: 'Asha!',
    });
    expect(personalise(address, ['name', 'pin code'], ['', '560001'])).toMatchObject({
      values: { in_pin_code: '560001' },
    });
  });

  it('a phone number of an address goes out in one shape, typed or from a row', () => {
    const typed = changed(indian, 'values', { phone_number: '{{phone}}', in_pin_code: '{{pin code}}' });
    const address = bulk('address', typed, ['phone', 'pin code']) as Message;
    const read = (...cells: string[]) => personalise(address, ['phone', 'pin code'], cells);
    expect(read('98765 43219', ' 560 001 ')).toMatchObject({
      values: { phone_number: '+919876543219', in_pin_code: '560001' },
    });
    expect(read('12', '56000A')).toMatchObject({ values: { phone_number: '12', in_pin_code: '56000A' } });
  });

  it('columns that the list does not have, and columns in what can be tapped, are refused', () => {
    const titled = changed(greeting, 'interactive.action.buttons.0.reply.title', 'Yes, {{name}}');
    expect(bulk('interactive', titled, ['name'])).toEqual([
      {
        path: 'interactive.action.buttons.0.reply.title',
        message: 'This is the same for every recipient, so “{{name}}” cannot stand here. Write it out.',
      },
    ]);
    const image = { type: 'image', image: { link: 'https://files.example/{{name}}.png' } };
    expect(
      bulk('address', { ...indian, header: image, campaignName: '{{name}}' }, ['name', 'pin code']),
    ).toEqual(
      ['header.image.link', 'campaignName'].map((path) => ({
        path,
        message: 'This is the same for every recipient, so “{{name}}” cannot stand here. Write it out.',
      })),
    );
    expect(bulk('interactive', greeting, ['first'])).toEqual([
      { path: 'interactive.body.text', message: 'The list has no column “name”. It has {{first}}.' },
    ]);
  });

  it('a row that breaks a rule is named', () => {
    const message = bulk('interactive', greeting, ['name']) as Message;
    const long = personalise(message, ['name'], ['x'.repeat(1024)]);
    expect(kindOf(long).rowProblem(long, '+919812345670' as Msisdn)).toMatch(
      /^Text has 1046 characters; at most 1024/,
    );
    const address = bulk('address', indian, ['name', 'pin code']) as Message;
    const pin = personalise(address, ['name', 'pin code'], ['Asha', '5600011']);
    expect(kindOf(pin).rowProblem(pin, '+919812345670' as Msisdn)).toMatch(
      /^A pin code has 6 digits; this has 7/,
    );
    const good = personalise(address, ['name', 'pin code'], ['Asha', '560001']);
    expect(kindOf(good).rowProblem(good, '+919812345670' as Msisdn)).toBeUndefined();
    expect(kindOf(good).rowProblem(good, '+6591234567' as Msisdn)).toMatch(/^This number is of Singapore/);
  });
});

describe('the preview', () => {
  it('shows buttons as the phone does, and what is left', () => {
    expect(
      KINDS.interactive.preview(
        changed(buttonForm(), 'interactive.action.buttons.1.reply.title', null),
        undefined,
      ),
    ).toEqual({
      text: 'Shall we deliver today?\n\n[ Yes ]\n[ ⟨button 2⟩ ]\n[ Call me ]',
      spaceLeft: 'Characters left: text 1001 · footer 60 · button 1 17 · button 2 20 · button 3 13',
    });
  });

  it('shows an address form with what it holds', () => {
    const form = changed(addressFormSg(), 'validationErrors', { sg_post_code: 'Check the code.' });
    expect(KINDS.address.preview(form, undefined).text).toBe(
      'Where shall we deliver?\n\n[ Provide address ]\nName: …\nPhone Number: …\nPost Code: 018956  ⚠ Check the code.\nLandmark/Area: …',
    );
  });
});
