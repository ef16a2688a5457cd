/** Subscribes a listener to something that changes; returns how to unsubscribe. */
export type Source = (listener: () => void) => () => void;

const DEADLINE_MS = 20_000;

/** Waits for conditions by looking again at each event of its sources, never by sleeping. */
export class Watch {
  readonly #sources: readonly Source[];
  /** What whoever reads the error of a wait in vain wants to know as well. */
  evidence: () => string = () => '';

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  /**
   * Resolves with the first value of `probe` that is neither `undefined` nor `false`.
   *
   * @param what names the condition in the error when the deadline passes
   * @param lookAgainMs also looks at this interval, for things that tell nobody when they change
   */
  async until<Value>(
    what: string,
    probe: () => Value | undefined | false | Promise<Value | undefined | false>,
    deadlineMs = DEADLINE_MS,
    lookAgainMs?: number,
  ): Promise<Value> {
    let look = (): void => undefined;
    const listener = (): void => look();
    const unsubscribe = this.#sources.map((source) => source(listener));
    const interval = lookAgainMs === undefined ? undefined : setInterval(listener, lookAgainMs);
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      listener();
    }, deadlineMs);
    try {
      for (;;) {
        // Armed before looking, so that an event during the look is not missed.
        const changed = new Promise<void>((resolve) => {
          look = resolve;
        });
        const value = await probe();
        if (value !== undefined && value !== false) return value;
        if (isLate) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}\n${this.evidence()}`);
        await changed;
      }
    } finally {
      clearTimeout(deadline);
      clearInterval(interval);
      for (const stop of unsubscribe) stop();
    }
  }
}
