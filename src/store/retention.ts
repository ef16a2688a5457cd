import { kindOf, type Message } from '../messages/kinds.ts';
import { isPseudonym, type Pseudonym } from '../messages/numbers/pseudonym.ts';
import type { RetentionStore } from '../sends/retention.ts';
import type { Removal, Send, Survey } from '../sends/send.ts';
import { SEND_CHANGES, UNENDED } from '../sends/states.ts';
import { IS_SHOWN } from './post-store.ts';
import { jsonColumn, SEND_COLUMNS, sendFrom } from './rows.ts';
import { HERALD, record } from './send-statements.ts';
import { type Database, indexedBy, type Runner, sql, write } from './sql.ts';

/** Rows in one step: a few milliseconds, for which others wait. */
const STEP = 500;

const REMOVALS: readonly Removal[] = ['numbers_removed', 'texts_removed', 'erased'];
const ENDED = (Object.keys(SEND_CHANGES) as Send['state'][]).filter((state) => !UNENDED.includes(state));

/** All is said and done: nothing that recovery, a retry or an announcement still needs. */
const IS_OVER = `created_at < :before AND state IN (:ended...) AND attempting = 0 AND ${IS_SHOWN}
  AND NOT EXISTS (SELECT 1 FROM send_events
    WHERE send_id = sends.id AND at >= :before AND action NOT IN (:removals...))
  AND NOT EXISTS (SELECT 1 FROM sends AS retry WHERE retry.retry_of = sends.id AND retry.state IN (:unended...))`;
const HALF_REMOVED = `SELECT ${SEND_COLUMNS} FROM sends WHERE numbers_removed_to >= 0 ORDER BY id LIMIT 1`;
const WITH_NUMBERS = sql`SELECT ${SEND_COLUMNS} FROM sends ${indexedBy('sends_with_numbers')}
  WHERE numbers_removed_to IS NULL AND ${IS_OVER} ORDER BY created_at LIMIT 1`;
const WITH_TEXTS = sql`SELECT ${SEND_COLUMNS} FROM sends ${indexedBy('sends_with_texts')}
  WHERE texts_removed = 0 AND ${IS_OVER} ORDER BY created_at LIMIT ${String(STEP)}`;
const MARK_NUMBERS = `UPDATE sends SET removed_at = coalesce(removed_at, :at), numbers_removed_to = :to, survey = :survey
  WHERE id = :sendId`;
const MARK_TEXTS = `UPDATE sends SET removed_at = coalesce(removed_at, :at), texts_removed = 1, message = :message, note = NULL
  WHERE id = :sendId`;
const NEXT_ROWS = `SELECT row, number FROM recipients WHERE send_id = :sendId AND row >= :from ORDER BY row LIMIT ${STEP}`;
/** One by one: in one statement each database may hold every recipient of the send against every one that is given. */
export const REMOVE_NUMBER = [
  `DELETE FROM message_ids WHERE send_id = :sendId AND row = :row
     AND message_id = (SELECT message_id FROM recipients WHERE send_id = :sendId AND row = :row)`,
  `UPDATE recipients SET number = :number, cells = NULL, message_id = NULL, explanation = NULL, reading = NULL
     WHERE send_id = :sendId AND row = :row`,
];
const REMOVE_REQUESTS = 'DELETE FROM requests WHERE send_id = :sendId AND first_row <= :row';

const OLD_WEBHOOKS = (stage: string) => `SELECT id FROM webhooks WHERE removed ${stage} AND due_at IS NULL
  AND received_at < :before
  AND NOT EXISTS (SELECT 1 FROM customer_events JOIN posts ON mark = post WHERE webhook_id = webhooks.id AND wanted > shown)
  ORDER BY received_at LIMIT ${STEP}`;
const WHOLE_WEBHOOKS = OLD_WEBHOOKS('= 0');
const KEPT_WEBHOOKS = OLD_WEBHOOKS('< 2');
const DELETE_WORDS =
  'DELETE FROM customer_events WHERE webhook_id IN (:ids...) AND (label IS NULL OR send_id IS NULL)';
const TAPS = 'SELECT id, number FROM customer_events WHERE webhook_id IN (:ids...)';
export const REMOVE_TAP = `UPDATE customer_events SET event = '{}', number = :number, post = NULL WHERE id = :id`;
const DELETE_WEBHOOKS = `DELETE FROM webhooks WHERE id IN (:ids...)
  AND NOT EXISTS (SELECT 1 FROM customer_events WHERE webhook_id = webhooks.id)`;
