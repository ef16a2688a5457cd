import type { KnownBlock } from '@slack/types';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { ServiceTerms } from '../../../messages/service-terms.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { unescapeEntities } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { plainText } from '../blocks/blocks.ts';
import { unknownEmojiNote } from '../message-text/emoji.ts';
import { asRecipient, type List } from './list-values.ts';
import type { FormValues } from './read-state.ts';

const PREVIEW = 'preview';
export const NEXT_ROW_ACTION = 'next_row';

/**
 * Shows what the recipient will read, as far as the form is filled in, and for SMS how many parts it takes. All of it
 * is plain text: nothing that was typed can mention anybody. No blocks before a template is chosen. Of a list, it is
 * what one recipient will read.
 */
export function previewBlocks(
  kind: MessageKind,
  template: Template | undefined,
  values: FormValues | undefined,
  { list, terms }: { readonly list?: List | undefined; readonly terms?: ServiceTerms | undefined } = {},
): KnownBlock[] {
  if (KINDS[kind].textPath === undefined && template === undefined) return [];
  // The view of whoever approves says more.
  if (typeof list?.review === 'object') return [];
  const { text, segments, spaceLeft } = KINDS[kind].preview(
    list ? asRecipient(values, list) : values,
    template,
    terms,
  );
  const shown = text.trim() === '' ? 'What the recipient will read appears here while you type.' : text;
  return [
    ...line('title', 'Preview'),
    {
      type: 'section',
      block_id: `${PREVIEW}:text`,
      text: plainText(shown, LIMITS.sectionText),
      expand: true,
    },
    ...line('emoji', unknownEmojiNote(text)),
    ...line('space', spaceLeft),
    ...line('segments', segments),
  ];
}

function line(name: string, text: string | undefined): KnownBlock[] {
  if (text === undefined) return [];
  const elements = [plainText(text, LIMITS.sectionText)];
  return [{ type: 'context', block_id: `${PREVIEW}:${name}`, elements }];
}

/** The same blocks with other parts in the place of those they have; a part is named by what the ids of its blocks begin with. */
export function withParts<Block extends { readonly block_id?: string }>(
  blocks: readonly Block[],
  parts: Readonly<Record<string, readonly KnownBlock[]>>,
): (Block | KnownBlock)[] {
  const left = new Map(Object.entries(parts));
  return blocks.flatMap((block): (Block | KnownBlock)[] => {
    const [name = '', rest] = block.block_id?.split(':', 2) ?? [];
    if (rest === undefined || !Object.hasOwn(parts, name)) return [asSent(block)];
    const part = left.get(name) ?? [];
    left.delete(name);
    return [...part];
  });
}

/**
 * Slack gives the texts of a view back escaped: sent as they came, they would be shown so. The input that had the cursor at
 * first must not take it from the one that is typed into.
 */
function asSent<Block>(block: Block): Block {
  return JSON.parse(JSON.stringify(block), (key, part) => {
    if (key === 'focus_on_load') return undefined;
    return part?.type === 'plain_text' ? { ...part, text: unescapeEntities(part.text) } : part;
  });
}
