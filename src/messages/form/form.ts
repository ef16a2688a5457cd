import { z } from 'zod';
import { given } from '../../core/given.ts';
import { fail, ok } from '../../core/result.ts';
import { TEXT_MAX_CHARACTERS } from '../limits.ts';
import { type CountryCode, formatNumber, type Msisdn } from '../numbers/phone-number.ts';
import type { Senders } from '../senders.ts';
import { DEFAULT_TERMS, type ServiceTerms } from '../service-terms.ts';
import type { FreeText } from '../sms/free-text.ts';
import type { Template } from '../templates/template.ts';
import { isBlank, textProblem, withLineFeeds } from '../text.ts';
import { type Read, reading } from '../transforms.ts';

/**
 * How a field is shown. Attached to its schema with `.meta(field({...}))`; `slack/kit/forms` turns every such leaf into an
 * input block whose `block_id` is the field's path.
 */
export interface FieldMeta {
  /** E.g. "Campaign name". Slack: at most 2000 characters. */
  readonly label: string;
  /** A sentence under the input: the rule, in words. */
  readonly hint?: string;
  /** Grey text inside the empty input. Slack: at most 150 characters. */
  readonly placeholder?: string;
  /** A text of several lines. */
  readonly multiline?: boolean;
  /** Labels for the values of an enum, by value. */
  readonly optionLabels?: Readonly<Record<string, string>>;
  /** What the input holds when the form opens. */
  readonly initial?: string;
  /** The schema's limit, for Slack's input. */
  readonly maxLength?: number;
  /** True when the preview depends on this field, so that the input dispatches on change. */
  readonly affectsPreview?: boolean;
  /** True when other fields come and go with this one's value. */
  readonly reshapes?: boolean;
}

/** Types the argument of `.meta()`; zod keeps it and gives it back by `schema.meta()`. */
export function field(meta: FieldMeta): FieldMeta & Record<string, unknown> {
  return { ...meta };
}

/**
 * A kind's form: the object schema whose keys are the form paths, and which parses to a `Draft`.
 *
 * To walk it: a schema that carries a `FieldMeta` is a leaf, whatever it is made of, and may be left empty when it
 * accepts undefined; objects and tuples lead on; of a pipe, follow the input, or the output where the input is a
 * bare transform (the step that makes empty inputs absent).
 */
export type FormSchema<Output> = z.ZodType<Output>;

/** What a form parses to: a message, and the number it goes to unless the form is one for many recipients. */
export interface Draft<M> {
  readonly message: M;
  readonly to: Msisdn | undefined;
}

/** What a form depends on besides what is typed into it. */
export interface FormContext {
  readonly senders: Senders;
  /** For numbers without `+`. */
  readonly defaultCountry: CountryCode;
  readonly defaultCampaignName?: string;
  /** Absent: allowed. */
  readonly freeText?: FreeText;
  /**
   * Absent: the form is for one number. `many`: it has no number, and values may contain `{{column}}`; `many-unfilled`:
   * values of a template may also stay empty, because a list's columns may fill them.
   */
  readonly recipients?: 'many' | 'many-unfilled';
  /** The form's current values, unchecked, by form path. In some forms they decide which fields there are. */
  readonly entered?: unknown;
  /** Absent: what requests are without anything under `wire:`. */
  readonly terms?: ServiceTerms;
  /** The chosen template; absent before the choice, or when it has left the catalogue. */
  readonly template?: Template;
}

/** A leaf that must be filled. `missing` says what to enter. */
export function required<Output>(meta: FieldMeta, missing: string, read: Read<Output>) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? missing : ONLY_TEXT) })
    .transform(reading(read))
    .meta(field(meta));
}

/** A leaf that may be left empty: it is then undefined. */
export function optional<Output>(meta: FieldMeta, read: Read<Output>) {
  const readGiven = reading(read);
  return z
    .string(ONLY_TEXT)
    .optional()
    .transform((typed, context) => (typed === undefined ? undefined : readGiven(typed, context)))
    .meta(field(meta));
}

/** A leaf of one line that must be filled, and keeps these rules besides those of every text. */
export function requiredLine(meta: FieldMeta, missing: string, ...rules: readonly Rule[]) {
  return required(meta, missing, readLine(meta.label, ...rules));
}

export function optionalLine(meta: FieldMeta, ...rules: readonly Rule[]) {
  return optional(meta, readLine(meta.label, ...rules));
}

/** The leaf that names the sender: the configured ones, in their order, the first one chosen when the form opens. */
export function senderChoice<Sender>(
  label: string,
  options: readonly { readonly value: string; readonly label: string; readonly sender: Sender }[],
  missing: string,
  more: Pick<FieldMeta, 'hint'> = {},
) {
  const meta: FieldMeta = {
    label,
    ...more,
    optionLabels: Object.fromEntries(options.map((option) => [option.value, option.label])),
    ...given({ initial: options[0]?.value }),
  };
  const senders = new Map(options.map(({ value, sender }) => [value, sender]));
  return z
    .enum([...senders.keys()], missing)
    .transform((value) => senders.get(value) as Sender)
    .meta(field(meta));
}

/** The leaf `from`: one of the configured chat-app numbers. */
export function chatappSender({ senders }: FormContext) {
  return senderChoice(
    'From',
    senders.chatapp.map(({ number, label }) => ({
      value: number,
      label: `${label} (${formatNumber(number)})`,
      sender: number,
    })),
    'Choose the number that sends the message.',
  );
}

