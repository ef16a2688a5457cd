import { describe, expect, test } from 'vitest';
import { lineIntent, understandLine } from '../../../../src/slack/compose/line/quick-line.ts';
import { createSetting } from '../setting.ts';

const TO = '+6591234567';
const NBSP = '\u00a0';

async function understood(kind: 'chatapp' | 'rcs' | 'sms' | 'flash', raw: string) {
  const { compose } = createSetting();
  const { template, values, sure, waiting } = await understandLine(kind, raw, compose);
  return {
    sure,
    ...values,
    ...(template ? { template: template.name } : {}),
    ...(waiting ? { waiting: waiting.map((word) => word.text) } : {}),
  };
}

describe('a text line that says one thing only', () => {
  test.each<[string, string, string, string]>([
    ['a number and a text', `${TO} Hello`, TO, 'Hello'],
    ['several words', `${TO} Your table is ready`, TO, 'Your table is ready'],
    ['line breaks', `${TO} One\ntwo\n\nthree`, TO, 'One\ntwo\n\nthree'],
    ['a text on its own line', `${TO}\nHello`, TO, 'Hello'],
    ['quotes stay', `${TO} He said "hi" and “bye”`, TO, 'He said "hi" and “bye”'],
    ['quotes around the whole text stay', `${TO} "Hello"`, TO, '"Hello"'],
    ['inner spaces stay', `${TO} a  b   c`, TO, 'a  b   c'],
    ['escaped signs, once', `${TO} 1 &lt; 2 &amp;&amp; a &gt; b`, TO, '1 < 2 && a > b'],
    ['an escape that was typed', `${TO} write &amp;lt;b&amp;gt;`, TO, 'write &lt;b&gt;'],
    ['a mention that was typed', `${TO} &lt;!channel&gt; look`, TO, '<!channel> look'],
    ['a mention that Slack made', `${TO} ask <@U0ASHA|asha> in <#C0TEAM|team>`, TO, 'ask @asha in #team'],
    ['a special mention that Slack made', `${TO} <!here> <!subteam^S1|@support>`, TO, '@here @support'],
    [
      'a link as typed',
      `${TO} see <https://acme.example/a?b=1&amp;c=2>`,
      TO,
      'see https://acme.example/a?b=1&c=2',
    ],
    ['a link Slack completed', `${TO} see <http://acme.example|acme.example>`, TO, 'see acme.example'],
    [
      'a mail address',
      `${TO} write to <mailto:a@acme.example|a@acme.example>`,
      TO,
      'write to a@acme.example',
    ],
    ['a number in the text', `${TO} call <tel:+6565551234|+65 6555 1234>`, TO, 'call +65 6555 1234'],
    ['spaces in the number', '+65 9123 4567 Hello', '+65 9123 4567', 'Hello'],
    ['dashes', '+65-9123-4567 Hello', '+65-9123-4567', 'Hello'],
    ['brackets', '(+65) 9123-4567 Hello', '(+65) 9123-4567', 'Hello'],
    ['dots', '+65.9123.4567 Hello', '+65.9123.4567', 'Hello'],
    ['a no-break space', `+65${NBSP}9123${NBSP}4567${NBSP}Hello`, '+65 9123 4567', 'Hello'],
    ['full-width digits', '＋６５９１２３４５６７ Hello', '＋６５９１２３４５６７', 'Hello'],
    ['the default country', '98123 45678 Hello', '98123 45678', 'Hello'],
    ['a linked number', '<tel:+6591234567|+65 9123 4567> Hello', TO, 'Hello'],
    ['a linked number without a label', '<tel:+6591234567> Hello', TO, 'Hello'],
    ['a linked number and a text of digits', '<tel:+6591234567|+65 9123 4567> 4829', TO, '4829'],
    ['tel:', 'tel:+6591234567 Hello', 'tel:+6591234567', 'Hello'],
    ['a colon after the number', `${TO}: Hello`, TO, 'Hello'],
    ['a comma after the number', `${TO}, your table is ready`, TO, 'your table is ready'],
    ['a text that begins with a digit', `${TO} 2 items left`, TO, '2 items left'],
    ['a spaced number, then a digit', '+65 9123 4567 2 items left', '+65 9123 4567', '2 items left'],
    ['digits on the next line', `${TO}\n98123 456`, TO, '98123 456'],
    ['a number after a word of the text', `${TO} Call 0800 123 456 back`, TO, 'Call 0800 123 456 back'],
    ['a whole number after a word of the text', `${TO} Call +6598765432 back`, TO, 'Call +6598765432 back'],
    ['a guest more', `${TO} +1 guest, then`, TO, '+1 guest, then'],
    ['a text of digits only', `${TO} 482913`, TO, '482913'],
    ['a thousand in the text', `${TO} 1,000 thanks`, TO, '1,000 thanks'],
    ['an emoji', `${TO} 👋🏽 Hi`, TO, '👋🏽 Hi'],
    ['an emoji as Slack names it', `${TO} :wave::skin-tone-4: Hi:tada:`, TO, '👋🏽 Hi🎉'],
    ['a time of day', `${TO} at 10:30:45`, TO, 'at 10:30:45'],
    ['spaces around', `   ${TO}   Hello  `, TO, 'Hello'],
  ])('%s', async (_name, raw, to, text) => {
    expect(await understood('sms', raw)).toEqual({ sure: true, to, text });
    expect(await understood('flash', raw)).toEqual({ sure: true, to, text });
  });
});

