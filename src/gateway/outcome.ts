import { STATUS_CODES } from 'node:http';
import { given } from '../core/given.ts';
import type { Failure, FailureScope, Outcome, RequestOutcome } from '../sends/outcome.ts';
import { type AnswerMapping, type AnswerShape, shapeOf } from './answer-shape.ts';
import { causeAfterHeaders, causeBeforeHeaders } from './causes.ts';
import {
  CHECK_ADDRESS,
  CHECK_NUMBER_AND_VALUES,
  CHECK_THEN_CHOOSE,
  DESCRIBE_ANSWER,
  DOCUMENTED_STATUSES,
  FAILURE_CODES,
  LOOK_UP_CODE,
  namedCode,
  nextStep,
} from './codes.ts';
import { type Evidence, retryAfterMs } from './evidence.ts';
import { carriesFailure, type FoundCode, findCode } from './find-code.ts';
import { findDoubt, ownCode } from './find-doubt.ts';
import { findMessageId } from './find-message-id.ts';
import { judgeEntries, withWords } from './judge-entries.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { findEntries, type Recipients, speaksOfPart } from './recipient-entries.ts';
import type { AnswerSecrets } from './secrets.ts';

export interface JudgeContext {
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. */
  readonly now: number;
  readonly recipients: Recipients;
  /** Whether other parts of the answer speak of single recipients. */
  readonly isPart?: boolean;
  /** Names of fields of our own requests, which an answer may blame. */
  readonly fieldNames: ReadonlySet<string>;
  /** What the account describes of its answers; `{}`: nothing. */
  readonly mapping: AnswerMapping;
  /** Whether the message is made from a template: what people should look at differs. */
  readonly hasTemplate: boolean;
  /** What the answer may echo and nobody may read. */
  readonly secrets: AnswerSecrets;
  /** True when the message's text is a secret: then nothing that the service says may be quoted. */
  readonly isTextSecret: boolean;
}

const NO_CONTENT = 204;
const ACCEPTED: ReadonlySet<number> = new Set([200, 201, NO_CONTENT]);

interface StatusWords {
  readonly scope: FailureScope;
  readonly next: string;
  /** True where it is what a person should do whatever code stands beside the status. */
  readonly certain?: true;
}

const keyAdvice = (what: string) =>
  `Ask whoever runs Herald to check ${what}; every message would fail alike.`;

/** Answers that say that the message was not taken. */
const REJECTED: ReadonlyMap<number, StatusWords> = new Map([
  [400, { scope: 'recipient', next: CHECK_NUMBER_AND_VALUES }],
  [401, { scope: 'send', next: keyAdvice('the messaging API key'), certain: true }],
  [403, { scope: 'send', next: keyAdvice('what the messaging API key may do'), certain: true }],
  [404, { scope: 'send', next: CHECK_ADDRESS }],
  [405, { scope: 'send', next: CHECK_ADDRESS }],
  [413, { scope: 'send', next: 'Make the message shorter, then send it again.' }],
  [422, { scope: 'recipient', next: CHECK_NUMBER_AND_VALUES }],
]);

const CHECK_TEMPLATE_OR_ADDRESS =
  'Check the template’s name, and ask whoever runs Herald to check the service’s configured address.';

/**
 * What became of a request, by the first rule that matches; anything without a rule is `unknown`. Two rules are
 * read on the careful side: a listed code that means "unknown" does so under a 4xx status too, and a refusal that may
 * be of a part of the recipients only makes the whole request `unknown`.
 */
export function judge(evidence: Evidence, context: JudgeContext): RequestOutcome {
  const { status, failure } = evidence;
  if (!evidence.headersWritten && status === undefined) return notSent(failure?.code);
  if (failure !== undefined || status === undefined) return broken(status, failure?.code);
  const judgePart = (part: Answer, about: Partial<JudgeContext>) =>
    judgeWithWords(status, part, evidence, { ...context, ...about });
  const answer = readAnswer(evidence.body, context.secrets);
  // After a 429 all are tried again, or nobody.
  const entries = status === 429 ? undefined : findEntries(answer, context);
  return entries ? judgeEntries(entries, status, context, judgePart) : judgePart(answer, {});
}

function judgeWithWords(status: number, answer: Answer, evidence: Evidence, context: JudgeContext): Outcome {
  const outcome = judgeAnswer(status, answer, evidence, context);
  return withWords(outcome, answer, context.isTextSecret, context.mapping.messageId);
}

