import type { WorkspaceClock } from '../../sandbox/slack/clock.ts';

/** A clock that stands still until it is moved. What is due by then is run, each at its own time. */
export class ManualClock implements WorkspaceClock {
  #ms = Date.UTC(2026, 0, 5, 9, 0, 0);
  #due: { at: number; run: () => void }[] = [];
  now(): number {
    return this.#ms;
  }
  after(ms: number, run: () => void): () => void {
    const entry = { at: this.#ms + ms, run };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((one) => one !== entry);
    };
  }
  /** How many wait for their time. */
  get waiting(): number {
    return this.#due.length;
  }
  advance(ms: number): void {
    const until = this.#ms + ms;
    for (;;) {
      const next = this.#due.toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined || next.at > until) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.#ms = next.at;
      next.run();
    }
    this.#ms = until;
  }
}
