import type { Button } from '@slack/types';
import type { Audience } from '../../../sends/audience.ts';
import { showInvisible } from '../../connection/escape.ts';
import { button } from '../blocks/blocks.ts';
import { shown } from './words.ts';

/** Names a list for people. */
export function listTitle({ name, fileName, source }: Audience): string {
  return showInvisible(name ?? fileName ?? (source === 'numbers' ? 'Pasted numbers' : 'List'));
}

/** Says what became of the rows of a list, a line each. */
export function countLines({ counts, columns, numberColumn }: Audience): string {
  const lines = [
    `Rows read: ${shown(counts.read)}`,
    `Recipients: ${shown(counts.valid)}`,
    ...line('Left out as duplicates', counts.duplicate),
    ...line('Left out because they opted out', counts.opted_out),
    ...line('Left out as wrong numbers', counts.invalid),
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

export const EXCLUSIONS_ACTION = 'exclusions';

/** None where no row was left out. @param skipped by a message: of the send that is named, or of the form around the button */
export function exclusionsButton({ id, counts }: Audience, skipped = 0, sendId = ''): Button[] {
  if (counts.read === counts.valid && skipped === 0) return [];
  return [button(EXCLUSIONS_ACTION, 'Download what was left out', `${id} ${sendId}`.trim())];
}
