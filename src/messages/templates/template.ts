import { z } from 'zod';
import { given } from '../../core/given.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import {
  CAROUSEL_MAX_CARDS,
  CAROUSEL_MIN_CARDS,
  CHATAPP_TEMPLATE_NAME_PATTERN,
  CHOICE_VALUE_MAX_CHARACTERS,
  PLACEHOLDERS_MAX,
} from '../limits.ts';
import { SMS_TYPES, type SmsType } from '../senders.ts';
import { checkRepeats, madeOf, type Refuse, reading, strict, words } from '../transforms.ts';
import {
  hasDltPlaceholder,
  type Placeholder,
  placeholderNumbers,
  placeholderSchema,
  strayPlaceholder,
  withNumbers,
} from './placeholder.ts';

/** Said where a language is asked for or wrong. */
export const LANGUAGE_RULE =
  'Enter the language code that the template is registered with, such as en, en_US or pt-BR.';

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/**
 * A language code in its usual letter case (`EN-us` → `en-US`); the failure is the rule: BCP 47, or with the
 * underscores of the chat-app platform (`en_US`). A code with a newer equivalent stays as written: a template is
 * registered under the code, not under what it means.
 */
export function readLanguage(typed: string): Result<string, string> {
  const trimmed = typed.trim();
  // Longer first parts are well-formed but none is registered: "english" and "hindi" are names, not codes.
  if (!/^[a-z]{2,3}(?:(?:-[a-z\d-]+)?|(?:_[a-z\d_]+)?)$/i.test(trimmed)) return fail(LANGUAGE_RULE);
  const separator = trimmed.includes('_') ? '_' : '-';
  try {
    const canonical = (Intl.getCanonicalLocales(hyphenated(trimmed))[0] ?? '').replaceAll('-', separator);
    return ok(canonical.toLowerCase() === trimmed.toLowerCase() ? canonical : trimmed);
  } catch {
    return fail(LANGUAGE_RULE);
  }
}

function hyphenated(code: string): string {
  return code.replaceAll('_', '-');
}

/** `English (en)`; the code alone for a language without a name. */
export function languageLabel(code: string): string {
  const name = LANGUAGE_NAMES.of(hyphenated(code));
  return name === undefined || name === hyphenated(code) ? code : `${name} (${code})`;
}

/** What a template can be, by channel; each variant is one row of the wire. */
export const TEMPLATE_VARIANTS = {
  chatapp: ['otp', 'text', 'document', 'image', 'video'],
  rcs: ['plain', 'rich', 'variables', 'carousel-fixed', 'carousel-images'],
  sms: ['text'],
} as const;

type TemplateChannel = keyof typeof TEMPLATE_VARIANTS;
/** In the order in which they are offered. */
export const TEMPLATE_CHANNELS = Object.keys(TEMPLATE_VARIANTS) as readonly TemplateChannel[];
type Variant<C extends TemplateChannel = TemplateChannel> = (typeof TEMPLATE_VARIANTS)[C][number];

/** Variants whose request carries values for placeholders (interface document, `params`; `otp` carries one). */
export const VARIANTS_WITH_VALUES: ReadonlySet<Variant> = new Set<Variant>([
  ...TEMPLATE_VARIANTS.chatapp,
  'variables',
]);

interface TemplateOf<C extends TemplateChannel> {
  readonly channel: C;
  readonly variant: Variant<C>;
  readonly name: string;
  readonly label: string;
  readonly languages: readonly string[];
  readonly placeholders: readonly Placeholder[];
  /** Sample text with {{1}}, {{2}} …; absent when nobody wrote it down. */
  readonly text?: string | undefined;
  /** Cards of a carousel; 0 for every other variant. */
  readonly cards: number;
}

export type ChatappTemplate = TemplateOf<'chatapp'>;
export type RcsTemplate = TemplateOf<'rcs'>;

/** A text that SMS and flash SMS are made of. Herald fills it in itself, so it is always there. */
export interface SmsTemplate extends TemplateOf<'sms'> {
  readonly text: string;
  /** Absent: the sender's, or what is chosen for a message. */
  readonly type?: SmsType | undefined;
  /** What the text, and the company, are registered under with India's operators: digits. */
  readonly dltTemplateId?: string | undefined;
  readonly entityId?: string | undefined;
}

