import { type AnswerMember, answerMembers } from './answer-members.ts';
import { parseJson } from './json.ts';
import { type AnswerSecrets, NO_SECRETS } from './secrets.ts';

/**
 * Reads an answer's body as JSON where it is JSON, even when its end is missing. Nothing is assumed of its
 * shape: the interface document shows no response body.
 */

export interface JsonAnswer {
  readonly kind: 'json';
  readonly members: readonly AnswerMember[];
  /** As it was parsed; `isCut` where its end is missing. */
  readonly value?: unknown;
  readonly isCut?: boolean;
}

/** A body as far as it could be understood: what JSON holds, else its text, else nothing. */
export type Answer =
  | JsonAnswer
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'empty' };

/** JSON nested deeper than this is not repaired: no service means it. */
const MOST_OPEN_BRACKETS = 64;

const decoder = new TextDecoder('utf-8', { fatal: false });

/**
 * @param body what was kept of the body; bytes that are not UTF-8 become replacement characters
 * @param secrets covered here, once, so that nobody who reads the answer meets them
 */
export function readAnswer(body: Uint8Array | undefined, secrets: AnswerSecrets = NO_SECRETS): Answer {
  const text = body === undefined ? '' : decoder.decode(body).trim();
  if (text === '') return { kind: 'empty' };
  const whole = parseJson(text);
  const value = whole ?? parseJson(closeCutJson(text));
  if (value === undefined) return { kind: 'text', text: secrets.cover(text) };
  return { ...jsonAnswer(value, secrets), isCut: whole === undefined };
}

export function jsonAnswer(value: unknown, secrets: AnswerSecrets): JsonAnswer {
  return { kind: 'json', value, members: withoutSecrets(answerMembers(value), secrets) };
}

/** An echo of a password alone says nothing; a key where a code stands still says that something is wrong. */
function withoutSecrets(
  members: readonly AnswerMember[],
  { passwords, cover }: AnswerSecrets,
): readonly AnswerMember[] {
  const isEcho = ({ value }: AnswerMember) => passwords.includes(String(value).trim());
  return (passwords.length === 0 ? members : members.filter((one) => !isEcho(one))).map((one) => {
    if (typeof one.value !== 'string' && typeof one.value !== 'number') return one;
    const text = String(one.value);
    const covered = cover(text);
    return covered === text ? one : { ...one, value: covered };
  });
}

/**
 * Cuts JSON whose end is missing back to its last complete value and closes what is open, so that a code in the
 * part that did arrive can be found. A value that the cut may have shortened is left out. Empty where nothing is left.
 */
function closeCutJson(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return '';
  const open: string[] = [];
  let inString = false;
  let completeTo = 0;
  let closers = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
      continue;
    }
    switch (character) {
      case '"':
        inString = true;
        continue;
      case '{':
      case '[':
        open.push(character === '{' ? '}' : ']');
        completeTo = at + 1;
        break;
      case '}':
      case ']':
        if (open.pop() !== character) return '';
        completeTo = at + 1;
        break;
      case ',':
        completeTo = at;
        break;
      default:
        continue;
    }
    if (open.length > MOST_OPEN_BRACKETS) return '';
    closers = open.toReversed().join('');
  }
  return completeTo === 0 ? '' : text.slice(0, completeTo) + closers;
}
