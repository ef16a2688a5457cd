import { describe, expect, it } from 'vitest';
import { ownWords } from '../../src/gateway/find-explanation.ts';
import type { JudgeContext } from '../../src/gateway/outcome.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';
import { wireSchema } from '../../src/gateway/wire.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import { table } from '../table.ts';
import { judgedAnswer } from './judged.ts';

const outcome = (status: number, body: unknown, context: Partial<JudgeContext> = {}) =>
  judgedAnswer(body, { ...context, status });

function failure(status: number, body: unknown, context: Partial<JudgeContext> = {}): Failure {
  const judged = outcome(status, body, context);
  if (judged.state === 'accepted') throw new Error('must not be accepted');
  return judged.failure;
}

/** As the chat-app platform answers (https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes). */
function platform(code: number, message: string, details?: string): object {
  const data = details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } };
  const error = { message: `(#${code}) ${message}`, type: 'OAuthException', code, ...data };
  return { error: { ...error, fbtrace_id: 'A1bTrace' } };
}

const LONG = JSON.stringify({
  error: { code: 100, message: 'm '.repeat(400), details: 'd '.repeat(400) },
});

describe('the service’s own explanation', () => {
  /* Handed on by https://docs.ycloud.com/reference/whatsapp-errors and https://share.apidog.com/apidoc/docs-site/347068/schema-453123, too. */
  it.each(table`
the details behind the message | 400 | ${JSON.stringify(platform(132000, 'Wrong number of params', 'body: one (1), not two (2)'))} | (#132000) Wrong number of params – body: one (1), not two (2)
the message alone, where it says more than the list | 400 | ${JSON.stringify(platform(131009, 'Parameter value is not valid: too large'))} | (#131009) Parameter value is not valid: too large
nothing, where it says what the list says | 400 | {"error":{"code":100,"message":"Invalid parameter."}}
the details alone, where the message says what the list says | 400 | {"error":{"code":100,"message":"Invalid parameter","details":"Parameter name is missing or empty"}} | Parameter name is missing or empty
title and details of a list of errors | 400 | {"errors":[{"code":1013,"title":"User is not valid","details":"Recipient is not a valid user"},{"code":7,"title":"Another"}]} | User is not valid – Recipient is not a valid user
that of the code that counts, handed on inside the provider’s own error | 400 | {"error":{"code":"BAD_REQUEST","message":"The platform refused it","whatsappApiError":{"code":"132015","message":"(#132015) Template is paused","error_data":{"details":"Template is paused due to low quality"}}}} | (#132015) Template is paused – Template is paused due to low quality
under a 500 | 500 | {"message":"Queue is full"} | Queue is full
under a 401 | 401 | {"message":"Key is switched off"} | Key is switched off
under a 429 | 429 | {"error":"Daily limit reached"} | Daily limit reached
under a 200 | 200 | {"error":{"code":7,"message":"Out of credit"}} | Out of credit
plain text | 400 | The sender is not yours | The sender is not yours
not what the status says already | 404 | {"message":"Not found"}
not a web page | 502 | <html><body>Bad gateway</body></html>
not an echo of what was sent | 400 | {"message":{"text":"Dear Asha, your bill"},"code":7}
on one line, numbers and tokens covered | 400 | {"error":{"code":100,"message":"Not for +91 98123 45678\n*now*, see ${'aB3'.repeat(12)}"}} | Not for +••• *now*, see •••
beside the code | 200 | {"message":"Hello","error":{"code":7,"message":"Invalid number"}} | Invalid number
the error itself | 200 | {"error":"Out of credit"} | Out of credit
plain text of a 200 | 200 | ERROR: no such sender | ERROR: no such sender
numbers are covered | 200 | {"error":"Number +91 98123 45678 and id 4471902 refused, at most 1024"} | Number +••• and id ••• refused, at most 1024
the code itself is not | 200 | {"error":{"code":131030,"message":"(#131030) not in list"}} | (#131030) not in list
the API key is | 200 | {"error":"Unknown key key-of-the-team-77"} | Unknown key •••
without what hides | 200 | {"error":"a\u202Eb\n\n c\u200B"} | a b c
other scripts’ digits are covered | 200 | {"error":"नंबर ९८१२३४५६७८ गलत"} | नंबर ••• गलत
shortened | 400 | ${LONG} | ${'m '.repeat(400).slice(0, 119)}… – ${'d '.repeat(400).slice(0, 176)}…
shortened, without details | 200 | {"error":"${'x y '.repeat(100)}"} | ${'x y '.repeat(100).slice(0, 299)}…`)(
    '%s',
    (_name, status, body, expected) => {
      const { explanation, what } = failure(Number(status), body);
      expect(explanation).toBe(expected);
      if (expected !== undefined) expect(what).not.toContain(expected);
    },
  );

  it('stands beside what happened, which is the same for every recipient of a cause', () => {
    const one = failure(400, platform(100, 'Invalid parameter', 'Row 1 is odd'));
    const other = failure(400, platform(100, 'Invalid parameter', 'Row 2 is odd'));
    expect(one.what).toBe(other.what);
    expect([one.explanation, other.explanation]).toStrictEqual(['Row 1 is odd', 'Row 2 is odd']);
  });
});

