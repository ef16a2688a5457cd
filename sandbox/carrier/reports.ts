import type { PhoneMessage, Reports } from '../protocol.ts';

/** What the network tells of one message. */
export interface Report {
  readonly id: string;
  /** Recipient, E.164. */
  readonly number: string;
  readonly status: 'delivered' | 'read' | 'failed';
}

/** How long a message and a look at it take, in milliseconds. */
const DELAYS: Readonly<Record<'soon' | 'late', { readonly delivered: number; readonly read: number }>> = {
  soon: { delivered: 1_000, read: 4_000 },
  late: { delivered: 15_000, read: 30_000 },
};
/** Reports of so many milliseconds are told in one request. */
const TOGETHER_MS = 250;
/** Of so many people one leaves a message unread. */
const UNREAD = 4;

/** Tells what became of messages some time after they were taken: that they arrived, that they were read, or that they did not. */
export class ReportPlan {
  #reports: Reports;
  #taken = 0;
  #due: Report[] = [];
  /** What was to be told before a reset is not told after it. */
  #round = 0;
  readonly #tell: (reports: readonly Report[]) => void;
  readonly #after: (ms: number, run: () => void) => void;

  /** @param after runs something later; by default a timer that keeps no process alive */
  constructor(
    reports: Reports,
    tell: (reports: readonly Report[]) => void,
    after: (ms: number, run: () => void) => void = (ms, run) => setTimeout(run, ms).unref(),
  ) {
    this.#reports = reports;
    this.#tell = tell;
    this.#after = after;
  }

  get reports(): Reports {
    return this.#reports;
  }

  set(reports: Reports): void {
    this.#reports = reports;
  }

  forget(): void {
    this.#round += 1;
    this.#due = [];
  }

  /** A message was taken; SMS tell that they arrived, and nothing of reading. */
  taken(id: string, number: string, channel: PhoneMessage['channel']): void {
    const reports = this.#reports;
    if (reports === 'never') return;
    this.#taken += 1;
    const { delivered, read } = DELAYS[reports === 'late' ? 'late' : 'soon'];
    this.#tellLater({ id, number, status: reports === 'failed' ? 'failed' : 'delivered' }, delivered);
    const tellsReading = reports !== 'failed' && (channel === 'chatapp' || channel === 'rcs');
    if (tellsReading && this.#taken % UNREAD !== 0) this.#tellLater({ id, number, status: 'read' }, read);
  }

  #tellLater(report: Report, ms: number): void {
    const round = this.#round;
    this.#after(ms, () => {
      if (round !== this.#round || this.#due.push(report) > 1) return;
      this.#after(TOGETHER_MS, () => {
        const due = this.#due;
        this.#due = [];
        if (due.length > 0) this.#tell(due);
      });
    });
  }
}
