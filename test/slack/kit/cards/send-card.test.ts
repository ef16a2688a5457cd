import { describe, expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Message } from '../../../../src/messages/kinds.ts';
import type { Template } from '../../../../src/messages/templates/template.ts';
import type { Failure } from '../../../../src/sends/outcome.ts';
import type { RecipientRow } from '../../../../src/sends/send.ts';
import { type CardView, renderCard } from '../../../../src/slack/kit/cards/send-card.ts';
import { outlineOfCard } from '../../outline.ts';
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

const FAILURE_132000: Failure = {
  code: '132000',
  status: 400,
  what: 'The number of values differs from the template’s.',
  next: 'Compare the template’s placeholders with the catalogue.',
  scope: 'send',
};
const UNREACHED: Failure = {
  what: 'The messaging service could not be reached.',
  next: 'Try again in a few minutes.',
  scope: 'service',
};
const UNKNOWN: Failure = {
  code: '131000',
  status: 500,
  field: 'params.0',
  what: 'The service met an unknown error.',
  explanation: '*Busy* <!channel> `now` & https://x.example',
  next: 'Check with the recipient before sending again.',
  scope: 'recipient',
};

const DIRECT = { direct: false };
const IN_FULL = { direct: false, inFull: true };
const settledAt = SETTLED_AT;
const ACCEPTED = { state: 'accepted', status: 200, messageId: 'wamid.<1>', settledAt } as const;
const acceptedOrder = report(ORDER, ACCEPTED, { template: ORDER_TEMPLATE });
const rejected = { state: 'rejected', failure: FAILURE_132000, settledAt } as const;

test.each<[string, ReturnType<typeof report>, Template | undefined, CardView]>([
  ['on-its-way', report(SMS, { state: 'attempting' }), undefined, DIRECT],
  ['accepted', acceptedOrder, ORDER_TEMPLATE, DIRECT],
  ['accepted-in-full', acceptedOrder, ORDER_TEMPLATE, IN_FULL],
  [
    'rejected',
    report(APPOINTMENT, rejected, { template: APPOINTMENT_TEMPLATE }),
    APPOINTMENT_TEMPLATE,
    DIRECT,
  ],
  ['not-sent', report(FLASH, { state: 'not_sent', failure: UNREACHED }), undefined, DIRECT],
  // Told directly, with the field that the service named.
  ['unknown', report(ORDER, { state: 'unknown', failure: UNKNOWN, settledAt }), undefined, { direct: true }],
])('the card of a message to one person, whole: %s', async (name, of, template, view) => {
  await expect(outlineOfCard(renderCard(of, template, view))).toMatchFileSnapshot(`golden/${name}.txt`);
});

test('what people and the service named is letters on it, wherever it stands', () => {
  const message = { ...ORDER, campaignName: '*Spring*' };
  const template = { ...ORDER_TEMPLATE, label: '_Order_' };
  const answers = { tally: [{ label: '~Yes~', count: 2 }], delivered: 0, read: 0, failed: 0, failures: [] };
  const card = renderCard(report(message, { state: 'accepted', messageId: '`m-1`' }), template, {
    ...IN_FULL,
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
  const whole = renderCard(long, undefined, IN_FULL);
  expect(JSON.stringify(whole.blocks)).toContain(`three ${'three '.repeat(59)}`);
});

test('sent again it says by whom and as what, and is not offered once more; nor where it has arrived', () => {
  const failure: Failure = { what: 'Nobody knows.', next: 'Look.', scope: 'recipient' };
  const unknown = report(SMS, { state: 'unknown', failure });
  const retry = { ...unknown.send, id: 'S-AGAIN', retryOf: unknown.send.id, createdAt: SETTLED_AT };
  const again = renderCard(unknown, undefined, { direct: false, retries: [retry] });
  expect(validateMessage(again)).toEqual([]);
  expect(again.text).toContain('Sent again by <@U0ASHA>');
  expect(JSON.stringify(again.blocks[1])).toContain(
    'Nobody knows.\\nSent again by <@U0ASHA>, <!date^1767600003^{date_short_pretty} {time}|2026-01-05 08:00 UTC>: S-AGAIN.',
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
  expect(JSON.stringify(login.blocks[1])).toContain('"•••••• is your code."');
  expect(JSON.stringify(login)).not.toContain('482913');

  const otp = { ...SMS, type: 'OTP', text: '482913 is your code' } as const;
  const sms = renderCard(report(otp, { state: 'accepted' }), undefined, DIRECT);
  expect(JSON.stringify(sms.blocks[1])).toContain('The text is not shown: it holds a one-time password.');
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
  const named = { ...ORDER, params: [hostile, hostile] };
  const header = { type: 'document', link: 'https://example.com/x', filename: hostile } as const;
  const messages: [string, Message, Template | undefined][] = [
    ['chat-app', { ...named, campaignName: hostile, templateName: hostile }, template],
    ['chat-app without its template', named, undefined],
    ['chat-app document', { ...ORDER, variant: 'document', params: [], header }, ORDER_TEMPLATE],
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
      for (const view of [DIRECT, { direct: true }, IN_FULL]) {
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
  const card = renderCard(report(carousel, { state: 'accepted', status: 200 }), undefined, IN_FULL);
  expect(validateMessage(card)).toEqual([]);
  const words = JSON.stringify(card.blocks);
  expect(fileUrls.filter((url) => words.includes(url))).toHaveLength(4);
  expect(words).toContain('6 parts of it are too long to be shown here.');
});
