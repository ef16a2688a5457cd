import { describe, expect, it } from 'vitest';
import { judgedAnswer } from './judged.ts';

/** The state and the scope of what a request came to for its recipients, each once. */
function verdict(status: number, body: unknown, recipients = 100, failure?: unknown): string {
  const { each, ...whole } = judgedAnswer(body, {
    ...{ status, hasTemplate: false, wire: { failure } },
    recipients: Array.from({ length: recipients }, (_, n) => ({ number: `+91981234${5_678 + n}` })),
  });
  const said = (each ?? [whole]).map((one) =>
    one.state === 'accepted' ? one.state : `${one.state} ${one.failure.scope}`,
  );
  return [...new Set(said)].join(', ');
}

const NUMBER = '919812345678';

/** Answers to a hundred recipients of whom the service may have taken some. */
const OF_A_PART: readonly (readonly [string, unknown])[] = [
  ['counts', { status: 'partial', accepted: 98, rejected: 2, errors: [{ code: 131009 }] }],
  ['counts in words of their own', { successCount: 98, failureCount: 2, errors: [{ code: 131009 }] }],
  ['counts as text', { totalSent: '98', error: { code: 131009 } }],
  ['ids of those who were taken', { accepted: [{ messageId: 'm-1' }], failed: [{ code: 131009 }] }],
  ['entries by place', { data: { 0: { id: 'm-1' }, 1: { code: 131009 } } }],
  ['a word of success', { status: 'queued', errors: [{ code: 131009 }] }],
  ['a flag of success', { success: true, errors: [{ code: 131009 }] }],
  ['a success code', { code: 200, data: { errors: [{ code: 131009 }] } }],
  ['its number by another name', { error: { code: 131009, recipientNumber: Number(NUMBER) } }],
  ['its number in the words', { error: { code: 131009, message: `+${NUMBER} is invalid` } }],
  ['its place', { errors: [{ index: 3, code: 131009 }] }],
  ['fewer entries than recipients', { results: [{ code: 131009 }, { code: 131009 }] }],
  ['ids under a name of its own', { recipients: [{ id: 7 }], errors: [{ code: 131009 }] }],
];

describe('an answer to several of whom some may have been taken', () => {
  it.each(OF_A_PART)('with %s says so of all, whatever its status', (_, body) => {
    for (const status of [200, 201, 400, 401, 403, 404, 405, 413, 422, 429])
      expect(`${status} ${verdict(status, body)}`).toBe(`${status} unknown send`);
  });

  it('needs no code that is known', () => {
    for (const status of [400, 401, 403, 404, 405, 413, 422, 429]) {
      expect(verdict(status, { sent: 60, message: 'Limit reached' })).toBe('unknown send');
      expect(verdict(status, { messages: [{ id: 'm-1' }, { status: 'failed' }] })).toBe('unknown send');
    }
  });

  it('is not taken for a refusal that wire.failure describes', () => {
    const shape = { path: 'errors.code' };
    const body = { accepted: 98, errors: [{ code: 7 }] };
    expect(verdict(200, body, 100, shape)).toMatch(/^unknown/);
    expect(verdict(200, { errors: [{ code: 7 }] }, 100, shape)).toBe('rejected recipient');
  });

  it('is plain text that names some of them', () => {
    expect(verdict(200, `OK ${NUMBER}`)).toBe('unknown send');
    expect(verdict(200, `OK ${NUMBER}`, 1)).toBe('accepted');
    expect(verdict(200, 'OK')).toBe('accepted');
  });

  it('is plain text in a 2xx, of which nobody knows what the code speaks of', () => {
    for (const body of [`{"id":"m-1"}\n{"error":{"code":131009}}`, 'Sent 98. Error 131009: 2 numbers'])
      expect(verdict(200, body)).toBe('unknown send');
    expect(verdict(200, 'Error 131009', 1)).toBe('rejected recipient');
    expect(verdict(400, 'Error 131009')).toBe('rejected recipient');
  });
});

describe('an answer to several of whom nobody was taken', () => {
  it.each([
    ['a code', { error: { code: 131009, message: 'Invalid', field: 'sender' } }],
    ['a code beside a subcode of 0', { error: { code: 131009, error_subcode: 0 } }],
    ['a request’s id', { id: 'r-1', requestId: 'r-2', errors: [{ code: 131009 }] }],
    ['nobody counted', { accepted: 0, sent: [], success: false, errors: [{ code: 131009 }] }],
    ['a failing status', { status: 'failed', statusCode: 400, error: { code: 131009 } }],
    ['times and places of errors', { timestamp: 1_767_600_000, error: { code: 131009, line: 'x' } }],
  ])('with %s is what it says', (_, body) => {
    for (const status of [200, 400, 422]) expect(verdict(status, body)).toBe('rejected recipient');
    expect(verdict(401, body)).toBe('rejected send');
    expect(verdict(429, body)).toBe('not_sent service');
  });
});

it('takes a code that leaves open what was sent before one that does not', () => {
  const body = { results: [{ code: 131009 }, { code: 131000 }] };
  expect(verdict(200, body, 3)).toMatch(/^unknown/);
  expect(verdict(400, { errors: [{ code: 100 }, { code: 133004 }] }, 2)).toMatch(/^unknown/);
});

it('is read to the end of what is kept of it', () => {
  const messages = Array.from({ length: 1_000 }, (_, n) => ({ to: n, id: `m-${n}`, status: 'queued' }));
  expect(verdict(200, { messages }, 1_000)).toBe('accepted');
  expect(verdict(200, { messages: [...messages, { status: 'failed' }] }, 1_001)).toBe(
    'accepted, unknown recipient',
  );
});
