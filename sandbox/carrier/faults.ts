import type { CarrierFault } from '../protocol.ts';
import { sentinelFor } from './sentinels.ts';

interface Standing {
  readonly fault: CarrierFault;
  left: number;
  /** Requests that it was for, so far. */
  seen: number;
}

/** What the carrier shall do wrong, in the order it was asked for; sentinel numbers come after. */
export class FaultPlan {
  #standing: Standing[] = [];
  #timers: ReturnType<typeof setTimeout>[] = [];
  /** Alternating sentinels that refused last time. */
  readonly #refusedLast = new Set<string>();
  readonly #now: () => number;
  readonly #onChange: () => void;

  /** @param onChange is called when the list has become another one, also by use and by time */
  constructor(now: () => number, onChange: () => void) {
    this.#now = now;
    this.#onChange = onChange;
  }

  replace(faults: readonly CarrierFault[]): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#standing = faults.map((fault) => ({
      fault,
      left: fault.times ?? Number.POSITIVE_INFINITY,
      seen: 0,
    }));
    const ends = faults.flatMap(({ until }) => until ?? []);
    this.#timers = ends.map((until) => setTimeout(() => this.#drop(), until - this.#now() + 1).unref());
    this.#onChange();
  }

  /** No faults, and alternating sentinels start anew. */
  forget(): void {
    this.replace([]);
    this.#refusedLast.clear();
  }

  list(): CarrierFault[] {
    return this.#standing.map(({ fault, left }) =>
      Number.isFinite(left) ? { ...fault, times: left } : { ...fault },
    );
  }

  /** The fault for a request to these recipients (E.164), using up one of its `times`. */
  take(numbers: readonly string[]): CarrierFault['do'] | undefined {
    this.#drop();
    for (const one of this.#standing) {
      const { number, every = 1, times } = one.fault;
      if (number !== undefined && !numbers.includes(number)) continue;
      one.seen += 1;
      if (one.seen % every !== 0) continue;
      one.left -= 1;
      this.#drop();
      if (times !== undefined && one.left > 0) this.#onChange();
      return one.fault.do;
    }
    for (const number of numbers) {
      const does = this.#sentinel(number);
      if (does) return does;
    }
    return undefined;
  }

  /** Lets go of what is used up or over. */
  #drop(): void {
    const standing = this.#standing.filter(
      ({ fault: { until = Number.POSITIVE_INFINITY }, left }) => left > 0 && until > this.#now(),
    );
    const isLess = standing.length < this.#standing.length;
    this.#standing = standing;
    if (isLess) this.#onChange();
  }

  #sentinel(number: string): CarrierFault['do'] | undefined {
    const sentinel = sentinelFor(number);
    if (!sentinel?.alternates) return sentinel?.does;
    if (this.#refusedLast.delete(number)) return undefined;
    this.#refusedLast.add(number);
    return sentinel.does;
  }
}
