import { describe, expect, test } from 'vitest';
import { validateMessage } from '../../../sandbox/slack/block-kit/index.ts';
import { ADDRESS_FIELDS } from '../../../src/messages/address/message.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { CustomerEvent } from '../../../src/sends/replies/event.ts';
import type { StoredCustomerEvent } from '../../../src/sends/replies/ports.ts';
import { answerBlocks } from '../../../src/slack/kit/cards/answers.ts';
import { addressesCard, answerControls, answersCard, LINES_SHOWN } from '../../../src/slack/replies/card.ts';

const FROM = '+919812345678' as Msisdn;
const MASKED = '+91 ••••• •5678';

function stored(event: CustomerEvent, more: Partial<StoredCustomerEvent> = {}): StoredCustomerEvent {
  return { id: 1, key: 'k', event, optedOut: false, receivedAt: 1, first: false, ...more };
}

const words = (text: string, style?: object) => ({ type: 'text', text, ...(style && { style }) });
const line = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const wrote = (text: string, more: Partial<StoredCustomerEvent> = {}, from = FROM) =>
  stored({ kind: 'text', text, from }, more);
const tap = (title: string) => stored({ kind: 'reply', replyId: 'x', title, from: FROM }, { label: title });

test('a tap: title, masked number, and who asked, once', () => {
  const card = answersCard([tap('Reschedule')], { tag: 'U0ASHA' });
  const chosen = [words('💬 '), words('Reschedule', { bold: true }), words(` · ${MASKED}`)];
  const elements = [line({ type: 'user', user_id: 'U0ASHA' }, words(' '), ...chosen)];
  expect(card).toEqual({
    text: `<@U0ASHA> 💬 Reschedule · ${MASKED}`,
    blocks: [{ type: 'rich_text', elements }],
  });
  expect(validateMessage(card)).toEqual([]);
});

test('a tap without a title is told by its id, without Herald’s reference', () => {
  const event = { kind: 'reply', replyId: 'later~S-7K2M9QX4TB', from: FROM } as const;
  expect(answersCard([stored(event)], {}).text).toBe(`💬 later · ${MASKED}`);
});

test('what a customer wrote formats nothing, notifies nobody and shows no whole number', () => {
  const text = '<!channel> *b* & call +91 98123 45678 or 98765 43210';
  const card = answersCard([wrote(text, { optedOut: true })], {});
  const stop = ` · ${MASKED} asked for no more messages. They are on the opt-out list.`;
  const quoted = [words('<!channel> *b* & call [number …5678] or [number …3210]')];
  const elements = [
    line(words(`✍️ ${MASKED} wrote:`), words(stop, { italic: true })),
    { type: 'rich_text_quote', elements: quoted },
  ];
  expect(card.blocks).toEqual([{ type: 'rich_text', elements }]);
  expect(card.text).toBe(
    `✍️ ${MASKED} wrote:${stop}\n&lt;!channel&gt; *b* &amp; call [number …5678] or [number …3210]`,
  );
  expect(validateMessage(card)).toEqual([]);
});

const IMAGE = { kind: 'unknown', text: '{"type":"image"}', readable: true, from: FROM } as const;

test.each([
  [
    { ...IMAGE, sent: 'a picture', caption: 'Red?' },
    `${MASKED} sent a picture, with the words “Red?”. As it came:`,
    '{"type":"image"}',
  ],
  [
    IMAGE,
    `The messaging service sent something about ${MASKED} that Herald has no name for. It is kept; it says:`,
    '{"type":"image"}',
  ],
  [
    { kind: 'unknown', text: '', readable: false } as const,
    'The messaging service sent something that Herald cannot read. It is kept; it begins:',
    '(nothing)',
  ],
])('what is unknown is shown as it came', (event, sentence, shown) => {
  const card = answersCard([stored(event)], { note: 'Herald found no send that this answers.' });
  expect(card.blocks).toMatchObject([
    {
      elements: [
        { type: 'rich_text_section', elements: [{ text: sentence }] },
        { type: 'rich_text_preformatted', elements: [{ text: shown }] },
      ],
    },
    { type: 'context', elements: [{ text: 'Herald found no send that this answers.' }] },
  ]);
  expect(validateMessage(card)).toEqual([]);
});

