import { LATE } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import { type CountryCode, countryOf, parsePhoneNumber } from '../../../messages/numbers/phone-number.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { type Piece, slackPieces, typedText } from '../../kit/message-text/command-text.ts';
import { findTemplate, searchTemplates, templateSaid } from '../../kit/templates/find-template.ts';
import { type FittedValues, fitValues, valuesLeftOver, type Word } from '../../kit/templates/fit-values.ts';
import type { Compose } from '../compose.ts';
import { canCarryWords } from '../form/form-metadata.ts';
import { NUMBERS_FIELD, RECIPIENTS_FIELD } from '../form/recipients.ts';
import * as say from '../sentences.ts';
import { valuesWithText, whatBuilds } from './help.ts';
import { leadingNumbers } from './leading-number.ts';
import { splitWords } from './words.ts';

type LeadingNumbers = ReturnType<typeof leadingNumbers>;

/** A line at the fields of its form. */
export interface UnderstoodLine extends FittedValues {
  readonly template?: Template;
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
  const { textPath, templateChannel } = KINDS[kind];
  const read = readTemplateLine(raw, country);
  const typed = textPath && readTextLine(raw, country);
  const found = typed?.numbers.length ? undefined : await findTemplate(kind, read.templateName, compose);
  const template = found === LATE ? undefined : found;
  // What follows a number is a text; a word that is a template, or stands before a number, is meant as one.
  const isMeant = templateChannel && !typed?.numbers.length && (template || read.numbers.length > 0);
  if (typed && !isMeant) return understandText(kind, typed, compose);
  const to = recipientsIn(read.numbers);
  const notes = [...to.notes, ...read.notes];
  if (template !== undefined) {
    const fitted = fitValues(template, read.values);
    return {
      template,
      values: { template: template.name, ...to.values, ...fitted.values },
      sure: read.sure && fitted.sure,
      notes: [...notes, ...fitted.notes],
    };
  }
  const { templateName, values: waiting } = read;
  const carried = canCarryWords(waiting);
  const note =
    found === LATE ? say.CATALOGUE_SLOW_ON_OPENING : await unknownNote(kind, templateName, compose);
  // The form at least shows what it cannot carry for the template to come.
  const lost = carried ? [] : [valuesLeftOver(waiting.map((word) => word.text))];
  return {
    // What may have been meant as a text is kept whole, and goes to nobody as it is.
    values: typed ? { to: '', ...valuesWithText(kind, typed.text) } : to.values,
    sure: false,
    notes: [...(templateName === '' ? [] : [note]), ...notes, ...lost],
    ...(carried && waiting.length > 0 ? { waiting } : {}),
  };
}

/** A text of one's own, or, where that is not simply allowed, the template that says it. */
async function understandText(
  kind: MessageKind,
  line: ReturnType<typeof readTextLine>,
  compose: Compose,
): Promise<UnderstoodLine> {
  const { numbers, text } = line;
  const to = recipientsIn(numbers);
  const notes = [...to.notes, ...line.notes];
  const said = await templateSaid(kind, text, compose);
  if (said !== undefined) {
    const { template, params } = said;
    const values = { ...to.values, template: template.name, params };
    return { template, values, sure: false, notes: [...notes, say.textIsTemplate(template.label)] };
  }
  const values = { ...to.values, ...valuesWithText(kind, text) };
  if (whatBuilds(kind)) return { values, sure: false, notes };
  return { values, sure: line.sure, notes: [...notes, ...freeTextNotes(numbers, compose)] };
}

function freeTextNotes(numbers: readonly string[], { defaults }: Compose): readonly string[] {
  const { freeText, country } = defaults;
  const read = numbers.map((number) => parsePhoneNumber(number, country));
  const isIndian = read.some((number) => number.ok && countryOf(number.value) === 'IN');
  if (freeText === 'asks') return isIndian ? [say.TEMPLATE_IN_INDIA] : [];
  return freeText === 'refused' ? [say.TEMPLATE_NEEDED] : [];
}

/** Several numbers make the form one for many. */
function recipientsIn(numbers: readonly string[]): Pick<UnderstoodLine, 'values' | 'notes'> {
  if (numbers.length < 2) return { values: { to: numbers[0] ?? '' }, notes: [] };
  const values = { [RECIPIENTS_FIELD]: 'numbers', [NUMBERS_FIELD]: numbers.join('\n') };
  return { values, notes: [say.SEVERAL_NUMBERS] };
}

async function unknownNote(kind: MessageKind, name: string, compose: Compose): Promise<string> {
  const similar = await searchTemplates(kind, name, SIMILAR, compose);
  return say.templateUnknown(name, similar === LATE ? [] : similar.map((template) => template.name));
}

/*
 * Lines as they are read: numbers as typed, to be parsed as the field `to`, or as a list where there are several; only a
 * `sure` line may be sent without a form, and its notes say why another is not.
 */

/**
 * Reads what follows `/sms` or `/flash`: a number, then the text, verbatim to its end.
 *
 * @param raw as Slack delivers it, escaped
 */
export function readTextLine(raw: string, country: CountryCode) {
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
export function readTemplateLine(raw: string, country: CountryCode) {
  const words = splitWords(slackPieces(raw));
  const doubtful = words.some((word) => word.doubtful);
  const notes = doubtful ? [say.QUOTES_UNCLEAR] : [];
  const atStart = leadingNumbers(words, country);
  if (startsWithNumber(words, atStart, country)) {
    const templateName = words[atStart.words]?.text ?? '';
    return {
      templateName,
      numbers: atStart.numbers,
      values: words.slice(atStart.words + 1),
      sure: false,
      notes: [...notes, say.TEMPLATE_COMES_FIRST, ...numberNotes(atStart)],
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
  return unclear ? [say.NUMBER_END_UNCLEAR] : [];
}

/** The words between white space, each link being one, with where it starts and ends in the typed text. */
function spacedWords(pieces: readonly Piece[]) {
  const typed = typedText(pieces);
  let offset = 0;
  const words = pieces.flatMap(({ text, target }) => {
    const from = offset;
    offset += text.length;
    if (target !== undefined) return [{ text, target, start: from, end: offset }];
    return Array.from(text.matchAll(/\S+/g), ({ index, 0: word }) => {
      const start = from + index;
      return { text: word, start, end: start + word.length };
    });
  });
  return words.map((word, index) => {
    const before = typed.slice(words[index - 1]?.end ?? 0, word.start);
    return { ...word, newLine: before.includes('\n') };
  });
}