function judgeAnswer(status: number, answer: Answer, evidence: Evidence, context: JudgeContext): Outcome {
  const found = findCode(answer, context.fieldNames, status);
  if (
    status >= 200 &&
    status < 300 &&
    (!carriesFailure(answer) || isNamedSuccess(status, answer, found, context))
  )
    return judgeGood(status, answer, context) ?? unsure(status, found);
  if (status >= 300 && status < 400) return redirected(status, found);
  const saysNo = status === 429 || REJECTED.has(status);
  const described = refusalOf(status, answer, context);
  const refusal = found.listed === undefined || described?.code !== undefined ? described : undefined;
  if (
    (saysNo || refusal !== undefined || found.listed !== undefined) &&
    isPartly(status, answer, found, context)
  )
    return partlyRefused(status, found);
  if (status === 401 || status === 403) return rejected(status, found, context);
  if (status === 429) return tooMany(evidence, found, context.now);
  if (refusal !== undefined) return refused(status, answer, refusal, context);
  return (
    byCode(status, found, context) ?? (saysNo ? rejected(status, found, context) : unsure(status, found))
  );
}

/** Of a text nobody knows what its code is about, unless the status says that all of it was refused. */
function isPartly(
  status: number,
  answer: Answer,
  { partial }: Pick<FoundCode, 'partial'>,
  { recipients, isPart = partial }: JudgeContext,
): boolean {
  if (answer.kind === 'json') return isPart || speaksOfPart(answer.members, recipients);
  return answer.kind === 'text' && ACCEPTED.has(status) && recipients.length > 1;
}

function notSent(code: string | undefined): Outcome {
  const { retry, ...cause } = causeBeforeHeaders(code);
  return { state: 'not_sent', failure: cause, retry };
}

function broken(status: number | undefined, code: string | undefined): Outcome {
  return {
    state: 'unknown',
    failure: given({ ...causeAfterHeaders(code), status }),
  };
}

/** A 2xx without a listed failure code; undefined for one that neither the document nor the account describes. */
function judgeGood(status: number, answer: Answer, context: JudgeContext): Outcome | undefined {
  const { success } = context.mapping;
  // No body is documented for 204, and so no shape can be asked of it.
  const isBare = status === NO_CONTENT && success?.some(({ statuses }) => statuses === undefined);
  const isSuccess = success && (isBare || shapeOf(status, answer, success) !== undefined);
  const refusal = refusalOf(status, answer, context);
  if (refusal !== undefined)
    return isSuccess || isPartly(status, answer, { partial: false }, context)
      ? doubtful(status, answer, context)
      : refused(status, answer, refusal, context);
  if (!isSuccess && !ACCEPTED.has(status)) return undefined;
  return (isSuccess ?? findDoubt(answer) === undefined)
    ? accepted(status, answer, context)
    : doubtful(status, answer, context);
}

/** Whether the account calls a success what would be a listed code elsewhere, by its very value. */
function isNamedSuccess(
  status: number,
  answer: Answer,
  { listed = '' }: FoundCode,
  { mapping }: JudgeContext,
) {
  return shapeOf(status, answer, mapping.success)?.values?.includes(listed) === true;
}

/** Without statuses of its own, it is about those that refuse, and about a 2xx. */
function refusalOf(status: number, answer: Answer, { mapping }: JudgeContext): AnswerShape | undefined {
  const isUsual = status < 300 || REJECTED.has(status);
  return shapeOf(
    status,
    answer,
    mapping.failure?.filter(({ statuses }) => isUsual || statuses !== undefined),
  );
}

/** The account's own way to say no, as the operator describes it. */
function refused(
  status: number,
  answer: Answer,
  { code: meant, explanation }: AnswerShape,
  context: JudgeContext,
): Outcome {
  const { code = meant } = meant === undefined ? ownCode(answer) : {};
  const found = given({ partial: false, listed: code, field: findCode(answer, context.fieldNames).field });
  const listed = byCode(status, found, context);
  if (listed !== undefined) return listed;
  const why = explanation === undefined ? '' : `: ${explanation}`;
  const failure: Failure = {
    status,
    ...given({ code, field: found.field }),
    what: `The messaging service answered ${named(status)} and refused the message, as \`wire.answers.failure\` describes${withCode(code)}${why}.`,
    next: code === undefined ? CHECK_NUMBER_AND_VALUES : LOOK_UP_CODE,
    scope: 'recipient',
  };
  return { state: 'rejected', failure };
}

