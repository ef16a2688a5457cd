import { describe, expect, test } from 'vitest';
import { validateMessage } from '../../../sandbox/slack/block-kit/index.ts';
import { ADDRESS_FIELDS } from '../../../src/messages/address/message.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { MOST_ANSWERS } from '../../../src/sends/posts.ts';
import type { CustomerEvent } from '../../../src/sends/replies/event.ts';
import type { StoredCustomerEvent } from '../../../src/sends/replies/ports.ts';
import { olderBlocks } from '../../../src/slack/connection/new-blocks.ts';
import { answerBlocks } from '../../../src/slack/kit/cards/answers.ts';
import { addressesCard, answerControls, answersCard, LINES_SHOWN } from '../../../src/slack/replies/card.ts';
import { outlineOfCard } from '../outline.ts';

const FROM = '+919812345678' as Msisdn;
const OTHER = '+6591234567' as Msisdn;
const MASKED = '+91 ••••• •5678';

function stored(event: CustomerEvent, more: Partial<StoredCustomerEvent> = {}): StoredCustomerEvent {
  return { id: 1, key: 'k', event, optedOut: false, receivedAt: 1, first: false, ...more };
}

const address = (from: Msisdn, values: Record<string, string>) => ({
  ...({ kind: 'address', from } as const),
  values: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const wrote = (text: string, more: Partial<StoredCustomerEvent> = {}, from = FROM) =>
  stored({ kind: 'text', text, from }, more);
const tap = (title: string) => stored({ kind: 'reply', replyId: 'x', title, from: FROM }, { label: title });

test('a tap without a title is told by its id, without Herald’s reference', () => {
  const event = { kind: 'reply', replyId: 'later~S-7K2M9QX4TB', from: FROM } as const;
  expect(answersCard([stored(event)]).text).toBe(`💬 later · ${MASKED}`);
});

const IMAGE = { kind: 'unknown', text: '{"type":"image"}', readable: true, from: FROM } as const;

const UNREADABLE = { kind: 'unknown', text: '', readable: false } as const;
const STRANGE = '<!channel> *b* & call +91 98123 45678 or 98765 43210';
/** Addresses are one table, a column a customer, without whole numbers or empty cells. */
const addresses = [
  address(FROM, { name: 'Asha <b>', in_pin_code: '560001', phone_number: '+919812345678' }),
  address(OTHER, { name: 'Mei' }),
];

test.each([
  ['tap', answersCard([tap('Reschedule')], 'U0ASHA')],
  // What a customer wrote formats nothing, notifies nobody and shows no whole number.
  ['wrote', answersCard([wrote(STRANGE, { optedOut: true })])],
  ['picture', answersCard([stored({ ...IMAGE, sent: 'a picture', caption: 'Red?' })])],
  ['no-name', answersCard([stored(IMAGE)])],
  ['unreadable', answersCard([stored(UNREADABLE)])],
  ['addresses', addressesCard(addresses, ADDRESS_FIELDS, 'U0ASHA')],
])('what a customer answers, whole: %s', async (name, card) => {
  await expect(outlineOfCard(card)).toMatchFileSnapshot(`golden/${name}.txt`);
});

test('addresses of the longest fields, and of very many, stay within Slack’s limits with or without a table', () => {
  const long = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, 'x'.repeat(5_000)]));
  const named = Object.keys(ADDRESS_FIELDS);
  for (const names of [named, Array.from({ length: 120 }, (_, n) => `field ${n}`)]) {
    const many = Array.from({ length: MOST_ANSWERS.address }, () => address(FROM, long(names)));
    expect(validateMessage(addressesCard(many, ADDRESS_FIELDS))).toEqual([]);
  }
  const [, older] = olderBlocks(addressesCard(addresses, ADDRESS_FIELDS).blocks);
  expect(JSON.stringify(older)).toContain('Asha <b>');
});

