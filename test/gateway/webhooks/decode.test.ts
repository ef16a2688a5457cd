import { describe, expect, it } from 'vitest';
import { answerSecrets, NO_SECRETS } from '../../../src/gateway/secrets.ts';
import { decodeWebhook } from '../../../src/gateway/webhooks/decode.ts';
import { failureOf } from '../../../src/gateway/webhooks/delivery-report.ts';
import type { ChatappMessage } from '../../../src/messages/kinds/chatapp.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { table } from '../../table.ts';
import { SMS } from '../gateways.ts';

const TEMPLATE: ChatappMessage = {
  ...{ kind: 'chatapp', variant: 'text', from: '+919876543210' as Msisdn },
  ...{ templateName: 'order_update', params: [] },
};
const FROM = '+919812345678';
const decode = (body: unknown, contentType?: string) =>
  decodeWebhook({
    bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ...(contentType !== undefined && { contentType }),
  });

it.each(table`
a national number | {"from":"09820011224","text":"STOP"} | +919820011224
a national number of the only contact | {"contacts":[{"wa_id":"9820011224"}],"reply":{"id":"x"}} | +919820011224
a spelling of the chat platform | {"from":"5215512345678","text":"STOP"} | +525512345678
one within an object | {"from":{"number":"551187654321"},"text":"STOP"} | +5511987654321`)(
  'the sender is read from %s',
  (_, body = '', from) => {
    expect(decodeWebhook({ bytes: Buffer.from(body) }, NO_SECRETS, new Set(), 'IN')).toMatchObject([
      { from },
    ]);
  },
);

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

  const inner = JSON.stringify(message);
  it.each(table`
at the top | ${inner}
in messages | {"contacts":[{"wa_id":"919812345678","profile":{"name":"Asha"}}],"messages":[${inner}]}
deep in entries, whose ids are not its own | {"object":"account","entry":[{"id":"account-1","changes":[{"value":{"messages":[${inner}]}}]}]}
as the document names it | {"sender":"${FROM}","messageId":"in-1","contextId":"msg-1","reply":{"id":"${ID}","title":"Yes"}}
as a quick reply of a template | {"from":"${FROM}","id":"in-1","context":{"message_id":"msg-1"},"button":{"payload":"${ID}","text":"Yes"}}
flat, under the name that the document has for it | {"from":"${FROM}","id":"in-1","contextId":"msg-1","reply.id":"${ID}","reply.title":"Yes"}
flat | {"mobile":919812345678,"id":"in-1","context_id":"msg-1","reply_id":"${ID}","button_title":"Yes","text":"Yes"}`)(
    'is found %s',
    (_, body) => {
      expect(decode(body)).toEqual([TAP]);
    },
  );

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
    const buttons = [{ type: 'reply', reply: { id: 'a', title: 'A' } }];
    const text = JSON.stringify({ echo: { type: 'button', action: { buttons } } });
    expect(decode(text)).toEqual([{ kind: 'unknown', text, readable: true }]);
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
    const read = ['name', 'in_pin_code'].map((name) => ({ name, value: values[name as 'name'] }));
    const text = JSON.stringify({ values });
    for (const response_json of [text, { values }, JSON.stringify(values)]) {
      const interactive = { type: 'nfm_reply', nfm_reply: { response_json } };
      expect(decode({ messages: [{ from: FROM, id: 'in-2', interactive }] })).toEqual([
        { kind: 'address', from: FROM, eventId: 'in-2', values: read },
      ]);
    }
  });

  it.each(table`
chat-app | {"from":"${FROM}","id":"in-3","type":"text","text":{"body":"Hello"}}
flat JSON | {"from":"${FROM}","id":"in-3","message":"Hello"}
nested | {"sender":{"phone":"${FROM}"},"id":"in-3","message":{"type":"text","text":"Hello"}}
a form | msisdn=919812345678&id=in-3&text=Hello`)('a text, %s', (_, body) => {
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
  const NEXT = 'Check the recipient’s number and the values, correct what is wrong, then send it again.';
  /** Its words as a cell has them: what is said, and behind a dash how the service explains it. */
  const failureIn = (said: string, code: string | undefined) => {
    const [what = '', explanation] = said.split(/ ?— /);
    return {
      ...{
        what: `The service reports that the message was not delivered${what}.`,
        next: NEXT,
        scope: 'recipient',
      },
      ...(code && { code }),
      ...(explanation && { explanation }),
    };
  };

  // Shape of a failed status: https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/errors
  it.each(table`
{"id":"msg-1","status":"delivered","recipient_id":"919812345678"} | delivered
{"messageId":"msg-1","to":"${FROM}","status":{"groupName":"DELIVERED"}} | delivered
{"message":{"id":"msg-1","to":"${FROM}"},"eventType":"READ"} | read
{"message_id":"msg-1","mobile":"${FROM}","dlr_status":"DELIVRD"} | delivered
{"messageId":"msg-1","to":"${FROM}","state":"Enroute"} | sent
{"id":"msg-1","recipient_id":"${FROM}","status":"failed","errors":[{"code":131009}]} | failed | , with code 131009: parameter value is invalid | 131009
{"id":"msg-1","recipient_id":"${FROM}","status":"UNDELIV","error":{"code":"470"}} | failed | , with code 470, not in Herald’s list | 470
{"id":"msg-1","recipient_id":"${FROM}","status":"failed","errors":[{"code":131026,"title":"Message undeliverable","message":"Message undeliverable","error_data":{"details":"Not for 919812345678: an old version of the app."},"href":"/documentation/error-codes"}]} | failed | , with code 131026, not in Herald’s list — Message undeliverable – Not for •••: an old version of the app | 131026
{"id":"msg-1","to":"${FROM}","status":"UNDELIV","message":"Dear Asha, pay 20","reason":"Absent subscriber"} | failed | — Absent subscriber`)(
    '%s is %s',
    (body = '', status, said, code) => {
      const failure = said === undefined ? {} : { failure: failureIn(said, code) };
      const expected = { kind: 'report', messageId: 'msg-1', status, number: FROM, ...failure };
      expect(decode(body)).toEqual([expected]);
      expect(decode(`{"results":[${body}]}`)).toEqual([expected]);
    },
  );

  it('shows no key that it echoes, in whatever it says', () => {
    const key = 'key-of-the-team-77';
    const body = { id: 'msg-1', status: 'failed', errors: [{ code: key, title: `For ${key}` }] };
    for (const value of [body, { odd: key }, { from: FROM, text: key }]) {
      const bytes = Buffer.from(JSON.stringify(value));
      expect(JSON.stringify(decodeWebhook({ bytes }, answerSecrets(key)))).not.toContain('key-of');
    }
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
    const text = '{"status":"delivered"}';
    expect(decode(text)).toEqual([{ kind: 'unknown', text, readable: true }]);
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
