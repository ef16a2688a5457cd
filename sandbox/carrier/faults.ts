import type { CarrierFault } from '../protocol.ts';
import { sentinelFor } from './sentinels.ts';

/** What the carrier shall do wrong, in the order it was asked for; sentinel numbers come after. */
export class FaultPlan {
  #faults: { fault: CarrierFault; left: number }[] = [];
  /** Alternating sentinels that refused last time. */
  readonly #refusedLast = new Set<string>();

  replace(faults: readonly CarrierFault[]): void {
    this.#faults = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** No faults, and alternating sentinels start anew. */
  forget(): void {
    this.#faults = [];
    this.#refusedLast.clear();
  }

  list(): CarrierFault[] {
    return this.#faults.map(({ fault, left }) =>
      Number.isFinite(left) ? { ...fault, times: left } : { ...fault },
    );
  }

  /** The fault for a request to these recipients (E.164), using up one of its `times`. */
  take(numbers: readonly string[]): CarrierFault['do'] | undefined {
    const index = this.#faults.findIndex(
      ({ fault }) => fault.number === undefined || numbers.includes(fault.number),
    );
    const found = this.#faults[index];
    if (found) {
      found.left -= 1;
      if (found.left <= 0) this.#faults.splice(index, 1);
      return found.fault.do;
    }
    for (const number of numbers) {
      const does = this.#sentinel(number);
      if (does) return does;
    }
    return undefined;
  }

  #sentinel(number: string): CarrierFault['do'] | undefined {
    const sentinel = sentinelFor(number);
    if (!sentinel?.alternates) return sentinel?.does;
    if (this.#refusedLast.delete(number)) return undefined;
    this.#refusedLast.add(number);
    return sentinel.does;
  }
}