describe('a code that is not listed', () => {
  it.each(table`
200 | answered 200 OK, but its answer speaks of a failure with code 131999, not in Herald’s list.
400 | answered 400 Bad Request with code 131999, not in Herald’s list.
401 | answered 401 Unauthorized with code 131999, not in Herald’s list.
404 | answered 404 Not Found with code 131999, not in Herald’s list.
500 | answered 500 Internal Server Error with code 131999, not in Herald’s list.`)(
    'under %i is shown as such, never with the meaning of the status',
    (status, words) => {
      const { what, code } = failure(Number(status), platform(131999, 'Something new'));
      expect([what, code]).toEqual([`The messaging service ${words}`, '131999']);
    },
  );

  it('sends people to the service, not to number and values', () => {
    for (const status of [400, 404, 422])
      expect(failure(status, platform(131999, 'Something new')).next).toMatch(/^Look up the code/);
    expect(failure(401, platform(131999, 'Something new')).next).toMatch(/API key/);
  });

  it('a listed one beside another status keeps its own meaning', () => {
    expect(failure(429, { code: 131009 }).what).toBe(
      'The messaging service answered 429 Too Many Requests with code 131009: parameter value is invalid.',
    );
  });
});

describe('advice fits what was sent', () => {
  it.each<[number, unknown]>([
    [404, ''],
    ...[100, 131009, 131051, 132000, 132001, 132015].map((code) => [400, { code }] as [number, unknown]),
  ])('without a template, %i %j names none that could be checked', (status, body) => {
    expect(failure(status, body, { hasTemplate: false }).next).not.toMatch(
      /template’s|catalogue|variant|placeholder/i,
    );
  });

  it('with one, it does', () => {
    expect(failure(404, '').next).toContain('Check the template’s name');
    expect(failure(400, { code: 131051 }).next).toContain('variant');
  });
});

