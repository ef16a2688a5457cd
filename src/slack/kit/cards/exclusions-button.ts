import type { Button } from '@slack/types';
import type { Audience } from '../../../sends/audience.ts';
import { button } from '../blocks/blocks.ts';

export const EXCLUSIONS_ACTION = 'exclusions';

/** None where no row was left out. */
export function exclusionsButton({ id, counts }: Pick<Audience, 'id' | 'counts'>): Button[] {
  return counts.read > counts.valid ? [button(EXCLUSIONS_ACTION, 'Download excluded rows', id)] : [];
}
