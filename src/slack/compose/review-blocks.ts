import type { KnownBlock } from '@slack/types';
import { maskNumber } from '../../messages/numbers/phone-number.ts';
import type { Audience } from '../../sends/audience.ts';
import { showInvisible } from '../kit/blocks/escape.ts';
import { LIMITS } from '../kit/blocks/limits.ts';
import { plainText } from '../kit/forms/input-block.ts';
import { valueAt } from '../kit/forms/path.ts';
import type { List } from './list.ts';

/* What a form shows of its list once that was read: what became of the rows, and what can be decided about them. */

export const OTHER_LIST_ACTION = 'other_list';
export const EXCLUSIONS_ACTION = 'exclusions';
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

/** How a list is called, for people. */
export function listTitle({ name, fileName, source }: Audience): string {
  return showInvisible(name ?? fileName ?? (source === 'numbers' ? 'Pasted numbers' : 'List'));
}

/** What became of the rows, a line each. */
export function countLines({ counts, columns, numberColumn }: Audience): string {
  const lines = [
    `Rows read: ${shown(counts.read)}`,
    `Recipients: ${shown(counts.valid)}`,
    ...line('Left out as duplicates', counts.duplicate),
    ...line('Left out because they opted out', counts.opted_out),
    ...line('Left out as invalid', counts.invalid),
    ...(numberColumn === undefined ? [] : [`Numbers from the column: ${showInvisible(numberColumn)}`]),
    ...(columns.length === 0
      ? []
      : [`Columns for the message: ${columns.map((column) => `{{${showInvisible(column)}}}`).join(', ')}`]),
  ];
  return lines.join('\n');
}

function line(label: string, count: number): string[] {
  return count === 0 ? [] : [`${label}: ${shown(count)}`];
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

/** Whom the preview is for. */
export function previewTitle({ sample }: List): string {
  const [first] = sample;
  return first === undefined
    ? 'Preview'
    : `Preview, as row ${first.row} (${maskNumber(first.number)}) will read it`;
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
      hint: plainText('In your own time zone. Left open, it starts as soon as it may.', LIMITS.inputHint),
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
