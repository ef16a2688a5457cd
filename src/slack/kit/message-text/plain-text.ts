import type { Clock } from '../../../core/clock.ts';
import { within } from '../../../core/within.ts';
import { isRecord, type Payload } from '../../connection/payload.ts';
import type { Names } from '../people/people.ts';
import { blockText, lines, listAt, mrkdwnText, type NameOf, stringAt, withoutColon } from './block-text.ts';
import { withEmoji } from './emoji.ts';

/** The parts of a Slack message that hold text, as Slack delivers it: nothing in it is taken for granted. */
export interface MessageContent {
  readonly text?: unknown;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
  readonly files?: unknown;
}

/**
 * Reads a message as plain text, in the order in which Slack shows it: its blocks or, without any, its text; then
 * its attachments and files. Marks, buttons, pictures' addresses, footers, addresses behind labels and previews of links are
 * left out, as is a line that only says again what the line before said. Empty when there is nothing to read.
 *
 * @param nameOf names people and user groups; without a name a mention shows its id
 */
export function plainTextOf(message: MessageContent, nameOf?: NameOf): string {
  const fromBlocks = blocksText(message, nameOf);
  // Beside blocks Slack shows `text` only in notifications.
  const own = fromBlocks || (typeof message.text === 'string' ? tidy(mrkdwnText(message.text, nameOf)) : '');
  const attachments = listAt({ ...message }, 'attachments')
    .filter((one) => !isUnfurled(one))
    .map((one) => attachmentText(one, nameOf));
  const files = listAt({ ...message }, 'files').map(fileText);
  return withoutRepeats(lines([own, ...attachments, ...files]));
}

function blocksText(message: MessageContent, nameOf: NameOf | undefined): string {
  return tidy(lines(listAt({ ...message }, 'blocks').map((block) => blockText(block, nameOf))));
}

/** A preview of a link is not what the message says; a message that somebody shares looks like one, and is. */
function isUnfurled(attachment: unknown): boolean {
  if (!isRecord(attachment) || attachment.is_share === true) return false;
  return ['from_url', 'app_unfurl_url', 'is_app_unfurl'].some((key) => Boolean(attachment[key]));
}

/** Source: https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
function attachmentText(attachment: unknown, nameOf: NameOf | undefined): string {
  if (!isRecord(attachment)) return '';
  const read = (key: string) => mrkdwnText(stringAt(attachment, key), nameOf);
  const shown = tidy(
    lines([
      read('pretext'),
      blocksText(attachment, nameOf),
      read('author_name'),
      read('title'),
      read('text'),
      ...listAt(attachment, 'fields').map((field) => (isRecord(field) ? fieldText(field, nameOf) : '')),
    ]),
  );
  return shown || tidy(read('fallback'));
}

function fieldText(field: Payload, nameOf: NameOf | undefined): string {
  const title = mrkdwnText(stringAt(field, 'title'), nameOf).trim();
  const value = mrkdwnText(stringAt(field, 'value'), nameOf).trim();
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

/** Slack waits three seconds for a form or an acknowledgement; a name that comes later is not worth it. */
const NAMES_MS = 900;
/** More than this are a list, not a mention. */
const MOST = 10;

const MENTIONS = /<(?:@|!subteam\^)([UWS][A-Z0-9]+)|"user(?:group)?_id":"([UWS][A-Z0-9]+)"/g;

/**
 * The names of those whom a message mentions, as far as Slack gives them in time. Never rejects: who stays unknown is
 * shown by id.
 */
export async function namesIn(
  message: MessageContent,
  { names, clock }: { readonly names: Names; readonly clock: Clock },
): Promise<NameOf> {
  const known = new Map<string, string>();
  const asked = mentionedIn(message).map(async (id) => {
    const name = await names.nameOf(id);
    if (name.startsWith('@')) known.set(id, name.slice(1));
  });
  if (asked.length > 0) await within(Promise.all(asked), NAMES_MS, clock);
  return (id) => known.get(id);
}

function mentionedIn({ text, blocks, attachments }: MessageContent): readonly string[] {
  const written = JSON.stringify([text, blocks, attachments]);
  const ids = new Set([...written.matchAll(MENTIONS)].map(([, inText, inBlock]) => inText ?? inBlock ?? ''));
  return [...ids].slice(0, MOST);
}
