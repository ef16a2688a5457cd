import type { Message } from '../messages/message.ts';
import type { ApprovalResult } from './ports.ts';
import type { Origin, Send } from './send.ts';

/*
 * What `slack` may ask of bulk sends. Each refusal is two whole sentences: what happened (and that nothing was
 * sent), and what to do next.
 */

interface Refusal {
  readonly state: 'refused';
  readonly what: string;
  readonly next: string;
  /** The form path of the field that is to blame, where one is, e.g. `schedule`. */
  readonly path?: string;
}

/** A person's wish, parsed: one message, whose values may hold `{{column}}`, to one audience. */
export interface BulkRequest {
  readonly message: Message;
  readonly audienceId: string;
  readonly origin: Origin;
  readonly requestKey: string;
  /** Milliseconds since the epoch; absent: as soon as it is approved. */
  readonly startAt?: number;
}

export type BulkResult =
  | { readonly state: 'awaiting_approval'; readonly send: Send }
  /** Small enough to need no approval; it starts now, or at its time. */
  | { readonly state: 'started'; readonly send: Send }
  | { readonly state: 'repeated'; readonly send: Send }
  | Refusal;

export interface BulkSends {
  request(request: BulkRequest): Promise<BulkResult>;
  /** `digest` is the one that the card showed. */
  approve(by: {
    sendId: string;
    userId: string;
    teamId: string;
    digest: string;
  }): Promise<ApprovalResult | Refusal>;
  reject(by: { sendId: string; userId: string; teamId: string; reason: string }): Promise<Send | Refusal>;
  /** By the requester before it has started. */
  cancel(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  /** Takes a waiting send back so that it can be changed: approvals are void. */
  withdraw(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  pause(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  resume(by: { sendId: string; userId: string; teamId: string }): Promise<Send | Refusal>;
  /** For good: the rest is never sent. */
  stop(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  /** A new send of the recipients of `sendId` in these states, by a named person's choice; approval as for any other. */
  retry(by: {
    sendId: string;
    origin: Origin;
    states: readonly ('not_sent' | 'rejected' | 'unknown')[];
    requestKey: string;
  }): Promise<BulkResult>;
}
