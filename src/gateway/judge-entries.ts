import type { Outcome, RequestOutcome } from '../sends/outcome.ts';
import type { AnswerShape } from './answer-shape.ts';
import { findExplanation } from './find-explanation.ts';
import { findMessageId } from './find-message-id.ts';
import { type Recipients, saysTaken } from './find-part.ts';
import { CHECK_THEN_CHOOSE } from './next-steps.ts';
import { ownWords } from './own-words.ts';
import type { Answer, JsonAnswer } from './read-answer.ts';
import type { Entries, Entry } from './recipient-entries.ts';

/** Whom a part of an answer is about, and what the account describes of it. */
interface About {
  readonly recipients: Recipients;
  readonly success: readonly AnswerShape[] | undefined;
  readonly refusal: readonly AnswerShape[] | undefined;
  /** Whether other parts speak of single recipients: a refusal is then not everybody's. */
  readonly isPart?: boolean;
}

/**
 * With the service's own words, and for what may have been sent the id by which a report settles it.
 *
 * @param isSecret the message's text is a secret, which an answer may echo
 */
export function withWords(outcome: Outcome, answer: Answer, isSecret: boolean): Outcome {
  if (outcome.state === 'accepted') return outcome;
  // Of several messages a report tells of one.
  const isOfSeveral = answer.kind === 'json' && answer.members.some(({ list }) => list !== undefined);
  const messageId = outcome.state !== 'unknown' || isOfSeveral ? undefined : findMessageId(answer);
  const { code, what } = outcome.failure;
  const explanation = isSecret ? undefined : ownWords(findExplanation(answer, code), code, what);
  const failure = { ...outcome.failure, ...(explanation !== undefined && { explanation }) };
  return { ...outcome, failure, ...(messageId !== undefined && { messageId }) };
}

/**
 * What became of each recipient of a request: by its own entry, and without one by what the answer says besides the
 * entries, where that is clear.
 *
 * @param judgePart judges a part of the answer as if it were all of it
 */
export function judgeEntries(
  { byPlace, rest, isComplete }: Entries,
  status: number,
  about: About,
  judgePart: (answer: JsonAnswer, about: About) => Outcome,
): RequestOutcome {
  const { recipients, success, refusal } = about;
  const whole = judgePart(rest, { ...about, isPart: true });
  const isGood = whole.state === 'accepted';
  const isClear = isComplete && (success !== undefined || rest.members.some(saysTaken));
  const others = isGood && !isClear ? unclear(status, rest) : whole;

  function judgeEntry({ answer, path }: Entry, recipient: Recipients[number]): Outcome {
    const within = (shapes: readonly AnswerShape[]) =>
      shapes
        .filter((shape) => path.every((name, at) => name === shape.path[at]))
        .map((shape) => ({ ...shape, path: shape.path.slice(path.length) }));
    const own = success && within(success);
    // A success that is described of the whole answer is no success of anybody where the answer lacks it.
    const asked = isGood && own?.length === 0 ? undefined : own;
    const shapes = { success: asked, refusal: refusal && within(refusal) };
    const outcome = judgePart(answer, { recipients: [recipient], ...shapes });
    const isTaken = asked !== undefined || answer.members.some(saysTaken);
    const hasId = findMessageId(answer) !== undefined;
    if (outcome.state !== 'accepted') {
      const contradicts = outcome.state === 'rejected' && status >= 300 && (isTaken || hasId);
      return contradicts ? unclear(status, answer) : outcome;
    }
    if (!isTaken && !(hasId && isGood)) return unclear(status, answer);
    const messageId = outcome.messageId ?? findMessageId(rest);
    return { ...outcome, ...(messageId !== undefined && { messageId }) };
  }

  const each = recipients.map((recipient, place) => {
    const entry = byPlace.get(place);
    if (entry !== undefined) return judgeEntry(entry, recipient);
    return byPlace.has(place) ? unclear(status) : others;
  });
  return { ...(each.includes(others) ? others : whole), each };
}

function unclear(status: number, answer: Answer = { kind: 'empty' }): Outcome {
  const failure = {
    status,
    what: `The messaging service answered ${status} and did not clearly say what became of this message.`,
    next: CHECK_THEN_CHOOSE,
    scope: 'recipient',
  } as const;
  return withWords({ state: 'unknown', failure }, answer, true);
}
