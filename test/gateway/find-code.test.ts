import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../src/gateway/read-answer.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';
import { findCode, findMessageId } from '../../src/gateway/signs.ts';

const FIELD_NAMES = new Set('to templateName components body params text otp language code'.split(' '));

function found(body: unknown, secret?: string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const secrets = answerSecrets('key-of-the-team-77', secret === undefined ? [] : [secret]);
  return findCode(readAnswer(Buffer.from(text), secrets), FIELD_NAMES);
}

function listed(body: unknown): string | undefined {
  return found(body).listed;
}

function messageId(body: unknown): string | undefined {
  return findMessageId(readAnswer(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))));
}

describe('listed codes', () => {
  const SHAPES: readonly (readonly [string, (code: number | string) => unknown])[] = [
    ['code', (code) => ({ code })],
    ['Code', (code) => ({ Code: code })],
    ['error.code', (code) => ({ error: { code, message: 'no' } })],
    ['errors[0].code', (code) => ({ errors: [{ code }] })],
    ['errors[1].code', (code) => ({ errors: [{ message: 'no' }, { code }] })],
    ['errorCode', (code) => ({ errorCode: code })],
    ['error_code', (code) => ({ error_code: code })],
    ['error-code', (code) => ({ 'error-code': code })],
    ['status.code', (code) => ({ status: { code } })],
    ['status_code', (code) => ({ status_code: code })],
    ['messages[0].error.code', (code) => ({ messages: [{ error: { code } }] })],
    ['messages[0].errors[0].code', (code) => ({ messages: [{ errors: [{ code }] }] })],
    ['data.error_code', (code) => ({ data: { error_code: code } })],
    ['response.error.code', (code) => ({ response: { error: { code } } })],
    ['[0].code', (code) => [{ code }]],
  ];

  it.each(SHAPES)('at %s, as number and as text', (_path, shape) => {
    for (const code of ['100', '132000']) {
      const written = [Number(code), code, `#${code}`];
      expect(written.map((one) => listed(shape(one)))).toEqual([code, code, code]);
      expect(listed(shape(200))).toBeUndefined();
    }
  });

  it.each<[string, unknown]>([
    ['error', { error: 132000 }],
    ['status', { status: '132000' }],
    ['errors as a list of codes', { errors: ['132000'] }],
    ['a bare number', '132000'],
    ['a bare text', '"132000"'],
    ['plain text', 'ERROR: 132000 wrong number of values'],
    ['plain text with a name', 'error_code=132000&message=no'],
    ['markup', '<error><code>132000</code></error>'],
    ['JSON that was cut', '{"error":{"code":132000,"mess'],
    ['JSON cut inside a text with braces', '{"error":{"code":"132000","message":"a } ] \\" b'],
    ['JSON cut in a later list', '{"errors":[{"code":132000},{"co'],
    ['after a byte order mark', '\uFEFF{"code":132000}'],
  ])('in %s', (_name, body) => {
    expect(listed(body)).toBe('132000');
  });

  it.each<[string, unknown]>([
    ['a count', { count: 100 }],
    ['a number of errors', { error: 100, errors: 100 }],
    ['a percentage', { data: { status: 100 } }],
    ['another thing’s code', { product: { code: 100 } }],
    ['a code beside success', { code: 200, data: { code: 100 } }],
    ['a number in another key', { total: 132000, id: 131009, price: '131000' }],
    ['a number inside text', { message: 'Your order 132000 is on its way.' }],
    ['an amount in plain text', 'Balance 132000 left'],
    ['a web page with a number', '<html><body>Call 132000</body></html>'],
    ['a fraction', { code: 100.5 }],
    ['an exponent', { code: '1e2' }],
    ['true', { code: true }],
    ['a code that was cut', '{"code":13100'],
    ['a code that may go on', '{"code":131009'],
    ['nothing', ''],
    ['null', 'null'],
    ['an empty object', {}],
  ])('not in %s', (_name, body) => {
    expect(listed(body)).toBeUndefined();
  });

  it('takes the failure before the success around it, and the precise code before 100', () => {
    expect(listed({ code: 200, error: { code: 132001 } })).toBe('132001');
    expect(listed({ code: 200, messages: [{ code: '131021' }] })).toBe('131021');
    expect(listed({ code: 200, error: { code: 100 } })).toBe('100');
    expect(listed({ error: { code: 100, error_subcode: 131009 } })).toBe('131009');
  });

  it.each([
    [{ request: { code: '132000' } }, '132000'],
    [{ error: { code: '482913' } }, '482913'],
    [{ error: { code: 482913 } }, '482913'],
  ])('does not take an echo of the one-time password for a code: %j', (body, password) => {
    expect(found(body, password)).toEqual({ partial: false });
  });
});

