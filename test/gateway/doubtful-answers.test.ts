import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/gateway/evidence.ts';
import { type JudgeContext, judge } from '../../src/gateway/outcome.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';
import { wireSchema } from '../../src/gateway/wire.ts';

const CONTEXT: JudgeContext = {
  now: 0,
  fieldNames: new Set(['to', 'text']),
  mapping: {},
  hasTemplate: true,
  secrets: answerSecrets('key-of-the-team-77'),
  isTextSecret: false,
  recipients: [{ number: '+919812345678' }],
};

function answer(body: unknown, status = 200): Evidence {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { headersWritten: true, status, ...(text !== '' && { body: Buffer.from(text) }) };
}

function outcome(body: unknown, context: Partial<JudgeContext> = {}, status = 200) {
  return judge(answer(body, status), { ...CONTEXT, ...context });
}

/** The state, and for what is not accepted the code that is shown. */
function verdict(body: unknown, context: Partial<JudgeContext> = {}, status = 200): string {
  const judged = outcome(body, context, status);
  if (judged.state === 'accepted') return 'accepted';
  return [judged.state, judged.failure.code].filter((part) => part !== undefined).join(' ');
}

function words(body: unknown, context: Partial<JudgeContext> = {}): string | undefined {
  const judged = outcome(body, context);
  return judged.state === 'accepted' ? undefined : judged.failure.explanation;
}

describe('a 2xx whose body says that it went wrong is unknown', () => {
  it.each<[string, unknown, string]>([
    ['a code that is on no list', { code: 401, message: 'Unauthorized' }, 'unknown 401'],
    ['the same as text', { code: '401', message: 'Unauthorized' }, 'unknown 401'],
    ['an error object', { error: { code: 131026 } }, 'unknown 131026'],
    ['an error object without code', { error: { message: 'Recipient cannot get it' } }, 'unknown'],
    [
      'Meta’s error',
      { error: { message: '(#131030) Not in list', type: 'OAuthException', code: 131030 } },
      'unknown 131030',
    ],
    ['an error that is text', { error: 'Invalid API key' }, 'unknown'],
    ['an error that is true', { error: true, message: 'Invalid number' }, 'unknown'],
    ['an error that is a number', { error: 132 }, 'unknown 132'],
    ['an error beside a success code', { code: 200, error: 'Invalid number' }, 'unknown'],
    ['an error beside a success word', { status: 'success', error: { code: 7 } }, 'unknown 7'],
    ['a list of errors', { errors: ['Invalid number'] }, 'unknown'],
    [
      'a list of error objects',
      { errors: [{ code: 7, message: 'Invalid number' }], status: 'failure' },
      'unknown 7',
    ],
    ['a number of errors', { errors: 3 }, 'unknown'],
    ['a failed count', { success: 0, failure: 1 }, 'unknown'],
    ['success: false', { success: false }, 'unknown'],
    ['success: "false"', { success: 'false' }, 'unknown'],
    ['success: 0', { success: 0 }, 'unknown'],
    ['success: no', { success: ' No ' }, 'unknown'],
    ['success: 00', { success: '00' }, 'unknown'],
    ['a status of 300', { status: 300 }, 'unknown 300'],
    ['an error of "200x"', { error: 'x-1 failed' }, 'unknown'],
    ['an error beside another entry’s code', { data: [{ error: 'Invalid' }, { code: 17 }] }, 'unknown 17'],
    ['the code beside the error', { code: 9, data: { error: 'Invalid', code: 17 } }, 'unknown 9'],
    ['an error whose neighbour is fine', { errors: [{ message: 'Invalid' }, { code: 0 }] }, 'unknown'],
    ['ok: false', { ok: false, description: 'Bad Request' }, 'unknown'],
    ['return: false', { return: false, status_code: 412, message: 'Invalid Authentication' }, 'unknown 412'],
    ['status: false', { status: false, msg: 'no credit' }, 'unknown'],
    ['status: error', { status: 'error' }, 'unknown'],
    ['Status: Error', { Status: 'Error', Details: 'Invalid API Key' }, 'unknown'],
    ['status: FAILED', { status: 'FAILED', id: 'm-1' }, 'unknown'],
    ['type: error', { message: 'auth key missing', type: 'error' }, 'unknown'],
    ['a status that is an HTTP one', { status: 401, title: 'Unauthorized' }, 'unknown 401'],
    ['a status that is letters and digits', { status: 'A413', message: 'Invalid number' }, 'unknown A413'],
    ['inside data', { data: { status: 'error' } }, 'unknown'],
    ['inside a list in data', { data: [{ status: 'rejected' }] }, 'unknown'],
    ['under a wrapper of its own name', { SubmitResponse: { Result: { Code: 17 } } }, 'unknown 17'],
    ['under a place', { status: 'OK', data: { '0': { status: 'INVALID_RECIPIENT' } } }, 'unknown'],
    [
      'a status object',
      { messages: [{ status: { groupName: 'REJECTED', name: 'REJECTED_NOT_ENOUGH_CREDITS' } }] },
      'unknown',
    ],
    [
      'an error text of its own',
      { messages: [{ status: '2', 'error-text': 'Missing to param' }] },
      'unknown',
    ],
    ['errorCode with words', { ErrorCode: '013', ErrorMessage: 'Invalid sender' }, 'unknown 013'],
    ['a code inside a success', { code: 200, data: { code: 401 } }, 'unknown 401'],
    [
      'a listed number that is not believed to be that code',
      { code: 200, data: { code: 100 } },
      'unknown 100',
    ],
    ['a minus', { code: -1 }, 'unknown -1'],
    ['a code in words', { code: 'AUTH_FAILED' }, 'unknown AUTH_FAILED'],
    [
      'a fault',
      { fault: { faultstring: 'Invalid ApiKey', detail: { errorcode: 'oauth.v2.InvalidApiKey' } } },
      'unknown oauth.v2.InvalidApiKey',
    ],
    [
      'Spring’s page',
      { timestamp: 1_767_600_000, status: 500, error: 'Internal Server Error', path: '/v1/sms' },
      'unknown 500',
    ],
    ['a bare message without an id', { message: 'Unauthorized' }, 'unknown'],
    ['cut in the middle', '{"error":{"code":4711,"mess', 'unknown 4711'],
    ['codes of a carrier in plain text', '1701|919812345678|bc5f7425', 'unknown'],
    ['a word that only ends in digits', { status: 'place-404' }, 'unknown'],
    ['a number that is no success anywhere', { data: { status: 100 } }, 'unknown 100'],
    ['plain text', 'ERROR: 102 Authentication failed', 'unknown'],
    ['plain text with bars', 'error | 102 | Authentication failed', 'unknown'],
    ['an XML error', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'unknown'],
  ])('%s', (_name, body, expected) => {
    for (const status of [200, 201]) expect(verdict(body, {}, status)).toBe(expected);
  });

  it.each<[string, unknown]>([
    ['some of them refused', { messages: [{ id: 'm-1' }, { to: '919812345678', error: { code: 470 } }] }],
    [
      'one status among good ones',
      {
        status: 'success',
        data: [
          { id: 1, status: 'queued' },
          { id: 2, status: 'failed' },
        ],
      },
    ],
    ['one code among good ones', { responses: [{ code: 200 }, { code: 419 }] }],
    [
      'a list of errors beside a list of ids',
      { messages: [{ id: 'm-1' }, { id: 'm-2' }], errors: [{ to: 'x', code: 51 }] },
    ],
  ])('for every recipient of the request, with %s', (_name, body) => {
    expect(verdict(body)).toMatch(/^unknown/);
  });
});

