import type { KnownBlock } from '@slack/types';
import { LATE, within } from '../../../core/within.ts';
import { maskDigits, maskNumber } from '../../../messages/numbers/phone-number.ts';
import { isBlank } from '../../../messages/text.ts';
import type { Audience } from '../../../sends/audience.ts';
import { leftOutFor } from '../../../sends/bulk/warnings.ts';
import { escapeMrkdwn, literalMrkdwn, showInvisible } from '../../connection/escape.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';
import { olderBlocks } from '../../connection/new-blocks.ts';
import {
  actions,
  button,
  context,
  createRoom,
  input,
  saying,
  section,
  textInput,
} from '../../kit/blocks/blocks.ts';
import { exclusionsButton, listText } from '../../kit/cards/list-words.ts';
import { people } from '../../kit/cards/words.ts';
import { decisionBlocks, NOTE_MAX_CHARACTERS } from '../../kit/decide/body.ts';
import { FIELD_ACTION } from '../../kit/forms/form-blocks.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { NEXT_ROW_ACTION } from '../../kit/forms/preview-blocks.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import { CATALOGUE_MS } from '../../kit/templates/find-template.ts';
import type { Compose } from '../compose.ts';
import type { FormMetadata } from '../form/form-metadata.ts';

/* The list that a form is about, and what the form shows of it: what became of the rows, and when it starts. */

/** Rows that are at hand while somebody looks at the form; of those that were left out, too. */
const SAMPLE_ROWS = 1000;

/** The list that a form names, and the row of it that its preview shows. */
type Named = Pick<FormMetadata, 'audienceId' | 'place'>;

export async function loadList(
  { audienceId, place }: Named,
  compose: Compose,
): Promise<List | undefined | typeof LATE> {
  const { audiences, clock } = compose;
  if (audienceId === undefined) return undefined;
  const loading = audiences.find(audienceId).then((audience) => audience && listOf(audience, compose, place));
  return within(loading, CATALOGUE_MS, clock);
}

/** No list where it does not come in time. */
export async function listInTime(named: Named, compose: Compose): Promise<List | undefined> {
  const list = await loadList(named, compose);
  return list === LATE ? undefined : list;
}

export async function listOf(audience: Audience, { audiences }: Compose, place?: number): Promise<List> {
  const [sample, leftOut] = await Promise.all([
    audiences.sample(audience.id, SAMPLE_ROWS),
    audiences.leftOut(audience.id, SAMPLE_ROWS),
  ]);
  return { audience, sample, leftOut, place };
}

export const TEST_ACTION = 'review_test';
export const OTHER_LIST_ACTION = 'other_list';
export const SCHEDULE_FIELD = 'schedule';
export const NOTE_FIELD = 'note';

/** All rows that were left out can be downloaded. */
const ROWS_SHOWN = 3;
/** Characters of what is sent. */
const CARD_ROOM = 7_000;
/** Characters shown of what stands in the column of numbers. */
const VALUE_SHOWN = 40;

/**
 * On top of the form: how many get it and who was left out, and what they get, as whoever approves will see it.
 *
 * @param choosing while another list is chosen in its place
 */
export function listBlocks(list: List, choosing: boolean): KnownBlock[] {
  const { audience, review, place = 0 } = list;
  const facts = typeof review === 'object' && !choosing ? review.facts : undefined;
  const next = (place + 1) % Math.max(1, facts?.sample.length ?? 1);
  const elements = [
    ...exclusionsButton(audience, typeof review === 'object' ? review.rows.length : 0),
    ...(next > 0 || place > 0 ? [button(NEXT_ROW_ACTION, 'Next row', String(next))] : []),
    ...(facts ? [button(TEST_ACTION, 'Send a test to me', audience.id)] : []),
    ...(choosing ? [] : [button(OTHER_LIST_ACTION, 'Correct the list', audience.id)]),
  ];
  const whole = (left: number) => [context(`${left} parts are too long to be shown here.`)];
  const card = facts
    ? decisionBlocks(facts, createRoom(CARD_ROOM), { whole, at: place % facts.sample.length || 0 })
    : [];
  const blocks = [
    { ...section(getsText(list)), block_id: 'list:counts' },
    { ...context(literalMrkdwn(listText(audience), LIMITS.sectionText / 2)), block_id: 'list:title' },
    ...leftOutRows(list),
    ...card.map((block, index) => ({ ...block, block_id: `list:card${index}` })),
    ...actions(elements, 'list:actions'),
  ];
  return olderBlocks(blocks, 'window');
}

