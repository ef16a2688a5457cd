import { given } from '../core/given.ts';
import type { Outcome, RequestOutcome } from '../sends/outcome.ts';
import { ANY_PLACE, type AnswerShape, type Path } from './answer-shape.ts';
import { CHECK_THEN_CHOOSE } from './codes.ts';
import { findExplanation, ownWords } from './find-explanation.ts';
import { findMessageId } from './find-message-id.ts';
import type { Answer, JsonAnswer } from './read-answer.ts';
import { type Entries, type Entry, type Recipients, saysTaken } from './recipient-entries.ts';

/** Whom a part of an answer is about, and what the account describes of it. */
interface About {
  readonly recipients: Recipients;
  readonly success: readonly AnswerShape[] | undefined;
  readonly refusal: readonly AnswerShape[] | undefined;
  readonly messageIdAt?: readonly Path[] | undefined;
  /** Whether other parts speak of single recipients: a refusal is then not everybody's. */
  readonly isPart?: boolean;
}

/**
 * With the service's own words, and for what may have been sent the id by which a report settles it.
 *
 * @param isSecret the message's text is a secret, which an answer may echo
 */
export function withWords(
  outcome: Outcome,
  answer: Answer,
  isSecret: boolean,
  messageIdAt?: readonly Path[],
): Outcome {
  if (outcome.state === 'accepted') return outcome;
  // Of several messages a report tells of one.
  const isOfSeveral = answer.kind === 'json' && answer.members.some(({ list }) => list !== undefined);
  const messageId =
    outcome.state !== 'unknown' || isOfSeveral ? undefined : findMessageId(answer, messageIdAt);
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
export function judgeEntries(
  { byPlace, rest, isComplete }: Entries,
  status: number,
  about: About,
  judgePart: (answer: JsonAnswer, about: About) => Outcome,
): RequestOutcome {
  const { recipients, success, refusal, messageIdAt } = about;
  const whole = judgePart(rest, { ...about, isPart: true });
  const isGood = whole.state === 'accepted';
  const isClear = isComplete && (success !== undefined || rest.members.some(saysTaken));
  const others = isGood && !isClear ? unclear(status, rest) : whole;

  function judgeEntry(entry: Entry, recipient: Recipients[number]): Outcome {
    const { answer } = entry;
    const within = (shapes: readonly AnswerShape[]) =>
      shapes.flatMap((shape) => {
        const path = shape.path && pathWithin(entry, shape.path);
        return path === undefined ? [] : [{ ...shape, path }];
      });
    const own = success && within(success);
    // A success that is described of the whole answer is no success of anybody where the answer lacks it.
    const asked = isGood && own?.length === 0 ? undefined : own;
    const idAt = messageIdAt?.flatMap((path) => {
      const own = pathWithin(entry, path);
      return own === undefined ? [] : [own];
    });
    const shapes = { success: asked, refusal: refusal && within(refusal), messageIdAt: idAt };
    const outcome = judgePart(answer, { recipients: [recipient], ...shapes });
    const isTaken = asked !== undefined || answer.members.some(saysTaken);
    const hasId = findMessageId(answer, idAt) !== undefined;
    if (outcome.state !== 'accepted') {
      const contradicts = outcome.state === 'rejected' && status >= 300 && (isTaken || hasId);
      return contradicts ? unclear(status, answer) : outcome;
    }
    if (!isTaken && !(hasId && isGood)) return unclear(status, answer);
    const messageId = outcome.messageId ?? findMessageId(rest, messageIdAt);
    return { ...outcome, ...given({ messageId }) };
  }

  const each = recipients.map((recipient, place) => {
    const entry = byPlace.get(place);
    if (entry !== undefined) return judgeEntry(entry, recipient);
    return byPlace.has(place) ? unclear(status) : others;
  });
  return { ...(each.includes(others) ? others : whole), each };
}

/** What a path into the answer is in one entry of its list; undefined where it leads elsewhere. */
function pathWithin({ path: around, at }: Entry, path: Path): Path | undefined {
  if (!around.every((name, depth) => name === path[depth])) return undefined;
  const inside = path.slice(around.length);
  const [place] = inside;
  if (typeof place === 'number' && place !== at) return undefined;
  return typeof place === 'number' || place === ANY_PLACE ? inside.slice(1) : inside;
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
