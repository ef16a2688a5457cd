import { z } from 'zod';
import { given } from '../../core/given.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { type FieldMeta, type FormSchema, field } from '../form/form.ts';
import { CAROUSEL_MAX_CARDS, CAROUSEL_MIN_CARDS, PLACEHOLDERS_MAX, TEXT_MAX_CHARACTERS } from '../limits.ts';
import type { Issue } from '../submission.ts';
import { isBlank } from '../text.ts';
import { type Placeholder, placeholderNumbers } from './placeholder.ts';
import {
  LANGUAGE_RULE,
  TEMPLATE_CHANNELS,
  TEMPLATE_VARIANTS,
  type Template,
  templateSchema,
  VARIANTS_WITH_VALUES,
} from './template.ts';

/** `channel/variant`: what a template is, as one choice. */
export type TemplateKind = `${Template['channel']}/${Template['variant']}`;

const KIND_LABELS: Readonly<Record<string, string>> = {
  'chatapp/otp': 'Chat-app: one-time password',
  'chatapp/text': 'Chat-app: text',
  'chatapp/document': 'Chat-app: document header',
  'chatapp/image': 'Chat-app: image header',
  'chatapp/video': 'Chat-app: video header',
  'rcs/plain': 'RCS: plain text',
  'rcs/rich': 'RCS: rich text',
  'rcs/variables': 'RCS: text with variables',
  'rcs/carousel-fixed': 'RCS: carousel, fixed images',
  'rcs/carousel-images': 'RCS: carousel, images of your own',
};

/** Every kind of template, or those of one channel, in the order they are offered in. */
export function templateKinds(channel?: Template['channel']): readonly TemplateKind[] {
  const channels = channel === undefined ? TEMPLATE_CHANNELS : [channel];
  return channels.flatMap((one) => TEMPLATE_VARIANTS[one].map((variant) => `${one}/${variant}` as const));
}

export function templateKindOf({ channel, variant }: Pick<Template, 'channel' | 'variant'>): TemplateKind {
  return `${channel}/${variant}`;
}

export function templateKindLabel(kind: string): string {
  return KIND_LABELS[kind] ?? kind;
}

/** What the form of a template depends on. */
export interface TemplateFormContext {
  readonly kind: TemplateKind;
  /** Placeholders to ask for; 0 to 20. */
  readonly rows: number;
  /** Absent for a new template. Channel and name are what it is registered under, and stay. */
  readonly existing?: Pick<Template, 'channel' | 'name'> | undefined;
}

const RULES = ['any', 'max', 'one-of', 'number', 'date'] as const;
const RULE_LABELS: Readonly<Record<(typeof RULES)[number], string>> = {
  any: 'Any text',
  max: 'At most so many characters',
  'one-of': 'One of these values',
  number: 'A number',
  date: 'A date',
};

/**
 * The fields of a template of one kind: `variant`, `name` (of a new one), `label`, `languages` (chat-app),
 * `text`, `cards` (carousel with images of one's own), `placeholders.N.{name, example, rule, detail}` and
 * `mayStayEmpty`. It is walked for its inputs only; `templateFromForm` reads what was submitted.
 */
