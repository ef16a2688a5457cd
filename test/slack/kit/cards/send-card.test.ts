import { describe, expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Message } from '../../../../src/messages/kinds.ts';
import type { Template } from '../../../../src/messages/templates/template.ts';
import type { Failure } from '../../../../src/sends/outcome.ts';
import type { RecipientRow } from '../../../../src/sends/send.ts';
import { renderCard } from '../../../../src/slack/kit/cards/send-card.ts';
import {
  APPOINTMENT,
  APPOINTMENT_TEMPLATE,
  FLASH,
  LOGIN,
  LOGIN_TEMPLATE,
  ORDER,
  ORDER_TEMPLATE,
  report,
  SETTLED_AT,
  SMS,
} from './reports.ts';

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const whole = (text: string) => ({ ...section(text), expand: true });
const context = (text: string) => ({ type: 'context', elements: [mrkdwn(text)] });
const quote = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text }] }],
});
const fields = (...facts: [string, string][]) => ({
  type: 'section',
  fields: facts.map(([label, value]) => mrkdwn(`*${label}*\n${value}`)),
});

const actions = (...buttons: [id: string, text: string, value?: string][]) => ({
  type: 'actions',
  elements: buttons.map(([action_id, text, value = 'S-7K2M9QX4TB']) => ({
    type: 'button',
    action_id,
    text: { type: 'plain_text', text, emoji: false },
    value,
  })),
});

const FAILURE_132000: Failure = {
  code: '132000',
  status: 400,
  what: 'The number of values differs from the template’s.',
  next: 'Compare the template’s placeholders with the catalogue.',
  scope: 'send',
};
const AT_8_00 = '<!date^1767600000^{date_short_pretty} {time}|2026-01-05 08:00 UTC>';
const AT_8_00_03 = '<!date^1767600003^{date_short_pretty} {time}|2026-01-05 08:00 UTC>';

const DIRECT = { direct: false };
const print = (at: string) => context(`To +91 ••••• •5678 · By <@U0ASHA> · ${at} · Reference S-7K2M9QX4TB`);

test('an SMS on its way', () => {
  expect(renderCard(report(SMS, { state: 'attempting' }), undefined, DIRECT)).toEqual({
    text: '⏳ SMS: sending…, to +91 ••••• •5678, asked for by <@U0ASHA>. Reference S-7K2M9QX4TB.',
    blocks: [section('⏳ *SMS: sending…*'), quote('Your table is ready.'), print(AT_8_00)],
  });
});

const ACCEPTED_ORDER = report(
  ORDER,
  { state: 'accepted', status: 200, messageId: 'wamid.<1>', settledAt: SETTLED_AT },
  { template: ORDER_TEMPLATE },
);
const ORDER_FIELDS = fields(
  ['Template', 'order_update'],
  ['From', '+91 98765 43210'],
  ['Campaign', 'Spring'],
);

test('an accepted chat-app message in two lines and small print, its values just letters', () => {
  expect(renderCard(ACCEPTED_ORDER, ORDER_TEMPLATE, DIRECT)).toEqual({
    text: '✅ Spring · Chat-app message “Order update”: accepted by the service, to +91 ••••• •5678, asked for by <@U0ASHA>. Reference S-7K2M9QX4TB.',
    blocks: [
      section('✅ *Spring · Chat-app message “Order update”: accepted by the service*'),
      quote('Hello Asha & co, your order <!channel> is on its way.'),
      print(AT_8_00_03),
    ],
  });
});

test('the same in full, with what only its record says', () => {
  const card = renderCard(ACCEPTED_ORDER, ORDER_TEMPLATE, { direct: false, inFull: true });
  expect(validateMessage(card)).toEqual([]);
  expect(card.blocks.slice(1)).toEqual([
    quote('Hello Asha & co, your order <!channel> is on its way.'),
    ORDER_FIELDS,
    actions(['send_like_this', 'Send again like this'], ['send_number', 'Show the number']),
    context(
      `To +91 ••••• •5678 · By <@U0ASHA> · ${AT_8_00_03} · Reference S-7K2M9QX4TB · Message id wamid.&lt;1&gt; · HTTP 200`,
    ),
  ]);
});

test('what people and the service named is letters on it, wherever it stands', () => {
  const message = { ...ORDER, campaignName: '*Spring*' };
  const template = { ...ORDER_TEMPLATE, label: '_Order_' };
  const answers = { tally: [{ label: '~Yes~', count: 2 }], delivered: 0, read: 0, failed: 0, failures: [] };
  const card = renderCard(report(message, { state: 'accepted', messageId: '`m-1`' }), template, {
    direct: false,
    inFull: true,
    answers,
  });
  const words = JSON.stringify(card.blocks);
  for (const literal of ['`*Spring*`', '“`_Order_`”', '`~Yes~` – *2*', 'Message id `’m-1’`'])
    expect(words).toContain(literal);
});