it.each<[unknown, ReturnType<typeof found>]>([
  ['', { partial: false }],
  [{ id: 'm-1' }, { partial: false }],
  [{ code: 4711 }, { unlisted: '4711', partial: false }],
  [{ code: ' 4711 ' }, { unlisted: '4711', partial: false }],
  [
    { code: 4711, error: { code: 131009 } },
    { listed: '131009', partial: false },
  ],
  [{ error: { code: 131009, field: 'to' } }, { listed: '131009', partial: false, field: 'to' }],
  [{ messages: [{ code: 131009 }, {}] }, { listed: '131009', partial: true }],
  ['code 131009', { listed: '131009', partial: false }],
])('of %j it is told once, and nothing else', (body, expected) => {
  expect(found(body)).toStrictEqual(expected);
});

describe('a code in text', () => {
  it.each([
    ['#132000', '132000'],
    ['code132000', '132000'],
    ['Code 132000.', '132000'],
    ['code: 132000', '132000'],
    ['code =132000', '132000'],
    ['code"  : "132000"', '132000'],
    ["code'>132000<", '132000'],
    ['error (132000)', '132000'],
    ['error 999999, code 132000', '132000'],
    ['code 132000 and code 100', '132000'],
    ['x132000', undefined],
    ['#132000 x', undefined],
    ['code1320001', undefined],
    ['codex132000', undefined],
    ['code:x132000', undefined],
    ['code::132000', undefined],
    ['code ~132000', undefined],
    ['code 999999', undefined],
    ['error ---- 132000', undefined],
    ['terror 132000', undefined],
  ])('%j', (text, code) => {
    expect(listed(text)).toBe(code);
  });

  it.each([
    [' #132000 ', '132000'],
    ['132000 x', undefined],
    ['x132000', undefined],
    ['132000-', undefined],
    ['## 132000', undefined],
  ])('as a value, %j', (code, expected) => {
    expect(listed({ code })).toBe(expected);
  });
});

describe('unlisted codes', () => {
  it.each<[unknown, string | undefined]>([
    [{ error: { code: 'RATE_LIMIT' } }, 'RATE_LIMIT'],
    [{ errorCode: '0' }, undefined],
    [{ code: 200 }, undefined],
    [{ request: { language: { code: 'hi' } } }, undefined],
    [{ code: '+919876543210' }, undefined],
    [{ code: 919876543210 }, undefined],
    [{ code: 'two words' }, undefined],
    [{ code: '<!channel>' }, undefined],
    [{ code: 'x'.repeat(41) }, undefined],
    [{ code: {} }, undefined],
  ])('%j', (body, expected) => {
    expect(found(body).unlisted).toBe(expected);
  });
});

describe('the field at fault', () => {
  it.each<[unknown, string | undefined]>([
    [{ error: { code: 131009, field: 'components.body.params[0]' } }, 'components.body.params[0]'],
    [{ errors: [{ code: 100, param: 'to' }] }, 'to'],
    [{ error: { code: 100, error_data: { details: 'Parameter "to" is not valid' } } }, 'to'],
    [{ error: { code: 100, details: 'templateName: must be lower case' } }, 'templateName'],
    [{ error: { code: 100, message: "The value of 'language.code' is unknown" } }, 'language.code'],
    [{ error: { code: 100, details: 'the text sent to this number' } }, undefined],
    [{ error: { code: 100, details: 'nothing in body.params[12] fits' } }, 'body.params[12]'],
    [{ error: { code: 100, details: 'no to.x, but components.body' } }, 'components.body'],
    [{ error: { code: 100, details: 'wrong: components.9x' } }, undefined],
    [{ error: { code: 100, details: 'see `phone` and `params[0].to`' } }, 'params[0].to'],
    [{ error: { code: 100, details: '"[]" or "7"' } }, undefined],
    [{ error: { code: 100, details: `${'x '.repeat(994)}templateName` } }, 'templateName'],
    [{ error: { code: 100, details: `${'x '.repeat(995)}templateName` } }, undefined],
    [{ error: { code: 100, field: `to${'[0]'.repeat(32)}[]` } }, `to${'[0]'.repeat(32)}[]`],
    [{ error: { code: 100, field: 'body.phone' } }, undefined],
    [{ error: { code: 100, field: 'to[x1]' } }, undefined],
    [{ error: { code: 100, description: 'to' } }, undefined],
    [{ error: { code: 100, field: 7, details: 7 } }, undefined],
    [{ error: { code: 100, note: 'to', detail: 'templateName' } }, 'templateName'],
    [{ error: { code: 100, note: '"to"' } }, undefined],
    [{ error: { code: 100, details: "'482913' and '+919876543210' are wrong" } }, undefined],
    [{ error: { code: 100, field: 'phone' } }, undefined],
    [{ error: { code: 100, field: '482913' } }, undefined],
    [{ error: { code: 100, field: `to${'[0]'.repeat(50)}` } }, undefined],
    [{ error: { code: 100, field: ['to'] } }, 'to'],
    [{ error: { code: 100, field: { a: 1 } } }, undefined],
  ])('%j', (body, expected) => {
    expect(found(body).field).toBe(expected);
  });
});

