import { given } from '../../../core/given.ts';
import type { Piece } from '../../kit/message-text/command-text.ts';
import type { Word } from '../../kit/templates/fit-values.ts';
import { isLinkedNumber } from './leading-number.ts';

/**
 * Each mark opens a value, which these may close. People paste straight, English, German, French and Swedish marks,
 * and programs turn only one of a pair into a typographic one.
 */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"”',
  '“': '”"“',
  '”': '”"',
  '„': '“”"',
  '«': '»',
  '»': '«',
  "'": "'’",
  '‘': "’'",
  '‚': "‘’'",
  '’': "’'",
  '‹': '›',
};
/** Marks that are also apostrophes: one that is never closed is just a letter. */
const APOSTROPHES = "'‘’";
const DOUBLE_MARKS = /["“”„«»]/;
/** A closing mark ends a value only before one of these; `5" tile` goes on. */
const AFTER_VALUE = /[\s,;]/;

type Character = Pick<Piece, 'text' | 'target'>;

/**
 * The words of a line: quoted values, and what stands between white space outside of quotes. A link is never cut
 * in two. A quote that is not closed makes everything after it one doubtful value.
 */
export function splitWords(pieces: readonly Piece[]): readonly Word[] {
  const characters = pieces.flatMap((piece): Character[] =>
    piece.target === undefined
      ? Array.from(piece.text, (text) => ({ text }))
      : [{ text: piece.text, target: piece.target }],
  );
  const words: Word[] = [];
  let position = 0;
  while (position < characters.length) {
    const start = skipBlank(characters, position, words.at(-1)?.quoted === true);
    if (start >= characters.length) break;
    const newLine = join(characters, position, start).includes('\n');
    const { word, end } = readQuoted(characters, start) ?? readPlain(characters, start);
    words.push({ ...word, newLine });
    position = end;
  }
  return words;
}

/** Past white space and, after a quoted value, the comma or semicolon of a pasted list. */
function skipBlank(characters: readonly Character[], from: number, afterQuoted: boolean): number {
  const blank = afterQuoted ? /^[\s,;]$/ : /^\s$/;
  let position = from;
  while (blank.test(characters[position]?.text ?? '')) position += 1;
  return position;
}

type Read = { readonly word: Omit<Word, 'newLine'>; readonly end: number };

function readQuoted(characters: readonly Character[], start: number): Read | undefined {
  const opening = characters[start]?.text ?? '';
  const closing = CLOSING[opening];
  if (closing === undefined) return undefined;
  for (let position = start + 1; position < characters.length; position += 1) {
    const mark = characters[position]?.text ?? '';
    if (mark.length !== 1 || !closing.includes(mark)) continue;
    const next = characters[position + 1]?.text ?? ' ';
    if (!AFTER_VALUE.test(next.charAt(0)) && !DOUBLE_MARKS.test(next.charAt(0))) continue;
    const text = join(characters, start + 1, position);
    return { word: { text, quoted: true, doubtful: isDoubtful(text, opening, closing) }, end: position + 1 };
  }
  if (APOSTROPHES.includes(opening)) return undefined;
  const text = join(characters, start + 1, characters.length).trimEnd();
  return { word: { text, quoted: true, doubtful: true }, end: characters.length };
}

/** `"He said "hi""` closes somewhere else than the person meant; an apostrophe inside is no such sign. */
function isDoubtful(text: string, opening: string, closing: string): boolean {
  if (APOSTROPHES.includes(opening)) return false;
  return [...text].some((character) => character === opening || closing.includes(character));
}

function readPlain(characters: readonly Character[], start: number): Read {
  const end = plainEnd(characters, start);
  const text = join(characters, start, end);
  const target =
    end === start + 1 || isLinkedNumber(characters[start]) ? characters[start]?.target : undefined;
  return {
    word: {
      text,
      quoted: false,
      doubtful: DOUBLE_MARKS.test(text),
      ...given({ target }),
    },
    end,
  };
}

/** A linked phone number ends its word, with the mark of a list after it: another one may follow without a space. */
function plainEnd(characters: readonly Character[], start: number): number {
  if (isLinkedNumber(characters[start]))
    return start + (/^[,;:&|]$/.test(characters[start + 1]?.text ?? '') ? 2 : 1);
  let end = start;
  // A link's own label may hold spaces; it is one character here and so never ends the word.
  while (end < characters.length && !/^\s$/.test(characters[end]?.text ?? '')) end += 1;
  return end;
}

function join(characters: readonly Character[], start: number, end: number): string {
  return characters
    .slice(start, end)
    .map((character) => character.text)
    .join('');
}
