import { describe, expect, it } from 'vitest';
import { answerSecrets, NO_SECRETS } from '../../../src/gateway/secrets.ts';
import { decodeWebhook } from '../../../src/gateway/webhooks/decode.ts';

import { failureOf } from '../../../src/gateway/webhooks/delivery-report.ts';
import type { ChatappMessage } from '../../../src/messages/kinds/chatapp.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { SMS } from '../gateways.ts';

const TEMPLATE: ChatappMessage = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210' as Msisdn,
  templateName: 'order_update',
  params: [],
};
const FROM = '+919812345678';
const decode = (body: unknown, contentType?: string) =>
  decodeWebhook({
    bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ...(contentType !== undefined && { contentType }),
  });

it.each([
  ['a national number', { from: '09820011224', text: 'STOP' }, '+919820011224'],
  [
    'a national number of the only contact',
    { contacts: [{ wa_id: '9820011224' }], reply: { id: 'x' } },
    '+919820011224',
  ],
  ['a spelling of the chat platform', { from: '5215512345678', text: 'STOP' }, '+525512345678'],
  ['one within an object', { from: { number: '551187654321' }, text: 'STOP' }, '+5511987654321'],
])('the sender is read from %s', (_, body, from) => {
  const bytes = Buffer.from(JSON.stringify(body));
  expect(decodeWebhook({ bytes }, NO_SECRETS, new Set(), 'IN')).toMatchObject([{ from }]);
});

const ID = 'yes~S-7K2M9QX4TB';
const TAP = { kind: 'reply', replyId: ID, title: 'Yes', from: FROM, eventId: 'in-1', contextId: 'msg-1' };

describe('a tap', () => {
  const message = {
    from: '919812345678',
    id: 'in-1',
    context: { id: 'msg-1' },
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id: ID, title: 'Yes' } },
  };

  it.each([
    ['at the top', message],
    [
      'in messages',
      { contacts: [{ wa_id: '919812345678', profile: { name: 'Asha' } }], messages: [message] },
    ],
    [
      'deep in entries, whose ids are not its own',
      { object: 'account', entry: [{ id: 'account-1', changes: [{ value: { messages: [message] } }] }] },
    ],
    [
      'as the document names it',
      { sender: FROM, messageId: 'in-1', contextId: 'msg-1', reply: { id: ID, title: 'Yes' } },
    ],
    [
      'as a quick reply of a template',
      { from: FROM, id: 'in-1', context: { message_id: 'msg-1' }, button: { payload: ID, text: 'Yes' } },
    ],
    [
      'flat, under the name that the document has for it',
      { from: FROM, id: 'in-1', contextId: 'msg-1', 'reply.id': ID, 'reply.title': 'Yes' },
    ],
    [
      'flat',
      {
        mobile: 919812345678,
        id: 'in-1',
        context_id: 'msg-1',
        reply_id: ID,
        button_title: 'Yes',
        text: 'Yes',
      },
    ],
  ])('is found %s', (_, body) => {
    expect(decode(body)).toEqual([TAP]);
  });

  it('is found in a form, with brackets, with dots, and with JSON in a field', () => {
    const id = encodeURIComponent(ID);
    const type = 'application/x-www-form-urlencoded';
    const rest = 'from=%2B919812345678&id=in-1&context[id]=msg-1';
    expect(decode(`${rest}&reply[id]=${id}&reply[title]=Yes`, type)).toEqual([TAP]);
    expect(decode(`${rest}&reply.id=${id}&reply.title=Yes`)).toEqual([TAP]);
    expect(decode(`payload=${encodeURIComponent(JSON.stringify(message))}`, type)).toEqual([TAP]);
  });

  it('on a row of a list has its description', () => {
    const list_reply = { id: 'row-2', title: 'Tomorrow', description: 'From nine' };
    expect(decode({ from: FROM, interactive: { type: 'list_reply', list_reply } })).toEqual([
      { kind: 'reply', replyId: 'row-2', title: 'Tomorrow', description: 'From nine', from: FROM },
    ]);
  });

  it('is not made of the buttons that a message offers', () => {
    const offered = {
      type: 'button',
      action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] },
    };
    expect(decode({ echo: offered })).toEqual([
      { kind: 'unknown', text: JSON.stringify({ echo: offered }), readable: true },
    ]);
  });

  it('keeps the digits of a long id', () => {
    expect(decode('{"from":"+919812345678","id":12345678901234567890,"reply":{"id":"a"}}')).toEqual([
      { kind: 'reply', replyId: 'a', from: FROM, eventId: '12345678901234567890' },
    ]);
  });
});