describe('a 2xx that does not speak of a failure is accepted', () => {
  it.each<[string, unknown]>([
    ['nothing', ''],
    ['a web page', '<!doctype html><html><body><h1>Please sign in</h1></body></html>'],
    ['cut JSON', '{"messageId":"m-1","text":"Hel'],
    ['plain words', 'OK'],
    ['plain text with bars', 'success | 919812345678 | 3463746'],
    ['an empty object', {}],
    ['null', 'null'],
    ['an id', { id: 'm-1' }],
    ['status: success', { status: 'success' }],
    ['status: submitted', { status: 'submitted', messageId: 'm-1' }],
    ['status: true', { status: true }],
    ['code 200', { code: 200, message: 'Success.', messageId: 'm-1' }],
    ['code 202', { code: 202 }],
    ['code "0"', { code: '0' }],
    ['code 0', { code: 0, message: 'done' }],
    [
      'code "000" with its words',
      { ErrorCode: '000', ErrorMessage: 'Done', JobId: '3', MessageData: [{ MessageId: '9' }] },
    ],
    [
      'code SUCCESS',
      {
        http_code: 200,
        response_code: 'SUCCESS',
        response_msg: 'Here are your data.',
        data: { messages: [{ status: 'SUCCESS', error_code: null }] },
      },
    ],
    [
      'status "0"',
      { 'message-count': '1', messages: [{ to: '919812345678', 'message-id': 'm-1', status: '0' }] },
    ],
    ['status 1', { status: 1 }],
    ['status 299', { status: 299 }],
    ['a status that only begins with digits', { status: '404th in the queue' }],
    ['sent: 0', { sent: 0 }],
    ['success: 10', { success: 10 }],
    ['another thing that is false', { valid_until: false, flash: 'no' }],
    ['error: true as a word', { error: ' OK ' }],
    ['a failing message of another thing', { template: { message: 'Failed payment' } }],
    ['a note that failed', { note: 'failed' }],
    ['error: null', { error: null }],
    ['errors: []', { errors: [] }],
    ['error: ""', { error: '' }],
    ['error: false', { error: false }],
    [
      'error: {}',
      { id: 'k-1', type: 'OTP', data: [{ message_id: 'm-1', recipient: '919812345678' }], error: {} },
    ],
    ['error: "none"', { error: 'none' }],
    ['isError: "N" and the like', { isError: 'N', error: 'NO_ERROR' }],
    ['error: 0', { error: 0, errors: '0' }],
    ['an error object that says success', { error: { code: 0, message: 'all is well' }, id: 'm-1' }],
    ['an error object full of nothing', { error: { code: null, message: null, type: '' } }],
    ['empty error fields', { sid: 'SM1', status: 'queued', error_code: null, error_message: null }],
    ['message: queued', { message: 'queued' }],
    ['a list of words', { return: true, request_id: 'r-1', message: ['SMS sent successfully.'] }],
    ['type: success', { type: 'success', message: '3763646c3058373530393938' }],
    [
      'a pending status object',
      {
        messages: [
          {
            status: {
              groupId: 1,
              groupName: 'PENDING',
              id: 26,
              name: 'PENDING_ACCEPTED',
              description: 'Message sent to next instance',
            },
            messageId: 'm-1',
          },
        ],
      },
    ],
    ['counts', { multicast_id: 1, success: 1, failure: 0, results: [{ message_id: 'm-1' }] }],
    [
      'Meta’s answer',
      {
        messaging_product: 'whatsapp',
        contacts: [{ input: '91', wa_id: '91' }],
        messages: [{ id: 'wamid.1', message_status: 'accepted' }],
      },
    ],
    ['an echo of the customer’s text', { id: 'm-1', message: 'Failed payment: please look at your card' }],
    [
      'another thing’s state',
      { id: 'm-1', template: { status: 'REJECTED' }, account: { status: 'expired' } },
    ],
    ['another thing’s code', { id: 'm-1', language: { code: 'en' }, country: { code: 'IN' } }],
    ['a balance', { batch_id: 5, balance: 1162, cost: 2, num_messages: 2, status: 'success', custom: '' }],
  ])('%s', (_name, body) => {
    for (const status of [200, 201]) expect(verdict(body, {}, status)).toBe('accepted');
  });

  it('and so is 204', () => {
    expect(verdict('', {}, 204)).toBe('accepted');
  });
});

