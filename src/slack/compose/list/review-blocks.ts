import type { KnownBlock } from '@slack/types';
import { LIMITS } from '../../connection/limits.ts';
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
    { type: 'section', block_id: 'list:counts', text: plainText(countLines(audience), LIMITS.sectionText) },
    {
      type: 'actions',
      block_id: 'list:actions',
      elements: [
        ...(counts.read > counts.valid
          ? [
              {
                type: 'button' as const,
                action_id: EXCLUSIONS_ACTION,
                text: plainText('Download excluded rows', LIMITS.buttonText),
                value: audience.id,
              },
            ]
          : []),
        {
          type: 'button',
          action_id: OTHER_LIST_ACTION,
          text: plainText('Choose another list', LIMITS.buttonText),
          value: audience.id,
        },
      ],
    },
  ];
}

/** Below the form: when, and whether an invalid row stops everything. */
export function decisionBlocks({ audience }: List, values: unknown): KnownBlock[] {
  const startAt = valueAt(values, SCHEDULE_FIELD);
  const option = {
    text: plainText('Refuse the whole list if any row is invalid', LIMITS.optionText),
    value: 'true',
  };
  const ticked = valueAt(values, REFUSE_INVALID_FIELD) === true;
  return [
    {
      type: 'input',
      block_id: SCHEDULE_FIELD,
      label: plainText('Start', LIMITS.inputLabel),
      hint: plainText('In your own time zone. Left empty, it starts as soon as possible.', LIMITS.inputHint),
      optional: true,
      element: {
        type: 'datetimepicker',
        action_id: SCHEDULE_FIELD,
        ...(typeof startAt === 'number' ? { initial_date_time: startAt } : {}),
      },
    },
    ...(audience.counts.invalid === 0
      ? []
      : [
          {
            type: 'input' as const,
            block_id: REFUSE_INVALID_FIELD,
            label: plainText('Invalid rows', LIMITS.inputLabel),
            optional: true,
            element: {
              type: 'checkboxes' as const,
              action_id: REFUSE_INVALID_FIELD,
              options: [option],
              ...(ticked ? { initial_options: [option] } : {}),
            },
          },
        ]),
  ];
}
