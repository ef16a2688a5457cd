import { spellingsOf } from '../messages/numbers/person.ts';
import type { Pseudonym } from '../messages/numbers/pseudonym.ts';
import { UNENDED } from '../sends/states.ts';
import { EMPTY, REMOVE_NUMBER, REMOVE_TAP, removeText, withoutValues } from './retention.ts';
import { jsonColumn, RECIPIENT_COLUMNS, recipientFrom, SEND_COLUMNS, sendFrom } from './rows.ts';
import { ERASE_ALONE, HERALD, record } from './send-statements.ts';
import { type Database, type Runner, sql } from './sql.ts';

const RECIPIENTS = `SELECT ${RECIPIENT_COLUMNS} FROM recipients WHERE number IN (:spellings...) ORDER BY send_id, row`;
const SENDS = `SELECT ${SEND_COLUMNS} FROM sends WHERE id IN (:ids...) ORDER BY created_at, id`;
const ANSWERS = `SELECT customer_events.id, webhook_id, send_id, label, event, received_at FROM customer_events
  JOIN webhooks ON webhooks.id = webhook_id WHERE number IN (:spellings...) ORDER BY customer_events.id`;
const LISTED = `SELECT audience_id, row, name, cells, created_at FROM audience_rows
  JOIN audiences ON id = audience_id WHERE number IN (:spellings...) ORDER BY created_at, audience_id, row`;
const DRAFTS = `SELECT ${SEND_COLUMNS} FROM sends WHERE state = 'draft' ORDER BY created_at, id`;
const OPT_OUT = 'SELECT at, actor, source FROM opt_outs WHERE number IN (:spellings...)';
const DELIVERIES = 'SELECT row, status, at FROM deliveries WHERE send_id = :sendId AND row = :row';

/** Those before and after this one keep the id of the request. */
const LEAVE_REQUEST = [
  `INSERT INTO requests (send_id, first_row, last_row, message_id) SELECT send_id, :row + 1, last_row, message_id
     FROM requests WHERE send_id = :sendId AND first_row <= :row AND last_row > :row`,
  'UPDATE requests SET last_row = :row - 1 WHERE send_id = :sendId AND first_row < :row AND last_row >= :row',
  'DELETE FROM requests WHERE send_id = :sendId AND first_row = :row',
];
const SET_SURVEY = 'UPDATE sends SET survey = :survey WHERE id = :sendId';
const DELETE_WORDS = `DELETE FROM customer_events WHERE number IN (:spellings...) AND (label IS NULL OR send_id IS NULL)`;
const DELETE_LISTED = 'DELETE FROM audience_rows WHERE number IN (:spellings...)';
// As people wrote them, with whatever stands between the digits.
const DELETE_EXCLUSIONS = `DELETE FROM audience_exclusions
  WHERE replace(replace(replace(replace(value, ' ', ''), '-', ''), '(', ''), ')', '') LIKE :like`;
const DELETE_DRAFTS = 'DELETE FROM drafts WHERE form LIKE :like';
const HOLDS_DIGITS = {
  sqlite: 'instr(body, CAST(:digits AS BLOB)) > 0',
  postgres: `position(convert_to(:digits, 'UTF8') in body) > 0`,
};
// What somebody else wrote, and alerts that are over, stay but for the number.
const COVER = [
  "UPDATE customer_events SET event = replace(event, :digits, '…') WHERE event LIKE :whole",
  "UPDATE alert_events SET document = replace(document, :digits, '…') WHERE document LIKE :whole AND decided_at IS NOT NULL",
  "UPDATE alerts SET document = replace(document, :digits, '…') WHERE document LIKE :whole AND open = 0 AND due_at IS NULL",
];
const REMOVE_SENDER = 'UPDATE webhooks SET sender = NULL WHERE sender IN (:spellings...)';
const REMOVE_BODIES = sql`UPDATE webhooks SET body = ${EMPTY}, removed = greatest(removed, 1)
  WHERE due_at IS NULL AND (id IN (:ids...) OR ${HOLDS_DIGITS})`;

/** Digits without the country's code stand in lists as well; two people who share so many are rare, and lose nothing. */
const LAST_DIGITS = 9;