describe('what is said of it', () => {
  it('names status, code and the service’s words, and never the meaning of another code', () => {
    expect(outcome({ code: 401, message: 'Unauthorized' })).toStrictEqual({
      state: 'unknown',
      failure: {
        code: '401',
        status: 200,
        what: 'The messaging service answered 200 OK, but its answer speaks of a failure with code 401, not in Herald’s list.',
        explanation: 'Unauthorized',
        next:
          'Check in the service’s own records or with the recipient whether the message arrived; send it again only ' +
          'if it did not. Whoever runs Herald can make it certain: what the service answers when it takes a message is ' +
          'written in herald.yml under `wire.answers`, e.g. `success: { path: data.status, values: [QUEUED] }`, and what it ' +
          'answers when it refuses one under `failure`.',
        scope: 'recipient',
      },
    });
    expect(outcome({ success: false })).toMatchObject({
      failure: {
        what: 'The messaging service answered 200 OK, but its answer speaks of a failure that Herald does not know.',
      },
    });
  });

  it.each<[string, unknown, string | undefined]>([
    [
      'beside the code',
      { message: 'Hello', error: { code: 7, message: 'Invalid number' } },
      'Invalid number',
    ],
    ['the error itself', { error: 'Out of credit' }, 'Out of credit'],
    ['plain text', 'ERROR: no such sender', 'ERROR: no such sender'],
    [
      'numbers are covered',
      { error: 'Number +91 98123 45678 and id 4471902 refused, at most 1024' },
      'Number +••• and id ••• refused, at most 1024',
    ],
    [
      'the code itself is not',
      { error: { code: 131030, message: '(#131030) not in list' } },
      '(#131030) not in list',
    ],
    ['the API key is', { error: 'Unknown key key-of-the-team-77' }, 'Unknown key •••'],
    ['any other token is', { error: `Unknown key ${'aB3'.repeat(12)}` }, 'Unknown key •••'],
    ['on one line, without what hides', { error: 'a\u202Eb\n\n c\u200B' }, 'a b c'],
    ['shortened', { error: 'x y '.repeat(100) }, `${'x y '.repeat(100).slice(0, 299)}…`],
    ['other scripts’ digits are covered', { error: 'नंबर ९८१२३४५६७८ गलत' }, 'नंबर ••• गलत'],
  ])('%s', (_name, body, expected) => {
    expect(words(body)).toBe(expected);
  });

  it('covers the one-time password, and quotes nothing where the whole text is one', () => {
    const body = { error: { code: 9, message: 'Code XK7Q refused' } };
    expect(words(body, { secrets: answerSecrets('a-key-of-another', ['XK7Q']) })).toBe('Code ••• refused');
    expect(words(body, { isTextSecret: true })).toBeUndefined();
  });
});

