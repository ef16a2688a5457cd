import { type JudgeContext, judge } from '../../src/gateway/outcome.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';
import { wireSchema } from '../../src/gateway/wire.ts';

/** Of a request to one. */
export const CONTEXT: JudgeContext = {
  now: 0,
  fieldNames: new Set(['to', 'text', 'sender', 'params']),
  mapping: {},
  hasTemplate: true,
  secrets: answerSecrets('key-of-the-team-77'),
  isTextSecret: false,
  recipients: [{ number: '+919812345678' }],
};

interface Setting extends Partial<JudgeContext> {
  readonly status?: number;
  /** As herald.yml has it. */
  readonly wire?: object;
}

/** What a request came to that was answered so. */
export function judgedAnswer(body: unknown, { status = 200, wire, ...context }: Setting = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const mapping = wire === undefined ? {} : wireSchema.parse(wire).rows.sms.answers;
  const evidence = { headersWritten: true, status, ...(text !== '' && { body: Buffer.from(text) }) };
  return judge(evidence, { ...CONTEXT, mapping, ...context });
}
