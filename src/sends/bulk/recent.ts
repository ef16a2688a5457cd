import { kindOf } from '../../messages/kinds.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { SendReader } from '../ports.ts';
import type { Send } from '../send.ts';

const DAY_MS = 24 * 3_600_000;
/** A send may begin days after it was asked for. */
const ASKED_MS = 7 * DAY_MS;
const SENDS_LOOKED_AT = 200;
/** Numbers looked up at most, evenly from those given: however long the list is, it costs as much. */
const NUMBERS_LOOKED_AT = 500;

/** What went out in the last 24 hours that a send may repeat. */
export interface Recent {
  /** Ids of sends with the same text: some that went out, and some that have not begun. */
  readonly went: readonly string[];
  readonly waiting: readonly string[];
  /** Of so many numbers that were looked at, so many had a message. */
  readonly looked: number;
  readonly reached: number;
}

/** @param numbers recipients from all over the list */
export async function recentOf(
  send: Send,
  template: Template | undefined,
  numbers: readonly Msisdn[],
  { store, now }: { readonly store: Pick<SendReader, 'bulkSince' | 'reachedSince'>; readonly now: number },
): Promise<Recent> {
  const since = now - DAY_MS;
  const every = Math.ceil(numbers.length / NUMBERS_LOOKED_AT);
  const some = numbers.filter((_number, index) => index % every === 0);
  const [sends, reached] = await Promise.all([
    store.bulkSince(now - ASKED_MS, SENDS_LOOKED_AT),
    some.length === 0 ? 0 : store.reachedSince(some, since),
  ]);
  const text = textOf(send, template);
  const alike = sends.filter((other) => !isRelated(send, other) && textOf(other, other.template) === text);
  return {
    went: alike.filter((other) => wentOutSince(other, since)).map(({ id }) => id),
    waiting: alike.filter(({ state }) => WAITS.has(state)).map(({ id }) => id),
    looked: some.length,
    reached,
  };
}

const WAITS: ReadonlySet<Send['state']> = new Set(['awaiting_approval', 'approved', 'scheduled']);

function wentOutSince({ counts, activeAt = 0 }: Send, since: number): boolean {
  return activeAt >= since && counts.accepted + counts.unknown + counts.attempting > 0;
}

/** A retry has the text of its original, and goes to others. */
function isRelated(send: Send, other: Send): boolean {
  const family = (one: Send) => one.retryOf ?? one.id;
  return family(send) === family(other);
}

function textOf({ kind, message }: Send, template: Template | undefined): string {
  return `${kind} ${kindOf(message).text(message, template) ?? ''}`;
}
