import type { InputBlock, InputBlockElement, PlainTextOption } from '@slack/types';
import type { z } from 'zod';
import { given } from '../../../core/given.ts';
import type { FieldMeta, FormContext } from '../../../messages/form/form.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { LIMITS } from '../../connection/limits.ts';
import { hinting, input, isShowable, option, plainText, textInput } from '../blocks/blocks.ts';
import type { SlackServices } from '../services.ts';
import { blockIdOf, isWithin, joinPath, putAt, valueAt } from './path.ts';

/** Gathers what the fields of a form depend on. */
export function formContext(
  { senders, terms, defaults }: Pick<SlackServices, 'senders' | 'terms' | 'defaults'>,
  template?: Template,
): FormContext {
  return {
    senders,
    defaultCountry: defaults.country,
    ...given({ terms, template, freeText: defaults.freeText, defaultCampaignName: defaults.campaignName }),
  };
}

export interface FormOptions {
  /** The values so far, as `readState` gives them. A field that is not in it holds its own initial value. */
  readonly values?: unknown;
  /** Paths, with all below them, that the caller shows in its own way. */
  readonly omit?: readonly string[];
  /** A suffix for the block of the field at `path`; see `blockIdOf`. */
  readonly suffixOf?: (path: string) => string | undefined;
}

/** The input blocks of a form, one a field, in the schema's order. */
export function formBlocks(schema: z.ZodType, options: FormOptions = {}): InputBlock[] {
  const { values, omit = [], suffixOf } = options;
  const shown = leavesOf(schema).filter((leaf) => !omit.some((path) => isWithin(leaf.path, path)));
  return shown.map((leaf) => {
    const given = valueAt(values, leaf.path);
    return inputBlock(leaf, given === undefined ? leaf.meta.initial : given, suffixOf?.(leaf.path));
  });
}

/** The values of a form before anybody typed, as one nested value. */
export function initialValues(schema: z.ZodType): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const leaf of leavesOf(schema)) {
    if (leaf.meta.initial !== undefined) putAt(values, leaf.path, leaf.meta.initial);
  }
  return values;
}

/** The action_id of every input of a form: a block's id alone says which field it is. */
export const FIELD_ACTION = 'field';

/**
 * The input block of a field. Words that are too long for Slack end in an ellipsis; a value that Slack's input
 * cannot hold is left out rather than cut, since a cut value could be sent.
 *
 * @param value what the input holds when it is shown
 * @param suffix see `blockIdOf`
 */
function inputBlock(leaf: Leaf, value: unknown, suffix?: string): InputBlock {
  const { label, hint, affectsPreview, reshapes } = leaf.meta;
  return input(blockIdOf(leaf.path, suffix), label, elementOf(leaf, value), {
    ...(hint && { hint }),
    ...(!leaf.required && { optional: true as const }),
    ...((affectsPreview || reshapes) && { dispatch_action: true as const }),
  });
}

function elementOf(leaf: Leaf, value: unknown): InputBlockElement {
  switch (leaf.kind) {
    case 'text':
      return textElement(leaf, value);
    case 'number':
      return {
        type: 'number_input',
        is_decimal_allowed: true,
        ...shared(leaf),
        ...dispatching(leaf),
        ...(isDecimal(value) ? { initial_value: String(value) } : {}),
      };
    case 'choice':
    case 'choices': {
      const options = optionsOf(leaf);
      const chosen = options.filter((option) => [value].flat().includes(option.value));
      const select = { ...shared(leaf), ...grouped(options) };
      return leaf.kind === 'choice'
        ? given({ type: 'static_select', ...select, initial_option: chosen[0] })
        : { type: 'multi_static_select', ...select, ...(chosen.length > 0 && { initial_options: chosen }) };
    }
  }
}

/**
 * Links are asked for as text, too: Slack's own input for URLs judges them before Herald is asked, in words that do
 * not say what is wrong, and keeps back what is wrong with the other fields.
 */
