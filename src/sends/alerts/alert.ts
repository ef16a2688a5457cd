import { createHash } from 'node:crypto';
import { shortLetters } from '../../core/random.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';

/** Who posted a message, as far as Slack says; or the source of a signal. */
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
  /** Of a signal: its fingerprint, where the rule has none of its own. */
  readonly key?: string;
  /** Of a silence: the rule that noticed it, which alone looks at it. */
  readonly rule?: string;
  /** Of a signal: where it is looked into. */
  readonly link?: string;
  /** `eventTs` by this machine's clock, in milliseconds since the epoch; absent where Slack's is taken for it. */
  readonly saidAt?: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** An event, with whether there is a later one of the same message. */
export interface OpenEvent extends AlertEvent {
  readonly superseded: boolean;
  /** What the message said when it was last looked at, and what came of it. */
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
  /** Of the bulk send, for `approval`. */
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
  /** Who is in the user groups that it notifies, as Slack said last: Slack user ids by the group as herald.yml names it. */
  readonly members?: Members;
  /** Of a rule that expects something: how many signs of life came, when the last did, and that none came for too long. */
  readonly expected?: { readonly count: number; readonly at?: number; readonly isSilent?: true };
  /** Of the last day, the oldest first. */
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

/** The decision of one rule about an event; stored with the event. */
export interface AlertDecision {
  readonly rule: string;
  readonly what:
    | 'sent'
    | 'repeated'
    | 'acknowledged_before'
    | 'held'
    | 'muted'
    | 'late'
    | 'nobody'
    | 'resolved'
    | 'known'
    | 'withdrawn';
  readonly alertId?: string;
}

/**
 * Derived from what was said and the rule, so that an event makes one alert however often it is decided on.
 *
 * @param editTs `eventTs` of the edit that says it
 */
export function alertIdOf(channelId: string, ts: string, rule: string, editTs?: string): string {
  const said = [channelId, ts, rule, ...(editTs === undefined ? [] : [editTs])].join(':');
  return `L-${shortLetters(createHash('sha256').update(said).digest())}`;
}

/** When the next step of an alert that is waiting or planned is due. */
export function dueAtOf({ steps }: Alert): number | undefined {
  const due = steps.flatMap(({ state, dueAt }) =>
    state === 'waiting' || state === 'planned' ? [dueAt] : [],
  );
  return due.length === 0 ? undefined : Math.min(...due);
}
