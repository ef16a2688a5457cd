import type { KnownBlock, ModalView } from '@slack/types';
import type { Send } from '../../sends/send.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { mention, modal, saying, section } from '../kit/blocks/blocks.ts';
import { stateOf, whatSend } from '../kit/cards/words.ts';

/* What the catalogue's views are made of. */

interface Shell {
  readonly callbackId: string;
  readonly title: string;
  readonly metadata: object;
  readonly submit?: string;
  readonly blocks: readonly KnownBlock[];
}

/** A window of the catalogue. Leaving a form of it leaves the catalogue as it is, so its button says Close as well. */
export function shell({ metadata, ...modalOf }: Shell): ModalView {
  return modal({ ...modalOf, metadata: JSON.stringify(metadata) }, 'Close');
}

/** The note on top of a view; none for nothing to say. */
export function noteBlocks(note: string | undefined): KnownBlock[] {
  return note === undefined || note === '' ? [] : [saying(note, 'note')];
}

const SENDS_NAMED = 10;

/** Sends that would lose their approvals, each with what it is and who asked for it. */
export function sendsBlock(sends: readonly Send[]): KnownBlock {
  const named = sends.slice(0, SENDS_NAMED).map((send) => {
    const what = `${whatSend(send)}, ${stateOf(send).words}`;
    return `• ${escapeMrkdwn(send.id)}: ${what}, asked for by ${mention(send.origin.userId)}`;
  });
  const more = sends.length > SENDS_NAMED ? [`• and ${sends.length - SENDS_NAMED} more`] : [];
  return { ...section([...named, ...more].join('\n')), block_id: 'sends' };
}
