import { type IdPlace, textOf } from './answer-shape.ts';
import { ANSWER_IDS_BY_RANK, MESSAGE_CONTAINERS } from './keys.ts';
import { leadsTo } from './path.ts';
import type { Answer, AnswerMember } from './read-answer.ts';
import { COVER } from './secrets.ts';

/** Kept as long as a button's id may be (interface document, "reply.id"); longer ones are no ids. */
const LONGEST_MESSAGE_ID = 256;

/**
 * The id by which the service knows the message, where the answer has one: the documented answer is "not shown",
 * so the usual names are looked for, best first and outermost first.
 *
 * @param places `wire.answers.messageId`: where this account's answers have it, and nowhere else
 */
export function findMessageId(answer: Answer, places?: readonly IdPlace[]): string | undefined {
  if (places !== undefined) {
    const placed = places.flatMap((place) => valuesIn(answer, place));
    return placed.map(asId).find((id) => id !== undefined);
  }
  if (answer.kind !== 'json') return undefined;
  for (const keys of ANSWER_IDS_BY_RANK) {
    for (const member of answer.members) {
      const id = keys.has(member.key) && isOfMessage(member) ? asId(member.value) : undefined;
      if (id !== undefined) return id;
    }
  }
  return undefined;
}

function valuesIn(answer: Answer, place: IdPlace): readonly unknown[] {
  if ('text' in place) return place.text.find(textOf(answer))?.slice(1) ?? [];
  if (answer.kind !== 'json') return [];
  return answer.members.filter(({ way }) => leadsTo(place, way)).map(({ value }) => value);
}

export function isOfMessage({ parents }: Pick<AnswerMember, 'parents'>): boolean {
  return parents.every((parent) => MESSAGE_CONTAINERS.has(parent));
}

/** Text without blanks, control or invisible characters and covered secrets, or a whole number; anything else is no id. */
export function asId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const id = value.trim();
  return id.length <= LONGEST_MESSAGE_ID && /^[^\p{C}\s]+$/u.test(id) && !id.includes(COVER) ? id : undefined;
}