describe('other answers', () => {
  it('an address form, its values as text or object', () => {
    const values = { name: 'Asha', in_pin_code: '560001', saved: { not: 'shown' } };
    const expected = [
      {
        kind: 'address',
        from: FROM,
        eventId: 'in-2',
        values: [
          { name: 'name', value: 'Asha' },
          { name: 'in_pin_code', value: '560001' },
        ],
      },
    ];
    const with_ = (nfm_reply: object) => ({
      messages: [{ from: FROM, id: 'in-2', interactive: { type: 'nfm_reply', nfm_reply } }],
    });
    expect(decode(with_({ response_json: JSON.stringify({ values }) }))).toEqual(expected);
    expect(decode(with_({ response_json: { values } }))).toEqual(expected);
    expect(decode(with_({ response_json: JSON.stringify(values) }))).toEqual(expected);
  });

  it.each([
    ['chat-app', { from: FROM, id: 'in-3', type: 'text', text: { body: 'Hello' } }],
    ['flat JSON', { from: FROM, id: 'in-3', message: 'Hello' }],
    ['nested', { sender: { phone: FROM }, id: 'in-3', message: { type: 'text', text: 'Hello' } }],
    ['a form', `msisdn=919812345678&id=in-3&text=Hello`],
  ])('a text, %s', (_, body) => {
    expect(decode(body)).toEqual([{ kind: 'text', text: 'Hello', from: FROM, eventId: 'in-3' }]);
  });

  it('what has a sender and no name here, as it came', () => {
    const odd = { from: FROM, id: 'in-4', type: 'odd', odd: { id: 'thing-1' } };
    expect(decode({ messages: [odd] })).toEqual([
      { kind: 'unknown', text: JSON.stringify(odd), readable: true, from: FROM, eventId: 'in-4' },
    ]);
  });

  it('what was sent besides words in words, with the caption, and as it came', () => {
    const image = { from: FROM, id: 'in-4', type: 'image', image: { id: 'media-1', caption: 'Red?' } };
    expect(decode({ messages: [image] })).toMatchObject([
      { kind: 'unknown', text: JSON.stringify(image), sent: 'a picture', caption: 'Red?', from: FROM },
    ]);
  });

  it('several in one body, each with its own sender', () => {
    const other = '+6591234567';
    const body = {
      messages: [
        { from: FROM, id: 'a', reply: { id: 'yes' } },
        { from: other, id: 'b', text: { body: 'Hi' } },
      ],
      statuses: [{ id: 'msg-9', status: 'read', recipient_id: '6591234567' }],
    };
    expect(decode(body)).toEqual([
      { kind: 'reply', replyId: 'yes', from: FROM, eventId: 'a' },
      { kind: 'text', text: 'Hi', from: other, eventId: 'b' },
      { kind: 'report', messageId: 'msg-9', status: 'read', number: other },
    ]);
  });
});

