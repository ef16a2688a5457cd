import { z } from 'zod';
import { CHOICE_VALUE_MAX_CHARACTERS, CHOICES_MAX } from '../limits.ts';
import { characterLimit, checkRepeats, strict, words } from '../transforms.ts';

/** What a value must look like besides being text. */
const VALUE_TYPES = ['number', 'date'] as const;

const ONE_OF_RULE = `“oneOf” is a list of 2 to ${CHOICES_MAX} texts; put each in quotes.`;

const choice = words('A value of “oneOf”', false).max(
  CHOICE_VALUE_MAX_CHARACTERS,
  `Slack’s menus hold values of at most ${CHOICE_VALUE_MAX_CHARACTERS} characters.`,
);

const fieldsSchema = strict('A placeholder', {
  name: words('A placeholder’s name', false),
  example: words('A placeholder’s example', true).optional(),
  /** True when an empty value is allowed. */
  optional: z.boolean('“optional” is true or false.').optional(),
  /** Most characters (code points) of a value. */
  maxLength: characterLimit('maxLength').optional(),
  /** The only values there are; stands alone, without `maxLength` and `type`. */
  oneOf: z.array(choice, ONE_OF_RULE).min(2, ONE_OF_RULE).max(CHOICES_MAX, ONE_OF_RULE).readonly().optional(),
  type: z.enum(VALUE_TYPES, '“type” is number or date.').optional(),
});
/** A place in a template that a value goes into, and what the team knows of that value. */
export type Placeholder = Readonly<z.output<typeof fieldsSchema>>;

/** One placeholder as written down. An example keeps the rule that stands beside it. */
export const placeholderSchema = fieldsSchema.superRefine((placeholder, context) => {
  const { oneOf, maxLength, type, example } = placeholder;
  const complain = (path: readonly PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path: [...path], message, input: placeholder });
  if (oneOf !== undefined) {
    checkRepeats(oneOf, (index) => complain(['oneOf', index], 'This value is listed twice.'));
    if (maxLength !== undefined || type !== undefined)
      complain(
        ['oneOf'],
        'Where the values are listed there is no other rule: leave out maxLength and type.',
      );
  }
  const problem = example === undefined ? undefined : placeholderProblem(placeholder, example);
  if (problem !== undefined) complain(['example'], `The example breaks the rule: ${problem}`);
});

/** Which rule of its placeholder a filled-in value breaks, in one sentence; undefined when it breaks none. */
export function placeholderProblem(
  { name, maxLength, oneOf, type }: Placeholder,
  value: string,
): string | undefined {
  if (oneOf !== undefined && !oneOf.includes(value)) return `“${name}” must be one of: ${listed(oneOf)}.`;
  if (type === 'number' && !NUMBER.test(value.trim()))
    return `“${name}” must be a number, such as 12, 1,299.00 or -3.`;
  if (type === 'date' && !isDate(value)) return `“${name}” must be a date that exists, ${DATE_EXAMPLES}.`;
  const characters = [...value].length;
  return maxLength !== undefined && characters > maxLength
    ? `“${name}” has ${characters} characters; at most ${maxLength} are allowed.`
    : undefined;
}

/** The rule of a placeholder for under its input; undefined when any text will do. */
export function ruleHint({ maxLength, oneOf, type }: Placeholder): string | undefined {
  if (oneOf !== undefined) return `One of: ${listed(oneOf)}.`;
  const kinds = { number: 'A number.', date: `A date, ${DATE_EXAMPLES}.` };
  const parts = [
    ...(type === undefined ? [] : [kinds[type]]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

const VALUES_NAMED = 10;

function listed(values: readonly string[]): string {
  const more = values.length > VALUES_NAMED ? ` and ${values.length - VALUES_NAMED} more` : '';
  return values.slice(0, VALUES_NAMED).join(', ') + more;
}

/** Digits of any script, with a sign and with the points, commas and spaces that people group them by. */
const NUMBER = /^[+\-−]?\p{Nd}+(?:[.,\u00A0\u202F ’']\p{Nd}+)*$/u;

const DATE_EXAMPLES = 'such as 2027-05-31, 31/05/2027 or 31 May 2027';
const DATES = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})[/.-](?<month>\d{1,2})[/.-](?<year>\d{4})$/,
  /^(?<day>\d{1,2}) (?<word>[a-z]{3,9})\.? (?<year>\d{4})$/i,
];
const MONTHS = Array.from({ length: 12 }, (_none, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }).toLowerCase(),
);

function isDate(value: string): boolean {
  const found = DATES.map((shape) => shape.exec(value.trim())?.groups).find(Boolean);
  const { year, day, word } = found ?? {};
  const named = MONTHS.findIndex((name) => name.startsWith((word ?? '-').toLowerCase()));
  const month = word === undefined ? Number(found?.month) - 1 : named;
  return new Date(Date.UTC(Number(year), month, Number(day))).getUTCMonth() === month;
}

const NUMBERED = /\{\{\s*(\d{1,3})\s*\}\}/g;
const ANY = /\{\{[^{}]*\}\}/g;

/** A placeholder as India's DLT platforms write it: `{#var#}`, and by what it holds `{#numeric#}`, `{#url#}` and so on. */
const DLT_PLACEHOLDER = /\{#\s{0,9}[a-z]{1,30}\s{0,9}#\}/gi;

export function hasDltPlaceholder(text: string): boolean {
  return text.search(DLT_PLACEHOLDER) >= 0;
}

/** A text with placeholders of DLT as one with numbers; one that has numbers stays as it is. */
export function withNumbers(text: string): string {
  let count = 0;
  const numbered = () => `{{${++count}}}`;
  return placeholderNumbers(text).length > 0 ? text : text.replace(DLT_PLACEHOLDER, numbered);
}

/** The distinct placeholder numbers of a sample text, ascending: `{{2}} {{1}} {{2}}` → 1, 2. */
export function placeholderNumbers(text: string): number[] {
  const numbers = Array.from(text.matchAll(NUMBERED), (match) => Number(match[1]));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The first `{{…}}` that is no numbered placeholder, such as `{{name}}`; undefined when there is none. */
export function strayPlaceholder(text: string): string | undefined {
  return text.replace(NUMBERED, '').match(ANY)?.[0];
}

/** Replaces every numbered placeholder once: what a value brings in is not read again. */
export function fillPlaceholders(text: string, valueAt: (index: number) => string): string {
  return text.replace(NUMBERED, (_placeholder, digits: string) => valueAt(Number(digits) - 1));
}