/** The service took the request and answered with something that is no success: only a person can find out. */
function doubtful(
  status: number,
  answer: Answer,
  { mapping: { success }, fieldNames }: JudgeContext,
): Outcome {
  const { code, isUnclear } = findDoubt(answer) ?? ownCode(answer);
  const unknown = isUnclear
    ? `but Herald does not know whether its answer means yes or no${withCode(code)}`
    : `but its answer speaks of a failure${code === undefined ? ' that Herald does not know' : withCode(code).slice(1)}`;
  const reason =
    success === undefined ? unknown : `but not with what \`wire.answers.success\` describes${withCode(code)}`;
  const failure: Failure = {
    status,
    ...given({ code, field: findCode(answer, fieldNames).field }),
    what: `The messaging service answered ${named(status)}, ${reason}.`,
    next: success === undefined ? `${CHECK_THEN_CHOOSE} ${DESCRIBE_ANSWER}` : CHECK_THEN_CHOOSE,
    scope: 'recipient',
  };
  return { state: 'unknown', failure };
}

function withCode(code: string | undefined): string {
  return code === undefined ? '' : `, with ${namedCode(code)}`;
}

function accepted(status: number, answer: Answer, { mapping }: JudgeContext): Outcome {
  const messageId = findMessageId(answer, mapping.messageId);
  return given({ state: 'accepted', status, messageId });
}

function byCode(status: number, found: FoundCode, { hasTemplate }: JudgeContext): Outcome | undefined {
  const listed = found.listed === undefined ? undefined : FAILURE_CODES.get(found.listed);
  if (listed === undefined) return undefined;
  const { state, scope, code, meaning } = listed;
  const next = nextStep(listed, hasTemplate);
  const what = `The messaging service ${state === 'rejected' ? 'refused the message' : 'failed'} with code ${code}: ${meaning}.`;
  return { state, failure: given({ code, status, what, next, scope, field: found.field }) };
}

function partlyRefused(status: number, found: FoundCode): Outcome {
  const { what, ...answer } = answered(status, found);
  return {
    state: 'unknown',
    failure: {
      ...answer,
      what: `${what.slice(0, -1)}, and may have taken a part of the request.`,
      next: CHECK_THEN_CHOOSE,
      scope: 'send',
    },
  };
}

function rejected(status: number, found: FoundCode, { hasTemplate }: JudgeContext): Outcome {
  const words = REJECTED.get(status) ?? { scope: 'send', next: CHECK_THEN_CHOOSE };
  const byStatus = status === 404 && hasTemplate ? CHECK_TEMPLATE_OR_ADDRESS : words.next;
  const failure: Failure = {
    ...answered(status, found),
    next: found.unlisted === undefined || words.certain ? byStatus : LOOK_UP_CODE,
    scope: words.scope,
    ...given({ field: found.field }),
  };
  return { state: 'rejected', failure };
}

function tooMany({ retryAfter, date = '' }: Evidence, found: FoundCode, now: number): Outcome {
  // The clock of this machine may differ from the service's, or have been set.
  const served = Date.parse(date);
  const delayMs = retryAfterMs(retryAfter, Number.isNaN(served) ? now : served);
  return {
    state: 'not_sent',
    failure: {
      ...answered(429, found),
      next: 'Wait a few minutes, then send it again; if it happens often, ask whoever runs Herald to send slower.',
      scope: 'service',
    },
    retry: delayMs === undefined ? { kind: 'backoff' } : { kind: 'after', delayMs },
  };
}

function redirected(status: number, found: FoundCode): Outcome {
  return {
    state: 'unknown',
    failure: {
      ...answered(status, found),
      next:
        'Ask whoever runs Herald to correct the service’s configured address: Herald never follows a redirect. ' +
        'Check whether this message arrived before you send it again.',
      scope: 'send',
    },
  };
}

/** 408 and 5xx are the service's trouble; any other status has no meaning that can be relied on. */
function unsure(status: number, found: FoundCode): Outcome {
  const isTrouble = status === 408 || status >= 500;
  return {
    state: 'unknown',
    failure: {
      ...answered(status, found),
      next: CHECK_THEN_CHOOSE,
      scope: isTrouble ? 'service' : 'send',
    },
  };
}

/** Status and code as they came, in one sentence; where there is a code, without the meaning of the status. */
function answered(
  status: number,
  { listed, unlisted }: FoundCode,
): Pick<Failure, 'status' | 'what' | 'code'> {
  const code = listed ?? unlisted;
  const meaning =
    code === undefined ? DOCUMENTED_STATUSES.get(status) : listed && FAILURE_CODES.get(listed)?.meaning;
  const coded = code === undefined ? '' : ` with ${namedCode(code)}`;
  return {
    status,
    ...given({ code }),
    what: `The messaging service answered ${named(status)}${coded}${meaning === undefined ? '' : `: ${meaning}`}.`,
  };
}

function named(status: number): string {
  const name = STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}
