import { hash } from 'node:crypto';
import type { Got } from '../outcome.ts';
import type { SendReader } from '../ports.ts';
import type { Send } from '../send.ts';
import { recipientsOf } from './warnings.ts';

/** As long as a message counts as the same one again. */
export const REPEATED_MS = 24 * 3_600_000;
/** As many are looked at of a longer list, in steps from all over it. */
export const MOST_LOOKED_AT = 100_000;
const STEP = 2_000;

/** Recipients who got the very message that a send has for them, or are about to; how the first did by the send of most. */
export type Repeats = NonNullable<ReturnType<typeof repeatsIn>>;

/**
 * Each recipient counts once, by the newest send; undefined for nobody. Where it is not `exact` the count is extrapolated;
 * `others` is how many more sends there are.
 */
export function repeatsIn(got: readonly Got[], looked: number, recipients: number) {
  const inOrder = got.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
  const people = new Map(inOrder.map((one) => [one.reading, one]));
  const sends = Map.groupBy(people.values(), ({ sendId }) => sendId);
  const [most = []] = [...sends.values()].toSorted((one, other) => other.length - one.length);
  const [first] = most.toSorted(
    (one, other) => (one.at ?? Number.MAX_VALUE) - (other.at ?? Number.MAX_VALUE),
  );
  const count = Math.round((people.size * recipients) / looked);
  // Some have it, whatever most are about to get.
  const isMixed = first?.at === undefined && inOrder.at(-1)?.at !== undefined;
  const exact = looked >= recipients;
  const counted = { count, recipients, exact, others: sends.size - 1, which: whichOf(got) };
  return first && { ...first, ...counted, ...(isMixed && { isMixed }) };
}

/** A digest of the sends by which anybody got it, or is about to: with one more it is another. */
export function whichOf(got: readonly Got[]): string {
  const ids = [...new Set(got.map(({ sendId }) => sendId))].sort();
  return hash('sha256', ids.join(' '), 'base64url').slice(0, 10);
}

/** Finds those of a send that was prepared, as it is now. */
export async function repeatsOf(
  send: Send,
  { store, now }: { readonly store: Pick<SendReader, 'gotBefore'>; readonly now: number },
): Promise<Repeats | undefined> {
  const skipped = (Math.ceil(send.recipientCount / MOST_LOOKED_AT) - 1) * STEP;
  const found: (readonly Got[])[] = [];
  let looked = 0;
  for (let afterRow = -1; ; ) {
    const next = await store.gotBefore(send.id, now - REPEATED_MS, afterRow, STEP);
    if (next.looked === 0) return repeatsIn(found.flat(), looked, recipientsOf(send));
    looked += next.looked;
    found.push(next.got);
    afterRow = next.lastRow + skipped;
  }
}