describe('a delivery report', () => {
  const failed = {
    what: 'The service reports that the message was not delivered, with code 131009: parameter value is invalid.',
    next: 'Check the recipient’s number and the values, correct what is wrong, then send it again.',
  };

  it.each([
    [{ id: 'msg-1', status: 'delivered', recipient_id: '919812345678' }, 'delivered', {}],
    [{ messageId: 'msg-1', to: FROM, status: { groupName: 'DELIVERED' } }, 'delivered', {}],
    [{ message: { id: 'msg-1', to: FROM }, eventType: 'READ' }, 'read', {}],
    [{ message_id: 'msg-1', mobile: FROM, dlr_status: 'DELIVRD' }, 'delivered', {}],
    [{ messageId: 'msg-1', to: FROM, state: 'Enroute' }, 'sent', {}],
    [
      { id: 'msg-1', recipient_id: FROM, status: 'failed', errors: [{ code: 131009 }] },
      'failed',
      { failure: { code: '131009', ...failed, scope: 'recipient' } },
    ],
    [
      { id: 'msg-1', recipient_id: FROM, status: 'UNDELIV', error: { code: '470' } },
      'failed',
      {
        failure: {
          code: '470',
          what: 'The service reports that the message was not delivered, with code 470, not in Herald’s list.',
          next: failed.next,
          scope: 'recipient',
        },
      },
    ],
    // Shape of a failed status: https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/errors
    [
      {
        id: 'msg-1',
        recipient_id: FROM,
        status: 'failed',
        errors: [
          {
            code: 131026,
            title: 'Message undeliverable',
            message: 'Message undeliverable',
            error_data: { details: 'Not for 919812345678: an old version of the app.' },
            href: '/documentation/error-codes',
          },
        ],
      },
      'failed',
      {
        failure: {
          code: '131026',
          what: 'The service reports that the message was not delivered, with code 131026, not in Herald’s list.',
          explanation: 'Message undeliverable – Not for •••: an old version of the app',
          next: failed.next,
          scope: 'recipient',
        },
      },
    ],
    [
      { id: 'msg-1', to: FROM, status: 'UNDELIV', message: 'Dear Asha, pay 20', reason: 'Absent subscriber' },
      'failed',
      {
        failure: {
          what: 'The service reports that the message was not delivered.',
          explanation: 'Absent subscriber',
          next: failed.next,
          scope: 'recipient',
        },
      },
    ],
  ])('%j is %s', (body, status, more) => {
    const expected = { kind: 'report', messageId: 'msg-1', status, number: FROM, ...more };
    expect(decode(body)).toEqual([expected]);
    expect(decode({ results: [body] })).toEqual([expected]);
  });

  it('shows no key that it echoes, in whatever it says', () => {
    const body = {
      id: 'msg-1',
      status: 'failed',
      errors: [{ code: 'key-of-the-team-77', title: 'For key-of-the-team-77' }],
    };
    const bytes = (value: unknown) => ({ bytes: Buffer.from(JSON.stringify(value)) });
    const secrets = answerSecrets('key-of-the-team-77');
    for (const value of [body, { odd: 'key-of-the-team-77' }, { from: FROM, text: 'key-of-the-team-77' }])
      expect(JSON.stringify(decodeWebhook(bytes(value), secrets))).not.toContain('key-of');
  });

  it('gives the advice for what was sent', () => {
    const failure = (code: number) => {
      const [event] = decode({ id: 'msg-1', status: 'failed', errors: [{ code }] });
      return event?.kind === 'report' && event.failure ? event.failure : expect.fail('no failure');
    };
    expect(failureOf(failure(131051), TEMPLATE).next).toContain('variant');
    expect(failureOf(failure(131051), SMS).next).not.toMatch(/variant|template/);
    expect(failureOf(failure(131026), SMS)).toEqual(failure(131026));
  });

  it('tells nothing that may be the password, which nobody knows any more', () => {
    const otp = { ...TEMPLATE, variant: 'otp' } as const;
    const told = (error: object) => {
      const [event] = decode({ id: 'msg-1', status: 'failed', errors: [error] });
      return event?.kind === 'report' && event.failure && failureOf(event.failure, otp);
    };
    expect(JSON.stringify(told({ code: 482913, title: 'XKQZ refused' }))).not.toMatch(/482913|XKQZ/);
    expect(JSON.stringify(told({ code: 'XKQZ', title: '482913 refused' }))).not.toMatch(/482913|XKQZ/);
    expect(told({ code: 132015, title: 'XKQZ refused' })).toMatchObject({ code: '132015' });
  });

  it('needs the id of a message', () => {
    expect(decode({ status: 'delivered' })).toEqual([
      { kind: 'unknown', text: '{"status":"delivered"}', readable: true },
    ]);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['', ''],
    ['"quoted"', '"quoted"'],
    ['<xml/>', '<xml/>'],
    ['{"cut": ', '{"cut":'],
  ])('%j is kept as it came', (body, text) => {
    expect(decode(body)).toEqual([{ kind: 'unknown', text, readable: false }]);
  });

  it('neither depth nor inherited names nor invalid UTF-8 matter', () => {
    const deep = 100_000;
    expect(decode('['.repeat(deep) + ']'.repeat(deep))[0]?.kind).toBe('unknown');
    expect(decode(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)[0]?.kind).toBe('unknown');
    expect(decode('{"__proto__":{"from":"+919812345678","text":"x"},"constructor":1}')).toMatchObject([
      { kind: 'text', text: 'x' },
    ]);
    expect(decode('__proto__[from]=1&constructor.prototype.x=2')[0]?.kind).toBe('unknown');
    expect(({} as { x?: unknown }).x).toBeUndefined();
    const invalid = decodeWebhook({ bytes: Uint8Array.of(0xff, 0xfe, 0x7b) });
    expect(invalid).toEqual([{ kind: 'unknown', text: '\ufffd\ufffd{', readable: false }]);
  });
});
