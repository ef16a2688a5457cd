import { describe, expect, test } from 'vitest';
import { understandLine } from '../../../../src/slack/compose/line/quick-line.ts';
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
  test.each([
    ['a number and a text', `Hello`, 'Hello'],
    ['line breaks', `One\ntwo\n\nthree`, 'One\ntwo\n\nthree'],
    ['quotes stay', `He said "hi" and “bye”`, 'He said "hi" and “bye”'],
    ['escaped signs, once', `1 &lt; 2 &amp;&amp; a &gt; b`, '1 < 2 && a > b'],
    ['an escape that was typed', `write &amp;lt;b&amp;gt;`, 'write &lt;b&gt;'],
    ['a mention that was typed', `&lt;!channel&gt; look`, '<!channel> look'],
    ['a mention that Slack made', `ask <@U0ASHA|asha> in <#C0TEAM|team>`, 'ask @asha in #team'],
    ['a special mention that Slack made', `<!here> <!subteam^S1|@support>`, '@here @support'],
    ['a link as typed', `see <https://acme.example/a?b=1&amp;c=2>`, 'see https://acme.example/a?b=1&c=2'],
    ['a link Slack completed', `see <http://acme.example|acme.example>`, 'see acme.example'],
    ['a number in the text', `call <tel:+6565551234|+65 6555 1234>`, 'call +65 6555 1234'],
    ['a text that begins with a digit', `2 items left`, '2 items left'],
    ['a whole number after a word of the text', `Call +6598765432 back`, 'Call +6598765432 back'],
    ['a guest more', `+1 guest, then`, '+1 guest, then'],
    ['a text of digits only', `482913`, '482913'],
    ['an emoji as Slack names it', `:wave::skin-tone-4: Hi:tada:`, '👋🏽 Hi🎉'],
    ['a time of day', `at 10:30:45`, 'at 10:30:45'],
  ])('%s', async (_name, typed, text) => {
    for (const kind of ['sms', 'flash'] as const)
      expect(await understood(kind, `${TO} ${typed}`)).toEqual({ sure: true, to: TO, text });
  });

  test.each<[string, string, string, string]>([
    ['spaces in the number', '+65 9123 4567 Hello', '+65 9123 4567', 'Hello'],
    ['brackets', '(+65) 9123-4567 Hello', '(+65) 9123-4567', 'Hello'],
    ['dots', '+65.9123.4567 Hello', '+65.9123.4567', 'Hello'],
    ['a no-break space', `+65${NBSP}9123${NBSP}4567${NBSP}Hello`, '+65 9123 4567', 'Hello'],
    ['full-width digits', '＋６５９１２３４５６７ Hello', '＋６５９１２３４５６７', 'Hello'],
    ['the default country', '98123 45678 Hello', '98123 45678', 'Hello'],
    ['a linked number', '<tel:+6591234567|+65 9123 4567> Hello', TO, 'Hello'],
    ['a linked number and a text of digits', '<tel:+6591234567|+65 9123 4567> 4829', TO, '4829'],
    ['tel:', 'tel:+6591234567 Hello', 'tel:+6591234567', 'Hello'],
    ['a colon after the number', `${TO}: Hello`, TO, 'Hello'],
    ['a comma after the number', `${TO}, your table is ready`, TO, 'your table is ready'],
    ['a spaced number, then a digit', '+65 9123 4567 2 items left', '+65 9123 4567', '2 items left'],
    ['digits on the next line', `${TO}\n98123 456`, TO, '98123 456'],
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
    ['four digits', '1234 Hello', '', '1234 Hello'],
    ['five digits, which are meant as a number', '12345 Hello', '12345', 'Hello'],
    ['a number that is none', '+65 1 Hello', '+65 1', 'Hello'],
    ['a number with a digit too many', '+65 9123 45678 Hello', '+65 9123 45678', 'Hello'],
    ['a spaced number and then digits only', '+65 9123 4567 8', '+65 9123 4567', '8'],
    ['two ends that are both valid', '+49 30 12345 678 Hello', '+49 30 12345', '678 Hello'],
    ['a number that lacks a digit, and a count', '+91982001122 4 items', '+91982001122 4', 'items'],
    ['a number that lacks its last digit', '+44 7911 12345 6 tickets', '+44 7911 12345 6', 'tickets'],
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
    ['a semicolon', `${TO}; ${SECOND}`, [TO, SECOND]],
    ['an ampersand', `${TO} &amp; ${SECOND}`, [TO, SECOND]],
    ['“and”', `${TO} and ${SECOND}`, [TO, SECOND]],
    ['two lines', `${TO}\n${SECOND}\n`, [TO, SECOND]],
    ['local numbers', '98123 45678 98123 45679', ['98123 45678', '98123 45679']],
    ['local numbers, a comma and no space', '98123 45678,98123 45679', ['98123 45678', '98123 45679']],
    ['spaces in the numbers', '+65 9123 4567, +65 9876 5432', ['+65 9123 4567', '+65 9876 5432']],
    ['a comma alone, spaces inside', '+65 9123 4567,+65 9876 5432', ['+65 9123 4567', '+65 9876 5432']],
    ['links', `<tel:${TO}> <tel:${SECOND}>`, [TO, SECOND]],
    ['links with labels', `<tel:${TO}|+65 9123 4567>, <tel:${SECOND}|+65 9876 5432>`, [TO, SECOND]],
    ['a link and a number', `<tel:${TO}|9123 4567> 98123 45678`, [TO, '98123 45678']],
    ['a second one that is not valid', `${TO}, +65 12345`, [TO, '+65 12345']],
    ['a first one that is not valid', `+65 12345, ${SECOND}`, ['+65 12345', SECOND]],
    ['three', `${TO}, ${SECOND} and 98123 45678`, [TO, SECOND, '98123 45678']],
  ];
  const many = (numbers: readonly string[], more: object = {}) => ({
    ...{ sure: false, recipients: 'numbers', numbers: numbers.join('\n') },
    ...more,
  });

  test.each(LINES)('%s', async (_name, typed, numbers) => {
    for (const kind of ['sms', 'flash'] as const)
      expect(await understood(kind, `${typed} Hello 5`)).toEqual(many(numbers, { text: 'Hello 5' }));
    expect(await understood('chatapp', `closed_today ${typed}`)).toEqual(
      many(numbers, { template: 'closed_today' }),
    );
    expect(await understood('rcs', `store_open ${typed}`)).toEqual(many(numbers, { template: 'store_open' }));
  });

  test('before an unknown template, or with values', async () => {
    const typed = `${TO}, ${SECOND}`;
    const lost = many([TO, SECOND], { waiting: ['Asha'] });
    expect(await understood('chatapp', `order_updat ${typed} "Asha"`)).toEqual(lost);
    const both = many([TO, SECOND], { template: 'order_update', params: ['Asha', 'A-1'] });
    expect(await understood('chatapp', `order_update ${typed} "Asha" "A-1"`)).toEqual(both);
    expect(await understood('chatapp', `${typed} order_update "Asha" "A-1"`)).toEqual(both);
  });
});

