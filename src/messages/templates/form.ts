import { z } from 'zod';
import { given } from '../../core/given.ts';
import { type FieldMeta, type FormSchema, field } from '../form/form.ts';
import { CAROUSEL_MAX_CARDS, CAROUSEL_MIN_CARDS, PLACEHOLDERS_MAX, TEXT_MAX_CHARACTERS } from '../limits.ts';
import { smsTypeField } from '../sms/text-message.ts';
import { placeholderNumbers, withNumbers } from './placeholder.ts';
import {
  LANGUAGE_RULE,
  TEMPLATE_CHANNELS,
  TEMPLATE_VARIANTS,
  type Template,
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
  'sms/text': 'SMS and flash SMS',
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

export const RULES = ['any', 'max', 'one-of', 'number', 'date'] as const;
const RULE_LABELS: Readonly<Record<(typeof RULES)[number], string>> = {
  any: 'Any text',
  max: 'At most so many characters',
  'one-of': 'One of these values',
  number: 'A number',
  date: 'A date',
};

/** Walked for its inputs only: `templateFromForm` reads what was submitted. */
export function templateForm({ kind, rows, existing }: TemplateFormContext): FormSchema<unknown> {
  const kinds = templateKinds(existing?.channel);
  const isCarousel = kind === 'rcs/carousel-images';
  const hasLanguages = kind.startsWith('chatapp/') && kind !== WITHOUT_LANGUAGE;
  const shape: Readonly<Record<string, z.ZodType | undefined>> = {
    variant: z
      .enum(kinds as [TemplateKind, ...TemplateKind[]])
      .meta(field({ label: 'Kind', optionLabels: KIND_LABELS, initial: kind })),
    name: existing ? undefined : line({ label: 'Name', hint: nameHint(kind), placeholder: 'order_update' }),
    label: line({ label: 'Label', hint: 'What people here call it. Left empty, it is the name.' }).optional(),
    ...(hasLanguages && {
      languages: line({ label: 'Languages', hint: LANGUAGES_HINT, placeholder: 'en_US, hi' }).optional(),
    }),
    ...(kind === 'sms/text'
      ? { text: line({ label: 'Text', hint: SMS_TEXT_HINT, multiline: true }), ...SMS_FIELDS }
      : { text: line({ label: 'Sample text', hint: TEXT_HINT, multiline: true }).optional() }),
    cards: isCarousel ? z.number().meta(field({ label: 'Cards', hint: CARDS_HINT })) : undefined,
    ...(rows > 0 && placeholderFields(rows)),
  };
  return z.object(given(shape) as Record<string, z.ZodType>);
}

function placeholderFields(rows: number) {
  const places = Array.from({ length: rows }, (_none, index) => String(index));
  const optionLabels = Object.fromEntries(places.map((place) => [place, `{{${Number(place) + 1}}}`]));
  return {
    placeholders: z.tuple(places.map((_place, index) => row(index)) as unknown as [z.ZodType]),
    mayStayEmpty: z
      .array(z.enum(places as [string, ...string[]]))
      .optional()
      .meta(field({ label: 'Placeholders that may stay empty', optionLabels })),
  };
}

function nameHint(kind: TemplateKind): string {
  if (kind === 'sms/text') return 'Lowercase letters, digits and underscores. It cannot be changed later.';
  const rule = kind.startsWith('chatapp/') ? ': lowercase letters, digits and underscores' : '';
  return `As registered with the service${rule}. It cannot be changed later.`;
}

/** Its request is documented, and has no place for a language. */
const WITHOUT_LANGUAGE: TemplateKind = 'chatapp/document';
const LANGUAGES_HINT = `With commas between them; left empty, any. One is chosen for each one-time password, and for other templates where requests carry it (\`wire:\` in herald.yml). ${LANGUAGE_RULE}`;
const CARDS_HINT = `From ${CAROUSEL_MIN_CARDS} to ${CAROUSEL_MAX_CARDS}; each takes an image.`;
const TEXT_HINT = 'As registered, with {{1}}, {{2}} and so on where a value goes.';
const SMS_TEXT_HINT = `${TEXT_HINT} {#var#}, as India’s DLT platforms write it, is read so, too.`;

function line(meta: FieldMeta) {
  return z.string().meta(field({ maxLength: TEXT_MAX_CHARACTERS, ...meta }));
}

/** What a template of SMS has besides. */
const SMS_FIELDS = {
  languages: line({ label: 'Languages', hint: 'Codes such as en and hi, with commas between.' }).optional(),
  type: smsTypeField([]),
  dltTemplateId: line({
    label: 'DLT template id',
    hint: 'What the text is registered under with India’s operators, who drop texts that are not.',
    placeholder: '1107160000000000001',
  }).optional(),
  entityId: line({
    label: 'DLT entity id',
    hint: 'What your company is registered under there, as principal entity.',
    placeholder: '1101550000000000001',
  }).optional(),
};

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
  const numbers = typeof text === 'string' ? placeholderNumbers(withNumbers(text)) : [];
  return Math.min(numbers.at(-1) ?? 0, PLACEHOLDERS_MAX);
}
