import { createHash } from 'node:crypto';
import { shortLetters } from '../../core/random.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';

/** The author of a message, as far as Slack says; or the source of a signal. */
export interface AlertAuthor {
  /** The name of one of `alerts.sources`. */
  readonly source?: string;
  readonly appId?: string;
  readonly botId?: string;
  readonly userId?: string;
  /** The name under which an incoming webhook or a bot has posted. */
  readonly name?: string;
}

/** Slack's event about one message in a channel that a rule watches, or what a signal says (`signal.ts`). */
export interface AlertEvent {
  /** Slack's id of the event, by which repeated deliveries are recognised. */
  readonly eventId: string;
  /** `resolved`: a signal says so by its status, whatever its words. */
  readonly kind: 'posted' | 'changed' | 'deleted' | 'resolved';
  readonly channelId: string;
  /** `ts` of the message; of a signal its name. */
  readonly ts: string;
  /** `ts` of the thread's first message, for a message in a thread. */
  readonly threadTs?: string;
  /** Orders the events of one message. */
  readonly eventTs: string;
  readonly author: AlertAuthor;
  /** Plain text; empty for `deleted`. */
  readonly text: string;
  /** A signal's fingerprint, where the rule has none of its own. */
  readonly key?: string;
  /** The rule that noticed a silence, which alone looks at it. */
  readonly rule?: string;
  /** No message shows it. */
  readonly isHidden?: true;
  /** A signal is looked into here. */
  readonly link?: string;
  /** `eventTs` by this machine's clock, in milliseconds since the epoch; absent where Slack's is taken for it. */
  readonly saidAt?: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** An event, with whether there is a later one of the same message. */
export interface OpenEvent extends AlertEvent {
  readonly superseded: boolean;
  /** The message's words when it was last looked at, and the decisions that came of it. */
  readonly before?: { readonly text: string; readonly decisions: readonly AlertDecision[] };
}

/** A person to notify, with the send, or the reason why there is none. */
export interface PagedPerson {
  readonly name: string;
  readonly number: Msisdn;
  readonly text: string;
  readonly sendId?: string;
  readonly followUpId?: string;
  /** A sentence: why this person is not sent to. */
  readonly refusal?: string;
}

/**
 * One round of notifications. `waiting` until it is due; `planned` once it is decided who gets what; `sent` when the sends
 * exist; `approval` when one bulk send exists and waits for approval; `held` over a cap; any other was not sent.
 */
export interface AlertStep {
  readonly kind: 'alert' | 'escalation' | 'resolved';
  readonly state: 'waiting' | 'planned' | 'sent' | 'approval' | 'late' | 'held' | 'nobody' | 'cancelled';
  readonly groups: readonly string[];
  readonly dueAt: number;
  /** When it was planned. */
  readonly at?: number;
  readonly people: readonly PagedPerson[];
  /** The id of the bulk send, for `approval`. */
  readonly sendId?: string;
  /** Groups of which nobody was on call. */
  readonly uncovered?: readonly string[];
  /** Slack user ids of those whom it should have reached, without a number on file. */
  readonly withoutNumber?: readonly string[];
  /** Why it was not sent. */
  readonly note?: string;
}

/** An alert: a message that matched a rule. */
export interface Alert {
  readonly id: string;
  readonly rule: string;
  readonly channelId: string;
  readonly ts: string;
  /** The thread of its card. */
  readonly threadTs: string;
  readonly fingerprint: string;
  readonly title: string;
  readonly text: string;
  /** `ts` of the signals that it stands for and that fire still; absent where that is its own. */
  readonly signals?: readonly string[];
  /** True for what an edit of the message said. */
  readonly edited?: true;
  /** When it was said, and when Herald heard of it. */
  readonly postedAt: number;
  readonly receivedAt: number;
  readonly state: 'open' | 'acknowledged' | 'resolved' | 'deleted';
  /** How it stopped being open; `by` is a Slack user id or a name. */
  readonly ended?: { readonly at: number; readonly by?: string };
  /** Repetitions that were not sent. */
  readonly repeats: number;
  readonly steps: readonly AlertStep[];
}

/** Slack user ids by user group. */
export type Members = Readonly<Record<string, readonly string[]>>;

/** The stored state of a rule. */
export interface RuleState {
  readonly rule: string;
  readonly muted?: { readonly until: number; readonly by: string };
  /** The members of the user groups that it notifies, as Slack said last: Slack user ids by the group as herald.yml names it. */
  readonly members?: Members;
  /** A rule that expects something counts signs of life: how many came, when the last did, and that none came for too long. */
  readonly expected?: { readonly count: number; readonly at?: number; readonly isSilent?: true };
  /** Those of the last day, the oldest first. */
  readonly holds?: readonly AlertHold[];
}

/** Alerts over a rule's cap, which are held for a digest. */
export interface AlertHold {
  readonly id: string;
  readonly channelId: string;
  readonly since: number;
  /** When the digest is posted. */
  readonly until: number;
  readonly count: number;
  /** Count by title; not every title is kept. */
  readonly titles: Readonly<Record<string, number>>;
}

/** A rule decides one of these about an event; the words follow a count. */
export const DECISION_WORDS = {
  sent: 'sent',
  repeated: 'repeats within the cool-down',
  acknowledged_before: 'repeats of something acknowledged',
  held: 'held over the cap',
  muted: 'while muted',
  late: 'too late',
  nobody: 'with nobody to send to',
  resolved: 'over',
  known: 'edited with nothing new',
  withdrawn: 'deleted',
} as const;

/** The decision of one rule about an event; stored with the event. */
export interface AlertDecision {
  readonly rule: string;
  readonly what: keyof typeof DECISION_WORDS;
  readonly alertId?: string;
}

/**
 * The id of the alert that an event makes, derived from what was said and the rule: it makes one however often it is
 * decided on.
 */
export function alertIdFor(event: AlertEvent, { name }: { readonly name: string }): string {
  const { channelId, ts, kind, eventTs } = event;
  const said = [channelId, ts, name, ...(kind === 'changed' ? [eventTs] : [])].join(':');
  return `L-${shortLetters(createHash('sha256').update(said).digest())}`;
}

/** When the next step of an alert that is waiting or planned is due. */
export function dueAtOf({ steps }: Alert): number | undefined {
  const due = steps.flatMap(({ state, dueAt }) =>
    state === 'waiting' || state === 'planned' ? [dueAt] : [],
  );
  return due.length === 0 ? undefined : Math.min(...due);
}

/** The alert once it is no longer open: waiting steps are cancelled. */
export function ended(
  alert: Alert,
  { state, ...how }: { readonly state: Exclude<Alert['state'], 'open'> } & NonNullable<Alert['ended']>,
): Alert {
  return {
    ...alert,
    state,
    ended: how,
    steps: alert.steps.map((step) => (step.state === 'waiting' ? { ...step, state: 'cancelled' } : step)),
  };
}

/** The alert without its steps in `states`, which become `late`; the same object when there are none. */
export function withoutSteps(alert: Alert, states: readonly AlertStep['state'][], note: string): Alert {
  if (!alert.steps.some(({ state }) => states.includes(state))) return alert;
  const steps = alert.steps.map((step) =>
    states.includes(step.state) ? ({ ...step, state: 'late', note } as const) : step,
  );
  return { ...alert, steps };
}