function textElement(leaf: Leaf, value: unknown): InputBlockElement {
  const { maxLength = LIMITS.inputValue, placeholder, multiline = false } = leaf.meta;
  const least = isShowable(value) ? value.length : 1;
  const look = {
    // Slack refuses an initial value over max_length. The schema says what is wrong with it when it is submitted.
    maxLength: Math.max(Math.min(maxLength, LIMITS.inputValue), least),
    multiline,
    placeholder,
    initial: value,
  };
  return { ...textInput(FIELD_ACTION, look), ...dispatching(leaf) };
}

function shared({ meta }: Leaf) {
  return { action_id: FIELD_ACTION, ...hinting(meta.placeholder) };
}

/** Slack offers Enter or every character; in a text of several lines Enter means a new line. */
function dispatching({ meta }: Leaf) {
  return meta.affectsPreview
    ? { dispatch_action_config: { trigger_actions_on: ['on_character_entered' as const] } }
    : {};
}

export function optionsOf({ options, meta }: Leaf): readonly PlainTextOption[] {
  return options.map((value) => option(meta.optionLabels?.[value] ?? value, value));
}

/** One select holds a hundred options; beyond that Slack wants them in groups of as many. */
function grouped(options: readonly PlainTextOption[]) {
  if (options.length <= LIMITS.selectOptions) return { options: [...options] };
  const groups = Array.from({ length: Math.ceil(options.length / LIMITS.selectOptions) }, (_none, index) => {
    const start = index * LIMITS.selectOptions;
    const members = options.slice(start, start + LIMITS.selectOptions);
    return {
      label: plainText(`${start + 1} to ${start + members.length}`, LIMITS.optionGroupLabel),
      options: members,
    };
  });
  return { option_groups: groups };
}

function isDecimal(value: unknown): value is number | string {
  return (typeof value === 'number' || typeof value === 'string') && /^-?\d+(\.\d+)?$/.test(String(value));
}

/** One value a form asks for: everything an input block needs to know of it. */
export interface Leaf {
  readonly path: string;
  readonly kind: 'text' | 'number' | 'choice' | 'choices';
  readonly meta: FieldMeta;
  readonly required: boolean;
  /** The values to choose from, for `choice` and `choices`. */
  readonly options: readonly string[];
}

/**
 * The fields of a form in its own order. A schema with a `FieldMeta` is a field; objects, tuples, pipes and optionals
 * lead on.
 *
 * @throws Error for anything else, and for a field that no input can stand for: both are bugs of the form
 */
export function leavesOf(schema: z.core.$ZodType, path = ''): readonly Leaf[] {
  const meta = (schema as z.ZodType).meta() as FieldMeta | undefined;
  if (meta?.label !== undefined) {
    const required = !(schema as z.ZodType).safeParse(undefined).success;
    return [{ path, meta, required, ...kindOf(schema) }];
  }
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, child]) => leavesOf(child, joinPath(path, key)));
    case 'tuple':
      return def.items.flatMap((item, index) => leavesOf(item, joinPath(path, index)));
    case 'optional':
      return leavesOf(def.innerType, path).map((leaf) => ({ ...leaf, required: false }));
    case 'pipe':
      return leavesOf(innerOf(def), path);
    default:
      throw new Error(`A form asks for “${path}” without words for it (${def.type}).`);
  }
}

function kindOf(schema: z.core.$ZodType): Pick<Leaf, 'kind' | 'options'> {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'optional':
      return kindOf(def.innerType);
    case 'pipe':
      return kindOf(innerOf(def));
    case 'enum':
      return { kind: 'choice', options: Object.values(def.entries).map(String) };
    case 'array':
      return { ...kindOf(def.element), kind: 'choices' };
    case 'number':
      return { kind: 'number', options: [] };
    case 'string':
      return { kind: 'text', options: [] };
    default:
      throw new Error(`A form cannot ask for a value of type ${def.type}.`);
  }
}

/** The schema of what a pipe is given: its input, or its output where the input only prepares it. */
function innerOf(pipe: z.core.$ZodPipeDef): z.core.$ZodType {
  return definitionOf(pipe.in).type === 'transform' ? pipe.out : pipe.in;
}

function definitionOf(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def;
}
