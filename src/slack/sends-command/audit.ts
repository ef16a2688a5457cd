import { csvLine } from '../../sends/audiences/csv-cell.ts';
import type { SendStore } from '../../sends/ports.ts';
import type { FileToSend } from '../files/files.ts';

/** Lines of the record read at a time. */
const PAGE = 5_000;

const HEADER = ['event', 'time', 'send', 'action', 'actor', 'reason'];

/**
 * The append-only record of who did what, as CSV; the time is ISO 8601 in UTC. It ends where the record ended when it was
 * asked for, so that each reading is the same.
 */
export async function auditFile(store: Pick<SendStore, 'allEvents'>): Promise<FileToSend> {
  let lastId = 0;
  for await (const page of pages(store, Number.POSITIVE_INFINITY)) lastId = page.at(-1)?.id ?? lastId;
  return { name: 'herald-record.csv', content: () => lines(store, lastId) };
}

async function* lines(store: Pick<SendStore, 'allEvents'>, lastId: number): AsyncIterable<string> {
  yield csvLine(HEADER);
  for await (const page of pages(store, lastId)) {
    yield page
      .map(({ id, at, sendId, action, actor, reason }) =>
        csvLine([id, new Date(at).toISOString(), sendId, action, actor, reason?.what]),
      )
      .join('');
  }
}

async function* pages(store: Pick<SendStore, 'allEvents'>, lastId: number) {
  for (let afterId = 0; ; ) {
    const events = await store.allEvents(afterId, PAGE);
    const wanted = events.filter(({ id }) => id <= lastId);
    if (wanted.length > 0) yield wanted;
    const last = wanted.at(-1);
    if (last === undefined || wanted.length < PAGE) return;
    afterId = last.id;
  }
}