describe('a text line that does not', () => {
  test.each<[string, string, string, string]>([
    ['no number', 'Hello there', '', 'Hello there'],
    ['a text that begins with a short number', '24 hours left', '', '24 hours left'],
    ['a thousand at the start', '1,000 thanks', '', '1,000 thanks'],
    ['a number that is none', '+65 1 Hello', '+65 1', 'Hello'],
    ['a number with a digit too many', '+65 9123 45678 Hello', '+65 9123 45678', 'Hello'],
    ['a spaced number and then digits only', '+65 9123 4567 8', '+65 9123 4567', '8'],
    ['two ends that are both valid', '+49 30 12345 678 Hello', '+49 30 12345', '678 Hello'],
    [
      'a number that lacks a digit, and a count',
      '+91982001122 4 items are ready',
      '+91982001122 4',
      'items are ready',
    ],
    ['a number that lacks a digit, and an hour', '+49 151 1234567 8 Uhr', '+49 151 1234567 8', 'Uhr'],
    ['a number that lacks its last digit', '+44 7911 12345 6 tickets', '+44 7911 12345 6', 'tickets'],
    ['a number that lacks two digits', '+9198200112 24 items', '+9198200112 24', 'items'],
    ['a number in pairs: the last may be a count', '+33 6 12 34 56 20 items', '+33 6 12 34 56 20', 'items'],
    ['a word of seven digits that is no number', '9820011 224 items', '9820011 224', 'items'],
    ['a number that any digit more completes', '+62 812 345 67 100 items', '+62 812 345 67 100', 'items'],
    ['a count in brackets', '+91982001122 (4) items', '+91982001122 (4)', 'items'],
    ['a number after a comma that has a slip', `${TO}, 98123 4567 Hello`, TO, '98123 4567 Hello'],
  ])('%s', async (_name, raw, to, text) => {
    expect(await understood('sms', raw)).toEqual({ sure: false, to, text });
  });

  test('a number alone is sure, and lacks its text', async () => {
    expect(await understood('sms', TO)).toEqual({ sure: true, to: TO });
  });
});

const SECOND = '+6598765432';

