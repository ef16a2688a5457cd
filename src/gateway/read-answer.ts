import { parseJson } from './json.ts';
import { type AnswerSecrets, NO_SECRETS } from './secrets.ts';
import { leavesOf, type Member } from './structure.ts';

/** A body as far as it could be understood. */
export interface Answer {
  /** Its members, where it is JSON. */
  readonly members: readonly Member[];
  readonly value?: unknown;
  /** True when the end of the JSON is missing. */
  readonly isCut?: boolean;
  /** What is neither JSON nor empty. */
  readonly text?: string;
}

const EMPTY: Answer = { members: [] };

/** A text in JSON, with its end or without, or what opens, closes and parts. */
const TEXT_OR_SIGN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],]/gs;
/** JSON nested deeper than this is not repaired: no service means it. */
const MOST_OPEN_BRACKETS = 64;

const decoder = new TextDecoder('utf-8', { fatal: false });

/** A body as text; bytes that are not UTF-8 become replacement characters. */
export function decoded(body: Uint8Array | undefined): string {
  return body === undefined ? '' : decoder.decode(body).trim();
}

/**
 * Reads an answer's body as JSON where it is JSON, even when its end is missing. Nothing is assumed of its
 * shape: the interface document shows no response body.
 *
 * @param secrets covered here, once, so that nobody who reads the answer meets them
 */
export function readAnswer(body: Uint8Array | undefined, secrets: AnswerSecrets = NO_SECRETS): Answer {
  const text = decoded(body);
  if (text === '') return EMPTY;
  const whole = parseJson(text, secrets);
  const value = whole ?? parseJson(closeCutJson(text), secrets);
  if (value === undefined) return { members: [], text: secrets.cover(text) };
  return { ...jsonAnswer(value), isCut: whole === undefined };
}

export function jsonAnswer(value: unknown): Answer {
  return { value, members: leavesOf(value) };
}

/**
 * Cuts JSON whose end is missing back to its last complete value and closes what is open, so that a code in the
 * part that did arrive can be found. A value that the cut may have shortened is left out. Empty where nothing is left.
 */
function closeCutJson(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return '';
  const open: string[] = [];
  let completeTo = 0;
  let closers = '';
  for (const { 0: sign, index } of text.matchAll(TEXT_OR_SIGN)) {
    if (sign.startsWith('"')) continue;
    if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
    else if (sign !== ',' && open.pop() !== sign) return '';
    if (open.length > MOST_OPEN_BRACKETS) return '';
    completeTo = sign === ',' ? index : index + 1;
    closers = open.toReversed().join('');
  }
  return text.slice(0, completeTo) + closers;
}
