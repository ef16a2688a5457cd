import type { StateValues } from '../protocol.ts';
import { heldValue, isEmpty, type StatefulElement, statefulElements } from './view-state.ts';

/** Of each file. Source: https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
const FILE_INPUT_BYTES_MAX = 10 * 1024 * 1024;

/**
 * What Slack's own client checks before it asks the app: required inputs, lengths, numbers, addresses. The
 * sentences stand under the input, by block_id; none: the view may be submitted.
 */
export function clientErrors(blocks: readonly unknown[], values: StateValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const input of statefulElements(blocks)) {
    if (input.block.type !== 'input') continue;
    const problem = problemOf(input, heldValue(input, values));
    if (problem !== null) errors[input.blockId] = problem;
  }
  return errors;
}

function problemOf(input: StatefulElement, value: unknown): string | null {
  if (isEmpty(value)) {
    return input.block.optional === true ? null : 'Please complete this required field.';
  }
  switch (input.type) {
    case 'plain_text_input':
      return lengthProblem(input, String(value));
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value)) ? null : 'Please enter a valid email address.';
    case 'url_text_input':
      return /^https?:\/\/\S+$/i.test(String(value)) ? null : 'Please enter a valid URL.';
    case 'number_input':
      return numberProblem(input, String(value));
    case 'file_input':
      return filesProblem(input, value);
    default:
      return selectionProblem(input, value);
  }
}

function lengthProblem({ element }: StatefulElement, text: string): string | null {
  const min = Number(element.min_length ?? 0);
  const max = Number(element.max_length ?? 3000);
  if (text.length < min) return `Please enter at least ${min} characters.`;
  if (text.length > max) return `Please enter no more than ${max} characters.`;
  return null;
}

function numberProblem({ element }: StatefulElement, text: string): string | null {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return 'Please enter a valid number.';
  if (element.is_decimal_allowed !== true && !/^-?\d+$/.test(text)) return 'Please enter a whole number.';
  if (element.min_value !== undefined && Number(text) < Number(element.min_value)) {
    return `Please enter a number no less than ${String(element.min_value)}.`;
  }
  if (element.max_value !== undefined && Number(text) > Number(element.max_value)) {
    return `Please enter a number no greater than ${String(element.max_value)}.`;
  }
  return null;
}

function filesProblem({ element }: StatefulElement, value: unknown): string | null {
  const max = Number(element.max_files ?? 10);
  if (Array.isArray(value) && value.length > max) return `Please choose no more than ${max} files.`;
  const isTooLarge = (file: unknown) =>
    typeof file === 'object' && file !== null && 'size' in file && Number(file.size) > FILE_INPUT_BYTES_MAX;
  if (Array.isArray(value) && value.some(isTooLarge)) return 'Files can be no larger than 10 MB.';
  return null;
}

function selectionProblem({ element }: StatefulElement, value: unknown): string | null {
  const max = element.max_selected_items;
  if (typeof max === 'number' && Array.isArray(value) && value.length > max) {
    return `Please choose no more than ${max} items.`;
  }
  return null;
}
