import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Evidence } from '../../src/gateway/evidence.ts';
import { judge } from '../../src/gateway/outcome.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';
import { processorMsSince } from '../processor-time.ts';

const KEY = 'key-of-the-team-77';
const RUNS = 20_000;
const MOST_MS = 250;
const CONTEXT = {
  now: Date.UTC(2026, 0, 5, 8, 0, 0),
  fieldNames: new Set(['to', 'params', 'components', 'body']),
  mapping: {},
  hasTemplate: true,
  secrets: answerSecrets(KEY),
  isTextSecret: false,
  recipients: [{ number: '+919812345678' }],
};

const word = fc.constantFrom('code', 'error', 'errors', 'message', 'status', 'messageId', 'error_data', 'to');
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, 132000, '131009', 'failed', 'queued', '+919812345678', KEY),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(word, fc.string()), tie('json'), { maxKeys: 4 }),
  ),
}));
const body = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  fc.string({ unit: 'binary', maxLength: 2_000 }).map((text) => new TextEncoder().encode(text)),
  json.map((value) => new TextEncoder().encode(JSON.stringify(value))),
);
const evidence: fc.Arbitrary<Evidence> = fc.record(
  {
    headersWritten: fc.boolean(),
    status: fc.oneof(fc.integer({ min: 200, max: 999 }), fc.constantFrom(200, 400, 401, 429, 503)),
    body,
    retryAfter: fc.oneof(fc.string(), fc.constantFrom('1', '-1', '1e9', 'Mon, 05 Jan 2026 08:00:30 GMT')),
    date: fc.string(),
    failure: fc.record(
      { code: fc.constantFrom('ECONNREFUSED', 'ECONNRESET', 'HERALD_DEADLINE', 'HPE_X', 'UND_ERR_SOCKET') },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['headersWritten'] },
);

test('answers: any evidence at all is one of four outcomes, and what may have left is never tried again', ({
  task,
}) => {
  const states = new Map<string, number>();
  let slowest = 0;
  fc.assert(
    fc.property(evidence, (one) => {
      const begun = process.threadCpuUsage();
      const outcome = judge(one, CONTEXT);
      slowest = Math.max(slowest, processorMsSince(begun));
      states.set(outcome.state, (states.get(outcome.state) ?? 0) + 1);
      const isWhole = one.status !== undefined && one.failure === undefined;
      if (outcome.state === 'accepted') expect(isWhole && String(one.status).startsWith('2')).toBe(true);
      // Once bytes have left, only a whole answer can say that nothing was sent.
      if (one.headersWritten && !isWhole) expect(['unknown']).toContain(outcome.state);
      if (outcome.state === 'accepted') return;
      const { what, next, explanation = '' } = outcome.failure;
      expect([what, next].every((sentence) => /[.!?]$/.test(sentence))).toBe(true);
      expect(JSON.stringify(outcome)).not.toContain(KEY);
      expect(explanation.length).toBeLessThanOrEqual(300);
      expect(explanation).not.toMatch(/[\r\n]|9812345678/);
    }),
    { numRuns: RUNS },
  );
  expect([...states.keys()].toSorted()).toEqual(['accepted', 'not_sent', 'rejected', 'unknown']);
  expect(slowest).toBeLessThan(MOST_MS);
  task.meta.figure = `${RUNS} answers made up by fast-check; every one has an outcome`;
});
