import { isRecord, type Payload } from '../../connection/payload.ts';
import { blockText, lines, listAt, stringAt, withoutColon } from './block-text.ts';
import { withEmoji } from './emoji.ts';
import { type MentionNames, mrkdwnText } from './mrkdwn.ts';

/** What of a Slack message holds text, as Slack delivers it: nothing in it is taken for granted. */
export interface MessageContent {
  readonly text?: unknown;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
  readonly files?: unknown;
}

/**
 * What a message says, as plain text, in the order in which Slack shows it: its blocks or, without any, its text; then
 * its attachments and files. Marks, buttons, pictures' addresses, footers, addresses behind labels and previews of links are
 * left out, as is a line that only says again what the line before said. Empty when there is nothing to read.
 *
 * @param names of people, channels and user groups; without one a mention shows its id
 */
export function plainTextOf(message: MessageContent, names: MentionNames = {}): string {
  const fromBlocks = blocksText(message, names);
  // Beside blocks Slack shows `text` only in notifications.
  const own = fromBlocks || (typeof message.text === 'string' ? tidy(mrkdwnText(message.text, names)) : '');
  const attachments = listAt({ ...message }, 'attachments')
    .filter((one) => !isUnfurled(one))
    .map((one) => attachmentText(one, names));
  const files = listAt({ ...message }, 'files').map(fileText);
  return withoutRepeats(lines([own, ...attachments, ...files]));
}

function blocksText(message: MessageContent, names: MentionNames): string {
  return tidy(lines(listAt({ ...message }, 'blocks').map((block) => blockText(block, names))));
}

/** What Slack or an app shows of a link is not what the message says; a message that somebody shares looks so, and is. */
function isUnfurled(attachment: unknown): boolean {
  if (!isRecord(attachment) || attachment.is_share === true) return false;
  return ['from_url', 'app_unfurl_url', 'is_app_unfurl'].some((key) => Boolean(attachment[key]));
}

/** Source: https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
function attachmentText(attachment: unknown, names: MentionNames): string {
  if (!isRecord(attachment)) return '';
  const read = (key: string) => mrkdwnText(stringAt(attachment, key), names);
  const shown = tidy(
    lines([
      read('pretext'),
      blocksText(attachment, names),
      read('author_name'),
      read('title'),
      read('text'),
      ...listAt(attachment, 'fields').map((field) => (isRecord(field) ? fieldText(field, names) : '')),
    ]),
  );
  return shown || tidy(read('fallback'));
}

function fieldText(field: Payload, names: MentionNames): string {
  const title = mrkdwnText(stringAt(field, 'title'), names).trim();
  const value = mrkdwnText(stringAt(field, 'value'), names).trim();
  if (title === '' || value === '') return title || value;
  return `${withoutColon(title)}: ${value}`;
}

/**
 * A snippet, a mail or a post: its title, and what Slack shows of it. Of a list only the title: what stands in its rows
 * belongs to others than the readers of a message. Source: https://docs.slack.dev/reference/objects/file-object
 */
function fileText(file: unknown): string {
  if (!isRecord(file)) return '';
  const read = (...keys: readonly string[]) => keys.map((key) => stringAt(file, key)).find(Boolean) ?? '';
  const isList = ['csv', 'tsv', 'xlsx'].includes(stringAt(file, 'filetype'));
  const content = isList ? '' : read('plain_text', 'preview_plain_text', 'preview');
  return withEmoji(tidy(lines([read('subject', 'title', 'name'), content])));
}

/** No space at the ends of lines, no more than one empty line, line feeds only. */
function tidy(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function withoutRepeats(text: string): string {
  const kept: string[] = [];
  for (const line of text.split('\n')) if (line === '' || line !== kept.at(-1)) kept.push(line);
  return kept.join('\n');
}
