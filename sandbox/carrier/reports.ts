import type { PhoneMessage, Reports } from '../protocol.ts';
import type { Report } from './report.ts';
import type { Forecast } from './weather.ts';

/** How long a message and a look at it take, in milliseconds. */
const DELAYS: Readonly<Record<'soon' | 'late', { readonly delivered: number; readonly read: number }>> = {
  soon: { delivered: 1_000, read: 4_000 },
  late: { delivered: 15_000, read: 30_000 },
};
/** Reports of so many milliseconds are told in one request. */
const TOGETHER_MS = 250;
/** Of so many people one leaves a message unread. */
const UNREAD = 4;

/** Runs something so many milliseconds later. */
export type After = (ms: number, run: () => void) => void;

/** Tells what became of messages some time after they were taken: that they arrived, that they were read, or that they did not. */
export class ReportPlan {
  #reports: Reports;
  #taken = 0;
  #due: Report[] = [];
  /** What was to be told before a reset is not told after it. */
  #round = 0;
  #forecast: Forecast | undefined;
  readonly #tell: (reports: readonly Report[]) => Promise<void>;
  readonly #after: After;

  /** @param after runs something later */
  constructor(reports: Reports, tell: (reports: readonly Report[]) => Promise<void>, after: After) {
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

  /** Calm without a forecast: each report once, when it is due, in order. */
  setForecast(forecast: Forecast | undefined): void {
    this.#forecast = forecast;
  }

  forget(): void {
    this.#round += 1;
    this.#due = [];
  }

  /**
   * A message was taken; SMS tell that they arrived, and nothing of reading. Resolves when the request may be answered:
   * some reports are told before.
   */
  async taken(id: string, number: string, channel: PhoneMessage['channel']): Promise<void> {
    const reports = this.#reports;
    if (reports === 'never') return;
    this.#taken += 1;
    const { delivered, read } = DELAYS[reports === 'late' ? 'late' : 'soon'];
    const status = reports === 'failed' ? 'failed' : 'delivered';
    const tellsReading = reports !== 'failed' && (channel === 'chatapp' || channel === 'rcs');
    const isRead = tellsReading && this.#taken % UNREAD !== 0;
    await Promise.all([
      this.#plan({ id, number, status }, delivered),
      isRead ? this.#plan({ id, number, status: 'read' }, read) : undefined,
    ]);
  }

  #plan(report: Report, ms: number): Promise<void> | undefined {
    const timing = this.#forecast?.timing(report, ms);
    if (timing?.againAfterMs !== undefined) this.#tellLater(report, timing.afterMs + timing.againAfterMs);
    if (timing?.afterMs === 0) return this.#tell([report]);
    this.#tellLater(report, timing?.afterMs ?? ms);
    return undefined;
  }

  #tellLater(report: Report, ms: number): void {
    const round = this.#round;
    this.#after(ms, () => {
      if (round !== this.#round || this.#due.push(report) > 1) return;
      this.#after(TOGETHER_MS, () => {
        const due = this.#due;
        this.#due = [];
        if (due.length > 0) void this.#tell(this.#forecast?.shuffled(due) ?? due);
      });
    });
  }
}