/** The same lines for every command; `closed_today` and `store_open` take no values. */
describe('several numbers mean several people: the second one is never text', () => {
  const LINES: readonly [string, string, readonly string[]][] = [
    ['a space', `${TO} ${SECOND}`, [TO, SECOND]],
    ['a comma', `${TO}, ${SECOND}`, [TO, SECOND]],
    ['a comma and no space', `${TO},${SECOND}`, [TO, SECOND]],
    ['a comma alone', `${TO} , ${SECOND}`, [TO, SECOND]],
    ['a comma, and one after both', `${TO}, ${SECOND},`, [TO, SECOND]],
    ['a semicolon', `${TO}; ${SECOND}`, [TO, SECOND]],
    ['an ampersand', `${TO} &amp; ${SECOND}`, [TO, SECOND]],
    ['“and”', `${TO} and ${SECOND}`, [TO, SECOND]],
    ['two lines', `${TO}\n${SECOND}\n`, [TO, SECOND]],
    ['local numbers', '98123 45678 98123 45679', ['98123 45678', '98123 45679']],
    ['local numbers with a comma', '98123 45678, 98123 45679', ['98123 45678', '98123 45679']],
    ['local numbers, a comma and no space', '98123 45678,98123 45679', ['98123 45678', '98123 45679']],
    ['spaces in the numbers', '+65 9123 4567, +65 9876 5432', ['+65 9123 4567', '+65 9876 5432']],
    ['spaces in the numbers alone', '+65 9123 4567 +65 9876 5432', ['+65 9123 4567', '+65 9876 5432']],
    [
      'a comma without a space, spaces inside',
      '+65 9123 4567,+65 9876 5432',
      ['+65 9123 4567', '+65 9876 5432'],
    ],
    ['links', `<tel:${TO}> <tel:${SECOND}>`, [TO, SECOND]],
    ['links with labels', `<tel:${TO}|+65 9123 4567>, <tel:${SECOND}|+65 9876 5432>`, [TO, SECOND]],
    ['links without a space', `<tel:${TO}>,<tel:${SECOND}|+65 9876 5432>`, [TO, SECOND]],
    ['a link and a number', `<tel:${TO}|9123 4567> 98123 45678`, [TO, '98123 45678']],
    ['a second one that is not valid', `${TO}, +65 12345`, [TO, '+65 12345']],
    ['a first one that is not valid', `+65 12345, ${SECOND}`, ['+65 12345', SECOND]],
    ['three', `${TO}, ${SECOND} and 98123 45678`, [TO, SECOND, '98123 45678']],
  ];
  const many = (numbers: readonly string[]) => ({
    sure: false,
    recipients: 'numbers',
    numbers: numbers.join('\n'),
  });

  test.each(LINES)('%s', async (_name, typed, numbers) => {
    for (const kind of ['sms', 'flash'] as const)
      expect(await understood(kind, `${typed} Hello 5`)).toEqual({ ...many(numbers), text: 'Hello 5' });
    const chatapp = { ...many(numbers), template: 'closed_today' };
    expect(await understood('chatapp', `closed_today ${typed}`)).toEqual(chatapp);
    const rcs = { ...many(numbers), template: 'store_open' };
    expect(await understood('rcs', `store_open ${typed}`)).toEqual(rcs);
  });

  test('before an unknown template, or with values', async () => {
    const two = many([TO, SECOND]);
    const typed = `${TO}, ${SECOND}`;
    expect(await understood('chatapp', `order_updat ${typed} "Asha"`)).toEqual({
      ...two,
      waiting: ['Asha'],
    });
    const order = { ...two, template: 'order_update', params: ['Asha', 'A-1'] };
    expect(await understood('chatapp', `order_update ${typed} "Asha" "A-1"`)).toEqual(order);
    expect(await understood('chatapp', `${typed} order_update "Asha" "A-1"`)).toEqual(order);
  });
});

const ORDER = { template: 'order_update', to: TO };