export function templateForm({ kind, rows, existing }: TemplateFormContext): FormSchema<unknown> {
  const places = Array.from({ length: rows }, (_none, index) => String(index));
  const kinds = templateKinds(existing?.channel);
  const shape: Record<string, z.ZodType> = {
    variant: z
      .enum(kinds as [TemplateKind, ...TemplateKind[]])
      .meta(field({ label: 'Kind', optionLabels: KIND_LABELS, initial: kind })),
    ...(existing === undefined
      ? { name: line({ label: 'Name', hint: nameHint(kind), placeholder: 'order_update' }) }
      : {}),
    label: line({ label: 'Label', hint: 'What people here call it. Left empty, it is the name.' }).optional(),
    ...(kind.startsWith('chatapp/') && kind !== WITHOUT_LANGUAGE
      ? { languages: line({ label: 'Languages', hint: LANGUAGES_HINT, placeholder: 'en_US, hi' }).optional() }
      : {}),
    text: line({ label: 'Sample text', hint: TEXT_HINT, multiline: true }).optional(),
    ...(kind === 'rcs/carousel-images'
      ? {
          cards: z.number().meta(
            field({
              label: 'Cards',
              hint: `From ${CAROUSEL_MIN_CARDS} to ${CAROUSEL_MAX_CARDS}; each takes an image.`,
            }),
          ),
        }
      : {}),
    ...(rows > 0
      ? {
          placeholders: z.tuple(
            places.map((_place, index): z.ZodType => row(index)) as [z.ZodType, ...z.ZodType[]],
          ),
          mayStayEmpty: z
            .array(z.enum(places as [string, ...string[]]))
            .optional()
            .meta(
              field({
                label: 'Placeholders that may stay empty',
                optionLabels: Object.fromEntries(places.map((place) => [place, `{{${Number(place) + 1}}}`])),
              }),
            ),
        }
      : {}),
  };
  return z.object(shape);
}

function nameHint(kind: TemplateKind): string {
  const rule = kind.startsWith('chatapp/') ? ': lowercase letters, digits and underscores' : '';
  return `As registered with the service${rule}. It cannot be changed later.`;
}

/** Its request is documented, and has no place for a language. */
const WITHOUT_LANGUAGE: TemplateKind = 'chatapp/document';
const LANGUAGES_HINT = `With commas between them; left empty, any. One is chosen for each one-time password, and for other templates where requests carry it (\`wire:\` in herald.yml). ${LANGUAGE_RULE}`;
const TEXT_HINT = 'As registered, with {{1}}, {{2}} and so on where a value goes.';

function line(meta: FieldMeta) {
  return z.string().meta(field({ maxLength: TEXT_MAX_CHARACTERS, ...meta }));
}

function row(index: number) {
  const which = `{{${index + 1}}}`;
  return z.object({
    name: line({ label: `${which} name`, placeholder: 'customer' }),
    example: line({ label: `${which} example`, placeholder: 'Asha' }).optional(),
    rule: z
      .enum(RULES)
      .optional()
      .meta(field({ label: `${which} takes`, optionLabels: RULE_LABELS, initial: 'any' })),
    detail: line({ label: `${which} rule in detail`, hint: DETAIL_HINT }).optional(),
  });
}

const DETAIL_HINT =
  'For “at most”, the number. For “one of”, the values, with commas between them, or | where a value has a comma.';

/** True when a template of this kind has values, and so placeholders. */
export function takesValues(kind: string): boolean {
  return [...VARIANTS_WITH_VALUES].some((variant) => kind.endsWith(`/${variant}`));
}

/** How many placeholders a sample text has, as far as a form can ask for them. */
export function rowsIn(text: unknown): number {
  const numbers = typeof text === 'string' ? placeholderNumbers(text) : [];
  return Math.min(numbers.at(-1) ?? 0, PLACEHOLDERS_MAX);
}

/** What a template's form holds when it opens; see `templateForm`. */
export function templateFormValues(template: Template): Readonly<Record<string, unknown>> {
  const { name, label, languages, text, cards, placeholders } = template;
  return {
    variant: templateKindOf(template),
    name,
    label,
    languages: languages.join(', '),
    ...given({ text, cards: cards > 0 ? cards : undefined }),
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
  const { variant: chosen = kind, name = '', label, languages, text, ...rest } = submitted.parse(values);
  const [channel, variant] = chosen.split('/');
  const rowsGiven = rest.placeholders.slice(0, rows);
  const placeholders = rowsGiven.map((row, index) =>
    placeholderOf(row, rest.mayStayEmpty.includes(String(index))),
  );
  const parsed = templateSchema.safeParse({
    name: existing?.name ?? name,
    channel,
    variant,
    ...given({
      label,
      languages: listIn(languages, ','),
      text,
      cards: rest.cards ?? undefined,
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
