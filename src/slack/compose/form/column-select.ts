import type { InputBlock } from '@slack/types';
import { columnsUsed, inBraces } from '../../../messages/columns.ts';
import { isBlank } from '../../../messages/text.ts';
import { LIMITS } from '../../connection/limits.ts';
import { option, select } from '../../kit/blocks/blocks.ts';
import { OWN_TEXT } from '../../kit/forms/read-state.ts';

/** Other than that of a text: an input that changes from one to the other forgets what it held. */
export const COLUMN_ACTION = 'column';

/**
 * A value of a template as a choice of the list's columns: what is chosen reads `{{column}}`, as if it had been typed.
 * Undefined for a value that is a text of its own, and for a list with nothing to choose from.
 */
export function columnSelect(
  { hint: _ofText, ...block }: InputBlock,
  value: unknown,
  columns: readonly string[],
): InputBlock | undefined {
  const options = columns
    .map((column) => ({ column, value: inBraces(column) }))
    .filter(({ column, value: one }) => one.length <= LIMITS.optionValue && columnsUsed(one)[0] === column)
    .slice(0, LIMITS.selectOptions - 1)
    .map(({ column, value: one }) => option(column, one));
  const isText = typeof value === 'string' && !isBlank(value) && !options.some((one) => one.value === value);
  if (options.length === 0 || isText) return undefined;
  const ownText = option('✏️ A text that I write', OWN_TEXT);
  return {
    ...block,
    dispatch_action: true,
    element: select(COLUMN_ACTION, [...options, ownText], value, 'Choose a column'),
  };
}
