import { z } from 'zod';
import { given } from '../../core/given.ts';
import { fail, ok } from '../../core/result.ts';
import { columnsUsed, withoutColumns } from '../columns.ts';
import { type FormContext, field, optional, readText, required, sequence } from '../form/form.ts';
import type { PersonalField } from '../kinds/kind.ts';
import { TEXT_MAX_CHARACTERS } from '../limits.ts';
import type { FreeText } from '../sms/free-text.ts';
import type { Read } from '../transforms.ts';
import { type Placeholder, placeholderProblem, ruleHint } from './placeholder.ts';
import type { Template } from './template.ts';

/** More than the chat-app platform takes in a row. */
const MANY_SPACES = / {5}/;

/** Which rule a value of a template breaks, its placeholder's or its platform's, in one sentence; undefined when none. */
export function valueProblem(
  template: Pick<Template, 'channel'>,
  placeholder: Placeholder,
  value: string,
): string | undefined {
  return spacingProblem(template, placeholder, value) ?? placeholderProblem(placeholder, value);
}

/** The chat-app platform refuses a message with such a value, wherever the template puts it. */
function spacingProblem(
  { channel }: Pick<Template, 'channel'>,
  { name }: Placeholder,
  value: string,
): string | undefined {
  if (channel !== 'chatapp') return undefined;
  const text = withoutColumns(value, '…');
  const found = /[\r\n\u2028\u2029]/u.test(text)
    ? 'a line break'
    : text.includes('\t')
      ? 'a tab'
      : MANY_SPACES.test(text)
        ? 'more than four spaces in a row'
        : undefined;
  return (
    found &&
    `“${name}” has ${found}: the chat app refuses such a value. Write it on one line, with single spaces.`
  );
}

const META = { label: 'Template', hint: 'Type to search by name, label or text.' } as const;
const MAY_BE_EMPTY = { ...META, hint: `${META.hint} Left empty, you write the text.` } as const;
const MISSING = 'Choose a template.';

const IN_INDIA = {
  ...META,
  hint: `${MAY_BE_EMPTY.hint} Operators in India drop one that is not registered.`,
};

/** The leaf `template` when there is no such template: it accepts nothing but, where a text of one's own will do, no template. */
export function unknownTemplateField(freeText: FreeText = 'refused') {
  const unknown = (name: string) =>
    fail(`The template “${name}” is not in the catalogue. Choose another one.`);
  if (freeText === 'refused') return required(META, MISSING, unknown);
  return optional(freeText === 'asks' ? IN_INDIA : MAY_BE_EMPTY, unknown);
}

/** The leaf `template` for this template: it accepts only its name. */
export function templateField(template: Template) {
  const meta = template.channel === 'sms' ? MAY_BE_EMPTY : META;
  return optional({ ...meta, initial: template.name }, (name) =>
    name === template.name ? ok(name) : fail('Another template was chosen meanwhile. Choose it again.'),
  );
}

/**
 * One leaf per placeholder, in template order. Placeholders with listed values are selects, except in a form for many,
 * where a `{{column}}` may be entered, whose values are checked row by row.
 */
export function paramFields(template: Template, { recipients }: Pick<FormContext, 'recipients'>) {
  const { label, placeholders } = template;
  const count = placeholders.length;
  const values = count === 0 ? 'no values' : count === 1 ? '1 value' : `${count} values`;
  return sequence(
    placeholders.map((placeholder) => paramField(template, placeholder, recipients)),
    `The template “${label}” takes ${values}.`,
  );
}

function paramField(template: Template, placeholder: Placeholder, recipients: FormContext['recipients']) {
  const { name, example, optional: neverNeeded, oneOf } = placeholder;
  const mayStayEmpty = neverNeeded || recipients === 'many-unfilled';
  const meta = {
    label: name,
    maxLength: TEXT_MAX_CHARACTERS,
    affectsPreview: true,
    ...given({ placeholder: example, hint: ruleHint(placeholder) }),
  };
  if (oneOf !== undefined && recipients === undefined) return choiceField(placeholder, oneOf);
  const read = readValue(template, placeholder, recipients !== undefined);
  return mayStayEmpty
    ? optional(meta, read)
        .transform((value) => value ?? '')
        .meta(meta)
    : required(meta, `Enter a value for “${name}”.`, read);
}

function choiceField(placeholder: Placeholder, oneOf: readonly string[]) {
  const { name, example, optional: neverNeeded } = placeholder;
  const meta = field({ label: name, affectsPreview: true, ...given({ placeholder: example }) });
  const values = z.enum(oneOf, {
    error: ({ input }) =>
      (typeof input === 'string' ? placeholderProblem(placeholder, input) : undefined) ??
      `Choose a value for “${name}”.`,
  });
  return neverNeeded
    ? values
        .optional()
        .transform((value) => value ?? '')
        .meta(meta)
    : values.meta(meta);
}

function readValue(template: Template, placeholder: Placeholder, mayNameColumns: boolean): Read<string> {
  return readText(placeholder.name, (text) => {
    const isFilled = mayNameColumns && columnsUsed(text).length > 0;
    // Half a {{column}} in one value and half in another would be a column that no check has seen.
    if (mayNameColumns && template.channel === 'sms' && /[{}]/.test(withoutColumns(text, '…')))
      return `“${placeholder.name}” has a brace outside of {{column}}. Write it without.`;
    return (isFilled ? spacingProblem : valueProblem)(template, placeholder, text);
  });
}

/** A template's values as texts that may hold `{{column}}`, at their form paths. */
export function paramTexts(params: readonly string[]): readonly PersonalField[] {
  return params.map((text, index) => ({ path: `params.${index}`, text }));
}
