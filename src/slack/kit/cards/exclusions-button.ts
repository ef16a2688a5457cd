import type { KnownBlock } from '@slack/types';
import { button } from '../blocks/blocks.ts';

export function exclusionsButton(audienceId: string): KnownBlock {
  return { type: 'actions', elements: [button(EXCLUSIONS_ACTION, 'Download excluded rows', audienceId)] };
}

export const EXCLUSIONS_ACTION = 'exclusions';