export const EMPTY = { sqlite: "x''", postgres: "''::bytea" };
const REMOVE_BODIES = sql`UPDATE webhooks SET body = ${EMPTY}, sender = NULL, removed = :stage WHERE id IN (:ids...)`;

/** @param pseudonym absent where no key is configured: then no number can be removed */
export function createRetention(
  database: Database,
  pseudonym: Pseudonym | undefined,
  giveBack: RetentionStore['giveBack'],
): RetentionStore {
  const over = (before: number) => ({ before, ended: ENDED, unended: UNENDED, removals: REMOVALS });

  async function removeNumbers(runner: Runner, before: number, at: number): Promise<number> {
    const [half] = await runner.run(HALF_REMOVED);
    const [found = half] = half === undefined ? await runner.run(WITH_NUMBERS, over(before)) : [];
    if (found === undefined) return 0;
    const from = Math.max(0, Number(found.numbers_removed_to));
    const { id: sendId, survey, audience } = sendFrom(found);
    const rows = await runner.run<{ row: number; number: string }>(NEXT_ROWS, { sendId, from });
    for (const { row, number } of rows)
      for (const statement of REMOVE_NUMBER)
        await runner.change(statement, { sendId, row, number: pseudonymOf(number, pseudonym) });
    const last = rows.at(-1);
    await runner.change(REMOVE_REQUESTS, { sendId, row: last?.row ?? from });
    const to = last === undefined || rows.length < STEP ? -1 : last.row + 1;
    const left = jsonColumn(survey && withoutValues(survey));
    await runner.change(MARK_NUMBERS, { sendId, at, to, survey: left });
    if (from === 0 && audience !== undefined)
      await record(runner, { sendId, at, actor: HERALD, action: 'numbers_removed' });
    return Math.max(1, rows.length);
  }

  async function removeTexts(runner: Runner, before: number, at: number): Promise<number> {
    const found = await runner.run(WITH_TEXTS, over(before));
    for (const { id: sendId, message, audience } of found.map(sendFrom)) {
      await removeText(runner, sendId, message, at);
      if (audience !== undefined)
        await record(runner, { sendId, at, actor: HERALD, action: 'texts_removed' });
    }
    return found.length;
  }

  async function removeWebhooks(
    runner: Runner,
    statement: string,
    before: number,
    stage: 1 | 2,
  ): Promise<number> {
    const ids = (await runner.run(statement, { before })).map(({ id }) => Number(id));
    if (ids.length === 0) return 0;
    if (stage === 2) {
      await runner.change(DELETE_WORDS, { ids });
      for (const { id, number } of await runner.run<{ id: number; number: string | null }>(TAPS, { ids }))
        await runner.change(REMOVE_TAP, { id, number: number && pseudonymOf(number, pseudonym) });
    }
    await runner.change(DELETE_WEBHOOKS, { ids });
    await runner.change(REMOVE_BODIES, { ids, stage });
    return ids.length;
  }

  return {
    removeNumbers: (before, at) => database.transaction((runner) => removeNumbers(runner, before, at)),
    removeTexts: (before, at) => database.transaction((runner) => removeTexts(runner, before, at)),
    removeBodies: (before) =>
      database.transaction((runner) => removeWebhooks(runner, WHOLE_WEBHOOKS, before, 1)),
    removeAnswers: (before) =>
      database.transaction((runner) => removeWebhooks(runner, KEPT_WEBHOOKS, before, 2)),
    giveBack,
  };
}

export function removeText(runner: Runner, sendId: string, message: Message, at: number): Promise<void> {
  const left = JSON.stringify(kindOf(message).withoutWords(message));
  return write(runner, MARK_TEXTS, { sendId, at, message: left });
}

function pseudonymOf(number: string, pseudonym: Pseudonym | undefined): string {
  if (pseudonym === undefined) throw new Error('PSEUDONYM_KEY is needed to remove numbers.');
  return isPseudonym(number) ? number : pseudonym(number);
}

/** Leaves what the record and the cards of an old send need of its survey. */
export function withoutValues({ recipients, countries }: Survey): Survey {
  return { recipients, ...(countries && { countries }), rows: [] };
}
