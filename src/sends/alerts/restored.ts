import type { Alert, AlertStep } from './alert.ts';

const RESTORED =
  'The database is an older copy, in which this stood as not sent yet; it may have been sent since. It was not sent again.';

export function asRestored(step: AlertStep): AlertStep {
  return step.state === 'planned' || step.state === 'waiting'
    ? { ...step, state: 'late', note: RESTORED }
    : step;
}

/** What is in one of these states is not sent any more. */
export function withoutSteps(alert: Alert, states: readonly AlertStep['state'][], note: string): Alert {
  const steps = alert.steps.map((step) =>
    states.includes(step.state) ? ({ ...step, state: 'late', note } as const) : step,
  );
  return { ...alert, steps };
}