test('of very many, what people wrote is shown and taps are summed up; the message stays within Slack’s limits', () => {
  const texts = Array.from({ length: 20 }, (_, n) => wrote(`${n} ${'&<> 🙏 '.repeat(900)}`));
  const taps = Array.from({ length: 180 }, (_, n) => tap(n % 3 === 0 ? 'No' : 'Yes'));
  const card = answersCard([...taps, ...texts]);
  const whole = JSON.stringify(card.blocks);
  expect(whole.match(/wrote:/g)).toHaveLength(20);
  expect(whole.match(/💬/g)).toHaveLength(LINES_SHOWN - 20);
  expect(whole).toContain('… and 170 more: Yes – 114 · No – 56');
  expect(validateMessage(card)).toEqual([]);
});

test('the send’s own message says what people tapped, and nothing where nobody did', () => {
  expect(answerBlocks(undefined)).toEqual([]);
  expect(answerBlocks({ tally: [] })).toEqual([]);
  const tally = [
    { label: 'Yes\nplease', count: 1_200 },
    { label: '<No>', count: 3 },
  ];
  expect(answerBlocks({ tally }).map(({ text }) => text?.text)).toEqual([
    '💬 Yes please – *1,200* · &lt;No&gt; – *3*',
  ]);
});

describe('the buttons', () => {
  const asked = (id: number, from: Msisdn, text: string) => wrote(text, { id, askedAt: id }, from);
  test('one customer is answered by a button that carries no number; a tap waits for no answer', () => {
    const [answer, none] = [{ action_id: 'answer_customer' }, { action_id: 'answer_none', value: '4' }];
    expect(answerControls([asked(3, FROM, 'Hello?'), asked(4, FROM, 'Hello!')])).toMatchObject([
      { elements: [{ ...answer, value: '4' }, none] },
    ]);
    expect(answerControls([tap('Yes')])).toMatchObject([{ elements: [{ ...answer, value: '1' }] }]);
  });

  test('of several one is chosen, those who wrote first, by what they said and a masked number', () => {
    const events = [
      { ...tap('Yes'), id: 1 },
      asked(2, OTHER, 'Call 98765 43210 please'),
      asked(3, '+6591234568' as Msisdn, 'x'.repeat(200)),
    ];
    const controls = answerControls(events);
    expect(controls).toMatchObject([
      {
        elements: [
          {
            type: 'static_select',
            options: [
              { text: { text: '+65 •••• 4567: Call [number …3210] please' }, value: '2' },
              { value: '3' },
              { text: { text: `${MASKED}: Yes` }, value: '1' },
            ],
          },
          { action_id: 'answer_none', value: '2.3' },
        ],
      },
    ]);
    const many = Array.from({ length: 150 }, (_, id) => asked(id, `+65912345${id}` as Msisdn, 'Hi'));
    for (const some of [events, many])
      expect(validateMessage({ text: 'Hi', blocks: answerControls(some) })).toEqual([]);
  });

  test('who has opted out, or is not known, cannot be answered', () => {
    expect(answerControls([wrote('STOP', { optedOut: true })])).toEqual([]);
    expect(answerControls([stored({ kind: 'unknown', text: '{}', readable: true })])).toEqual([]);
  });
});

test('a stop word of whom nobody knows says so, with what to do, also thirty times', () => {
  const sentence =
    'Somebody asked for no more messages, and Herald could not read who. Ask the messaging service, and type /optout add and the number.';
  const event = { kind: 'unknown', text: '{"text":"STOP"}', readable: true } as const;
  const card = answersCard([stored(event, { optedOut: true })]);
  expect(card.text).toContain(sentence);
  expect(JSON.stringify(card.blocks)).toContain(sentence);
  const long = { ...event, text: 'x'.repeat(2_000) };
  const many = Array.from({ length: LINES_SHOWN }, (_none, id) => stored(long, { id, optedOut: true }));
  expect(validateMessage(answersCard(many))).toEqual([]);
});
