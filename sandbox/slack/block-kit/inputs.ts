import { z } from 'zod';
import { dispatchActionConfig } from './composition.ts';
import { richTextBlock } from './rich-text.ts';
import { identifier, plainText, textOfLength } from './text.ts';

/**
 * Elements that a person types into. They stand in input blocks only.
 * Source: https://docs.slack.dev/reference/block-kit/block-elements
 */

/** Fields that every focusable, dispatching text input shares. Placeholders are at most 150 characters. */
const textInputFields = {
  action_id: identifier.optional(),
  dispatch_action_config: dispatchActionConfig.optional(),
  focus_on_load: z.boolean().optional(),
  placeholder: plainText(150).optional(),
};

/** The longest text that a plain_text_input takes. */
const PLAIN_TEXT_INPUT_MAX = 3000;

const plainTextInput = z
  .strictObject({
    type: z.literal('plain_text_input'),
    ...textInputFields,
    initial_value: textOfLength(PLAIN_TEXT_INPUT_MAX, 0).optional(),
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(PLAIN_TEXT_INPUT_MAX).optional(),
    max_length: z.int().min(1).max(PLAIN_TEXT_INPUT_MAX).optional(),
  })
  .check((context) => {
    const { min_length: min, max_length: max, initial_value: initial } = context.value;
    if (min !== undefined && max !== undefined && min > max) {
      context.issues.push(issue(context.value, 'must not be greater than max_length', 'min_length'));
    }
    if (initial !== undefined && initial.length > (max ?? PLAIN_TEXT_INPUT_MAX)) {
      context.issues.push(issue(context.value, 'must not be longer than max_length', 'initial_value'));
    }
  });

const emailInput = z.strictObject({
  type: z.literal('email_text_input'),
  ...textInputFields,
  initial_value: textOfLength(PLAIN_TEXT_INPUT_MAX, 0).optional(),
});

const urlInput = z.strictObject({
  type: z.literal('url_text_input'),
  ...textInputFields,
  initial_value: textOfLength(PLAIN_TEXT_INPUT_MAX, 0).optional(),
});

const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/, { error: 'must be a number written as a string' });

const numberInput = z
  .strictObject({
    type: z.literal('number_input'),
    ...textInputFields,
    is_decimal_allowed: z.boolean(),
    initial_value: decimalText.optional(),
    min_value: decimalText.optional(),
    max_value: decimalText.optional(),
  })
  .check((context) => {
    const { min_value: min, max_value: max, initial_value: initial } = context.value;
    if (min !== undefined && max !== undefined && Number(min) > Number(max)) {
      context.issues.push(issue(context.value, 'must not be greater than max_value', 'min_value'));
    }
    if (initial === undefined) return;
    if (Number(initial) < Number(min ?? initial) || Number(initial) > Number(max ?? initial)) {
      context.issues.push(issue(context.value, 'must lie between min_value and max_value', 'initial_value'));
    }
  });

const richTextInput = z.strictObject({
  type: z.literal('rich_text_input'),
  ...textInputFields,
  initial_value: richTextBlock.optional(),
  min_lines: z.int().min(1).max(100).optional(),
  max_lines: z.int().min(1).max(100).optional(),
});

/** Modals only; at most ten files. Slack checks `filetypes` by extension and nothing else. */
const fileInput = z.strictObject({
  type: z.literal('file_input'),
  action_id: identifier.optional(),
  filetypes: z.array(textOfLength(20)).min(1).optional(),
  max_files: z.int().min(1).max(10).optional(),
});

/** The elements above, by the name of the surface they may stand on: files are asked for in modals only. */
export const typedInputs = [plainTextInput, emailInput, urlInput, numberInput, richTextInput] as const;
export const modalOnlyInputs = [fileInput] as const;

function issue(input: unknown, message: string, key: string): z.core.$ZodRawIssue {
  return { code: 'custom', input, message, path: [key] };
}
