import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/gateway/evidence.ts';
import { type JudgeContext, judge } from '../../src/gateway/outcome.ts';
import { CONTEXT as ONE } from './judged.ts';

const NOW = Date.UTC(2026, 0, 5, 8, 0, 0);
const CONTEXT: JudgeContext = {
  ...ONE,
  now: NOW,
  fieldNames: new Set(['to', 'params', 'components', 'body']),
};

function answer(status: number, body: unknown = '', retryAfter?: string): Evidence {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    headersWritten: true,
    status,
    ...(text !== '' && { body: Buffer.from(text) }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

function summary(evidence: Evidence, context = CONTEXT): unknown {
  const outcome = judge(evidence, context);
  return outcome.state === 'accepted' ? 'accepted' : `${outcome.state} ${outcome.failure.scope}`;
}

describe('statuses', () => {
  it.each([
    ...[200, 201, 204].map((status) => [status, 'accepted'] as const),
    ...[202, 203, 206].map((status) => [status, 'unknown send'] as const),
    ...[300, 301, 302, 303, 304, 307, 308].map((status) => [status, 'unknown send'] as const),
    [400, 'rejected recipient'],
    [401, 'rejected send'],
    [402, 'unknown send'],
    [403, 'rejected send'],
    [404, 'rejected send'],
    [405, 'rejected send'],
    [408, 'unknown service'],
    [409, 'unknown send'],
    [413, 'rejected send'],
    [415, 'unknown send'],
    [422, 'rejected recipient'],
    [429, 'not_sent service'],
    ...[500, 501, 502, 503, 504, 529, 599].map((status) => [status, 'unknown service'] as const),
    [600, 'unknown service'],
  ] as const)('%i is %s', (status, expected) => {
    expect(summary(answer(status))).toBe(expected);
    expect(summary(answer(status, '<html>no code</html>'))).toBe(expected);
    expect(summary(answer(status, { message: 'no code', count: 100 }))).toBe(expected);
  });

  it('count also where the service answered before the request was written', () => {
    expect(summary({ ...answer(400), headersWritten: false })).toBe('rejected recipient');
    expect(summary({ ...answer(503), headersWritten: false })).toBe('unknown service');
  });

  it('says status and unlisted code as they came', () => {
    expect(judge(answer(400, { error: { code: 4711, field: 'to' } }), CONTEXT)).toStrictEqual({
      state: 'rejected',
      failure: {
        ...{ code: '4711', status: 400, scope: 'recipient', field: 'to' },
        what: 'The messaging service answered 400 Bad Request with code 4711, not in Herald’s list.',
        next: 'Look up the code in the service’s documentation or ask its support, correct what it names, then send it again.',
      },
    });
    expect(judge(answer(599), CONTEXT)).toMatchObject({
      failure: { status: 599, what: 'The messaging service answered 599.' },
    });
  });
});

describe('429', () => {
  const retry = (value: string | undefined) => {
    const outcome = judge(answer(429, '', value), CONTEXT);
    return outcome.state === 'not_sent' ? outcome.retry : outcome.state;
  };

  it.each([
    ['7', { kind: 'after', delayMs: 7_000 }],
    [' 7 ', { kind: 'after', delayMs: 7_000 }],
    ['Mon, 05 Jan 2026 08:00:30 GMT', { kind: 'after', delayMs: 30_000 }],
    ['Monday, 05-Jan-26 08:00:30 GMT', { kind: 'after', delayMs: 30_000 }],
    ['999999999999999999999999', { kind: 'after', delayMs: 3_600_000 }],
    ['Mon, 05 Jan 2099 08:00:30 GMT', { kind: 'after', delayMs: 3_600_000 }],
    ['0', { kind: 'backoff' }],
    ['Mon, 05 Jan 2026 07:00:00 GMT', { kind: 'backoff' }],
    ['-5', { kind: 'backoff' }],
    ['1.5', { kind: 'backoff' }],
    ['1e9', { kind: 'backoff' }],
    ['soon', { kind: 'backoff' }],
    ['', { kind: 'backoff' }],
    [undefined, { kind: 'backoff' }],
  ])('Retry-After %j', (value, expected) => {
    expect(retry(value)).toStrictEqual(expected);
  });
});

it('reckons a Retry-After that is a date from the moment that the same answer names, not from a clock that was set', () => {
  const busy = { ...answer(429, '', 'Mon, 05 Jan 2026 09:00:30 GMT'), date: 'Mon, 05 Jan 2026 09:00:00 GMT' };
  expect(judge(busy, CONTEXT)).toMatchObject({ retry: { kind: 'after', delayMs: 30_000 } });
});

describe('codes', () => {
  const CODES = [
    ['100', 'rejected', 'recipient'],
    ['131009', 'rejected', 'recipient'],
    ['132000', 'rejected', 'send'],
    ['132001', 'rejected', 'send'],
    ['132015', 'rejected', 'send'],
    ['131051', 'rejected', 'send'],
    ['131021', 'rejected', 'recipient'],
    ['133010', 'rejected', 'send'],
    ['133004', 'unknown', 'service'],
    ['131016', 'unknown', 'service'],
    ['131000', 'unknown', 'recipient'],
  ] as const;

  it.each(CODES)('%s is %s, scope %s, under any status that leaves it to the code', (code, state, scope) => {
    for (const status of [200, 201, 400, 404, 422, 408, 500, 503]) {
      for (const value of [code, Number(code)]) {
        expect(judge(answer(status, { error: { code: value } }), CONTEXT)).toMatchObject({
          state,
          failure: { code, status, scope },
        });
      }
    }
  });

  it.each([200, '200'])('%j is success', (code) => {
    expect(judge(answer(200, { code, messageId: 'm-1' }), CONTEXT)).toStrictEqual({
      state: 'accepted',
      status: 200,
      messageId: 'm-1',
    });
    expect(summary(answer(500, { code }))).toBe('unknown service');
  });

  it('says what the code means, what to do, and which field is at fault', () => {
    const body = { error: { code: 131009, message: 'no', field: 'components.body.params[0]' } };
    expect(judge(answer(400, body), CONTEXT)).toStrictEqual({
      state: 'rejected',
      failure: {
        ...{ code: '131009', status: 400, scope: 'recipient', field: 'components.body.params[0]' },
        what: 'The messaging service refused the message with code 131009: parameter value is invalid.',
        next: 'Check the recipient’s number and the values, correct what is wrong, then send it again.',
      },
    });
    expect(judge(answer(503, { errorCode: '133004' }), CONTEXT)).toStrictEqual({
      state: 'unknown',
      failure: {
        ...{ code: '133004', status: 503, scope: 'service' },
        what: 'The messaging service failed with code 133004: the server is temporarily unavailable.',
        next: 'Wait until the service is back, check in its own records or with the recipient whether the message arrived, and send it again only if it did not.',
      },
    });
  });

  it.each([
    [401, 'rejected send'],
    [403, 'rejected send'],
    [429, 'not_sent service'],
    [302, 'unknown send'],
  ])('does not soften %i', (status, expected) => {
    expect(summary(answer(status, { code: 131009 }))).toBe(expected);
  });

  it('is unknown for all when a list carries it for some', () => {
    const body = { messages: [{ id: 'm-1' }, { id: 'm-2', error: 'no' }, { code: 131009 }] };
    expect(judge(answer(200, body), CONTEXT)).toStrictEqual({
      state: 'unknown',
      failure: {
        ...{ code: '131009', status: 200, scope: 'send' },
        what: 'The messaging service answered 200 OK with code 131009: parameter value is invalid, and may have taken a part of the request.',
        next: 'Check in the service’s own records or with the recipient whether the message arrived; send it again only if it did not.',
      },
    });
    expect(summary(answer(200, { messages: [{ code: 131009 }, { code: '131009' }] }))).toBe(
      'rejected recipient',
    );
  });

  it.each([
    [{ messages: [{ id: 'm-1' }, { error: { code: 131009 } }] }, 'unknown send'],
    [{ data: { results: [{ errors: [{ code: 131009 }, { code: 100 }] }, { id: 'm-2' }] } }, 'unknown send'],
    [[{ id: 'm-1' }, { error: { code: 131009 } }], 'unknown send'],
    [{ messages: [{ error: { code: 131009 } }, { error: { code: 131009 } }] }, 'rejected recipient'],
    [{ errors: [{ code: 131009 }, { message: 'no' }] }, 'rejected recipient'],
    [{ error: { details: [{ code: 131009 }, { message: 'no' }] } }, 'rejected recipient'],
  ])('of %j, in which an entry has an error of its own', (body, expected) => {
    for (const status of [200, 400]) expect(summary(answer(status, body))).toBe(expected);
  });

  it.each([
    [{ messages: [{ id: 'm-1' }], errors: [{ code: 131009 }] }, 'unknown send'],
    [{ messageId: 'm-1', code: '131009' }, 'unknown send'],
    [{ results: { sms: 2, id: 7 }, error: { code: 100 } }, 'unknown send'],
    [{ id: 'request-1', code: 131009 }, 'rejected recipient'],
    [{ requestId: 'request-1', errors: [{ code: 131009 }] }, 'rejected recipient'],
    [{ messages: [{ id: '' }], errors: [{ code: 131009 }] }, 'rejected recipient'],
  ])(
    'of %j, which names a message that may be taken: for one rejected, for several %s',
    (body, ofSeveral) => {
      const recipients = [...CONTEXT.recipients, { number: '+14155550123' }];
      for (const status of [200, 400]) {
        expect(judge(answer(status, body), CONTEXT).state).toBe('rejected');
        expect(summary(answer(status, body), { ...CONTEXT, recipients })).toBe(ofSeveral);
      }
    },
  );
});

describe('requests without an answer', () => {
  const state = (headersWritten: boolean, code?: string) => {
    const outcome = judge({ headersWritten, failure: code === undefined ? {} : { code } }, CONTEXT);
    return outcome.state === 'not_sent'
      ? `not_sent ${outcome.failure.scope} ${outcome.retry.kind}`
      : outcome.state;
  };
  const CODES = [
    ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'ENOTFOUND', 'X_NEW'],
    undefined,
  ];

  it.each(CODES)('%s is judged by what was written alone', (code) => {
    expect([state(false, code), state(true, code)]).toStrictEqual(['not_sent service backoff', 'unknown']);
  });

  it.each([
    ...[
      'CERT_HAS_EXPIRED',
      'CERT_NOT_YET_VALID',
      'CERT_REVOKED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'INVALID_CA',
    ],
    ...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  ])('%s stops the send', (code) => {
    expect(state(false, code)).toBe('not_sent send never');
  });

  const HAND_SHAKE = ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_HANDSHAKE_TIMEOUT'];
  it.each(HAND_SHAKE)('%s may be tried again', (code) => {
    expect(state(false, code)).toBe('not_sent service backoff');
  });

  it('an answer that broke off is unknown, whatever its status', () => {
    for (const status of [200, 204, 400, 401, 429]) {
      const evidence = { headersWritten: true, status, failure: { code: 'ECONNRESET' } };
      const failure = { status, scope: 'service' };
      expect(judge(evidence, CONTEXT)).toMatchObject({ state: 'unknown', failure });
    }
  });

  it('gives every failure whole sentences', () => {
    const evidences: Evidence[] = [
      ...CODES.flatMap((code) =>
        [true, false].map((headersWritten) => ({ headersWritten, failure: code ? { code } : {} })),
      ),
      ...[202, 302, 400, 401, 403, 404, 405, 408, 413, 422, 429, 500].map((status) => answer(status)),
    ];
    for (const evidence of evidences) {
      const outcome = judge(evidence, CONTEXT);
      if (outcome.state === 'accepted') throw new Error('must fail');
      expect(outcome.failure.what).toMatch(/^[A-Z].*\.$/);
      expect(outcome.failure.next).toMatch(/^[A-Z].*\.$/);
    }
  });
});
