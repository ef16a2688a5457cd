import type { InputBlock, InputBlockElement, PlainTextElement, PlainTextOption } from '@slack/types';
import { showInvisible } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { truncate } from '../../connection/truncate.ts';
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
  const { hint } = leaf.meta;
  return {
    type: 'input',
    block_id: blockIdOf(leaf.path, suffix),
    label: plainText(leaf.meta.label, LIMITS.inputLabel),
    element: elementOf(leaf, value),
    ...(hint ? { hint: plainText(hint, LIMITS.inputHint) } : {}),
    ...(leaf.required ? {} : { optional: true }),
    ...(leaf.meta.affectsPreview || leaf.meta.reshapes ? { dispatch_action: true } : {}),
  };
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
  const initial = isShowable(value) ? value : undefined;
  const common = {
    ...shared(leaf),
    ...dispatching(leaf),
    ...(initial === undefined ? {} : { initial_value: initial }),
  };
  // Slack refuses an initial value over max_length. The schema says what is wrong with it when it is submitted.
  const maxLength = Math.max(
    Math.min(leaf.meta.maxLength ?? LIMITS.inputValue, LIMITS.inputValue),
    initial?.length ?? 1,
  );
  return {
    type: 'plain_text_input',
    ...common,
    max_length: maxLength,
    ...(leaf.meta.input === 'multiline' ? { multiline: true } : {}),
  };
}

function shared({ meta }: Leaf) {
  return {
    action_id: FIELD_ACTION,
    ...(meta.placeholder ? { placeholder: plainText(meta.placeholder, LIMITS.placeholder) } : {}),
  };
}

/** Slack offers Enter or every character; in a text of several lines Enter means a new line. */
function dispatching({ meta }: Leaf) {
  return meta.affectsPreview
    ? { dispatch_action_config: { trigger_actions_on: ['on_character_entered' as const] } }
    : {};
}

function optionsOf({ options, meta }: Leaf): readonly PlainTextOption[] {
  return options.map((value) => ({
    text: plainText(meta.optionLabels?.[value] ?? value, LIMITS.optionText),
    value,
  }));
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

/** What people named or typed as it is: `:smile:` as letters, and nothing invisible that turns the rest around. */
export function plainText(text: string, maxLength: number): PlainTextElement {
  return { type: 'plain_text', text: truncate(showInvisible(text), maxLength), emoji: false };
}

/** Slack refuses a view over what its input holds, and over half a character. */
export function isShowable(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= LIMITS.inputValue && value.isWellFormed()
  );
}

function isDecimal(value: unknown): value is number | string {
  return (typeof value === 'number' || typeof value === 'string') && /^-?\d+(\.\d+)?$/.test(String(value));
}