/** A template to one number, with what else was read. */
const one = (template: string, more: object = {}) => ({ template, to: TO, ...more });
const order = (...params: string[]) => one('order_update', { params });

describe('a template line that says one thing only', () => {
  test.each<[string, string, string[]]>([
    ['straight quotes', `"Asha" "A-1001"`, ['Asha', 'A-1001']],
    ['English quotes', `“Asha Rao” “A-1001”`, ['Asha Rao', 'A-1001']],
    ['German quotes', `„Asha Rao“ „A-1001“`, ['Asha Rao', 'A-1001']],
    ['French quotes', `«Asha Rao» «A-1001»`, ['Asha Rao', 'A-1001']],
    ['turned French quotes', `»Asha« »A-1001«`, ['Asha', 'A-1001']],
    ['Swedish quotes', `”Asha” ”A-1001”`, ['Asha', 'A-1001']],
    ['single quotes', `'Asha Rao' 'A-1001'`, ['Asha Rao', 'A-1001']],
    ['typographic single quotes', `‘Asha’ ‘A-1001’`, ['Asha', 'A-1001']],
    ['one quote of a pair made typographic', `“Asha" "A-1”`, ['Asha', 'A-1']],
    ['an apostrophe inside', `'O'Brien' "A-1"`, ["O'Brien", 'A-1']],
    ['an apostrophe at the start', `’til "A-1"`, ['’til', 'A-1']],
    ['a line break inside', `"Asha\nRao" "A-1"`, ['Asha\nRao', 'A-1']],
    ['commas between', `"Asha", "A-1"`, ['Asha', 'A-1']],
    ['no space between', `"Asha""A-1"`, ['Asha', 'A-1']],
    ['escaped signs', `"A &amp; B" "&lt;1&gt;"`, ['A & B', '<1>']],
    ['one value without quotes', `"Asha Rao" A-1`, ['Asha Rao', 'A-1']],
    ['an empty value', `"" "A-1"`, ['', 'A-1']],
  ])('order_update with %s', async (_name, typed, params) => {
    const read = await understood('chatapp', `order_update ${TO} ${typed}`);
    expect(read).toEqual({ sure: true, ...order(...params) });
  });

  const SPACED = { ...order('Asha', 'A-1'), to: '+65 9123 4567' };
  test.each<[string, string, object]>([
    ['line breaks between', `order_update\n${TO}\n"Asha"\n"A-1001"`, order('Asha', 'A-1001')],
    ['no-break spaces', `order_update${NBSP}${TO}${NBSP}"Asha"${NBSP}"A-1"`, order('Asha', 'A-1')],
    ['a spaced number', 'order_update +65 9123 4567 "Asha" "A-1"', SPACED],
    ['a linked number', `order_update <tel:${TO}|+65 9123 4567> "Asha" "A-1"`, order('Asha', 'A-1')],
    ['a quoted number', 'order_update "+65 9123 4567" "Asha" "A-1"', SPACED],
    ['one word for one placeholder', `reminder ${TO} milk`, one('reminder', { params: ['milk'] })],
    ['no placeholders', `closed_today ${TO}`, one('closed_today')],
    ['a one-time password', `login_code ${TO} 482913`, one('login_code', { otp: '482913' })],
    ['a template named by digits', `2024 ${TO}`, one('2024')],
  ])('%s', async (_name, raw, expected) => {
    expect(await understood('chatapp', raw)).toEqual({ sure: true, ...expected });
  });

  const LINKS = ['https://acme.example/1.png', 'http://acme.example/2.png'];
  const content = LINKS.map((fileUrl) => ({ fileUrl }));
  test.each<[string, string, object]>([
    ['variables', `appointment ${TO} "Monday" "10:00"`, one('appointment', { params: ['Monday', '10:00'] })],
    [
      'a carousel’s links',
      `weekly_offers ${TO} <${LINKS[0]}> <${LINKS[1]}|a>`,
      one('weekly_offers', { content }),
    ],
  ])('RCS: %s', async (_name, raw, expected) => {
    expect(await understood('rcs', raw)).toEqual({ sure: true, ...expected });
  });
});

