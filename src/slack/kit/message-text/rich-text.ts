import { isRecord, type Payload } from '../../connection/payload.ts';
import { emojiOf } from './emoji.ts';
import { channelText, type MentionNames, userGroupText, userText } from './mrkdwn.ts';
import { listAt, stringAt } from './read.ts';

/**
 * A rich_text block as a person reads it, a line for each section and each item of a list.
 * Source: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
export function richTextLines(block: Payload, names: MentionNames): string {
  return listAt(block, 'elements')
    .filter(isRecord)
    .map((part) => partText(part, names))
    .join('\n');
}

function partText(part: Payload, names: MentionNames): string {
  const elements = listAt(part, 'elements').filter(isRecord);
  if (part.type !== 'rich_text_list') return elements.map((one) => inlineText(one, names)).join('');
  const offset = typeof part.offset === 'number' ? part.offset : 0;
  return elements
    .map((item, index) => {
      const mark = part.style === 'ordered' ? `${offset + index + 1}.` : '-';
      return `${mark} ${partText(item, names)}`;
    })
    .join('\n');
}

function inlineText(element: Payload, names: MentionNames): string {
  switch (element.type) {
    case 'text':
      return stringAt(element, 'text');
    case 'link':
      return stringAt(element, 'text') || stringAt(element, 'url');
    case 'user':
      return userText(stringAt(element, 'user_id'), names);
    case 'channel':
      return channelText(stringAt(element, 'channel_id'), names);
    case 'usergroup':
      return userGroupText(stringAt(element, 'usergroup_id'), names);
    case 'broadcast':
      return `@${stringAt(element, 'range')}`;
    case 'emoji':
      return emojiOf(stringAt(element, 'name'), stringAt(element, 'unicode'));
    case 'date':
      return stringAt(element, 'fallback') || dateText(element.timestamp);
    case 'color':
      return stringAt(element, 'value');
    default:
      return '';
  }
}

/** Without a fallback there is only the moment; it is written so that it means the same everywhere. */
function dateText(timestamp: unknown): string {
  if (typeof timestamp !== 'number') return '';
  const date = new Date(timestamp * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/\.\d+Z$/, 'Z');
}
