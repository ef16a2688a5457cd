import { STATUS_CODES } from 'node:http';
import type { Failure, FailureScope, Outcome } from '../sends/outcome.ts';
import { causeAfterHeaders, causeBeforeHeaders } from './causes.ts';
import { DOCUMENTED_STATUSES, FAILURE_CODES, type ServiceCode } from './codes.ts';
import type { Evidence } from './evidence.ts';
import { carriesFailure, type FindCodeContext, type FoundCode, findCode } from './find-code.ts';
import { type Doubt, describeAnswer, findDoubt } from './find-doubt.ts';
import { findMessageId } from './find-message-id.ts';
import { CHECK_NUMBER_AND_VALUES, CHECK_THEN_CHOOSE, DESCRIBE_SUCCESS } from './next-steps.ts';
import { ownWords } from './own-words.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { retryAfterMs } from './retry-after.ts';
import { type SuccessShape, showsSuccess } from './success.ts';

export interface JudgeContext extends FindCodeContext {
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. */
  readonly now: number;
  /** `wire.success`: what a success of this account looks like; absent: whatever does not speak of a failure. */
  readonly success: readonly SuccessShape[] | undefined;
  /** An answer may echo it when it refuses it. */
  readonly apiKey: string;
  /** True when the message's text is a secret: then nothing that the service says may be quoted. */
  readonly isTextSecret: boolean;
}

const NO_CONTENT = 204;
const ACCEPTED: ReadonlySet<number> = new Set([200, 201, NO_CONTENT]);

interface StatusWords {
  readonly scope: FailureScope;
  readonly next: string;
}

/** Answers that say that the message was not taken. */
const REJECTED: ReadonlyMap<number, StatusWords> = new Map([
  [400, { scope: 'recipient', next: CHECK_NUMBER_AND_VALUES }],
  [
    401,
    {
      scope: 'send',
      next: 'Ask whoever runs Herald to check the messaging API key; every message would fail alike.',
    },
  ],
  [
    403,
    {
      scope: 'send',
      next: 'Ask whoever runs Herald to check what the messaging API key may do; every message would fail alike.',
    },
  ],
  [
    404,
    {
      scope: 'send',
      next: 'Check the template’s name, and ask whoever runs Herald to check the service’s configured address.',
    },
  ],
  [405, { scope: 'send', next: 'Ask whoever runs Herald to check the service’s configured address.' }],
  [413, { scope: 'send', next: 'Make the message shorter, then send it again.' }],
  [422, { scope: 'recipient', next: CHECK_NUMBER_AND_VALUES }],
]);

/**
 * What became of a request, by the first rule that matches; anything without a rule is `unknown`. Two rules are
 * read on the careful side: a listed code that means "unknown" does so under a 4xx status too, and a code that
 * only part of a list carries makes the whole request `unknown`.
 */
export function judge(evidence: Evidence, context: JudgeContext): Outcome {
  const { status, failure } = evidence;
  if (!evidence.headersWritten && status === undefined) return notSent(failure?.code);
  if (failure !== undefined || status === undefined) return broken(status, failure?.code);
  const answer = readAnswer(evidence.body);
  if (ACCEPTED.has(status) && !carriesFailure(answer, context)) return judgeGood(status, answer, context);
  const found = findCode(answer, context);
  if (status >= 300 && status < 400) return redirected(status, found);
  if (status === 401 || status === 403) return rejected(status, found);
  if (status === 429) return tooMany(evidence, found, context.now);
  return byCode(status, found) ?? (REJECTED.has(status) ? rejected(status, found) : unsure(status, found));
}

function notSent(code: string | undefined): Outcome {
  const { retry, ...cause } = causeBeforeHeaders(code);
  return { state: 'not_sent', failure: cause, retry };
}

function broken(status: number | undefined, code: string | undefined): Outcome {
  return {
    state: 'unknown',
    failure: { ...causeAfterHeaders(code), ...(status !== undefined && { status }) },
  };
}