/** A message template, as the team's catalogue knows it; those of chat-app and RCS are registered with the service. */
export type Template = ChatappTemplate | RcsTemplate | SmsTemplate;

type Identity<T extends Template = Template> = T extends Template ? Pick<T, 'channel' | 'variant'> : never;

const NAME_RULE = 'Enter the name as registered: lowercase letters, digits and underscores only.';
const RCS_NAME_RULE = 'Enter the name as registered, on one line, without spaces around it.';
const CARDS_RULE = `A carousel has ${CAROUSEL_MIN_CARDS} to ${CAROUSEL_MAX_CARDS} cards: enter a whole number.`;
const DLT_RULE = 'An id of a DLT registration has digits only, mostly 19 of them: write it in quotes.';
const LANGUAGES_RULE = 'Enter the languages as a list of codes, such as [en, en_US].';

/** YAML reads digits without quotes as a number, and 19 of them are more than a number holds. */
const registrationId = z
  .string(DLT_RULE)
  .regex(/^\d{6,30}$/, DLT_RULE)
  .optional();

const fieldsSchema = strict('A template', {
  name: z
    .string(NAME_RULE)
    .max(
      CHOICE_VALUE_MAX_CHARACTERS,
      `Slack’s template picker holds names of at most ${CHOICE_VALUE_MAX_CHARACTERS} characters.`,
    ),
  channel: z.enum(TEMPLATE_CHANNELS, `Enter the channel, one of ${TEMPLATE_CHANNELS.join(', ')}.`),
  variant: z.string('Enter the variant of the template.').optional(),
  label: words('The label', false).optional(),
  languages: z.array(z.string(LANGUAGES_RULE).transform(reading(readLanguage)), LANGUAGES_RULE).default([]),
  placeholders: z.array(placeholderSchema, 'Enter the placeholders as a list.').optional(),
  text: words('The sample text', true).optional(),
  cards: z.int(CARDS_RULE).min(0, CARDS_RULE).max(CAROUSEL_MAX_CARDS, CARDS_RULE).default(0),
  type: z.enum(SMS_TYPES, `The type is one of ${SMS_TYPES.join(', ')}.`).optional(),
  dltTemplateId: registrationId,
  entityId: registrationId,
}).refine((fields) => nameProblem(fields) === undefined, {
  path: ['name'],
  error: ({ input }) => nameProblem(input),
  // Beside what else is wrong.
  when: () => true,
});

/** Says what is wrong with a name that is text. */
function nameProblem(fields: unknown): string | undefined {
  const { data } = z.looseObject({ name: z.string(), channel: z.unknown() }).safeParse(fields);
  if (data === undefined) return undefined;
  const { name, channel } = data;
  if (channel !== 'rcs') return CHATAPP_TEMPLATE_NAME_PATTERN.test(name) ? undefined : NAME_RULE;
  return name !== '' && name === name.trim() && !/\p{C}/u.test(name) ? undefined : RCS_NAME_RULE;
}

type Fields = z.output<typeof fieldsSchema>;

/**
 * One template definition, as written in `herald.yml` or in the catalogue's form. The name follows the interface document
 * (`[a-z0-9_]+`; of RCS any). Of SMS the text is needed, the variant may be left out, and `{#var#}`, as DLT platforms write a
 * placeholder, is read as the next {{n}}. Placeholders may be left out when the text has them.
 */
export const templateSchema: z.ZodType<Template> = fieldsSchema.transform(madeOf(templateOf));