describe('message ids', () => {
  it.each<[string, unknown, string | undefined]>([
    ['messageId', { messageId: 'm-1' }, 'm-1'],
    ['message_id', { message_id: 'm-1' }, 'm-1'],
    ['id', { id: 'm-1' }, 'm-1'],
    ['messages[0].id', { contacts: [{ id: 'c' }], messages: [{ id: 'm-1' }, { id: 'm-2' }] }, 'm-1'],
    ['data.id', { data: { id: 'm-1' } }, 'm-1'],
    ['data[0].messageId', { data: [{ messageId: 'm-1' }] }, 'm-1'],
    ['requestId', { requestId: 'r-1' }, 'r-1'],
    ['the message before the request', { requestId: 'r-1', id: 'i-1', data: { message_id: 'm-1' } }, 'm-1'],
    ['a number', { id: 42 }, '42'],
    ['a number beyond 2^53, digit for digit', '{"id":12345678901234567890}', '12345678901234567890'],
    ['256 characters', { id: 'x'.repeat(256) }, 'x'.repeat(256)],
    ['more than that', { id: 'x'.repeat(257) }, undefined],
    ['blanks around', { id: ' m-1 ' }, 'm-1'],
    ['blanks inside', { id: 'two words' }, undefined],
    ['hidden characters', { id: 'm\u202E1' }, undefined],
    ['another thing’s id', { template: { id: 't-1' } }, undefined],
    ['an empty id, then a good one', { messageId: '', id: 'm-1' }, 'm-1'],
    ['an object', { id: {} }, undefined],
    ['zero, minus, fraction', { id: 0, messageId: -1, requestId: 1.5 }, undefined],
    ['a cut body', '{"messageId":"m-1","text":"Hel', 'm-1'],
    ['a web page', '<html>id=1</html>', undefined],
    ['nothing', '', undefined],
  ])('%s', (_name, body, expected) => {
    expect(messageId(body)).toBe(expected);
  });
});

describe('hostile bodies', () => {
  it.each<[string, string | Buffer]>([
    ['60,000 lists inside each other', '['.repeat(60_000)],
    ['deep with a long number', `${'['.repeat(20_000)}12345678901234567890${']'.repeat(20_000)}`],
    ['huge numbers', '{"code":1e999,"id":-1e999,"n":123456789012345678901234567890}'],
    ['a code under eight levels', `${'{"data":'.repeat(9)}{"code":132000}${'}'.repeat(9)}`],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['half a character', Buffer.from([0xf0, 0x9f])],
    ['only quotes', '"'.repeat(60_000)],
    ['mismatched brackets', '{"a":[1}]'],
    ['zero bytes', '\0'.repeat(60_000)],
    ['many words for code', 'code '.repeat(12_000)],
  ])('%s', (_name, body) => {
    const answer = readAnswer(Buffer.from(body));
    expect(findMessageId(answer)).toBeUndefined();
    expect(findCode(answer, FIELD_NAMES).listed).toBeUndefined();
  });

  it('an own key with an inherited name is a key like others, and nothing inherits it', () => {
    expect(listed('{"__proto__":{"code":132000}}')).toBe('132000');
    expect(listed('{"__proto__":{"code":100}}')).toBeUndefined();
    expect(Reflect.get({}, 'code')).toBeUndefined();
  });
});
