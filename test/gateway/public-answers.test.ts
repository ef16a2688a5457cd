import { describe, expect, it } from 'vitest';
import { wireSchema } from '../../src/gateway/wire.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import { judgedAnswer } from './judged.ts';
import { answersOf, publishedShapes } from './published.ts';

/*
 * What messaging services are documented to answer, in the smallest form that still has its shape, and how the failures
 * look that some of them tell inside a 2xx.
 */

/** Answers by which a service takes a message, by their status. */
const SUCCESSES = publishedShapes(new URL('public-answers.txt', import.meta.url));

const judged = (body: unknown, status = 200, wire: object = {}) => judgedAnswer(body, { status, wire });

const failureOf = (outcome: Outcome) => ('failure' in outcome ? outcome.failure : undefined);

/** The state, and for what is not accepted what people are shown of the service's own words or code. */
function told(body: unknown, status = 200): string {
  const outcome = judged(body, status);
  const { explanation, code } = failureOf(outcome) ?? {};
  return `${outcome.state} ${explanation ?? code ?? ''}`.trim();
}

/** Words with which Indian, African and SMPP-based services refuse a message inside a 200. */
const REFUSALS =
  'NO-CREDITS, DNDNUMB, SENDER-ID-NOT-FOUND, INV-TEMPLATE-MATCH, TEMPLATE-NOT-FOUND, OPTOUT-REJ, MAX-LENGTH, SPAM, ' +
  'NOT-OPTIN, REJECTD, UNDELIV, INVALID-NUM, BLACKLISTED, Low balance, error_credit, InsufficientBalance, UserInBlacklist, ' +
  'InvalidPhoneNumber, DoNotDisturbRejection, RATE_LIMITED, EXPIRED, barred, Sender not allowed, ENTITY-ID-INACTIVE';

describe('a failure that a 2xx tells in words is never accepted', () => {
  it.each(REFUSALS.split(', '))('%s', (word) => {
    expect(told({ status: word })).toBe(`unknown ${word}`);
    expect(told({ status: 'OK', data: [{ mobile: '919812345678', id: 'a2', status: word }] })).toBe(
      `unknown ${word}`,
    );
    expect(told({ messages: [{ to: '919812345678', status: { name: word } }] })).toMatch(/^unknown/);
    expect(told(word)).toBe(`unknown ${word}`);
    expect(told(JSON.stringify(word))).toBe(`unknown ${word}`);
  });

  it.each(answersOf('A refusal inside a 2xx'))('%s%s', (_name, body, expected) => {
    expect(told(body)).toBe(expected);
  });
});

describe('a success of published documentation', () => {
  describe.each(SUCCESSES)('by a %s', (status, shapes) => {
    it.each(shapes)('%s', (_service, body, expected) => {
      expect([told(body, Number(status))]).toEqual(expected);
    });
  });

  it('of Plivo and Bandwidth comes as a 202, which is one where the account says so', () => {
    const plivo = { message: 'message(s) queued', message_uuid: ['db34'], api_id: 'a' };
    expect(judged(plivo, 202).state).toBe('unknown');
    const isId = { path: 'message_uuid[]' };
    for (const success of [isId, { statuses: [200, 202] }, { statuses: [202], path: 'message_uuid' }])
      expect(judged(plivo, 202, { success }).state).toBe('accepted');
    expect(judged(plivo, 203, { success: { statuses: [200, 202] } }).state).toBe('unknown');
  });
});