describe('a template line that does not', () => {
  test.each<[string, string, string[]]>([
    ['words that may be one value or two', `Asha Rao`, ['Asha', 'Rao']],
    ['more words than placeholders', `Asha Rao A-1`, ['Asha', 'Rao']],
    ['a value too few', `"Asha"`, ['Asha']],
    ['a value too many', `"Asha" "A-1" "B"`, ['Asha', 'A-1']],
    ['a quote that is not closed', `"Asha" "A-1`, ['Asha', 'A-1']],
    ['quotes inside quotes', `"the "big" one" "A-1"`, ['the "big', 'one"']],
    ['an inch sign', `5" "A-1"`, ['5"', 'A-1']],
  ])('order_update with %s', async (_name, typed, params) => {
    const read = await understood('chatapp', `order_update ${TO} ${typed}`);
    expect(read).toEqual({ sure: false, ...order(...params) });
  });

  const PDF = { link: 'https://acme.example/may.pdf', filename: 'may.pdf' };
  const IMAGE = { link: 'https://acme.example/lamp.png' };
  const TOO_LONG = '+65 9123 45678';
  test.each<[string, string, object]>([
    [
      'several words for one placeholder',
      `reminder ${TO} the milk`,
      one('reminder', { params: ['the milk'] }),
    ],
    ['values for a template that takes none', `closed_today ${TO} "now"`, one('closed_today')],
    ['a password with a space', `login_code ${TO} 482 913`, one('login_code', { otp: '482 913' })],
    ['a number with a digit too many', `closed_today ${TOO_LONG}`, one('closed_today', { to: TOO_LONG })],
    ['the number first', `${TO} order_update "Asha" "A-1"`, order('Asha', 'A-1')],
    ['no number', 'order_update "Asha" "A-1"', { ...order('Asha', 'A-1'), to: '' }],
    [
      'a document’s header',
      `invoice ${TO} "May" <${PDF.link}> may.pdf`,
      one('invoice', { params: ['May'], header: PDF }),
    ],
    ['an image’s header', `festive_photo ${TO} <${IMAGE.link}>`, one('festive_photo', { header: IMAGE })],
    ['an unknown template', `order_updat ${TO} "Asha" "A-1"`, { to: TO, waiting: ['Asha', 'A-1'] }],
    ['a template of another channel', `store_open ${TO}`, { to: TO }],
  ])('%s', async (_name, raw, expected) => {
    expect(await understood('chatapp', raw)).toEqual({ sure: false, ...expected });
  });
});