describe('what an answer echoes', () => {
  const sent = (password: string) => ({ secrets: answerSecrets('key-of-the-team-77', [password]) });
  const otp = sent('482913');

  it.each<[string, unknown, Partial<JudgeContext>]>([
    ['the key as a code', { error: { code: 'key-of-the-team-77' } }, {}],
    ['the key within a code', { error: { code: 'bad:key-of-the-team-77' } }, {}],
    ['the key as a status', { status: 'E key-of-the-team-77' }, {}],
    ['a password within a code', { error: { code: 'E-482913', message: 'OTP482913 refused' } }, otp],
    ['a password as a code', { error: { code: 482913, message: '482913 refused' } }, otp],
    ['a password in letters', { error: { code: 'XKQZ', message: 'XKQZ refused' } }, sent('XKQZ')],
  ])('%s is masked', (_name, body, context) => {
    for (const status of [200, 400, 500])
      expect(JSON.stringify(outcome(status, body, context))).not.toMatch(/key-of-the-team|482913|XKQZ/);
  });

  it.each([
    ['482913', undefined],
    ['otp-482913', undefined],
    ['key-of-the-team-77', undefined],
    // Digits within a longer number are no echo.
    ['174829131', '174829131'],
  ])('a password or the key is no message id: %s', (messageId, id) => {
    expect(outcome(200, { messageId }, otp)).toStrictEqual({
      ...{ state: 'accepted', status: 200 },
      ...(id !== undefined && { messageId: id }),
    });
  });

  it('nothing is quoted where the whole text is secret', () => {
    const body = { error: { code: 100, message: 'apple pear refused' } };
    expect(failure(400, body, { isTextSecret: true }).explanation).toBeUndefined();
    expect(failure(200, { error: 'Code XK7Q refused' }, { isTextSecret: true }).explanation).toBeUndefined();
  });
});

describe('wire.failure', () => {
  const taught = (wire: object) => ({ mapping: wireSchema.parse(wire).rows.sms.answers });
  const REFUSED = { failure: { path: 'data.status', values: ['refused'] } };

  it('makes a 2xx of that shape certain: nothing was sent', () => {
    const body = { data: { status: 'refused', code: 'C-9', reason: 'Not on the list of the trial' } };
    expect(outcome(200, body)).toMatchObject({ state: 'unknown' });
    expect(outcome(200, body, taught(REFUSED))).toMatchObject({
      state: 'rejected',
      failure: { code: 'C-9', status: 200, explanation: 'Not on the list of the trial' },
    });
  });

  it('is believed of all or of nobody, and not against a success', () => {
    const list = (...statuses: string[]) => ({ data: statuses.map((status) => ({ status })) });
    expect(outcome(200, list('refused', 'refused'), taught(REFUSED)).state).toBe('rejected');
    expect(outcome(200, list('refused', 'taken'), taught(REFUSED)).state).toBe('unknown');
    const both = taught({ ...REFUSED, success: { path: 'data.id' } });
    expect(outcome(200, { data: { id: 'm-1', status: 'refused' } }, both).state).toBe('unknown');
    expect(outcome(200, { data: { id: 'm-1', status: 'taken' } }, both).state).toBe('accepted');
    expect(outcome(200, { data: { status: 'parked' } }, both).state).toBe('unknown');
  });
});

const long = (letter: string, length: number) => `${letter} `.repeat(length).slice(0, length - 1) + letter;

it.each<[readonly string[], string | undefined]>([
  [[], undefined],
  [['Said.'], undefined],
  [['It is SAID!', 'More'], 'More'],
  [['One. Two.'], 'One. Two'],
  [['One', 'Two'], 'One – Two'],
  [['One', 'one!'], 'One'],
  [['One', 'One two'], 'One two'],
  [['One two', 'Two'], 'One two'],
  [['One-two', 'one, two'], 'One-two'],
  [['Onetwo', 'one, two'], 'Onetwo – one, two'],
  [['Call 98123 45678, code 1234567'], 'Call •••, code 1234567'],
  [['Call 7654321 within 1024'], 'Call ••• within 1024'],
  [[long('m', 300)], long('m', 300)],
  [[long('m', 301)], `${long('m', 299)}…`],
  [[long('m', 147), long('d', 150)], `${long('m', 147)} – ${long('d', 150)}`],
  [[long('m', 149), long('d', 150)], `${long('m', 119)}… – ${long('d', 150)}`],
])('of %j it leaves %j', (parts, left) => {
  expect(ownWords(parts, '1234567', 'What is said is: It is said.')).toBe(left);
});

it('does not look at what comes after three thousand characters', () => {
  expect(ownWords([`${' '.repeat(2_999)}ab`], undefined, '')).toBe('a');
});