describe('a template line that says one thing only', () => {
  test.each<[string, string, object]>([
    ['straight quotes', `order_update ${TO} "Asha" "A-1001"`, { ...ORDER, params: ['Asha', 'A-1001'] }],
    [
      'English quotes',
      `order_update ${TO} “Asha Rao” “A-1001”`,
      { ...ORDER, params: ['Asha Rao', 'A-1001'] },
    ],
    ['German quotes', `order_update ${TO} „Asha Rao“ „A-1001“`, { ...ORDER, params: ['Asha Rao', 'A-1001'] }],
    ['French quotes', `order_update ${TO} «Asha Rao» «A-1001»`, { ...ORDER, params: ['Asha Rao', 'A-1001'] }],
    ['turned French quotes', `order_update ${TO} »Asha« »A-1001«`, { ...ORDER, params: ['Asha', 'A-1001'] }],
    ['Swedish quotes', `order_update ${TO} ”Asha” ”A-1001”`, { ...ORDER, params: ['Asha', 'A-1001'] }],
    ['single quotes', `order_update ${TO} 'Asha Rao' 'A-1001'`, { ...ORDER, params: ['Asha Rao', 'A-1001'] }],
    [
      'typographic single quotes',
      `order_update ${TO} ‘Asha’ ‘A-1001’`,
      { ...ORDER, params: ['Asha', 'A-1001'] },
    ],
    [
      'one quote of a pair made typographic',
      `order_update ${TO} “Asha" "A-1”`,
      { ...ORDER, params: ['Asha', 'A-1'] },
    ],
    ['an apostrophe inside', `order_update ${TO} 'O'Brien' "A-1"`, { ...ORDER, params: ["O'Brien", 'A-1'] }],
    ['an apostrophe at the start', `order_update ${TO} ’til "A-1"`, { ...ORDER, params: ['’til', 'A-1'] }],
    [
      'line breaks between',
      `order_update\n${TO}\n"Asha"\n"A-1001"`,
      { ...ORDER, params: ['Asha', 'A-1001'] },
    ],
    [
      'a line break inside',
      `order_update ${TO} "Asha\nRao" "A-1"`,
      { ...ORDER, params: ['Asha\nRao', 'A-1'] },
    ],
    [
      'no-break spaces',
      `order_update${NBSP}${TO}${NBSP}"Asha"${NBSP}"A-1"`,
      { ...ORDER, params: ['Asha', 'A-1'] },
    ],
    ['commas between', `order_update ${TO} "Asha", "A-1"`, { ...ORDER, params: ['Asha', 'A-1'] }],
    ['no space between', `order_update ${TO} "Asha""A-1"`, { ...ORDER, params: ['Asha', 'A-1'] }],
    ['escaped signs', `order_update ${TO} "A &amp; B" "&lt;1&gt;"`, { ...ORDER, params: ['A & B', '<1>'] }],
    [
      'one value without quotes',
      `order_update ${TO} "Asha Rao" A-1`,
      { ...ORDER, params: ['Asha Rao', 'A-1'] },
    ],
    [
      'a spaced number',
      'order_update +65 9123 4567 "Asha" "A-1"',
      { ...ORDER, to: '+65 9123 4567', params: ['Asha', 'A-1'] },
    ],
    [
      'a linked number',
      'order_update <tel:+6591234567|+65 9123 4567> "Asha" "A-1"',
      { ...ORDER, params: ['Asha', 'A-1'] },
    ],
    [
      'a quoted number',
      'order_update "+65 9123 4567" "Asha" "A-1"',
      { ...ORDER, to: '+65 9123 4567', params: ['Asha', 'A-1'] },
    ],
    [
      'a number as a value',
      `order_update ${TO} "Asha" "+6598765432"`,
      { ...ORDER, params: ['Asha', '+6598765432'] },
    ],
    ['an empty value', `order_update ${TO} "" "A-1"`, { ...ORDER, params: ['', 'A-1'] }],
    [
      'one word for one placeholder',
      `reminder ${TO} milk`,
      { template: 'reminder', to: TO, params: ['milk'] },
    ],
    ['no placeholders', `closed_today ${TO}`, { template: 'closed_today', to: TO }],
    ['a one-time password', `login_code ${TO} 482913`, { template: 'login_code', to: TO, otp: '482913' }],
    ['a template named by digits', `2024 ${TO}`, { template: '2024', to: TO }],
  ])('%s', async (_name, raw, expected) => {
    expect(await understood('chatapp', raw)).toEqual({ sure: true, ...expected });
  });

  test.each<[string, string, object]>([
    [
      'variables',
      `appointment ${TO} "Monday" "10:00"`,
      { template: 'appointment', params: ['Monday', '10:00'] },
    ],
    ['plain text', `store_open ${TO}`, { template: 'store_open' }],
    [
      'a carousel’s links in order',
      `weekly_offers ${TO} <https://acme.example/1.png> <http://acme.example/2.png|acme.example/2.png>`,
      {
        template: 'weekly_offers',
        content: [{ fileUrl: 'https://acme.example/1.png' }, { fileUrl: 'http://acme.example/2.png' }],
      },
    ],
  ])('RCS: %s', async (_name, raw, expected) => {
    expect(await understood('rcs', raw)).toEqual({ sure: true, to: TO, ...expected });
  });
});