/** A 2xx without a listed failure code. Where the account's own success is not described, a success is not doubted. */
function judgeGood(status: number, answer: Answer, context: JudgeContext): Outcome {
  const { success } = context;
  if (success === undefined) {
    const doubt = findDoubt(answer, context);
    return doubt === undefined ? accepted(status, answer) : doubtful(status, answer, doubt, context);
  }
  // No body is documented for 204, and so no shape can be asked of it.
  const isSuccess = status === NO_CONTENT || showsSuccess(answer, success);
  if (isSuccess) return accepted(status, answer);
  const said = findDoubt(answer, context) ?? describeAnswer(answer, context);
  return doubtful(status, answer, said, context);
}

/** The service took the request and answered with something that is no success: only a person can find out. */
function doubtful(status: number, answer: Answer, said: Doubt, context: JudgeContext): Outcome {
  const { code } = said;
  const { field } = findCode(answer, context);
  const secrets = [context.secret ?? '', context.apiKey];
  const words = context.isTextSecret || said.words === undefined ? '' : ownWords(said.words, secrets, code);
  const quoted = [...(code === undefined ? [] : [`code ${code}`]), ...(words === '' ? [] : [`“${words}”`])];
  const reason =
    context.success === undefined
      ? 'but its answer speaks of a failure that Herald does not know'
      : 'but not with what `wire.success` describes';
  const failure: Failure = {
    ...(code !== undefined && { code }),
    status,
    what: `The messaging service answered ${named(status)}, ${reason}${quoted.length > 0 ? `: ${quoted.join(', ')}` : ''}.`,
    next: context.success === undefined ? `${CHECK_THEN_CHOOSE} ${DESCRIBE_SUCCESS}` : CHECK_THEN_CHOOSE,
    scope: 'recipient',
    ...(field !== undefined && { field }),
  };
  return { state: 'unknown', failure };
}

function accepted(status: number, answer: Answer): Outcome {
  const messageId = findMessageId(answer);
  return { state: 'accepted', status, ...(messageId !== undefined && { messageId }) };
}

function byCode(status: number, found: FoundCode): Outcome | undefined {
  const listed = found.listed === undefined ? undefined : FAILURE_CODES.get(found.listed);
  if (listed === undefined) return undefined;
  if (found.partial) return partlyRefused(status, listed);
  const { state, scope, next, code, meaning } = listed;
  const what = `The messaging service ${state === 'rejected' ? 'refused the message' : 'failed'} with code ${code}: ${meaning}.`;
  return { state, failure: { code, status, what, next, scope, ...(found.field && { field: found.field }) } };
}

function partlyRefused(status: number, { code, meaning }: ServiceCode): Outcome {
  return {
    state: 'unknown',
    failure: {
      code,
      status,
      what: `The messaging service took a part of the request and refused another with code ${code}: ${meaning}.`,
      next: CHECK_THEN_CHOOSE,
      scope: 'send',
    },
  };
}

function rejected(status: number, found: FoundCode): Outcome {
  const words = REJECTED.get(status);
  const failure: Failure = {
    ...answered(status, found),
    next: words?.next ?? CHECK_THEN_CHOOSE,
    scope: words?.scope ?? 'send',
    ...(found.field && { field: found.field }),
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

/** Status and code as they came, in one sentence. */
function answered(status: number, found: FoundCode): Pick<Failure, 'status' | 'what' | 'code'> {
  const code = found.listed ?? found.unlisted;
  const meaning = DOCUMENTED_STATUSES.get(status);
  const withCode = code === undefined ? '' : ` and code ${code}`;
  return {
    status,
    ...(code !== undefined && { code }),
    what: `The messaging service answered ${named(status)}${withCode}${meaning === undefined ? '' : `: ${meaning}`}.`,
  };
}

function named(status: number): string {
  const name = STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}
