import { describe, expect, it } from 'vitest';
import type { JudgeContext } from '../../src/gateway/outcome.ts';
import { wireSchema } from '../../src/gateway/wire.ts';
import { growthOf } from '../growth.ts';
import { table } from '../table.ts';
import { judgedAnswer } from './judged.ts';
import { answersOf } from './published.ts';

const outcome = (body: unknown, context: Partial<JudgeContext> = {}, status = 200) =>
  judgedAnswer(body, { ...context, status });

/** The state, and for what is not accepted the code that is shown. */
function verdict(body: unknown, context: Partial<JudgeContext> = {}, status = 200): string {
  const judged = outcome(body, context, status);
  if (judged.state === 'accepted') return 'accepted';
  return [judged.state, judged.failure.code].filter((part) => part !== undefined).join(' ');
}

describe('a 2xx whose body says that it went wrong is unknown', () => {
  it.each(answersOf('A 2xx that says that it went wrong'))('%s', (_name, body, expected) => {
    for (const status of [200, 201]) expect(verdict(body, {}, status)).toBe(expected);
  });

  it.each(table`
some of them refused | {"messages":[{"id":"m-1"},{"to":"919812345678","error":{"code":470}}]}
one status among good ones | {"status":"success","data":[{"id":1,"status":"queued"},{"id":2,"status":"failed"}]}
one code among good ones | {"responses":[{"code":200},{"code":419}]}
a list of errors beside a list of ids | {"messages":[{"id":"m-1"},{"id":"m-2"}],"errors":[{"to":"x","code":51}]}`)(
    'for every recipient of the request, with %s',
    (_name, body) => {
      expect(verdict(body)).toMatch(/^unknown/);
    },
  );
});

describe('a 2xx that does not speak of a failure is accepted', () => {
  it.each(answersOf('A 2xx that does not speak of a failure'))('%s', (_name, body) => {
    for (const status of [200, 201]) expect(verdict(body, {}, status)).toBe('accepted');
  });

  it('and so is one of nothing', () => {
    for (const status of [200, 201, 204]) expect(verdict('', {}, status)).toBe('accepted');
  });
});

it.each<[string, number, (size: number) => string]>([
  ['has many sentences', 5_000, (n) => `{"a":[${'{"x":"one two"},'.repeat(n)}{}]}`],
  [
    'has many things',
    2_000,
    (n) => `{${Array.from({ length: n }, (_, at) => `"x${at}":{"status":"x y"},`).join('')}"a":1}`,
  ],
  ['has a long text', 60_000, (n) => `{"text":"${'0 fail 1 '.repeat(n)}"}`],
])('a 2xx that %s is read in proportion to its size', async (_name, n, bodyOf) => {
  expect(await growthOf(n, bodyOf, (body) => outcome(body))).toBe('in proportion');
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
          'if it did not. Whoever runs Herald can describe such an answer, so that it is certain.',
        scope: 'recipient',
      },
    });
    expect(outcome({ success: false })).toMatchObject({
      failure: {
        what: 'The messaging service answered 200 OK, but its answer speaks of a failure that Herald does not know.',
      },
    });
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
});
