import { z } from 'zod';
import { given } from '../../core/given.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { Issue } from '../submission.ts';
import { isBlank } from '../text.ts';
import { RULES, type TemplateFormContext, templateKindOf } from './form.ts';
import type { Placeholder } from './placeholder.ts';
import { type Template, templateSchema } from './template.ts';

/* What a template's form holds, and the template that it makes. */

/** What a template's form holds when it opens; see `templateForm`. */
export function templateFormValues(template: Template): Readonly<Record<string, unknown>> {
  const { channel: _channel, languages, cards, placeholders, ...rest } = template;
  return {
    ...rest,
    variant: templateKindOf(template),
    languages: languages.join(', '),
    ...given({ cards: cards > 0 ? cards : undefined }),
    placeholders: placeholders.map(rowValues),
    mayStayEmpty: placeholders.flatMap(({ optional }, index) => (optional ? [String(index)] : [])),
  };
}

function rowValues({ name, example, maxLength, oneOf, type }: Placeholder) {
  const limit = maxLength === undefined ? undefined : String(maxLength);
  const separator = oneOf?.some((value) => value.includes(',')) ? ' | ' : ', ';
  return {
    name,
    ...given({ example, detail: oneOf?.join(separator) ?? limit }),
    rule: oneOf ? 'one-of' : (type ?? (limit === undefined ? 'any' : 'max')),
  };
}

/** As typed; what is empty, or no text, is absent. */
const asTyped = z
  .string()
  .refine((text) => !isBlank(text))
  .optional()
  .catch(undefined);
const trimmed = asTyped.transform((text) => text?.trim());

const submittedRow = z.object({
  name: trimmed,
  example: asTyped,
  rule: z.enum(RULES).optional().catch(undefined),
  detail: trimmed,
});
type SubmittedRow = z.output<typeof submittedRow>;

/** What a template's form holds when it is submitted, whatever Slack made of its inputs. */
const submitted = z.object({
  variant: trimmed,
  name: trimmed,
  label: trimmed,
  languages: trimmed,
  type: trimmed,
  dltTemplateId: trimmed,
  entityId: trimmed,
  text: asTyped,
  /** Judged by the template's own rule. */
  cards: z.unknown().optional(),
  placeholders: z.array(submittedRow.catch(submittedRow.parse({}))).catch([]),
  mayStayEmpty: z.array(z.unknown()).catch([]),
});

/**
 * The template that a submitted form describes. Issues carry the form's paths.
 *
 * @param values as read from the form: text, numbers, lists of choices; what is empty is null or absent
 */
export function templateFromForm(
  values: Readonly<Record<string, unknown>>,
  { kind, rows, existing }: TemplateFormContext,
): Result<Template, readonly Issue[]> {
  const read = submitted.parse(values);
  const { variant: chosen = kind, name = '', languages, cards, mayStayEmpty, ...rest } = read;
  const [channel, variant] = chosen.split('/');
  const rowsGiven = read.placeholders.slice(0, rows);
  const placeholders = rowsGiven.map((row, index) =>
    placeholderOf(row, mayStayEmpty.includes(String(index))),
  );
  const parsed = templateSchema.safeParse({
    name: existing?.name ?? name,
    channel,
    variant,
    ...given({
      ...rest,
      languages: listIn(languages, ','),
      cards: cards ?? undefined,
      placeholders: placeholders.length > 0 ? placeholders : undefined,
    }),
  });
  const broken = parsed.error?.issues ?? [];
  const issues = [
    ...rowsGiven.flatMap(detailIssues),
    ...broken.map(({ path, message }) => ({ path: inputOf(path), message })),
  ];
  return parsed.success && issues.length === 0 ? ok(parsed.data) : fail(issues);
}

const DIGITS = /^\d+$/;

function placeholderOf({ name = '', example, rule, detail = '' }: SubmittedRow, optional: boolean) {
  const isLimited = DIGITS.test(detail) && rule !== 'one-of' && rule !== 'any';
  return given({
    name,
    example,
    optional: optional || undefined,
    maxLength: isLimited ? Number(detail) : undefined,
    oneOf: rule === 'one-of' ? (listIn(detail, detail.includes('|') ? '|' : ',') ?? []) : undefined,
    type: rule === 'number' || rule === 'date' ? rule : undefined,
  });
}

/** What was typed as a detail, and does not fit the rule beside it: nothing is dropped without a word. */
function detailIssues({ rule = 'any', detail }: SubmittedRow, index: number): Issue[] {
  const refuse = (message: string) => [{ path: `placeholders.${index}.detail`, message }];
  const isNumber = detail !== undefined && DIGITS.test(detail);
  if (rule === 'max' && !isNumber) return refuse('Enter how many characters a value may have, as a number.');
  if ((rule === 'number' || rule === 'date') && detail !== undefined && !isNumber)
    return refuse('Leave this empty, or enter how many characters a value may have.');
  if (rule === 'any' && detail !== undefined)
    return refuse('With any text there is nothing to detail: choose a rule, or leave this empty.');
  return [];
}

/** Where a form asks for what a placeholder has under another name. */
const PLACEHOLDER_INPUTS: Readonly<Record<string, string>> = {
  oneOf: 'detail',
  maxLength: 'detail',
  type: 'rule',
};

/** From the template's path to the input that is to blame: `placeholders.0.oneOf.1` is asked for as a detail. */
function inputOf([field, index, part]: readonly PropertyKey[]): string {
  if (field === 'channel') return 'variant';
  if (field !== 'placeholders' || part === undefined) return String(field);
  return `placeholders.${String(index)}.${PLACEHOLDER_INPUTS[String(part)] ?? String(part)}`;
}

function listIn(typed: string | undefined, separator: string): readonly string[] | undefined {
  return typed
    ?.split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
