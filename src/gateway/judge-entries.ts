import { given } from '../core/given.ts';
import type { Outcome, RequestOutcome } from '../sends/outcome.ts';
import { type AnswerMapping, type IdPlace, shapeOf } from './answer-shape.ts';
import { CHECK_THEN_CHOOSE } from './codes.ts';
import { findExplanation, ownWords } from './find-explanation.ts';
import { findMessageId } from './find-message-id.ts';
import type { Path } from './path.ts';
import type { Answer, JsonAnswer } from './read-answer.ts';
import { type Entries, type Entry, type Recipients, saysTaken } from './recipient-entries.ts';

/** Whom a part of an answer is about, and what the account describes of it. */
interface About {
  readonly recipients: Recipients;
  readonly mapping: AnswerMapping;
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
  idPlaces?: readonly IdPlace[],
): Outcome {
  if (outcome.state === 'accepted') return outcome;
  // Of several messages a report tells of one.
  const isOfSeveral = answer.kind === 'json' && answer.members.some(({ list }) => list !== undefined);
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
export function judgeEntries(
  { byPlace, rest, isComplete }: Entries,
  status: number,
  about: About,
  judgePart: (answer: JsonAnswer, about: About) => Outcome,
): RequestOutcome {
  const { recipients, mapping } = about;
  const { each: _entries, ...besides } = mapping;
  const whole = judgePart(rest, { ...about, mapping: besides, isPart: true });
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
      // Of several the status may be about the others.
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
function inherited({ around }: Entry, mapping: AnswerMapping, isGood: boolean): AnswerMapping {
  const isInside = ({ path }: { readonly path?: Path | undefined }) =>
    path !== undefined && around.every((name, at) => name === path[at]);
  const success = mapping.success?.filter(isInside);
  return {
    // A success that is described of the whole answer is no success of anybody where the answer lacks it.
    success: isGood && success?.length === 0 ? undefined : success,
    failure: mapping.failure?.filter(isInside),
    messageId: mapping.messageId?.filter((place) => isInside('text' in place ? {} : { path: place })),
  };
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
