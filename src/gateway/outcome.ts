import { given } from '../core/given.ts';
import type { Failure, Outcome, RequestOutcome } from '../sends/outcome.ts';
import { type AnswerMapping, type AnswerShape, shapeOf } from './answer-shape.ts';
import {
  CHECK_NUMBER_AND_VALUES,
  CHECK_THEN_CHOOSE,
  DESCRIBE_ANSWER,
  LOOK_UP_CODE,
  namedCode,
} from './codes.ts';
import type { Evidence } from './evidence.ts';
import { type FoundCode, findCode } from './find-code.ts';
import { findDoubt, ownCode } from './find-doubt.ts';
import { findMessageId } from './find-message-id.ts';
import { judgeEntries, withWords } from './judge-entries.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { findEntries, type Recipients, speaksOfPart } from './recipient-entries.ts';
import type { AnswerSecrets } from './secrets.ts';
import {
  broken,
  byCode,
  named,
  notSent,
  partlyRefused,
  REJECTED,
  redirected,
  rejected,
  tooMany,
  unsure,
} from './status-outcomes.ts';

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
  const isFree = found.listed === undefined || isNamedSuccess(status, answer, found, context);
  if (status >= 200 && status < 300 && isFree)
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
  const isBoth = refusal !== undefined && shapeOf(status, answer, context.mapping.success) !== undefined;
  if (isBoth) return unsure(status, found);
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

/** A 2xx without a listed failure code; undefined for one that neither the document nor the account describes. */
function judgeGood(status: number, answer: Answer, context: JudgeContext): Outcome | undefined {
  const success = successOf(context);
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

/** Where the account describes the success of each entry, an answer without entries has none. */
function successOf({ mapping: { success, each } }: JudgeContext): AnswerMapping['success'] {
  return success ?? each?.mapping.success;
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
function doubtful(status: number, answer: Answer, context: JudgeContext): Outcome {
  const { fieldNames } = context;
  const success = successOf(context);
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
