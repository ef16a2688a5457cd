import { given } from '../core/given.ts';
import type { Failure, Outcome, RequestOutcome } from '../sends/outcome.ts';
import { type AnswerMapping, type AnswerShape, type IdPlace, shapeOf } from './answer-shape.ts';
import { broken, notSent } from './causes.ts';
import {
  CHECK_NUMBER_AND_VALUES,
  CHECK_THEN_CHOOSE,
  DESCRIBE_ANSWER,
  LOOK_UP_CODE,
  namedCode,
} from './codes.ts';
import type { Evidence } from './evidence.ts';
import { findExplanation, ownWords } from './find-explanation.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import {
  type Entries,
  type Entry,
  findEntries,
  namesSome,
  type Recipients,
  speaksOfPart,
} from './recipient-entries.ts';
import type { AnswerSecrets } from './secrets.ts';
import {
  codeBeside,
  type FieldNames,
  type FoundCode,
  findCode,
  findDoubt,
  findMessageId,
  saysTaken,
} from './signs.ts';
import { byCode, byStatus, named, partlyRefused, REJECTED, tooMany } from './status-outcomes.ts';
import type { Path } from './structure.ts';

export interface JudgeContext {
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. */
  readonly now: number;
  readonly recipients: Recipients;
  /** Whether other parts of the answer speak of single recipients: a refusal is then not everybody's. */
  readonly isPart?: boolean;
  /** Names of fields of our own requests, which an answer may blame. */
  readonly fieldNames: FieldNames;
  /** What the account describes of its answers; `{}`: nothing. */
  readonly mapping: AnswerMapping;
  /** Whether the message is made from a template: what people should look at differs. */
  readonly hasTemplate: boolean;
  /** What the answer may echo and nobody may read. */
  readonly secrets: AnswerSecrets;
  /** True when the message's text is a secret: then nothing that the service says may be quoted. */
  readonly isTextSecret: boolean;
}

/** An answer, or a part of it, with whatever is known of it. */
interface Part extends JudgeContext {
  readonly status: number;
  readonly answer: Answer;
  readonly found: FoundCode;
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
  const judgePart = (answer: Answer, about: Partial<JudgeContext> = {}): Outcome => {
    const found = findCode(answer, context.fieldNames, status);
    const part = { ...context, ...about, status, answer, found };
    // One id in a text for several is nobody's for certain.
    const isShared = answer.text !== undefined && part.recipients.length > 1;
    const idPlaces = isShared ? [] : part.mapping.messageId;
    return withWords(judgeAnswer(part, evidence), answer, context.isTextSecret, idPlaces);
  };
  const answer = readAnswer(evidence.body, context.secrets);
  // After a 429 all are tried again, or nobody.
  const entries = status === 429 ? undefined : findEntries(answer, context);
  return entries ? judgeEntries(entries, status, context, judgePart) : judgePart(answer);
}

function judgeAnswer(part: Part, evidence: Evidence): Outcome {
  const { status, answer, found, mapping, recipients } = part;
  const isGood = status >= 200 && status < 300;
  if (isGood && answer.text !== undefined && namesSome([answer.text], recipients)) return partlyRefused(part);
  const success = shapeOf(status, answer, mapping.success);
  const isListed = found.listed !== undefined && !success?.values?.includes(found.listed);
  if (isGood && !isListed) return judgeGood(part);
  if (status >= 300 && status < 400) return byStatus(part);
  const described = refusalOf(part);
  const refusal = found.listed === undefined || described?.code !== undefined ? described : undefined;
  const saysNo = status === 429 || REJECTED.has(status) || (refusal ?? found.listed) !== undefined;
  if (saysNo && isPartly(part)) return partlyRefused(part);
  if (status === 401 || status === 403) return byStatus(part);
  if (status === 429) return tooMany(evidence, part);
  if (refusal === undefined) return byCode(part) ?? byStatus(part);
  return success === undefined ? refused(part, refusal) : byStatus(part, true);
}

/** True when the answer may speak of some recipients only. A code in a plain text may, unless the status refuses all. */
function isPartly({ status, answer, found, recipients, isPart = found.partial }: Part): boolean {
  if (answer.text !== undefined) return ACCEPTED.has(status) && recipients.length > 1;
  return isPart || speaksOfPart(answer.members, recipients);
}

/** A 2xx without a listed failure code. */
function judgeGood(part: Part): Outcome {
  const { status, answer, mapping } = part;
  const success = successOf(part);
  // No body is documented for 204, and so no shape can be asked of it.
  const isBare = status === NO_CONTENT && success?.some(({ statuses }) => statuses === undefined);
  const isSuccess = success && (isBare || shapeOf(status, answer, success) !== undefined);
  const refusal = refusalOf(part);
  if (refusal !== undefined) return isSuccess || isPartly(part) ? doubtful(part) : refused(part, refusal);
  if (!isSuccess && !ACCEPTED.has(status)) return byStatus(part);
  if (!(isSuccess ?? findDoubt(answer) === undefined)) return doubtful(part);
  return given({ state: 'accepted', status, messageId: findMessageId(answer, mapping.messageId) });
}

/** An answer without entries has no success, if the account describes the success of each entry. */
function successOf({ mapping: { success, each } }: Part): AnswerMapping['success'] {
  const inside = (path: Path | undefined) => each && path && [...each.path, ...path];
  return success ?? each?.mapping.success?.map((shape) => ({ ...shape, path: inside(shape.path) }));
}

/** Without statuses of its own, it is about those that refuse, and about a 2xx. */
function refusalOf({ status, answer, mapping }: Part): AnswerShape | undefined {
  const isUsual = status < 300 || REJECTED.has(status);
  const shapes = mapping.failure?.filter(({ statuses }) => isUsual || statuses !== undefined);
  return shapeOf(status, answer, shapes);
}

