import type { Message } from '../../messages/kinds.ts';
import { createPersonaliser } from '../../messages/personalise.ts';
import type { Send } from '../send.ts';
import { type Canary, createCanary, needsCanary } from './canary.ts';
import { type Claims, createClaims } from './claims.ts';
import type { DispatchContext, Lane } from './context.ts';
import type { Ending } from './ending.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { createQuietHoursGate, type QuietHoursGate } from './quiet-hours-gate.ts';
import { createRetries, type Retries } from './retries.ts';

/** The state of one run: one send in this process. */
export interface Run {
  readonly context: DispatchContext;
  readonly lane: Lane;
  readonly send: Send;
  readonly bulk: boolean;
  /** Called when the run has ended the send. */
  readonly progressed: () => void;
  /** Called when an outcome was written: it is in flight no more. */
  readonly settled: () => void;
  /** The message for a recipient with these values. */
  readonly messageFor: (values: readonly string[]) => Message;
  readonly claims: Claims;
  readonly retries: Retries;
  readonly inFlight: InFlight;
  readonly canary: Canary;
  readonly gate: QuietHoursGate;
  /** Aborts when nothing new may start: Herald stops, or the run has an end. */
  readonly halted: AbortSignal;
  /** Ends the run: nothing new starts. The first ending counts. */
  end(ending: Ending): void;
  ending(): Ending | undefined;
  /** Runs `work` as a part of what is in flight. An error in it is a bug, which ends the run. */
  keep(work: () => Promise<void>): void;
  /** Throws the first error of `keep`. */
  throwBug(): void;
}

export function createRun(
  context: DispatchContext,
  lane: Lane,
  send: Send,
  message: Message,
  progressed: () => void,
): Run {
  const { store, clock, stopping, quietHours } = context;
  const isUrgent = send.origin.alert?.urgent === true;
  const bulk = send.audience !== undefined;
  const retries = createRetries(clock, stopping);
  const inFlight = createInFlight();
  const ended = new AbortController();
  let ending: Ending | undefined;
  let bug: { readonly error: unknown } | undefined;
  return {
    context,
    lane,
    send,
    bulk,
    progressed,
    settled: () => {
      progressed();
      inFlight.end();
    },
    messageFor: send.audience ? createPersonaliser(message, send.audience.columns) : () => message,
    claims: createClaims(store, send, (row) => retries.has(row)),
    retries,
    inFlight,
    canary: createCanary(needsCanary(send)),
    gate: createQuietHoursGate(message, bulk && !isUrgent ? quietHours : undefined, clock),
    halted: AbortSignal.any([stopping, ended.signal]),
    end: (reason) => {
      ending ??= reason;
      ended.abort();
    },
    ending: () => ending,
    keep: (work) => {
      inFlight.begin();
      work().then(inFlight.end, (error: unknown) => {
        bug ??= { error };
        ended.abort();
        inFlight.end();
      });
    },
    throwBug: () => {
      if (bug !== undefined) throw bug.error;
    },
  };
}