describe('wire.success, wire.failure and wire.messageId', () => {
  it('name a status word, which then is certain', () => {
    const parked = { status: 'PARKED', sid: 'SM1' };
    const { what, explanation, next } = failureOf(judged(parked)) ?? {};
    expect([what, explanation]).toEqual([
      'The messaging service answered 200 OK, but Herald does not know whether its answer means yes or no.',
      'PARKED',
    ]);
    expect(next).toContain('Whoever runs Herald can describe such an answer, so that it is certain.');
    const shape = { path: 'status', values: ['PARKED'] };
    const taken = { state: 'accepted', status: 200, messageId: 'SM1' };
    expect(judged(parked, 200, { success: shape, messageId: 'sid' })).toEqual(taken);
    expect(judged(parked, 200, { failure: shape }).state).toBe('rejected');
  });

  it('name a text', () => {
    const wire = { success: { text: '^1701\\|' }, failure: { text: '^17(0[2-9]|1\\d)' } };
    expect(judged('1701|919812345678|bc5f7425', 200, wire).state).toBe('accepted');
    expect(judged('1706|919812345678', 200, wire).state).toBe('rejected');
    expect(judged('1706', 200, wire).state).toBe('rejected');
    expect(judged('1025', 200, wire).state).toBe('unknown');
    expect(judged({ text: '1701|' }, 200, wire).state).toBe('unknown');
  });

  it('name statuses, alone or beside a path', () => {
    const wire = { success: { statuses: [200], path: 'id' }, failure: { statuses: [202, 206] } };
    expect(judged({ id: 7 }, 200, wire).state).toBe('accepted');
    expect(judged({ id: 7 }, 201, wire).state).toBe('unknown');
    expect(judged({ id: 7 }, 202, wire)).toMatchObject({ state: 'rejected', failure: { status: 202 } });
    expect(judged('', 204, wire).state).toBe('unknown');
    expect(judged('', 204, { success: { path: 'id' } }).state).toBe('accepted');
  });

  it.each<[unknown, unknown, string | undefined]>([
    ['sid', { sid: 'SM1', id: 'x' }, 'SM1'],
    ['batch_id', { batchId: 5, id: 'x' }, '5'],
    ['data[].id', { data: [{ id: 'a' }, { id: 'b' }] }, 'a'],
    ['data[1].id', { data: [{ id: 'a' }, { id: 'b' }] }, 'b'],
    ['data.id', { data: [{ id: 'a' }] }, 'a'],
    ['message_uuid[0]', { message_uuid: ['u1', 'u2'] }, 'u1'],
    ['[].mid', [{ mid: 'm' }], 'm'],
    ['a.b[0].c', { a: { b: [{ c: 'deep' }] } }, 'deep'],
    [['sid', 'data.id'], { data: { id: 'second' } }, 'second'],
    ['sid', { id: 'where it usually stands' }, undefined],
    ['id', { id: 'with a blank' }, undefined],
  ])('messageId: %j finds in %j the id %j', (messageId, body, expected) => {
    expect(judged(body, 200, { messageId })).toEqual({
      state: 'accepted',
      status: 200,
      ...(expected !== undefined && { messageId: expected }),
    });
  });

  it('count the place in a list', () => {
    const body = { data: [{ status: 'ok' }, { status: 'no' }] };
    const state = (path: string) => judged(body, 200, { success: { path, values: ['ok'] } }).state;
    const paths = ['data[0].status', 'data[].status', 'data.status', 'data[1].status'];
    expect(paths.map(state)).toEqual(['accepted', 'unknown', 'unknown', 'unknown']);
  });

  it.each<[object, readonly PropertyKey[]]>([
    [{ success: {} }, ['success', 0, 'path']],
    [{ success: 'status' }, ['success', 0]],
    [{ success: { path: 'a', values: [] } }, ['success', 0, 'values']],
    [{ success: [] }, ['success']],
    [{ success: { values: ['ok'] } }, ['success', 0, 'path']],
    [{ success: { statuses: [404] } }, ['success', 0, 'statuses', 0]],
    [{ success: { statuses: [] } }, ['success', 0, 'statuses']],
    [{ failure: { text: '(?=x)' } }, ['failure', 0, 'text']],
    [{ messageId: 'a..b' }, ['messageId', 0]],
    [{ messageId: 'a[x].b' }, ['messageId', 0]],
  ])('%j is refused at the start, where it stands', (wire, path) => {
    expect(wireSchema.safeParse(wire).error?.issues.map((issue) => issue.path)).toStrictEqual([path]);
  });
});

it.each([
  [{ sid: 'SM1', status: 'queued' }],
  [{ SMSMessage: { Sid: 'SM1', Status: 'queued' } }],
  [{ batch_id: 'SM1', status: 'success' }],
  [{ gsId: 'SM1', status: 'submitted' }],
  [{ messages: [{ apiMessageId: 'SM1', accepted: true }] }],
  [{ ackid: 'SM1', status: { code: '200' } }],
  [{ status: 'ok', sid: 'request', data: { message_id: 'SM1' } }],
  [{ Message: 'OK', RequestId: 'F6', BizId: 'SM1', Code: 'OK' }],
  [{ Response: { SendStatusSet: [{ SerialNo: 'SM1', Code: 'Ok' }], RequestId: 'a0' } }],
  [{ result: [{ smsMsgId: 'SM1', status: '000000' }], code: '000000', description: 'Success' }],
  [{ success: 'true', submitted_message_id: 'SM1' }],
])('the id in %j is found without being described', (body) => {
  expect(judged(body)).toEqual({ state: 'accepted', status: 200, messageId: 'SM1' });
});

describe('a code that only repeats the status', () => {
  it.each<[number, unknown, string]>([
    [401, { code: 401, message: 'Bad key' }, 'authentication failed or no permission for the operation'],
    [400, { statusCode: 400 }, 'request not understood or required parameters missing'],
    [404, { error: { code: 404 } }, 'resource not found'],
    [405, { code: '405' }, 'method not supported for the resource'],
    [403, { errors: [{ status_code: 403 }] }, 'access denied'],
  ])('%i %j: what the document says of the status is said, with its advice', (status, body, meaning) => {
    const { explanation: _words, ...failure } = failureOf(judged(body, status)) ?? expect.fail('accepted');
    expect(failure.what).toContain(`: ${meaning}.`);
    expect(failure).toEqual(failureOf(judged('', status)));
  });

  it('hides no code of its own', () => {
    expect(judged({ code: 400, error: { code: 1012 } }, 400)).toMatchObject({ failure: { code: '1012' } });
    expect(judged({ code: 401 }, 200)).toMatchObject({ state: 'unknown', failure: { code: '401' } });
    expect(judged({ code: 401 }, 400)).toMatchObject({ failure: { code: '401' } });
  });
});
