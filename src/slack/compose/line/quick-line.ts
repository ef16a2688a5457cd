import type { CountryCode } from '../../../messages/numbers/phone-number.ts';
import { type Piece, slackPieces, typedText } from '../../kit/message-text/command-text.ts';
import type { Word } from '../../kit/templates/word.ts';
import { NUMBER_END_UNCLEAR, QUOTES_UNCLEAR, TEMPLATE_COMES_FIRST } from '../sentences.ts';
import { type LeadingNumbers, leadingNumbers, type NumberWord } from './leading-number.ts';
import { splitWords } from './words.ts';

/** What was understood of a line. Only a `sure` one may be sent without a form; `notes` say why it is not. */
interface Understood {
  /** As typed, to be parsed as the field `to`, or as a list where there are several; empty when there is none. */
  readonly numbers: readonly string[];
  readonly sure: boolean;
  readonly notes: readonly string[];
}

/** `+6591234567 text…`: for SMS and flash SMS. */
export interface TextLine extends Understood {
  /** Verbatim, with line breaks and quotes. */
  readonly text: string;
}

/** `template +6591234567 "value" …`: for chat-app and RCS. */
export interface TemplateLine extends Understood {
  /** As typed; empty when there is none. */
  readonly templateName: string;
  readonly values: readonly Word[];
}

/** What stands alone after a command and asks for something else than a send. */
export function lineIntent(raw: string): 'empty' | 'help' | 'send' {
  const text = raw.trim().toLowerCase();
  if (text === '') return 'empty';
  return text === 'help' ? 'help' : 'send';
}

/**
 * Reads what follows `/sms` or `/flash`: a number, then the text, verbatim to its end.
 *
 * @param raw as Slack delivers it, escaped
 */
export function readTextLine(raw: string, country: CountryCode): TextLine {
  const pieces = slackPieces(raw);
  const words = spacedWords(pieces);
  const leading = leadingNumbers(words, country);
  const typed = typedText(pieces);
  const text = typed.slice(words[leading.words - 1]?.end ?? 0).trim();
  return { numbers: leading.numbers, text, sure: leading.sure, notes: numberNotes(leading) };
}

/**
 * Reads what follows `/chatapp` or `/rcs`: a template's name, a number, and the template's values, in quotes
 * where they have spaces. Which value belongs where is decided with the template; see `fitValues`.
 *
 * @param raw as Slack delivers it, escaped
 */
export function readTemplateLine(raw: string, country: CountryCode): TemplateLine {
  const words = splitWords(slackPieces(raw));
  const doubtful = words.some((word) => word.doubtful);
  const notes = doubtful ? [QUOTES_UNCLEAR] : [];
  const atStart = leadingNumbers(words, country);
  if (startsWithNumber(words, atStart, country)) {
    const templateName = words[atStart.words]?.text ?? '';
    return {
      templateName,
      numbers: atStart.numbers,
      values: words.slice(atStart.words + 1),
      sure: false,
      notes: [...notes, TEMPLATE_COMES_FIRST, ...numberNotes(atStart)],
    };
  }
  const leading = leadingNumbers(words.slice(1), country);
  return {
    templateName: words[0]?.text ?? '',
    numbers: leading.numbers,
    values: words.slice(1 + leading.words),
    sure: leading.sure && !doubtful,
    notes: [...notes, ...numberNotes(leading)],
  };
}

/** A template may be named by digits alone; then a number must follow it for the line to make sense. */
function startsWithNumber(words: readonly Word[], atStart: LeadingNumbers, country: CountryCode): boolean {
  if (atStart.words === 0) return false;
  const couldBeName = atStart.words === 1 && /^\d+$/.test(words[0]?.text ?? '');
  return !(couldBeName && leadingNumbers(words.slice(1), country).words > 0);
}

function numberNotes({ unclear }: LeadingNumbers): readonly string[] {
  return unclear ? [NUMBER_END_UNCLEAR] : [];
}

interface SpacedWord extends NumberWord {
  /** Where it ends in the typed text. */
  readonly end: number;
}

/** The words between white space, each link being one. */
function spacedWords(pieces: readonly Piece[]): readonly SpacedWord[] {
  const words: SpacedWord[] = [];
  let offset = 0;
  let blank = '';
  for (const piece of pieces) {
    if (piece.target !== undefined) {
      words.push({
        text: piece.text,
        target: piece.target,
        newLine: blank.includes('\n'),
        end: offset + piece.text.length,
      });
      blank = '';
    } else {
      let read = 0;
      for (const { index, 0: text } of piece.text.matchAll(/\S+/g)) {
        blank += piece.text.slice(read, index);
        read = index + text.length;
        words.push({ text, newLine: blank.includes('\n'), end: offset + read });
        blank = '';
      }
      blank += piece.text.slice(read);
    }
    offset += piece.text.length;
  }
  return words;
}
