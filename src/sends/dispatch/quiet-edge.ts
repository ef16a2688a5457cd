import type { Message } from '../../messages/kinds.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Hold, HoldsAt } from '../quiet-hours.ts';

/** Who must wait in one run because of quiet hours. Time goes on while rows are claimed and looked at: so it is asked again and again. */
export interface QuietEdge {
  /** Asked right before a request is written. */
  mayStart(numbers: readonly Msisdn[]): boolean;
  /** Of `rows` those that must wait now; notes why, and until when. */
  waiting<Row extends { readonly number: Msisdn }>(rows: readonly Row[]): readonly Row[];
  /** The hold that ends first of those that were noted; undefined while nobody had to wait. */
  firstEnd(): Hold | undefined;
}

/** @param holds absent for a send to one person, which is refused before it is stored */
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