test('of very many, what people wrote is shown and taps are summed up; the message stays within Slack’s limits', () => {
  const texts = Array.from({ length: 20 }, (_, n) => wrote(`${n} ${'&<> 🙏 '.repeat(900)}`));
  const taps = Array.from({ length: 180 }, (_, n) => tap(n % 3 === 0 ? 'No' : 'Yes'));
  const card = answersCard([...taps, ...texts], {});
  const whole = JSON.stringify(card.blocks);
  expect(whole.match(/wrote:/g)).toHaveLength(20);
  expect(whole.match(/💬/g)).toHaveLength(LINES_SHOWN - 20);
  expect(whole).toContain('… and 170 more: Yes – 114 · No – 56');
  expect(validateMessage(card)).toEqual([]);
});

test('addresses are one table, a column a customer, without whole numbers or empty cells', () => {
  const other = '+6591234567' as Msisdn;
  const address = (from: Msisdn, values: Record<string, string>) => ({
    ...({ kind: 'address', from } as const),
    values: Object.entries(values).map(([name, value]) => ({ name, value })),
  });
  const ashas = { name: 'Asha <b>', in_pin_code: '560001', phone_number: '+919812345678' };
  const addresses = [address(FROM, ashas), address(other, { name: 'Mei' })];
  const card = addressesCard(addresses, ADDRESS_FIELDS, { tag: 'U0ASHA' });
  const cells = (...texts: string[]) => texts.map((text) => ({ type: 'raw_text', text }));
  const text = `<@U0ASHA> 🏠 Address from ${MASKED}, +65 •••• 4567`;
  expect(card).toEqual({
    text: `${text}\nName: Asha &lt;b&gt; | Mei\nPin Code: 560001 | \nPhone Number: [number …5678] | `,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
      {
        type: 'table',
        rows: [
          cells('Field', MASKED, '+65 •••• 4567'),
          cells('Name', 'Asha <b>', 'Mei'),
          cells('Pin Code', '560001', '–'),
          cells('Phone Number', '[number …5678]', '–'),
        ],
      },
    ],
  });
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
  const OTHER = '+6591234567' as Msisdn;
  const asked = (id: number, from: Msisdn, text: string) => wrote(text, { id, askedAt: id }, from);
  const value = (actionId: string, text: string, id: string) => ({
    type: 'button',
    action_id: actionId,
    text: { type: 'plain_text', text, emoji: false },
    value: id,
  });

  test('one customer is answered by a button that carries no number; a tap waits for no answer', () => {
    const elements = [value('answer_customer', 'Answer', '4'), value('answer_none', 'No answer needed', '4')];
    const controls = answerControls([asked(3, FROM, 'Hello?'), asked(4, FROM, 'Hello!')]);
    expect(controls).toEqual([{ type: 'actions', elements }]);
    expect(answerControls([tap('Yes')])).toEqual([
      { type: 'actions', elements: [value('answer_customer', 'Answer', '1')] },
    ]);
    expect(validateMessage(answersCard([asked(4, FROM, 'Hello!')], { controls }))).toEqual([]);
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
    expect(validateMessage(answersCard(events, { controls }))).toEqual([]);
    const many = Array.from({ length: 150 }, (_, id) => asked(id, `+65912345${id}` as Msisdn, 'Hi'));
    expect(validateMessage(answersCard(many, { controls: answerControls(many) }))).toEqual([]);
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
  const card = answersCard([stored(event, { optedOut: true })], {});
  expect(card.text).toContain(sentence);
  expect(JSON.stringify(card.blocks)).toContain(sentence);
  const long = { ...event, text: 'x'.repeat(2_000) };
  const many = Array.from({ length: LINES_SHOWN }, (_none, id) => stored(long, { id, optedOut: true }));
  expect(validateMessage(answersCard(many, {}))).toEqual([]);
});
