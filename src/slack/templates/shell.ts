import type { KnownBlock, ModalView } from '@slack/types';
import type { Send } from '../../sends/send.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { mention, section } from '../kit/blocks/mrkdwn.ts';
import { SEND_STATES, whatSend } from '../kit/cards/words.ts';
import { plainText } from '../kit/forms/input-block.ts';

/* What the catalogue's views are made of. */

interface Shell {
  readonly callbackId: string;
  readonly title: string;
  readonly metadata: object;
  readonly submit?: string;
  readonly blocks: readonly KnownBlock[];
}

export function modal({ callbackId, title, metadata, submit, blocks }: Shell): ModalView {
  return {
    type: 'modal',
    callback_id: callbackId,
    title: plainText(title, LIMITS.modalTitle),
    ...(submit === undefined ? {} : { submit: plainText(submit, LIMITS.modalSubmit) }),
    close: plainText('Close', LIMITS.modalClose),
    private_metadata: JSON.stringify(metadata),
    blocks: [...blocks],
  };
}

/** A section of plain text; nothing in it can mention anybody. */
export function saying(text: string, blockId?: string): KnownBlock {
  return {
    type: 'section',
    ...(blockId === undefined ? {} : { block_id: blockId }),
    text: plainText(text, LIMITS.sectionText),
  };
}

/** The note on top of a view; none for nothing to say. */
export function noteBlocks(note: string | undefined): KnownBlock[] {
  return note === undefined || note === '' ? [] : [saying(note, 'note')];
}

const SENDS_NAMED = 10;

/** Sends that would lose their approvals, each with what it is and who asked for it. */
export function sendsBlock(sends: readonly Send[]): KnownBlock {
  const named = sends.slice(0, SENDS_NAMED).map((send) => {
    const what = `${whatSend(send)}, ${SEND_STATES[send.state].words}`;
    return `• ${escapeMrkdwn(send.id)}: ${what}, asked for by ${mention(send.origin.userId)}`;
  });
  const more = sends.length > SENDS_NAMED ? [`• and ${sends.length - SENDS_NAMED} more`] : [];
  return { ...section([...named, ...more].join('\n')), block_id: 'sends' };
}

/** A view that only says something. */
export function sayingView(sentence: string): ModalView {
  return {
    type: 'modal',
    title: plainText('Templates', LIMITS.modalTitle),
    close: plainText('Close', LIMITS.modalClose),
    blocks: [saying(sentence)],
  };
}