/** The account's own way to say no, as the operator describes it. */
function refused(
  part: Part,
  { code = codeBeside(undefined, part.answer.members), explanation }: AnswerShape,
): Outcome {
  const { status, found } = part;
  const listed = byCode({ ...part, found: given({ ...found, listed: code }) });
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
function doubtful(part: Part): Outcome {
  const { status, answer, found } = part;
  const { code, isUnclear } = findDoubt(answer) ?? { code: codeBeside(undefined, answer.members) };
  const isDescribed = successOf(part) !== undefined;
  const unknown = isUnclear
    ? `but Herald does not know whether its answer means yes or no${withCode(code)}`
    : `but its answer speaks of a failure${code === undefined ? ' that Herald does not know' : withCode(code).slice(1)}`;
  const reason = isDescribed
    ? `but not with what \`wire.answers.success\` describes${withCode(code)}`
    : unknown;
  const failure: Failure = {
    status,
    ...given({ code, field: found.field }),
    what: `The messaging service answered ${named(status)}, ${reason}.`,
    next: isDescribed ? CHECK_THEN_CHOOSE : `${CHECK_THEN_CHOOSE} ${DESCRIBE_ANSWER}`,
    scope: 'recipient',
  };
  return { state: 'unknown', failure };
}

function withCode(code: string | undefined): string {
  return code === undefined ? '' : `, with ${namedCode(code)}`;
}

/**
 * With the service's own words, and for what may have been sent the id by which a report settles it.
 *
 * @param isSecret the message's text is a secret, which an answer may echo
 */
function withWords(
  outcome: Outcome,
  answer: Answer,
  isSecret: boolean,
  idPlaces?: readonly IdPlace[],
): Outcome {
  if (outcome.state === 'accepted') return outcome;
  // A list of messages has many ids, and a report is about one of them.
  const isOfSeveral = answer.members.some(({ list }) => list !== undefined);
  const messageId = outcome.state !== 'unknown' || isOfSeveral ? undefined : findMessageId(answer, idPlaces);
  const { code, what } = outcome.failure;
  const explanation = isSecret ? undefined : ownWords(findExplanation(answer, code), code, what);
  return { ...outcome, failure: { ...outcome.failure, ...given({ explanation }) }, ...given({ messageId }) };
}

/**
 * What became of each recipient of a request: by its own entry, and without one by what the answer says besides the
 * entries, where that is clear.
 *
 * @param judgePart judges a part of the answer as if it were all of it
 */
function judgeEntries(
  { byPlace, rest, isComplete }: Entries,
  status: number,
  { recipients, mapping }: JudgeContext,
  judgePart: (answer: Answer, about: Partial<JudgeContext>) => Outcome,
): RequestOutcome {
  const whole = judgePart(rest, { mapping: { ...mapping, each: undefined }, isPart: true });
  const isGood = whole.state === 'accepted';
  const isClear = isComplete && (mapping.success !== undefined || rest.members.some(saysTaken));
  const others = isGood && !isClear ? unclear(status, rest) : whole;

  function judgeEntry(entry: Entry, recipient: Recipients[number]): Outcome {
    const { answer } = entry;
    const own = entry.mapping ?? inherited(entry, mapping, isGood);
    const outcome = judgePart(answer, { recipients: [recipient], mapping: own });
    const saysYes = answer.members.some(saysTaken);
    const hasId = findMessageId(answer, own.messageId) !== undefined;
    if (outcome.state === 'rejected' && status >= 300) {
      if (entry.mapping !== undefined && shapeOf(status, answer, own.failure) !== undefined) return outcome;
      const { success } = own;
      // With several recipients the status may be about the others.
      const isOpen = recipients.length > 1 || shapeOf(status, answer, success) !== undefined;
      return saysYes || hasId || (success !== undefined && isOpen) ? unclear(status, answer) : outcome;
    }
    if (outcome.state !== 'accepted') return outcome;
    if (own.success === undefined && !saysYes && !(hasId && isGood)) return unclear(status, answer);
    const messageId = outcome.messageId ?? findMessageId(rest, mapping.messageId);
    return { ...outcome, ...given({ messageId }) };
  }

  const each = recipients.map((recipient, place) => {
    const entry = byPlace.get(place);
    if (entry !== undefined) return judgeEntry(entry, recipient);
    return byPlace.has(place) ? unclear(status) : others;
  });
  const [only] = each;
  if (each.length === 1 && only !== undefined) return only;
  return { ...(each.includes(others) ? others : whole), each };
}

/** What is described of the whole answer, as far as it leads into this entry. */
function inherited({ inside }: Entry, mapping: AnswerMapping, isGood: boolean): AnswerMapping {
  const leading = <Place extends Pick<AnswerShape, 'path'>>(places: readonly Place[] | undefined) =>
    places?.flatMap((place) => {
      const path = place.path && inside(place.path);
      return path ? [{ ...place, path }] : [];
    });
  const success = leading(mapping.success);
  return {
    // A success that is described of the whole answer is no success of anybody where the answer lacks it.
    success: isGood && success?.length === 0 ? undefined : success,
    failure: leading(mapping.failure),
    messageId: leading(mapping.messageId),
  };
}

function unclear(status: number, answer: Answer = { members: [] }): Outcome {
  const failure = {
    status,
    what: `The messaging service answered ${status} and did not clearly say what became of this message.`,
    next: CHECK_THEN_CHOOSE,
    scope: 'recipient',
  } as const;
  return withWords({ state: 'unknown', failure }, answer, true);
}
