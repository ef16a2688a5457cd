import { describe, expect, it } from 'vitest';
import { kindOf, type Message } from '../../src/messages/kinds.ts';
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
    JSON.stringify(message)
      .match(/(?<="id":")[^"]+/g)
      ?.filter((id) => !id.startsWith('section') && id !== 'tomorrow');

  it('is in every id that Herald made, and in none that its author chose; another one when it is sent again', () => {
    const buttons = messageOf('interactive', buttonForm());
    const ids = [`yes~${SEND}`, 'no-thanks', `call-me~${SEND}`];
    expect(idsOf(named(buttons, SEND))).toEqual(ids);
    expect(idsOf(named(named(buttons, OTHER), SEND))).toEqual(ids);
    const list = named(messageOf('interactive', listForm()), SEND);
    expect(idsOf(list)).toEqual([`morning~${SEND}`, 'today-evening', `morning-2~${SEND}`]);
    const address = messageOf('address', addressFormIn());
    expect(named(address, SEND)).toBe(address);
  });
});

describe('a message goes back into the form it was made in', () => {
  const saved = [{ id: 'home', value: { sg_post_code: '018956' } }];
  const corrected = changed(
    changed(addressFormSg(), 'validationErrors.name', 'Which?'),
    'savedAddresses',
    saved,
  );
  const document = { link: 'https://files.example/a', filename: 'a.pdf' };
  const header = { type: 'document', document };
  const around = { header, footer: { text: 'Thanks' }, campaignName: 'Spring' };
  it.each([
    ['buttons', 'interactive', buttonForm()],
    ['a list', 'interactive', listForm()],
    ['an Indian address', 'address', addressFormIn()],
    ['corrections and saved addresses', 'address', corrected],
    ['header, footer and campaign name of an address', 'address', { ...addressFormIn(), ...around }],
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
    const framed = { header: { type: 'text', text: 'Dear {{name}}' }, footer: { text: '{{name}}!' } };
    const address = bulk('address', { ...indian, ...framed }, ['name', 'pin code']) as Message;
    expect(personalise(address, ['name', 'pin code'], ['Asha', '560001'])).toMatchObject({
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

  it('columns in what can be tapped, in links and in names are refused', () => {
    const title = 'interactive.action.buttons.0.reply.title';
    const message = 'This is the same for every recipient, so “{{name}}” cannot stand here. Write it out.';
    expect(bulk('interactive', changed(greeting, title, 'Yes, {{name}}'), ['name'])).toEqual([
      { path: title, message },
    ]);
    const header = { type: 'image', image: { link: 'https://files.example/{{name}}.png' } };
    const form = { ...indian, header, campaignName: '{{name}}' };
    expect(bulk('address', form, ['name', 'pin code'])).toEqual(
      ['header.image.link', 'campaignName'].map((path) => ({ path, message })),
    );
  });

  it('a row that breaks a rule is named', () => {
    const message = bulk('interactive', greeting, ['name']) as Message;
    const problemOf = (one: Message, number = '+919812345670') =>
      kindOf(one).rowProblem(one, number as Msisdn);
    const long = personalise(message, ['name'], ['x'.repeat(1024)]);
    expect(problemOf(long)).toMatch(/^Text has 1046 characters; at most 1024/);
    const address = bulk('address', indian, ['name', 'pin code']) as Message;
    const filled = (pin: string) => personalise(address, ['name', 'pin code'], ['Asha', pin]);
    expect(problemOf(filled('5600011'))).toMatch(/^A pin code has 6 digits; this has 7/);
    expect(problemOf(filled('560001'))).toBeUndefined();
    expect(problemOf(filled('560001'), '+6591234567')).toMatch(/^This number is of Singapore/);
  });
});