describe('a template line that does not', () => {
  test.each<[string, string, object]>([
    [
      'words that may be one value or two',
      `order_update ${TO} Asha Rao`,
      { ...ORDER, params: ['Asha', 'Rao'] },
    ],
    [
      'more words than placeholders',
      `order_update ${TO} Asha Rao A-1`,
      { ...ORDER, params: ['Asha', 'Rao'] },
    ],
    [
      'several words for one placeholder',
      `reminder ${TO} the milk`,
      { template: 'reminder', to: TO, params: ['the milk'] },
    ],
    ['a value too few', `order_update ${TO} "Asha"`, { ...ORDER, params: ['Asha'] }],
    ['a value too many', `order_update ${TO} "Asha" "A-1" "B"`, { ...ORDER, params: ['Asha', 'A-1'] }],
    ['a quote that is not closed', `order_update ${TO} "Asha" "A-1`, { ...ORDER, params: ['Asha', 'A-1'] }],
    [
      'quotes inside quotes',
      `order_update ${TO} "the "big" one" "A-1"`,
      { ...ORDER, params: ['the "big', 'one"'] },
    ],
    ['an inch sign', `order_update ${TO} 5" "A-1"`, { ...ORDER, params: ['5"', 'A-1'] }],
    [
      'values for a template that takes none',
      `closed_today ${TO} "now"`,
      { template: 'closed_today', to: TO },
    ],
    [
      'a password with a space',
      `login_code ${TO} 482 913`,
      { template: 'login_code', to: TO, otp: '482 913' },
    ],
    [
      'a number with a digit too many',
      'closed_today +65 9123 45678',
      { template: 'closed_today', to: '+65 9123 45678' },
    ],
    ['the number first', `${TO} order_update "Asha" "A-1"`, { ...ORDER, params: ['Asha', 'A-1'] }],
    ['no number', 'order_update "Asha" "A-1"', { template: 'order_update', to: '', params: ['Asha', 'A-1'] }],
    [
      'a document’s header',
      `invoice ${TO} "May" <https://acme.example/may.pdf> may.pdf`,
      {
        template: 'invoice',
        to: TO,
        params: ['May'],
        header: { link: 'https://acme.example/may.pdf', filename: 'may.pdf' },
      },
    ],
    [
      'an image’s header',
      `festive_photo ${TO} <https://acme.example/lamp.png>`,
      {
        template: 'festive_photo',
        to: TO,
        header: { link: 'https://acme.example/lamp.png' },
      },
    ],
    ['an unknown template', `order_updat ${TO} "Asha" "A-1"`, { to: TO, waiting: ['Asha', 'A-1'] }],
    ['a template of another channel', `store_open ${TO}`, { to: TO }],
  ])('%s', async (_name, raw, expected) => {
    expect(await understood('chatapp', raw)).toEqual({ sure: false, ...expected });
  });
});

test.each([
  ['', 'empty'],
  [' \n ', 'empty'],
  ['help', 'help'],
  [' HELP ', 'help'],
  ['help me', 'send'],
  [`${TO} help`, 'send'],
])('“%s” asks for: %s', (raw, intent) => {
  expect(lineIntent(raw)).toBe(intent);
});