test('a long text is one line of its card, and whole in its record', () => {
  const long = report({ ...SMS, text: `One\ntwo ${'three '.repeat(60)}` }, { state: 'accepted' });
  const line = JSON.stringify(renderCard(long, undefined, DIRECT).blocks[1]);
  expect(line).toMatch(/"One two three .*…"/);
  expect(line.length).toBeLessThan(300);
  const whole = renderCard(long, undefined, { direct: false, inFull: true });
  expect(JSON.stringify(whole.blocks)).toContain(`three ${'three '.repeat(59)}`);
});

test('a rejected RCS message in its three parts', () => {
  const rejected = report(
    APPOINTMENT,
    { state: 'rejected', failure: FAILURE_132000, settledAt: SETTLED_AT },
    { template: APPOINTMENT_TEMPLATE },
  );
  expect(renderCard(rejected, APPOINTMENT_TEMPLATE, DIRECT)).toEqual({
    text: '⛔ RCS message “Appointment”: rejected, nothing was sent, to +91 ••••• •5678, asked for by <@U0ASHA>. The number of values differs from the template’s. Compare the template’s placeholders with the catalogue. Reference S-7K2M9QX4TB.',
    blocks: [
      section('⛔ *RCS message “Appointment”: rejected, nothing was sent*'),
      whole(
        '*What happened:* The number of values differs from the template’s.\n*What to do next:* Compare the template’s placeholders with the catalogue.',
      ),
      quote('See you Monday at 10:00.'),
      actions(
        ['send_again', 'Send again…'],
        ['send_number', 'Show the number'],
        ['template_look', 'Look at the template', 'rcs/appointment 132000'],
      ),
      print(AT_8_00_03),
    ],
  });
});

test('a flash SMS that was not sent', () => {
  const failure: Failure = {
    what: 'The messaging service could not be reached.',
    next: 'Try again in a few minutes.',
    scope: 'service',
  };
  expect(renderCard(report(FLASH, { state: 'not_sent', failure }), undefined, DIRECT)).toEqual({
    text: '⚠️ Flash SMS: not sent, to +91 ••••• •5678, asked for by <@U0ASHA>. The messaging service could not be reached. Try again in a few minutes. Reference S-7K2M9QX4TB.',
    blocks: [
      section('⚠️ *Flash SMS: not sent*'),
      whole(
        '*What happened:* The messaging service could not be reached.\n*What to do next:* Try again in a few minutes.',
      ),
      quote('Fire drill at 10 ✓'),
      actions(['send_again', 'Send again…'], ['send_number', 'Show the number']),
      print(AT_8_00),
    ],
  });
});

test('a message of which nobody knows, told directly, with the field that the service named', () => {
  const failure: Failure = {
    code: '131000',
    status: 500,
    field: 'params.0',
    what: 'The service met an unknown error.',
    explanation: '*Busy* <!channel> `now` & https://x.example',
    next: 'Check with the recipient before sending again.',
    scope: 'recipient',
  };
  const unknown = report(ORDER, { state: 'unknown', failure, settledAt: SETTLED_AT });
  expect(renderCard(unknown, undefined, { direct: true })).toEqual({
    text: '❓ Spring · Chat-app message: it may have been sent, to +91 ••••• •5678, asked for by <@U0ASHA>. The service met an unknown error. The service says: `*Busy* &lt;!channel&gt; ’now’ &amp; https://x.example`. Check with the recipient before sending again. Reference S-7K2M9QX4TB.',
    blocks: [
      section('❓ *Spring · Chat-app message: it may have been sent*'),
      whole(
        '*What happened:* The service met an unknown error. The service says: `*Busy* &lt;!channel&gt; ’now’ &amp; https://x.example`.\n*What to do next:* Check with the recipient before sending again.',
      ),
      quote('{{1}} Asha & co {{2}} <!channel>'),
      {
        type: 'actions',
        elements: [
          { ...actions(['send_again', 'Send again…']).elements[0], confirm: expect.anything() },
          ...actions(['send_number', 'Show the number']).elements,
        ],
      },
      print(AT_8_00_03),
      context(
        'Herald could not post this in <#C0TEAM>, where it was asked for. To see it there, invite Herald to it.',
      ),
    ],
  });
});

test('sent again it says by whom and as what, and is not offered once more; nor where it has arrived', () => {
  const failure: Failure = { what: 'Nobody knows.', next: 'Look.', scope: 'recipient' };
  const unknown = report(SMS, { state: 'unknown', failure });
  const retry = { ...unknown.send, id: 'S-AGAIN', retryOf: unknown.send.id, createdAt: SETTLED_AT };
  const again = renderCard(unknown, undefined, { direct: false, retries: [retry] });
  expect(validateMessage(again)).toEqual([]);
  expect(again.text).toContain('Sent again by <@U0ASHA>');
  expect(again.blocks[1]).toEqual(
    whole(`*What happened:* Nobody knows.\nSent again by <@U0ASHA>, ${AT_8_00_03}: S-AGAIN.`),
  );
  expect(JSON.stringify(again.blocks)).not.toContain('send_again');

  const delivered = { tally: [], delivered: 1, read: 0, failed: 0, failures: [] };
  const arrived = renderCard(unknown, undefined, { direct: false, answers: delivered });
  expect(JSON.stringify(arrived.blocks)).not.toContain('send_again');

  const second = renderCard(report(SMS, { state: 'accepted' }, retry), undefined, DIRECT);
  expect(JSON.stringify(second.blocks)).toContain('Sends S-7K2M9QX4TB again');
});

