import type { Message } from '../../messages/kinds.ts';
import type { Recipient } from '../../messages/submission.ts';
import type { Deferral, QuietHoursAt } from '../quiet-hours.ts';

/** Who must wait in one run because of quiet hours. Checked anew each time, because they may begin at any moment. */
export interface QuietHoursGate {
  /** Asked right before a request is written. */
  mayStart(rows: readonly Recipient[]): boolean;
  /** Those of `rows` that must wait now; remembers why and until when. */
  waiting<Row extends Recipient>(rows: readonly Row[]): readonly Row[];
  /** The remembered deferral that ends first; undefined while nobody had to wait. */
  firstEnd(): Deferral | undefined;
}

/** @param quietHours absent for a send to one person, which does not wait: see `whyNotNow` */
export function createQuietHoursGate(
  message: Message,
  quietHours: QuietHoursAt | undefined,
  clock: { now(): number },
): QuietHoursGate {
  let first: Deferral | undefined;

  function waiting<Row extends Recipient>(rows: readonly Row[]): readonly Row[] {
    const deferralFor = quietHours?.(message, clock.now());
    if (deferralFor === undefined) return [];
    return rows.filter(({ number }) => {
      const deferral = deferralFor(number);
      if (deferral !== undefined && (first === undefined || deferral.until < first.until)) first = deferral;
      return deferral !== undefined;
    });
  }

  return {
    mayStart: (rows) => {
      const deferralFor = quietHours?.(message, clock.now());
      return deferralFor === undefined || rows.every(({ number }) => deferralFor(number) === undefined);
    },
    waiting,
    firstEnd: () => first,
  };
}
