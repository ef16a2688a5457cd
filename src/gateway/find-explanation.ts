import type { Answer } from './read-answer.ts';
import { COVER } from './secrets.ts';
import { asText, failingMessage, findSign, isUnclear, saysSomething } from './signs.ts';
import type { Member } from './structure.ts';
import * as table from './vocabulary.ts';

/** Keys under which a service explains itself; the one that says most comes first. */
const EXPLANATION_KEYS: readonly RegExp[] = [
  /(?:message|msg)$/,
  /(?:text|description|desc|reason|string|info)$/,
  /(?:title|response|error)$/,
];
/** Keys that say more than the error's name: `error_data.details` in the chat-app platform's answers. */
const DETAILS_KEY = /details?$/;
const DETAILS_CONTAINERS: ReadonlySet<string> = new Set(['errordata', 'detail', 'details']);

/**
 * What a service says of a failure in its own words, as it came: at most its message and the details of it. Best what
 * stands beside the code, or beside whatever else speaks of the failure; else the first sentence of the answer.
 */
export function findExplanation(answer: Answer, code: string | undefined): readonly string[] {
  const { members, text } = answer;
  if (text !== undefined) return text.startsWith('<') ? [] : [text];
  const known = memberWithCode(members, code) ?? findSign(members) ?? members.find(isUnclear);
  const sign = known ?? failingMessage(answer);
  const beside = sign === undefined ? [] : explanationsOf(sign, members);
  if (beside.length > 0) return beside.map(wordsOf);
  if (sign !== undefined && isSentence(sign) && !table.CODE_KEYS.has(sign.key)) return [wordsOf(sign)];
  // A `text` away from the failure may be the customer's own message.
  const around = members.filter(
    ({ parents, key }) => key !== 'text' && parents.every((name) => table.ENVELOPES.has(name)),
  );
  return [clearest(around)].flatMap((one) => (one === undefined ? [] : [wordsOf(one)]));
}

function memberWithCode(members: readonly Member[], code: string | undefined) {
  if (code === undefined) return undefined;
  const carrying = members.filter(({ value }) => asText(value)?.replace(/^#/, '') === code);
  return carrying.find(({ key }) => table.CODE_KEYS.has(key)) ?? carrying[0];
}

function explanationsOf(sign: Member, members: readonly Member[]): readonly Member[] {
  const beside = members.filter(({ object }) => object === sign.object);
  const general = clearest(beside);
  const details = detailsOf(beside) ?? detailsOf(members.filter((one) => isInDetailsOf(sign, one)));
  return [general, details].filter((one) => one !== undefined);
}

function detailsOf(members: readonly Member[]): Member | undefined {
  return members.find((one) => DETAILS_KEY.test(one.key) && isSentence(one));
}

function isInDetailsOf(sign: Member, { parents, list }: Member): boolean {
  return (
    DETAILS_CONTAINERS.has(parents.at(-1) ?? '') &&
    sign.parents.every((name, at) => name === parents[at]) &&
    (sign.list === undefined || sign.list.index === list?.index)
  );
}

function clearest(members: readonly Member[]): Member | undefined {
  const found = EXPLANATION_KEYS.values().map((keys) =>
    members.find((one) => keys.test(one.key) && isSentence(one)),
  );
  return found.find((one) => one !== undefined);
}

function isSentence({ value }: Member): boolean {
  return typeof value === 'string' && saysSomething(value);
}

function wordsOf({ value }: Member): string {
  return asText(value) ?? '';
}

/** Characters that are shown, and kept, of what a service says of itself; of its message where details follow. */
const MOST_SHOWN = 300;
const MOST_BEFORE_DETAILS = 120;
const BETWEEN = ' – ';
/** Telephone numbers and long ids, with what stands between their digits; limits such as 1024 stay readable. */
const NUMBER = /\p{Nd}(?:[ .()-]{0,2}\p{Nd}){6,}/gu;
const LONG_TOKEN = /[\w+/=.-]{32,}/g;

/**
 * A service's own words as people may see them, or undefined where they say nothing that is not said already: on one
 * line, shortened, long tokens and every number of seven digits or more covered. Still foreign text: escaping is for
 * whoever shows them.
 *
 * @param parts its message, and the details of it; known secrets are covered in them already
 * @param code the answer's own code, which may stay
 * @param said what people read beside it
 */
export function ownWords(
  parts: readonly string[],
  code: string | undefined,
  said: string,
): string | undefined {
  const [first, second] = parts
    .map((part) => tidied(part, code))
    .filter((part, at, all) => !all.some((other, place) => place !== at && holds(other, part, place < at)))
    .filter((part) => !holds(said, part, true));
  if (first === undefined || second === undefined) return first && shortened(first, MOST_SHOWN);
  const isLong = first.length + BETWEEN.length + second.length > MOST_SHOWN;
  const message = isLong ? shortened(first, MOST_BEFORE_DETAILS) : first;
  return message + BETWEEN + shortened(second, MOST_SHOWN - BETWEEN.length - message.length);
}

function tidied(words: string, code: string | undefined): string {
  return words
    .slice(0, 10 * MOST_SHOWN)
    .replaceAll(LONG_TOKEN, COVER)
    .replaceAll(NUMBER, (number) => (number === code ? number : COVER))
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '');
}

/** Whether a text says all of another, whatever the signs; of two that say the same the first stays. */
function holds(text: string, words: string, isSameHeld: boolean): boolean {
  const [all, some] = [bare(text), bare(words)];
  return all.includes(some) && (isSameHeld || all !== some);
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{Nd}]+/gu, ' ')
    .trim();
}

function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