/** Says how many of the list get the message, and why the others do not. */
function getsText({ audience, review }: List): string {
  const { read, valid } = audience.counts;
  const isCounted = typeof review === 'object';
  const left = leftOutFor({ audience, failures: isCounted ? review.causes : [] });
  const why = left ? ` Left out: ${escapeMrkdwn(left.why)}.` : '';
  if (isCounted)
    return `*${review.recipients.toLocaleString('en')} of ${people(read)} ${review.recipients === 1 ? 'gets' : 'get'} it.*${why}`;
  const later = review === 'counting' ? 'being counted' : 'counted once the message is complete';
  return `*At most ${valid.toLocaleString('en')} of ${people(read)} get it*, ${later}.${why}`;
}

/** The first rows that nothing is sent to, a line a cause; duplicates, which nobody has to correct, where there is room. */
function leftOutRows({ leftOut, review }: List): KnownBlock[] {
  const read = leftOut.map(({ row, value, cause, reason }) => {
    return { row, number: maskDigits(value), why: inShort(reason), last: cause === 'duplicate' };
  });
  const counted = (typeof review === 'object' ? review.rows : []).map(({ row, number, what }) => {
    return { row, number: maskNumber(number), why: inShort(what), last: false };
  });
  const first = [...read, ...counted]
    .toSorted((one, other) => Number(one.last) - Number(other.last) || one.row - other.row)
    .slice(0, ROWS_SHOWN)
    .toSorted((one, other) => one.row - other.row);
  const lines = Map.groupBy(first, ({ why }) => why)
    .entries()
    .map(([why, rows]) => {
      const named = rows.map(
        ({ row, number }) =>
          `${row.toLocaleString('en')} (${truncate(showInvisible(number), VALUE_SHOWN) || 'empty'})`,
      );
      return `${rows.length === 1 ? 'Row' : 'Rows'} ${named.join(', ')}: ${why}`;
    });
  return first.length === 0 ? [] : [saying([...lines].join('\n'), 'list:rows')];
}

/** Its first sentence, without what stands in the line anyway and without an example: the window is narrow. */
function inShort(reason: string): string {
  return `${reason.split(/[.;](?:\s|$)| in this row|, for example/, 1)[0]}.`;
}

/** Below the form: when it starts, and what who approves is to know. */
export function requestBlocks(values: FormValues): KnownBlock[] {
  const { [SCHEDULE_FIELD]: startAt, [NOTE_FIELD]: note } = values;
  const start = {
    type: 'datetimepicker' as const,
    action_id: SCHEDULE_FIELD,
    ...(typeof startAt === 'number' ? { initial_date_time: startAt } : {}),
  };
  const hint = 'In your own time zone. Left empty, it starts as soon as possible.';
  const words = textInput(FIELD_ACTION, { maxLength: NOTE_MAX_CHARACTERS, initial: note });
  return [
    input(SCHEDULE_FIELD, 'Start', start, { hint, optional: true, dispatch_action: true }),
    input(NOTE_FIELD, 'Note for who approves', words, { optional: true }),
  ];
}

/** When a form says that the send starts, in milliseconds since the epoch. */
export function startIn(values: unknown): { readonly startAt?: number } {
  const seconds = valueAt(values, SCHEDULE_FIELD);
  return typeof seconds === 'number' ? { startAt: seconds * 1000 } : {};
}

export function noteIn({ [NOTE_FIELD]: note }: FormValues): string | undefined {
  return typeof note === 'string' && !isBlank(note) ? note.trim().slice(0, NOTE_MAX_CHARACTERS) : undefined;
}
