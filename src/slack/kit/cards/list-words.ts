import type { Button } from '@slack/types';
import type { Audience } from '../../../sends/audience.ts';
import type { ListReview } from '../../../sends/bulk.ts';
import { showInvisible } from '../../connection/escape.ts';
import { button } from '../blocks/blocks.ts';
import { shown } from './words.ts';

/** How a list is called, for people. */
export function listTitle({ name, fileName, source }: Audience): string {
  return showInvisible(name ?? fileName ?? (source === 'numbers' ? 'Pasted numbers' : 'List'));
}

/**
 * What became of the rows, a line each.
 *
 * @param review of the list for a message: then its recipients, and whom it leaves out as well
 */
export function countLines(
  { counts, columns, numberColumn }: Audience,
  review: ListReview | 'counting' | 'unknown' = { recipients: counts.valid, causes: [], rows: [] },
): string {
  const isCounted = typeof review === 'object';
  const later = review === 'counting' ? 'being counted' : 'counted once the message is complete';
  const lines = [
    `Rows read: ${shown(counts.read)}`,
    `Recipients: ${isCounted ? shown(review.recipients) : `at most ${shown(counts.valid)}, ${later}`}`,
    ...line('Left out as duplicates', counts.duplicate),
    ...line('Left out because they opted out', counts.opted_out),
    ...line('Left out as invalid', counts.invalid),
    ...(isCounted ? review.causes.map(({ what, count }) => `Left out, ${shown(count)}: ${what}`) : []),
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

/** None where no row was left out. */
export function exclusionsButton({ id, counts }: Pick<Audience, 'id' | 'counts'>): Button[] {
  return counts.read > counts.valid ? [button(EXCLUSIONS_ACTION, 'Download excluded rows', id)] : [];
}
