import { pages } from '../../core/pages.ts';
import { maskPhoneNumbers } from '../../core/secrets-in-text.ts';
import { kindOf } from '../../messages/kinds.ts';
import type { AudienceStore } from '../../sends/audience.ts';
import { csvLine } from '../../sends/audiences/csv-lines.ts';
import type { RecordLine } from '../../sends/send.ts';
import { messageText } from '../kit/cards/message-blocks.ts';
import type { FileToSend } from '../kit/files/files.ts';
import type { SlackServices } from '../kit/services.ts';

const PAGE = 5_000;

const HEADER = [
  ...['event', 'time', 'send', 'action', 'actor', 'reason'],
  ...['kind', 'words', 'recipients', 'digest', 'retry of'],
];

type Line = Readonly<{ at: number; text: string }>;

/**
 * The append-only record of who did what, as CSV; the time is ISO 8601 in UTC. It ends where the record ended when it was
 * asked for. The words of a send stand on the line by which it was asked for, how many it was sealed for and its digest on
 * every later one. No one-time password is in it, and no whole phone number.
 */
export async function auditFile({
  store,
  optOuts,
}: Pick<SlackServices, 'store' | 'optOuts'>): Promise<FileToSend> {
  const sent = await linesOf((afterId, limit) => store.allEvents(afterId, limit), sendLine);
  const takenOff = await linesOf((afterId, limit) => optOuts.optOutRemovals(afterId, limit), removalLine);
  async function* content() {
    yield csvLine(HEADER);
    for await (const { text } of inOrder(sent, takenOff)) yield text;
  }
  return { name: 'herald-record.csv', content: content() };
}

function sendLine(line: RecordLine): string {
  const { id, at, sendId, action, actor, reason, asked, recipients, digest } = line;
  const why = reason && maskPhoneNumbers(reason.what);
  return csvLine([
    ...[id, new Date(at).toISOString(), sendId, action, actor, why],
    ...[asked?.message.kind, asked && wordsOf(asked), recipients, digest, asked?.retryOf],
  ]);
}

type Removal = Awaited<ReturnType<AudienceStore['optOutRemovals']>>[number];

function removalLine({ id, at, actor, number }: Removal): string {
  const what = `The number ${number} was taken off the opt-out list.`;
  return csvLine([`opt-out ${id}`, new Date(at).toISOString(), '', 'opt_out_removed', actor, what]);
}

/** All that people approved, as one text. */
function wordsOf({ message, template }: NonNullable<RecordLine['asked']>): string {
  const carried = kindOf(message)
    .attachments(message)
    .map(({ label, value }) => `${label}: ${value}`);
  return maskPhoneNumbers([messageText(message, template), ...carried].join('\n'));
}

/** Reads a part of the record in pages, oldest first, up to where it ends now. */
async function linesOf<Entry extends { readonly id: number; readonly at: number }>(
  read: (afterId: number, limit: number) => Promise<readonly Entry[]>,
  write: (entry: Entry) => string,
): Promise<AsyncGenerator<Line>> {
  let lastId = Number.POSITIVE_INFINITY;
  async function* entries(): AsyncGenerator<Entry> {
    const upToLast = async (last?: Entry) =>
      (await read(last?.id ?? 0, PAGE)).filter(({ id }) => id <= lastId);
    for await (const page of pages(upToLast)) yield* page;
  }
  let last = 0;
  for await (const { id } of entries()) last = id;
  lastId = last;
  async function* lines() {
    for await (const entry of entries()) yield { at: entry.at, text: write(entry) };
  }
  return lines();
}

/** Two records as one, by time; each keeps its own order. */
async function* inOrder(one: AsyncGenerator<Line>, other: AsyncGenerator<Line>): AsyncGenerator<Line> {
  let [first, second] = [await one.next(), await other.next()];
  while (!first.done || !second.done) {
    if (second.done || (!first.done && first.value.at <= second.value.at)) {
      if (!first.done) yield first.value;
      first = await one.next();
    } else {
      yield second.value;
      second = await other.next();
    }
  }
}
