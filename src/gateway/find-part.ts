import type { AnswerMember } from './answer-members.ts';
import { asText, ENTRY_NAME, SAYS_NOTHING, SUCCESS_WORD, WORD_KEYS } from './find-doubt.ts';
import { asId, isOfMessage } from './find-message-id.ts';
import { CODE_KEYS, MESSAGE_IDS, STATUS_KEY } from './keys.ts';

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
const KNOWN_BY = 8;

/**
 * Whether an answer to several recipients speaks of some of them by themselves, or says that any was taken. Then its
 * failure may be that of a part, and nobody knows what became of the others.
 */
export function speaksOfPart(members: readonly AnswerMember[], recipients: Recipients): boolean {
  return (
    recipients.length > 1 &&
    (members.some((one) => isOfOne(one, recipients.length) || saysTaken(one)) ||
      namesSome(members, recipients))
  );
}

function isOfOne({ key, value, parents, list }: AnswerMember, recipients: number): boolean {
  if (parents.some((name) => ENTRY_NAME.test(name)) || PLACE_KEYS.has(key)) return true;
  const isShort = list !== undefined && list.elements.length < recipients;
  if (isShort && isOfMessage({ parents: list.names.filter(Boolean) })) return true;
  return (
    asId(value) !== undefined &&
    (MESSAGE_IDS.has(key) || (key === 'id' && parents.some((name) => HOLDS_ONE.test(name))))
  );
}

function saysTaken({ key, value, parents }: AnswerMember): boolean {
  if (value === true || value === false) return value && TAKEN.test(key);
  const text = asText(value)?.toLowerCase() ?? '';
  if (TAKEN.test(key) || parents.some((name) => TAKEN.test(name))) return !SAYS_NOTHING.test(text);
  const isStatus = STATUS_KEY.test(key);
  if ((isStatus || CODE_KEYS.has(key)) && TAKEN_CODE.test(text)) return true;
  return (isStatus || WORD_KEYS.has(key)) && (SUCCESS_WORD.test(text) || PARTLY.test(text));
}

/** An answer that names all may repeat the request. */
function namesSome(members: readonly AnswerMember[], recipients: Recipients): boolean {
  const digits = members.map(({ value }) => asText(value)?.replaceAll(/\D/g, '') ?? '').join(' ');
  const named = recipients.filter(({ number }) => digits.includes(number.slice(-KNOWN_BY)));
  return named.length > 0 && named.length < recipients.length;
}
