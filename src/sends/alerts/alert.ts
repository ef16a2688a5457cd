import { createHash } from 'node:crypto';
import { shortLetters } from '../../core/ids.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';

/** What Slack told of one message in a channel that a rule watches. */
export interface AlertEvent {
  /** Slack's own id of the event: the same one twice is one event. */
  readonly eventId: string;
  readonly kind: 'posted' | 'changed' | 'deleted';
  readonly channelId: string;
  /** Of the message. */
  readonly ts: string;
  /** Of the thread's first message, where the message stands in a thread. */
  readonly threadTs?: string;
  /** Orders what is told of one message. */
  readonly eventTs: string;
  readonly author: { readonly appId?: string; readonly botId?: string; readonly userId?: string };
  /** Plain; empty for `deleted`. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Somebody who is told of an alert, and what became of it as far as it never became a send. */
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
 * One round of telling people. `waiting` until it is due; `planned` once it is settled who gets what; `sent` when the
 * sends exist; `approval` when one bulk send exists and waits for its approval.
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
  /** Why a late or refused one was not sent. */
  readonly note?: string;
}

/** A message that a rule made an alert of. */
export interface Alert {
  readonly id: string;
  readonly rule: string;
  readonly channelId: string;
  readonly ts: string;
  /** The thread in which it is told of. */
  readonly threadTs: string;
  readonly fingerprint: string;
  readonly title: string;
  readonly text: string;
  /** When the message was posted, and when Herald heard of it. */
  readonly postedAt: number;
  readonly receivedAt: number;
  readonly state: 'open' | 'acknowledged' | 'resolved' | 'deleted';
  /** How it stopped being open; `by` is a Slack user id or a name. */
  readonly ended?: { readonly at: number; readonly by?: string };
  /** How many like it came since and were not sent. */
  readonly repeats: number;
  readonly steps: readonly AlertStep[];
}

/** What is kept of a rule besides its alerts. */
export interface RuleState {
  readonly rule: string;
  readonly muted?: { readonly until: number; readonly by: string };
  readonly hold?: AlertHold;
}

/** Alerts that came over a rule's cap. */
export interface AlertHold {
  readonly id: string;
  readonly since: number;
  /** When the digest is told. */
  readonly until: number;
  readonly count: number;
  /** By title, most of them. */
  readonly titles: Readonly<Record<string, number>>;
  /** The channel knows that alerts are held. */
  readonly told: boolean;
  /** Until then one process is at telling it. */
  readonly tellingUntil?: number;
}

/** What became of an event under one rule; kept with the event. */
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

/** One message under one rule is one alert, whatever happens to the message and however often Slack tells of it. */
export function alertIdOf(channelId: string, ts: string, rule: string): string {
  return `L-${shortLetters(createHash('sha256').update(`${channelId}:${ts}:${rule}`).digest())}`;
}

/** When the next waiting step of an alert is due, or now for one that was planned and not sent. */
export function dueAtOf({ steps }: Alert): number | undefined {
  const due = steps.flatMap(({ state, dueAt }) =>
    state === 'waiting' || state === 'planned' ? [dueAt] : [],
  );
  return due.length === 0 ? undefined : Math.min(...due);
}