describe('wire.success', () => {
  const success = (shape: unknown) => wireSchema.parse({ success: shape }).rows.sms.answers;

  it.each<[unknown, unknown, string]>([
    [{ path: 'status', values: ['queued'] }, { status: 'queued' }, 'accepted'],
    [{ path: 'status', values: ['queued'] }, { status: 'submitted' }, 'unknown'],
    [{ path: 'status', values: ['queued'] }, { message: 'fine' }, 'unknown'],
    [{ path: 'status', values: ['queued'] }, '', 'unknown'],
    [{ path: 'status', values: ['queued'] }, '<html>Please sign in</html>', 'unknown'],
    [{ path: 'code', values: [1701] }, { code: '1701' }, 'accepted'],
    [{ path: 'code', values: [1701] }, { code: 1702, message: 'no' }, 'unknown 1702'],
    [{ path: 'code', values: [1701] }, { code: 132000 }, 'rejected 132000'],
    [{ path: 'Data.Status_Code', values: ['ok'] }, { data: { statusCode: 'ok' } }, 'accepted'],
    [{ path: 'messageId' }, { messageId: 'm-1', status: 'error' }, 'accepted'],
    [{ path: 'messageId' }, { messageId: null }, 'unknown'],
    [{ path: 'messageId' }, { messageId: '' }, 'unknown'],
    [{ path: 'done' }, { done: false }, 'unknown'],
    [{ path: 'done' }, { done: true }, 'accepted'],
    [{ path: 'status', values: [' queued '] }, { status: 'queued\t' }, 'accepted'],
    [{ path: 'data.status' }, { status: 'queued' }, 'unknown'],
    [{ path: 'data.status' }, { meta: { status: 'queued' } }, 'unknown'],
    [{ path: 'status' }, { data: { status: 'queued' } }, 'unknown'],
    [{ path: 'messages.id' }, { messages: [{ id: 'a' }, { id: 'b' }] }, 'accepted'],
    [{ path: 'messages.id' }, { messages: [{ id: 'a' }, { error: 'no' }] }, 'unknown'],
    [
      { path: 'messages.status', values: ['ok'] },
      { messages: [{ status: 'ok' }, { status: 'no' }] },
      'unknown',
    ],
    [[{ path: 'code', values: [1701] }, { path: 'messages.id' }], { messages: [{ id: 'a' }] }, 'accepted'],
  ])('%j makes of %j: %s', (shape, body, expected) => {
    expect(verdict(body, { mapping: success(shape) })).toBe(expected);
  });

  it('says so, and asks for no shape of an answer that has no body by its status', () => {
    const shape = { mapping: success({ path: 'status', values: ['queued'] }) };
    expect(outcome({ status: 'parked', message: 'Held for review' }, shape)).toMatchObject({
      failure: {
        what: 'The messaging service answered 200 OK, but not with what `wire.answers.success` describes.',
        explanation: 'Held for review',
      },
    });
    expect(verdict('', shape, 204)).toBe('accepted');
  });

  it.each<[unknown, readonly PropertyKey[]]>([
    ['status', ['success', 0]],
    [{ values: ['ok'] }, ['success', 0, 'path']],
    [{ path: 'a..b' }, ['success', 0, 'path']],
    [{ path: 'a', values: [] }, ['success', 0, 'values']],
    [[], ['success']],
  ])('%j is refused at the start, where it stands', (shape, path) => {
    const parsed = wireSchema.safeParse({ success: shape });
    expect(parsed.error?.issues.map((issue) => issue.path)).toStrictEqual([path]);
  });
});
