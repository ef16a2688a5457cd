import type { KnownBlock } from '@slack/types';
import { LIMITS } from '../../connection/limits.ts';
import { button } from '../../kit/blocks/button.ts';
import { input, option, saying } from '../../kit/blocks/modal.ts';
import { EXCLUSIONS_ACTION } from '../../kit/cards/exclusions-button.ts';
import { countLines, listTitle } from '../../kit/cards/list-words.ts';
import { plainText } from '../../kit/forms/input-block.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { valueAt } from '../../kit/forms/path.ts';

/* What a form shows of its list once that was read: what became of the rows, and what can be decided about them. */

export const OTHER_LIST_ACTION = 'other_list';
export const SCHEDULE_FIELD = 'schedule';
export const REFUSE_INVALID_FIELD = 'refuseInvalid';

/** On top of the form. */
export function listBlocks({ audience }: List): KnownBlock[] {
  const { counts } = audience;
  return [
    { type: 'header', block_id: 'list:title', text: plainText(listTitle(audience), LIMITS.headerText) },
    saying(countLines(audience), 'list:counts'),
    {
      type: 'actions',
      block_id: 'list:actions',
      elements: [
        ...(counts.read > counts.valid
          ? [button(EXCLUSIONS_ACTION, 'Download excluded rows', audience.id)]
          : []),
        button(OTHER_LIST_ACTION, 'Choose another list', audience.id),
      ],
    },
  ];
}

/** Below the form: when, and whether an invalid row stops everything. */
export function decisionBlocks({ audience }: List, values: unknown): KnownBlock[] {
  const startAt = valueAt(values, SCHEDULE_FIELD);
  const refuse = option('Refuse the whole list if any row is invalid', 'true');
  const ticked = valueAt(values, REFUSE_INVALID_FIELD) === true;
  const start = {
    type: 'datetimepicker' as const,
    action_id: SCHEDULE_FIELD,
    ...(typeof startAt === 'number' ? { initial_date_time: startAt } : {}),
  };
  const hint = 'In your own time zone. Left empty, it starts as soon as possible.';
  const boxes = {
    type: 'checkboxes' as const,
    action_id: REFUSE_INVALID_FIELD,
    options: [refuse],
    ...(ticked ? { initial_options: [refuse] } : {}),
  };
  return [
    input(SCHEDULE_FIELD, 'Start', start, { hint, optional: true }),
    ...(audience.counts.invalid === 0
      ? []
      : [input(REFUSE_INVALID_FIELD, 'Invalid rows', boxes, { optional: true })]),
  ];
}
