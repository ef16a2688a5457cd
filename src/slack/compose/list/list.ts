import type { KnownBlock } from '@slack/types';
import { LATE, within } from '../../../core/within.ts';
import { maskDigits, maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { Audience } from '../../../sends/audience.ts';
import { showInvisible } from '../../connection/escape.ts';
import { truncate } from '../../connection/limits.ts';
import { actions, button, header, input, saying } from '../../kit/blocks/blocks.ts';
import { countLines, exclusionsButton, listTitle } from '../../kit/cards/list-words.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { CATALOGUE_MS } from '../../kit/templates/find-template.ts';
import type { Compose } from '../compose.ts';

/* The list that a form is about, and what the form shows of it: what became of the rows, and when it starts. */

/** Rows whose SMS parts are counted, and that can be looked at, while somebody looks at the form; of the others, too. */
const SAMPLE_ROWS = 1000;

/** The list that a form names, and the row of it that its preview shows. */
interface Named {
  readonly audienceId?: string | undefined;
  readonly place?: number | undefined;
}

/** The list that a form is about. */
export async function loadList(
  { audienceId, place }: Named,
  compose: Compose,
): Promise<List | undefined | typeof LATE> {
  const { audiences, clock } = compose;
  if (audienceId === undefined) return undefined;
  const loading = audiences.find(audienceId).then((audience) => audience && listOf(audience, compose, place));
  return within(loading, CATALOGUE_MS, clock);
}

/** The same; none where it does not come in time. */
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

export const OTHER_LIST_ACTION = 'other_list';
export const SCHEDULE_FIELD = 'schedule';

const ROWS_SHOWN = 10;
/** Of what stands in the column of numbers. */
const VALUE_SHOWN = 40;

/**
 * On top of the form.
 *
 * @param choosing while another list is chosen in its place
 */
export function listBlocks(list: List, choosing: boolean): KnownBlock[] {
  const { audience, review = 'unknown' } = list;
  const rows = leftOutRows(list);
  const elements = [
    ...exclusionsButton(audience),
    ...(choosing ? [] : [button(OTHER_LIST_ACTION, 'Correct the list', audience.id)]),
  ];
  return [
    header(listTitle(audience), 'list:title'),
    saying(countLines(audience, review), 'list:counts'),
    ...(rows.length === 0 ? [] : [saying(rows.join('\n'), 'list:rows')]),
    ...actions(elements, 'list:actions'),
  ];
}

/** The first rows that nothing is sent to, a line a cause; duplicates, which nobody has to correct, where there is room. */
function leftOutRows({ leftOut, review }: List): string[] {
  const read = leftOut.map(({ row, value, cause, reason }) => {
    return { row, shown: maskDigits(value), what: reason, last: cause === 'duplicate' };
  });
  const counted = (typeof review === 'object' ? review.rows : []).map(({ row, number, what }) => {
    return { row, shown: maskNumber(number), what, last: false };
  });
  const first = [...read, ...counted]
    .toSorted((one, other) => Number(one.last) - Number(other.last) || one.row - other.row)
    .slice(0, ROWS_SHOWN)
    .toSorted((one, other) => one.row - other.row);
  const lines = Map.groupBy(first, ({ what }) => what)
    .entries()
    .map(([what, rows]) => {
      const named = rows.map(
        ({ row, shown }) => `${row.toLocaleString('en')} (${truncate(showInvisible(shown), VALUE_SHOWN)})`,
      );
      return `${rows.length === 1 ? 'Row' : 'Rows'} ${named.join(', ')}: ${what}`;
    });
  return [...lines];
}

/** Below the form: when it starts. */
export function scheduleBlock(values: unknown): KnownBlock {
  const startAt = valueAt(values, SCHEDULE_FIELD);
  const start = {
    type: 'datetimepicker' as const,
    action_id: SCHEDULE_FIELD,
    ...(typeof startAt === 'number' ? { initial_date_time: startAt } : {}),
  };
  const hint = 'In your own time zone. Left empty, it starts as soon as possible.';
  return input(SCHEDULE_FIELD, 'Start', start, { hint, optional: true, dispatch_action: true });
}