/** Words before a number are a template's name; a text comes after it. */
describe('a line of a kind that is a text or a template', () => {
  const shipped = (...params: string[]) => one('order_shipped', { params });
  const text = (words: string, to = '') => ({ to, text: words });
  test.each<[string, string, object]>([
    ['a template', `order_shipped ${TO} "Asha" A-1`, { sure: true, ...shipped('Asha', 'A-1') }],
    ['a value too few', `order_shipped ${TO} "Asha"`, { sure: false, ...shipped('Asha') }],
    ['a template alone', 'order_shipped', { sure: false, template: 'order_shipped', to: '' }],
    ['a text that names one', `${TO} order_shipped "A"`, { sure: true, ...text('order_shipped "A"', TO) }],
    [
      'no such template: whatever was meant is there',
      `order_shiped ${TO} "A"`,
      { sure: false, ...text(`order_shiped ${TO} "A"`), waiting: ['A'] },
    ],
    ['one of another channel', `order_update ${TO}`, { sure: false, ...text(`order_update ${TO}`) }],
    ['a text without a number', 'Your table is ready', { sure: false, ...text('Your table is ready') }],
  ])('%s', async (_name, raw, expected) => {
    expect(await understood('sms', raw)).toEqual(expected);
    expect(await understood('flash', raw)).toEqual(expected);
  });
});

describe('a text of one’s own where that is not simply allowed', () => {
  const SAYS = 'Dear Asha, your order A-1 is on its way. - Acme';
  const line = async (freeText: 'asks' | 'refused', raw: string) => {
    const { compose } = createSetting({ defaults: { country: 'IN', freeText } });
    const { template, values, sure, notes } = await understandLine('sms', raw, compose);
    return { template: template?.name, values, sure, notes };
  };

  test.each(['asks', 'refused'] as const)('%s: what a template says is that template', async (freeText) => {
    expect(await line(freeText, `${TO} ${SAYS}`)).toEqual({
      template: 'order_shipped',
      values: { to: TO, template: 'order_shipped', params: ['Asha', 'A-1'] },
      sure: false,
      notes: ['The text is that of the template “Order shipped”: send it as that. Nothing was sent yet.'],
    });
  });

  test.each([
    ['asks', '+919812345678', [expect.stringMatching(/^Operators in India drop an SMS/)]],
    ['asks', TO, []],
    ['refused', TO, [expect.stringMatching(/^SMS are made of templates only here\./)]],
  ] as const)('%s: another to %s', async (freeText, to, notes) => {
    const values = { to, text: 'Come by.' };
    expect(await line(freeText, `${to} Come by.`)).toEqual({
      template: undefined,
      values,
      sure: true,
      notes,
    });
  });
});
