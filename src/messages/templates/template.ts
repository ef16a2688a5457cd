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
import { checkRepeats, madeOf, type Refuse, reading, strict, words } from '../transforms.ts';
import { type Placeholder, placeholderNumbers, placeholderSchema, strayPlaceholder } from './placeholder.ts';

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
} as const;

export type TemplateChannel = keyof typeof TEMPLATE_VARIANTS;
/** In the order in which they are offered. */
export const TEMPLATE_CHANNELS = Object.keys(TEMPLATE_VARIANTS) as readonly TemplateChannel[];
type Variant<C extends TemplateChannel = TemplateChannel> = (typeof TEMPLATE_VARIANTS)[C][number];

/** Variants whose request carries values for placeholders (interface document, `params`; `otp` carries one). */
export const VARIANTS_WITH_VALUES: ReadonlySet<Variant> = new Set<Variant>([
  'otp',
  'text',
  'document',
  'image',
  'video',
  'variables',
]);

interface TemplateBase {
  readonly name: string;
  readonly label: string;
  readonly languages: readonly string[];
  readonly placeholders: readonly Placeholder[];
  /** Sample text with {{1}}, {{2}} …; absent when nobody wrote it down. */
  readonly text?: string | undefined;
  /** Cards of a carousel; 0 for every other variant. */
  readonly cards: number;
}

export type ChatappTemplate = TemplateBase & {
  readonly channel: 'chatapp';
  readonly variant: Variant<'chatapp'>;
};
export type RcsTemplate = TemplateBase & { readonly channel: 'rcs'; readonly variant: Variant<'rcs'> };

/** A message template registered with the service, as the team's catalogue knows it. */
export type Template = ChatappTemplate | RcsTemplate;

const NAME_RULE = 'Enter the name as registered: lowercase letters, digits and underscores only.';
const RCS_NAME_RULE = 'Enter the name as registered, on one line, without spaces around it.';
const CARDS_RULE = `A carousel has ${CAROUSEL_MIN_CARDS} to ${CAROUSEL_MAX_CARDS} cards: enter a whole number.`;
const LANGUAGES_RULE = 'Enter the languages as a list of codes, such as [en, en_US].';

const fieldsSchema = strict('A template', {
  name: z.string({ error: NAME_RULE }).max(CHOICE_VALUE_MAX_CHARACTERS, {
    error: `Slack’s template picker holds names of at most ${CHOICE_VALUE_MAX_CHARACTERS} characters.`,
  }),
  channel: z.enum(TEMPLATE_CHANNELS, { error: `Enter the channel: ${TEMPLATE_CHANNELS.join(' or ')}.` }),
  variant: z.string({ error: 'Enter the variant of the template.' }),
  label: words('The label', false).optional(),
  languages: z
    .array(z.string({ error: LANGUAGES_RULE }).transform(reading(readLanguage)), { error: LANGUAGES_RULE })
    .default([]),
  placeholders: z.array(placeholderSchema, { error: 'Enter the placeholders as a list.' }).optional(),
  text: words('The sample text', true).optional(),
  cards: z
    .int({ error: CARDS_RULE })
    .min(0, { error: CARDS_RULE })
    .max(CAROUSEL_MAX_CARDS, { error: CARDS_RULE })
    .default(0),
}).refine((fields) => nameProblem(fields) === undefined, {
  path: ['name'],
  error: ({ input }) => nameProblem(input),
  // Beside what else is wrong.
  when: () => true,
});

/** Of a name that is text at all. */
function nameProblem(fields: unknown): string | undefined {
  const { data } = z.looseObject({ name: z.string(), channel: z.unknown() }).safeParse(fields);
  if (data === undefined) return undefined;
  const { name, channel } = data;
  if (channel !== 'rcs') return CHATAPP_TEMPLATE_NAME_PATTERN.test(name) ? undefined : NAME_RULE;
  return name !== '' && name === name.trim() && !/\p{C}/u.test(name) ? undefined : RCS_NAME_RULE;
}

type Fields = z.output<typeof fieldsSchema>;

/**
 * One template definition, as written in `herald.yml` or in the catalogue's form.
 *
 * `{name, channel, variant, label?, languages?, placeholders?, text?, cards?}`; a placeholder as
 * `placeholderSchema` has it, at most 20 of them.
 * The name follows the interface document (`[a-z0-9_]+`; of RCS any); the variant belongs to the channel; `text` writes its
 * placeholders as {{1}}, {{2}} … without gaps, and their number equals that of `placeholders`, which may be left
 * out when the text has them; `otp` takes at most one; RCS variants other than `variables` take none; `cards` (2 to
 * 10) belongs to `carousel-images` alone. `label` is the name when left out. Unknown keys are refused.
 */
export const templateSchema: z.ZodType<Template> = fieldsSchema.transform(madeOf(templateOf));

function templateOf(fields: Fields, refuse: Refuse): Template {
  const placeholders = fields.placeholders ?? placeholdersOf(fields.text);
  checkText(fields, refuse);
  checkPlaceholders(fields, placeholders, refuse);
  checkRepeats(fields.languages, (index) => refuse(['languages', index], 'This language is listed twice.'));
  checkCards(fields, refuse);
  const identity = identityOf(fields);
  if (!identity) {
    const known = TEMPLATE_VARIANTS[fields.channel].join(', ');
    refuse(['variant'], `The variants of ${fields.channel} are ${known}.`);
    return z.NEVER;
  }
  return {
    ...identity,
    name: fields.name,
    label: fields.label?.trim() ?? fields.name,
    languages: fields.languages,
    placeholders,
    cards: fields.cards,
    ...given({ text: fields.text }),
  };
}

/** A list of templates: each as `templateSchema` has it, and no channel with the same name twice. */
export const templateListSchema: z.ZodType<readonly Template[]> = z
  .array(templateSchema, { error: 'Enter the templates as a list.' })
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

function identityOf(
  fields: Fields,
): Pick<ChatappTemplate, 'channel' | 'variant'> | Pick<RcsTemplate, 'channel' | 'variant'> | undefined {
  if (fields.channel === 'chatapp') {
    const variant = TEMPLATE_VARIANTS.chatapp.find((known) => known === fields.variant);
    return variant && { channel: 'chatapp', variant };
  }
  const variant = TEMPLATE_VARIANTS.rcs.find((known) => known === fields.variant);
  return variant && { channel: 'rcs', variant };
}

function placeholdersOf(text: string | undefined): readonly Placeholder[] {
  return placeholderNumbers(text ?? '').map((number) => ({ name: `value ${number}` }));
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
