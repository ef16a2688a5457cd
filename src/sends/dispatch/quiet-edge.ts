import type { Message } from '../../messages/kinds.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Hold, HoldsAt } from '../quiet-hours.ts';

/** Who must wait in one run because of quiet hours. Checked anew each time, because they may begin at any moment. */
export interface QuietEdge {
  /** Asked right before a request is written. */
  mayStart(numbers: readonly Msisdn[]): boolean;
  /** Those of `rows` that must wait now; remembers why and until when. */
  waiting<Row extends { readonly number: Msisdn }>(rows: readonly Row[]): readonly Row[];
  /** The remembered deferral that ends first; undefined while nobody had to wait. */
  firstEnd(): Hold | undefined;
}

/** @param holds absent for a send to one person, which was checked before it was stored */
export function createQuietEdge(
  message: Message,
  holds: HoldsAt | undefined,
  clock: { now(): number },
): QuietEdge {
  let first: Hold | undefined;

  function waiting<Row extends { readonly number: Msisdn }>(rows: readonly Row[]): readonly Row[] {
    const holdFor = holds?.(message, clock.now());
    if (holdFor === undefined) return [];
    return rows.filter(({ number }) => {
      const hold = holdFor(number);
      if (hold !== undefined && (first === undefined || hold.until < first.until)) first = hold;
      return hold !== undefined;
    });
  }

  return {
    mayStart: (numbers) => {
      const holdFor = holds?.(message, clock.now());
      return holdFor === undefined || numbers.every((number) => holdFor(number) === undefined);
    },
    waiting,
    firstEnd: () => first,
  };
}
