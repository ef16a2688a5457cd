import { LATE } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { CountryCode } from '../../../messages/numbers/phone-number.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import { type Piece, slackPieces, typedText } from '../../kit/message-text/command-text.ts';
import { findTemplate, searchTemplates } from '../../kit/templates/find-template.ts';
import { fitValues } from '../../kit/templates/fit-values.ts';
import { valuesLeftOver } from '../../kit/templates/sentences.ts';
import type { Word } from '../../kit/templates/word.ts';
import type { Compose } from '../compose.ts';
import { canCarryWords } from '../form/form-metadata.ts';
import { NUMBERS_FIELD, RECIPIENTS_FIELD } from '../form/recipients.ts';
import {
  CATALOGUE_SLOW_ON_OPENING,
  NUMBER_END_UNCLEAR,
  QUOTES_UNCLEAR,
  SEVERAL_NUMBERS,
  TEMPLATE_COMES_FIRST,
  templateUnknown,
} from '../sentences.ts';
import { isBuilder, valuesWithText } from './help.ts';
import { type LeadingNumbers, leadingNumbers, type NumberWord } from './leading-number.ts';
import { splitWords } from './words.ts';

/** A line at the fields of its form. */
export interface UnderstoodLine {
  readonly template?: Template;
  /** By form path; only what the line says. */
  readonly values: FormValues;
  /** True when nothing in it was guessed. Whether it is complete and right is for the form's schema to say. */
  readonly sure: boolean;
  readonly notes: readonly string[];
  /** Values without a template yet. */
  readonly waiting?: readonly Word[];
}

const SIMILAR = 3;

/** Reads what was typed after a kind's command, looking its template up. */
export async function understandLine(
  kind: MessageKind,
  raw: string,
  compose: Compose,
): Promise<UnderstoodLine> {
  const { country } = compose.defaults;
  if (KINDS[kind].templateChannel === undefined) {
    const { numbers, text, sure, notes } = readTextLine(raw, country);
    const to = recipientsIn(numbers);
    const values = { ...to.values, ...valuesWithText(kind, text) };
    return { values, sure: sure && !isBuilder(kind), notes: [...to.notes, ...notes] };
  }
  const read = readTemplateLine(raw, country);
  const to = recipientsIn(read.numbers);
  const line = { ...read, to: to.values, notes: [...to.notes, ...read.notes] };
  if (line.templateName === '') return withoutTemplate(line, []);
  const template = await findTemplate(kind, line.templateName, compose);
  if (template === LATE) return withoutTemplate(line, [CATALOGUE_SLOW_ON_OPENING]);
  if (template === undefined) return withoutTemplate(line, [await unknownNote(kind, line, compose)]);
  const fitted = fitValues(template, line.values);
  return {
    template,
    values: { template: template.name, ...line.to, ...fitted.values },
    sure: line.sure && fitted.sure,
    notes: [...line.notes, ...fitted.notes],
  };
}

/** Several numbers make the form one for many. */
function recipientsIn(numbers: readonly string[]): Pick<UnderstoodLine, 'values' | 'notes'> {
  if (numbers.length < 2) return { values: { to: numbers[0] ?? '' }, notes: [] };
  const values = { [RECIPIENTS_FIELD]: 'numbers', [NUMBERS_FIELD]: numbers.join('\n') };
  return { values, notes: [SEVERAL_NUMBERS] };
}

/** A line that is to be sent by a template, with its recipients as the form holds them. */
type AddressedLine = TemplateLine & { readonly to: UnderstoodLine['values'] };

function withoutTemplate(line: AddressedLine, notes: readonly string[]): UnderstoodLine {
  const { values: waiting } = line;
  const carried = canCarryWords(waiting);
  // What the form cannot carry for the template to come is at least shown.
  const lost = carried ? [] : [valuesLeftOver(waiting.map((word) => word.text))];
  return {
    values: line.to,
    sure: false,
    notes: [...notes, ...line.notes, ...lost],
    ...(carried && waiting.length > 0 ? { waiting } : {}),
  };
}

async function unknownNote(
  kind: MessageKind,
  { templateName }: TemplateLine,
  compose: Compose,
): Promise<string> {
  const similar = await searchTemplates(kind, templateName, SIMILAR, compose);
  return templateUnknown(templateName, similar === LATE ? [] : similar.map((template) => template.name));
}

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
