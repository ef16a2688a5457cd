import type { Button } from '@slack/types';
import { inBraces } from '../../../messages/columns.ts';
import type { Audience } from '../../../sends/audience.ts';
import { leftOut } from '../../../sends/bulk/warnings.ts';
import { showInvisible } from '../../connection/escape.ts';
import { button } from '../blocks/blocks.ts';
import { people, rowsOf } from './words.ts';

export function listTitle({ name, fileName, source }: Audience): string {
  return showInvisible(name ?? fileName ?? (source === 'numbers' ? 'Pasted numbers' : 'List'));
}

/** Names a list, where its numbers come from, and which columns a message may use. Untrusted. */
export function listText(audience: Audience): string {
  const { numberColumn, columns } = audience;
  const from = numberColumn === undefined ? [] : [`numbers from “${numberColumn}”`];
  const more = columns.length === 0 ? [] : [`columns ${columns.map(inBraces).join(', ')}`];
  return [listTitle(audience), ...from, ...more].join(' · ');
}

/** Says what became of the rows of a list, in plain text. */
export function countLines(audience: Audience): string {
  const { read, valid } = audience.counts;
  const left = leftOut({ audience, failures: [] }) ?? 'No row left out';
  return `${rowsOf(read)}, ${people(valid)}. ${left}.\n${showInvisible(listText(audience))}`;
}

export const EXCLUSIONS_ACTION = 'exclusions';

/** None where no row was left out. @param skipped by a message: of the send that is named, or of the form around the button */
export function exclusionsButton({ id, counts }: Audience, skipped = 0, sendId = ''): Button[] {
  if (counts.read === counts.valid && skipped === 0) return [];
  return [button(EXCLUSIONS_ACTION, 'Download what was left out', `${id} ${sendId}`.trim())];
}
