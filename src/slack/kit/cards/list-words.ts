import type { Audience } from '../../../sends/audience.ts';
import { showInvisible } from '../../connection/escape.ts';
import { shown } from './words.ts';

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
