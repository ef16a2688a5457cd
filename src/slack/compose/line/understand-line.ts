import { LATE } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import { findTemplate, searchTemplates } from '../../kit/templates/find-template.ts';
import { fitValues } from '../../kit/templates/fit-values.ts';
import { valuesLeftOver } from '../../kit/templates/sentences.ts';
import type { Word } from '../../kit/templates/word.ts';
import type { ComposeDependencies } from '../dependencies.ts';
import { canCarryWords } from '../form/form-metadata.ts';
import { NUMBERS_FIELD, RECIPIENTS_FIELD } from '../form/recipients.ts';
import { CATALOGUE_SLOW_ON_OPENING, SEVERAL_NUMBERS, templateUnknown } from '../sentences.ts';
import { isBuilder, valuesWithText } from './builders.ts';
import { readTemplateLine, readTextLine, type TemplateLine } from './quick-line.ts';

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
  dependencies: ComposeDependencies,
): Promise<UnderstoodLine> {
  const { country } = dependencies.defaults;
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
  const template = await findTemplate(kind, line.templateName, dependencies);
  if (template === LATE) return withoutTemplate(line, [CATALOGUE_SLOW_ON_OPENING]);
  if (template === undefined) return withoutTemplate(line, [await unknownNote(kind, line, dependencies)]);
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
  dependencies: ComposeDependencies,
): Promise<string> {
  const similar = await searchTemplates(kind, templateName, SIMILAR, dependencies);
  return templateUnknown(templateName, similar === LATE ? [] : similar.map((template) => template.name));
}