/** Gathers what is kept of one number, for whoever asks what that is. Times are ISO 8601. */
export async function exportOf(database: Database, number: string): Promise<object> {
  const { recipients, sends } = await sentTo(database, number);
  const [optOut] = await database.run(OPT_OUT, { number });
  const messages = [];
  for (const recipient of recipients) {
    const send = sends.get(recipient.sendId);
    const [delivery] = await database.run(DELIVERIES, recipient);
    const { values, state, attemptedAt, failure } = recipient;
    messages.push({
      send: recipient.sendId,
      askedAt: send && iso(send.createdAt),
      askedBy: send?.origin.userId,
      message: send?.message,
      values,
      outcome: state,
      why: failure?.what,
      attemptedAt: iso(attemptedAt),
      delivery: delivery && { status: delivery.status, at: iso(delivery.at) },
    });
  }
  const answers = await database.run(ANSWERS, { number });
  const listed = await database.run(LISTED, { number });
  return {
    number,
    messages,
    answers: answers.map(({ received_at, send_id, event }) => ({
      receivedAt: iso(received_at),
      send: send_id ?? undefined,
      answer: JSON.parse(String(event)),
    })),
    lists: listed.map(({ name, created_at, cells }) => ({
      name: name ?? undefined,
      createdAt: iso(created_at),
      values: JSON.parse(String(cells)),
    })),
    optedOut: optOut && { at: iso(optOut.at), by: optOut.actor, from: optOut.source },
  };
}

/** How much was erased, or the sends that keep it from being. */
export type Erased =
  | (Record<'messages' | 'answers' | 'lists', number> & { readonly optedOut: boolean })
  | { readonly notEnded: readonly string[] };

/**
 * Removes one number wherever it is kept, in one transaction, and records it with each of its sends. Who has opted out
 * stays on that list. Nothing is removed while a send that has not ended holds the number, or is prepared from what does.
 *
 * @param at milliseconds since the epoch
 */
export function erase(database: Database, number: string, pseudonym: Pseudonym, at: number): Promise<Erased> {
  return database.transaction(async (runner) => {
    await runner.run(ERASE_ALONE);
    // Before recipients: one that is sealed meanwhile is seen among those.
    const drafts = (await runner.run(DRAFTS)).map(sendFrom);
    const { recipients, sends } = await sentTo(runner, number);
    const holding = [...sends.values()].filter(
      ({ state, counts }) => UNENDED.includes(state) || counts.attempting > 0,
    );
    const listed = new Set((await runner.run(LISTED, { number })).map(({ audience_id }) => audience_id));
    const copying = drafts.filter(
      ({ audience, retryOf = '' }) => listed.has(audience?.id) || sends.has(retryOf),
    );
    const notEnded = new Set([...holding, ...copying].map(({ id }) => id));
    if (notEnded.size > 0) return { notEnded: [...notEnded] };
    for (const { sendId, row } of recipients) {
      for (const statement of [...LEAVE_REQUEST, ...REMOVE_NUMBER])
        await runner.change(statement, { sendId, row, number: pseudonym(number) });
      const { audience, message, survey } = sends.get(sendId) ?? {};
      if (message !== undefined && audience === undefined) await removeText(runner, sendId, message, at);
      if (survey !== undefined)
        await runner.change(SET_SURVEY, { sendId, survey: jsonColumn(withoutValues(survey)) });
      await record(runner, { sendId, at, actor: HERALD, action: 'erased' });
    }
    const answers = await runner.run(ANSWERS, { number });
    for (const { id, label, send_id } of answers)
      if (label !== null && send_id !== null)
        await runner.change(REMOVE_TAP, { id, number: pseudonym(number) });
    await runner.change(DELETE_WORDS, { number });
    await runner.change(REMOVE_SENDER, { number });
    const lists = await runner.change(DELETE_LISTED, { number });
    const ids = answers.map(({ webhook_id }) => Number(webhook_id));
    for (const digits of spellingsOf(number).map((one) => one.slice(1))) {
      const given = { ids, digits, like: `%${digits.slice(-LAST_DIGITS)}%`, whole: `%${digits}%` };
      for (const statement of [REMOVE_BODIES, DELETE_EXCLUSIONS, DELETE_DRAFTS, ...COVER])
        await runner.change(statement, given);
    }
    const optedOut = (await runner.run(OPT_OUT, { number })).length > 0;
    return { messages: recipients.length, answers: answers.length, lists, optedOut };
  });
}

async function sentTo(runner: Runner, number: string) {
  const recipients = (await runner.run(RECIPIENTS, { number })).map(recipientFrom);
  const ids = [...new Set(recipients.map(({ sendId }) => sendId))];
  const sends = (await runner.run(SENDS, { ids })).map(sendFrom);
  return { recipients, sends: new Map(sends.map((send) => [send.id, send])) };
}

function iso(at: unknown): string | undefined {
  return typeof at === 'number' ? new Date(at).toISOString() : undefined;
}
