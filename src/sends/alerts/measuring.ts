import type { Clock } from '../../core/clock.ts';
import { createExpiringMap } from '../../core/expiring-map.ts';
import type { SendReport } from '../send.ts';
import type { Alert } from './alert.ts';

/** A send is announced again when delivery reports and replies come; so long its first measurement is remembered. */
const KEPT_MS = 24 * 60 * 60_000;
const KEPT = 1_000;

export interface MeasuringDependencies {
  /** In seconds, from the arrival of an alert to the start of the first request for it. */
  readonly metrics: { alertRequested(seconds: number): void };
  readonly clock: Clock;
}

/** Measures once per send the time from the arrival of its alert to its first request. */
export function createMeasuring({ metrics, clock }: MeasuringDependencies) {
  const measured = createExpiringMap<true>(KEPT_MS, KEPT, clock);
  return ({ send, recipient: { attemptedAt, number } }: SendReport, alert: Alert): void => {
    // The send may be announced before the alert has its id.
    const isFirst = alert.steps[0]?.people.some(
      (one) => one.number === number && (one.sendId ?? send.id) === send.id,
    );
    if (attemptedAt === undefined || send.kind !== 'flash' || !isFirst || measured.get(send.id)) return;
    measured.set(send.id, true);
    metrics.alertRequested((attemptedAt - alert.receivedAt) / 1_000);
  };
}