test('a one-time password is nowhere on the card', () => {
  const withPassword = report({ ...LOGIN, otp: '482913' }, { state: 'accepted', status: 200 });
  const login = renderCard(withPassword, LOGIN_TEMPLATE, DIRECT);
  expect(login.blocks[1]).toEqual(quote('•••••• is your code.'));
  expect(JSON.stringify(login)).not.toContain('482913');

  const otp = { ...SMS, type: 'OTP', text: '482913 is your code' } as const;
  const sms = renderCard(report(otp, { state: 'accepted' }), undefined, DIRECT);
  expect(sms.blocks[1]).toEqual(context('The text is not shown: it holds a one-time password.'));
  expect(JSON.stringify(sms)).not.toContain('482913');
});

/** Every text that Slack would read control sequences in, but for dates. */
function mrkdwnTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'mrkdwn' && 'text' in value ? [String(value.text)] : [];
  return [...own, ...Object.values(value).flatMap(mrkdwnTexts)].map((text) =>
    text.replace(/<!date\^[^>]*>/g, ''),
  );
}

const { params: _params, ...PLAIN_RCS } = { ...APPOINTMENT, variant: 'plain' } as const;

describe('every card keeps Slack’s limits', () => {
  const hostile = `<!channel> <@U0RAVI> & \u202egnp.exe \ud83d *bold* \`code\` ${'😀&<'.repeat(1001)}`;
  const failure: Failure = { ...FAILURE_132000, what: hostile, next: hostile, code: hostile, field: hostile };
  const template: Template = { ...ORDER_TEMPLATE, label: hostile.slice(0, 2000), text: hostile };
  const messages: [string, Message, Template | undefined][] = [
    [
      'chat-app',
      { ...ORDER, params: [hostile, hostile], campaignName: hostile, templateName: hostile },
      template,
    ],
    ['chat-app without its template', { ...ORDER, params: [hostile, hostile] }, undefined],
    [
      'chat-app document',
      {
        ...ORDER,
        variant: 'document',
        params: [],
        header: { type: 'document', link: 'https://example.com/x', filename: hostile },
      },
      ORDER_TEMPLATE,
    ],
    ['one-time password', LOGIN, LOGIN_TEMPLATE],
    ['RCS without values', PLAIN_RCS, undefined],
    ['SMS', { ...SMS, text: hostile, sender: hostile }, undefined],
    ['flash SMS', { ...FLASH, text: '' }, undefined],
  ];
  const states: Partial<RecipientRow>[] = [
    { state: 'pending' },
    { state: 'attempting' },
    { state: 'accepted', status: 200, messageId: hostile.slice(0, 256) },
    { state: 'rejected', failure },
    { state: 'not_sent', failure },
    { state: 'unknown', failure },
    { state: 'skipped' },
  ];
  test.each(messages)('%s', (_name, message, of) => {
    for (const state of states) {
      for (const view of [{ direct: false }, { direct: true }, { direct: false, inFull: true }]) {
        const recipient = { ...state, state: state.state ?? 'pending' };
        const card = renderCard(report(message, recipient), of, view);
        expect(validateMessage({ channel: 'C0TEAM', ...card })).toEqual([]);
        for (const text of [card.text, ...mrkdwnTexts(card.blocks)])
          expect(text).not.toMatch(/<!|<@(?!U0ASHA>)/);
        expect(JSON.stringify(card)).not.toContain('812345678');
      }
    }
  });
});

test('words that are not certainly those that were asked for are said to be those of today', () => {
  const accepted = report(ORDER, { state: 'accepted', status: 200 });
  const card = renderCard(accepted, ORDER_TEMPLATE, DIRECT);
  expect(validateMessage(card)).toEqual([]);
  expect(JSON.stringify(card.blocks)).toContain('this is the catalogue’s text of today');
});

test('what a message leads to stands in its record, and what does not fit is counted', () => {
  const long = `https://acme.test/${'x'.repeat(1_000)}`;
  const fileUrls = Array.from({ length: 10 }, (_none, card) => `${long}${card}`);
  const { params: _params, ...appointment } = APPOINTMENT;
  const carousel = { ...appointment, variant: 'carousel-images', fileUrls } as const;
  const card = renderCard(report(carousel, { state: 'accepted', status: 200 }), undefined, {
    direct: false,
    inFull: true,
  });
  expect(validateMessage(card)).toEqual([]);
  const words = JSON.stringify(card.blocks);
  expect(fileUrls.filter((url) => words.includes(url))).toHaveLength(4);
  expect(words).toContain('6 parts of it are too long to be shown here.');
});
