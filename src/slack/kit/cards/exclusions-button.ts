import type { KnownBlock } from '@slack/types';
import { LIMITS } from '../../connection/limits.ts';
import { plainText } from '../forms/input-block.ts';

export function exclusionsButton(audienceId: string): KnownBlock {
  const text = plainText('Download excluded rows', LIMITS.buttonText);
  return {
    type: 'actions',
    elements: [{ type: 'button', action_id: EXCLUSIONS_ACTION, text, value: audienceId }],
  };
}

export const EXCLUSIONS_ACTION = 'exclusions';
