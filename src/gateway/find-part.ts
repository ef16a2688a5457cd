import type { AnswerMember } from './answer-members.ts';
import { asText, ENTRY_NAME, SAYS_NOTHING, WORD_KEYS } from './find-doubt.ts';
import { asId, isOfMessage } from './find-message-id.ts';
import { CODE_KEYS, MESSAGE_IDS, STATUS_KEY } from './keys.ts';
import { isTaken } from './status-words.ts';

/** Whom a request went to, in E.164. */
export type Recipients = readonly { readonly number: string }[];

/** Keys of those who were taken, or of how many: `accepted`, `successCount`, `totalSent`. */
const TAKEN =
  /^(?:num|numberof|total|messages?)?(?:accepted|success(?:ful|fully)?|succeeded|sent|submitted|queued|delivered|processed)(?:count|total|numbers?|recipients?|messages?|list|ids?)?$/;
/** What holds the message of one: a plain `id` elsewhere may be the request's. */
const HOLDS_ONE = /(?:message|result|recipient|number|contact)s?$/;
/** Which of the recipients an error is about. */
const PLACE_KEYS: ReadonlySet<string> = new Set(['index', 'position']);
const PARTLY = /^partial/;
const TAKEN_CODE = /^2\d\d$/;
/** Digits of a number without its country's and area's, by which it is recognised however it is written. */
export const KNOWN_BY = 8;
const NUMBERS = /\d(?:[\s().-]{0,2}\d){7,}/g;

/**
 * Whether an answer without entries for its recipients speaks of some of them, or says that any was taken. Then its
 * failure may be that of a part, and nobody knows what became of the others.
 */
export function speaksOfPart(members: readonly AnswerMember[], recipients: Recipients): boolean {
  if (recipients.length < 2) return false;
  return members.some((one) => isOfOne(one) || saysTaken(one)) || namesSome(members, recipients);
}

function isOfOne({ key, value, parents, list }: AnswerMember): boolean {
  if (parents.some((name) => ENTRY_NAME.test(name)) || PLACE_KEYS.has(key)) return true;
  if (list !== undefined && isOfMessage({ parents: list.names.filter(Boolean) })) return true;
  return (
    asId(value) !== undefined &&
    (MESSAGE_IDS.has(key) || (key === 'id' && parents.some((name) => HOLDS_ONE.test(name))))
  );
}

/** Whether it says that something was taken. */
export function saysTaken({ key, value, parents }: AnswerMember): boolean {
  if (value === true || value === false) return value && TAKEN.test(key);
  const text = asText(value)?.toLowerCase() ?? '';
  if (TAKEN.test(key) || parents.some((name) => TAKEN.test(name))) return !SAYS_NOTHING.test(text);
  const isStatus = STATUS_KEY.test(key);
  if ((isStatus || CODE_KEYS.has(key)) && TAKEN_CODE.test(text)) return true;
  return (isStatus || WORD_KEYS.has(key)) && (isTaken(text) || PARTLY.test(text));
}

/** An answer that names all may repeat the request. */
function namesSome(members: readonly AnswerMember[], recipients: Recipients): boolean {
  const named = new Set<string>();
  for (const { value } of members)
    for (const [number] of (asText(value) ?? '').matchAll(NUMBERS))
      named.add(number.replaceAll(/\D/g, '').slice(-KNOWN_BY));
  const count = recipients.filter(({ number }) => named.has(number.slice(-KNOWN_BY))).length;
  return count > 0 && count < recipients.length;
}