function templateOf(read: Fields, refuse: Refuse): Template {
  const { channel } = read;
  const text = read.text && channel === 'sms' ? withNumbers(read.text) : read.text;
  const [first, ...others] = TEMPLATE_VARIANTS[channel];
  const { variant = others.length === 0 ? first : undefined } = read;
  if (variant === undefined) {
    refuse(['variant'], 'Enter the variant of the template.');
    return z.NEVER;
  }
  const fields = { ...read, text, variant };
  const placeholders =
    fields.placeholders ??
    placeholderNumbers(text ?? '').map((number): Placeholder => ({ name: `value ${number}` }));
  checkText(fields, refuse);
  checkPlaceholders(fields, placeholders, refuse);
  checkRepeats(fields.languages, (index) => refuse(['languages', index], 'This language is listed twice.'));
  checkCards(fields, refuse);
  checkSms(fields, refuse);
  const variants: readonly string[] = TEMPLATE_VARIANTS[channel];
  if (!variants.includes(variant)) {
    refuse(['variant'], `The variants of ${channel} are ${variants.join(', ')}.`);
    return z.NEVER;
  }
  const identity = { channel, variant } as Identity;
  const { name, label = name, languages, cards, type, dltTemplateId, entityId } = fields;
  const common = { name, label: label.trim(), languages, placeholders, cards };
  return identity.channel === 'sms'
    ? { ...identity, ...common, text: text ?? '', ...given({ type, dltTemplateId, entityId }) }
    : { ...identity, ...common, ...given({ text }) };
}

/** A list of templates: each as `templateSchema` has it, and no channel with the same name twice. */
export const templateListSchema: z.ZodType<readonly Template[]> = z
  .array(templateSchema, 'Enter the templates as a list.')
  .superRefine((templates, context) => {
    checkRepeats(
      templates.map((template) => `${template.channel}/${template.name}`),
      (index) =>
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'Another template of the same channel has this name already.',
          input: templates,
        }),
    );
  });

function checkSms(fields: Fields, refuse: Refuse): void {
  const { channel, text } = fields;
  if (channel === 'sms') {
    if (text === undefined) refuse(['text'], 'Enter the text: Herald fills it in and sends it.');
    else if (hasDltPlaceholder(text))
      refuse(['text'], 'Write every placeholder as {{1}}, {{2}} and so on, or every one as {#var#}.');
    return;
  }
  for (const key of ['type', 'dltTemplateId', 'entityId'] as const) {
    if (fields[key] !== undefined) refuse([key], `Only a template of SMS has “${key}”.`);
  }
}

function checkText({ text, placeholders }: Fields, refuse: Refuse): void {
  if (text === undefined) return;
  const stray = strayPlaceholder(text);
  if (stray !== undefined) {
    refuse(
      ['text'],
      `“${stray}” is no placeholder: write them as {{1}}, {{2}} and so on, and name them under placeholders.`,
    );
    return;
  }
  const numbers = placeholderNumbers(text);
  const gap = numbers.findIndex((number, index) => number !== index + 1);
  if (gap >= 0) {
    refuse(
      ['text'],
      `The sample text has {{${numbers[gap]}}} but no {{${gap + 1}}}: number placeholders from 1 without gaps.`,
    );
  } else if (placeholders && numbers.length > 0 && numbers.length !== placeholders.length) {
    refuse(
      ['placeholders'],
      `Placeholders in the sample text: ${numbers.length}; in the list: ${placeholders.length}. They must agree.`,
    );
  }
}

function checkPlaceholders(fields: Fields, placeholders: readonly Placeholder[], refuse: Refuse): void {
  const { variant } = fields;
  const count = placeholders.length;
  const at = [fields.placeholders ? 'placeholders' : 'text'];
  if (count > 0 && !VARIANTS_WITH_VALUES.has(variant as Variant))
    refuse(at, `A template of variant ${variant} takes no values, so it has no placeholders.`);
  if (variant === 'otp' && count > 1)
    refuse(at, 'A one-time password template takes one value only: the password.');
  if (count > PLACEHOLDERS_MAX)
    refuse(at, `A template has at most ${PLACEHOLDERS_MAX} placeholders; this one has ${count}.`);
  checkRepeats(
    placeholders.map(({ name }) => name.trim().toLowerCase()),
    (index) => refuse(['placeholders', index, 'name'], 'Another placeholder has this name already.'),
  );
}

function checkCards({ variant, cards }: Fields, refuse: Refuse): void {
  if (variant !== 'carousel-images') {
    if (cards > 0) refuse(['cards'], 'Only the variant carousel-images has a number of cards.');
  } else if (cards < CAROUSEL_MIN_CARDS) {
    refuse(['cards'], CARDS_RULE);
  }
}
