import type { InputBlock, InputBlockElement, PlainTextOption } from '@slack/types';
import { LIMITS } from '../../connection/limits.ts';
import { hinting, input, isShowable, option, plainText, textInput } from '../blocks/blocks.ts';
import type { Leaf } from './leaves.ts';
import { blockIdOf } from './path.ts';

/** The action_id of every input of a form: a block's id alone tells which field it is. */
export const FIELD_ACTION = 'field';

/**
 * The input block of a field. Words that are too long for Slack end in an ellipsis; a value that Slack's input
 * cannot hold is left out rather than cut, since a cut value could be sent.
 *
 * @param value what the input holds when it is shown
 * @param suffix see `blockIdOf`
 */
export function inputBlock(leaf: Leaf, value: unknown, suffix?: string): InputBlock {
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
    case 'choice': {
      const options = optionsOf(leaf);
      const chosen = options.find((option) => option.value === value);
      return {
        type: 'static_select',
        ...shared(leaf),
        ...grouped(options),
        ...(chosen ? { initial_option: chosen } : {}),
      };
    }
    case 'choices': {
      const options = optionsOf(leaf);
      const chosen = options.filter((option) => Array.isArray(value) && value.includes(option.value));
      return {
        type: 'multi_static_select',
        ...shared(leaf),
        ...grouped(options),
        ...(chosen.length > 0 ? { initial_options: chosen } : {}),
      };
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
  return {
    action_id: FIELD_ACTION,
    ...(meta.placeholder && hinting(meta.placeholder)),
  };
}

/** Slack offers Enter or every character; in a text of several lines Enter means a new line. */
function dispatching({ meta }: Leaf) {
  return meta.affectsPreview
    ? { dispatch_action_config: { trigger_actions_on: ['on_character_entered' as const] } }
    : {};
}

function optionsOf({ options, meta }: Leaf): readonly PlainTextOption[] {
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