export function optionalChoice<const Value extends string>(
  meta: FieldMeta,
  values: readonly Value[],
  unknown: string,
) {
  return z.enum(values, unknown).optional().meta(field(meta));
}

/** What a text breaks of a rule, in a sentence that begins with its label; undefined when nothing. */
export type Rule = (text: string, label: string) => string | undefined;

/** Text as typed, with line breaks and outer spaces, that keeps the rules of every text, and then these. */
export function readText(label: string, ...rules: readonly Rule[]): Read<string> {
  return (typed) => kept(withLineFeeds(typed), { label, lineBreaks: true }, rules);
}

/** One line, without outer spaces, that keeps the rules of every text, and then these. */
export function readLine(label: string, ...rules: readonly Rule[]): Read<string> {
  return (typed) => kept(typed.trim(), { label, lineBreaks: false }, rules);
}

function kept(text: string, of: { label: string; lineBreaks: boolean }, rules: readonly Rule[]) {
  for (const rule of [() => textProblem(text, of), ...rules]) {
    const problem = rule(text, of.label);
    if (problem !== undefined) return fail(problem);
  }
  return ok(text);
}

/** Optional label of the campaign (interface document: chat-app and RCS endpoints; docs/wire.md: bulk SMS). */
export function campaignName({ defaultCampaignName }: FormContext) {
  return optionalLine({
    label: 'Campaign name',
    hint: 'What people call it: it leads every message about the send.',
    maxLength: TEXT_MAX_CHARACTERS,
    ...(defaultCampaignName && !isBlank(defaultCampaignName) && { initial: defaultCampaignName }),
  });
}

/** The leaf `campaignName`, where requests of a kind that is made of no template carry one. */
export function campaignNameOf(context: FormContext, kind: 'interactive' | 'address') {
  const { terms = DEFAULT_TERMS } = context;
  const asked = terms.takes(kind, 'campaignName') ? { campaignName: campaignName(context) } : {};
  return asked as { readonly campaignName: ReturnType<typeof campaignName> };
}

/**
 * Builds a kind's form schema out of its leaves. Empty inputs (absent, null, empty or invisible text) become undefined, and
 * missing groups become objects, so that every missing value is reported at its own path. Unknown keys are refused.
 *
 * @param build makes the message from valid leaves
 */
export function formSchema<Shape extends z.ZodRawShape, M>(
  shape: Shape,
  build: (fields: z.output<z.ZodObject<Shape>>) => Draft<M>,
): FormSchema<Draft<M>> {
  return filled(group(shape)).transform(build);
}

/** A form that cannot be submitted yet: a template message without a template. Unknown keys are ignored. */
export function unfinishedForm<Shape extends z.ZodRawShape>(shape: Shape): FormSchema<never> {
  return filled(z.looseObject(shape, NOT_THIS_FORM)).transform(() => z.NEVER);
}

function filled<Fields extends z.ZodObject>(fields: Fields) {
  return z.preprocess((value) => withoutBlanks(fields, value), fields);
}

const ONLY_TEXT = 'Only text can be entered here.';
const NO_SUCH_FIELD = 'The form has no such field. Open the form again.';
const NOT_THIS_FORM = 'The submitted values do not belong to this form. Open the form again.';

export function group<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? NO_SUCH_FIELD : NOT_THIS_FORM),
  });
}

/** Leaves of a fixed number, in order. `wrongCount` says how many there must be. */
export function sequence<Leaf extends z.ZodType>(
  leaves: readonly Leaf[],
  wrongCount: string,
): z.ZodType<readonly z.output<Leaf>[]> {
  return z.tuple(leaves as [Leaf, ...Leaf[]], wrongCount) as z.ZodType<readonly z.output<Leaf>[]>;
}

function withoutBlanks(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodObject) return objectWithoutBlanks(schema.shape, value);
  if (schema instanceof z.ZodTuple) return listWithoutBlanks(schema.def.items, value);
  if (schema instanceof z.ZodPipe) return withoutBlanks(schema.def.in, value);
  return isMissing(value) ? undefined : value;
}

function objectWithoutBlanks(shape: z.core.$ZodShape, value: unknown): unknown {
  const entered = isMissing(value) ? {} : value;
  if (typeof entered !== 'object' || entered === null || Array.isArray(entered)) return entered;
  const kept = Object.entries(entered).filter(([key, inner]) => key in shape || !isMissing(inner));
  const result: Record<string, unknown> = Object.fromEntries(kept);
  for (const [key, inner] of Object.entries(shape)) result[key] = withoutBlanks(inner, result[key]);
  return result;
}

function listWithoutBlanks(items: readonly z.core.$ZodType[], value: unknown): unknown {
  const entered = isMissing(value) ? [] : value;
  if (!Array.isArray(entered)) return entered;
  const known = items.map((item, index) => withoutBlanks(item, entered[index]));
  const surplus = entered.slice(items.length);
  return surplus.every(isMissing) ? known : [...known, ...surplus];
}

/** True for empty values, and for groups and lists of nothing else. */
function isMissing(value: unknown): boolean {
  if (typeof value === 'string') return isBlank(value);
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isMissing);
  return value === undefined || value === null;
}
