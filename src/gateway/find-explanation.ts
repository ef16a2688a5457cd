import type { AnswerMember } from './answer-members.ts';
import { asText, findSign, isSameObject, isUnclear, saysSomething } from './find-doubt.ts';
import { CODE_KEYS, ENVELOPES } from './keys.ts';
import type { Answer } from './read-answer.ts';

/** Where a service explains itself, what tells most first. */
const EXPLANATION_KEYS: readonly RegExp[] = [
  /(?:message|msg)$/,
  /(?:text|description|desc|reason|string|info)$/,
  /(?:title|response|error)$/,
];
/** Where it says more than the error's name: `error_data.details` in the chat-app platform's answers. */
const DETAILS_KEY = /details?$/;
const DETAILS_CONTAINERS: ReadonlySet<string> = new Set(['errordata', 'detail', 'details']);

/**
 * What a service says of a failure in its own words, as it came: at most its message and the details of it. Best what
 * stands beside the code, or beside whatever else speaks of the failure; else the first sentence of the answer.
 */
export function findExplanation(answer: Answer, code: string | undefined): readonly string[] {
  if (answer.kind === 'empty') return [];
  if (answer.kind === 'text') return answer.text.startsWith('<') ? [] : [answer.text];
  const { members } = answer;
  const sign = memberWithCode(members, code) ?? findSign(members) ?? members.find(isUnclear);
  const beside = sign === undefined ? [] : explanationsOf(sign, members);
  if (beside.length > 0) return beside.map(wordsOf);
  if (sign !== undefined && isSentence(sign) && !CODE_KEYS.has(sign.key)) return [wordsOf(sign)];
  // A `text` away from the failure may be the customer's own message.
  const around = members.filter(({ parents, key }) => key !== 'text' && parents.every(isEnvelope));
  return [mostTelling(around)].flatMap((one) => (one === undefined ? [] : [wordsOf(one)]));
}

function memberWithCode(members: readonly AnswerMember[], code: string | undefined) {
  if (code === undefined) return undefined;
  const carrying = members.filter(({ value }) => asText(value)?.replace(/^#/, '') === code);
  return carrying.find(({ key }) => CODE_KEYS.has(key)) ?? carrying[0];
}

function explanationsOf(sign: AnswerMember, members: readonly AnswerMember[]): readonly AnswerMember[] {
  const beside = members.filter((one) => isSameObject(one, sign));
  const general = mostTelling(beside);
  const details = detailsOf(beside) ?? detailsOf(members.filter((one) => isInDetailsOf(sign, one)));
  return [general, details].filter((one) => one !== undefined);
}

function detailsOf(members: readonly AnswerMember[]): AnswerMember | undefined {
  return members.find((one) => DETAILS_KEY.test(one.key) && isSentence(one));
}

function isInDetailsOf(sign: AnswerMember, { parents, list }: AnswerMember): boolean {
  return (
    DETAILS_CONTAINERS.has(parents.at(-1) ?? '') &&
    parents.length === sign.parents.length + 1 &&
    sign.parents.every((name, at) => name === parents[at]) &&
    (sign.list === undefined || sign.list.index === list?.index)
  );
}

function mostTelling(members: readonly AnswerMember[]): AnswerMember | undefined {
  for (const keys of EXPLANATION_KEYS) {
    const found = members.find((one) => keys.test(one.key) && isSentence(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isEnvelope(name: string): boolean {
  return ENVELOPES.has(name);
}

function isSentence({ value }: AnswerMember): boolean {
  return typeof value === 'string' && saysSomething(value);
}

function wordsOf({ value }: AnswerMember): string {
  return asText(value) ?? '';
}
