import type { Message } from '../messages/message.ts';
import type { Msisdn } from '../messages/phone-number.ts';
import type { Origin, Send, SendReport } from './send.ts';

/** A person's wish, already parsed: one message to one number. */
export interface SubmitRequest {
  readonly message: Message;
  readonly to: Msisdn;
  readonly origin: Origin;
  /** Names the click or command: a view's id, a command's trigger_id. The same key twice sends once. */
  readonly requestKey: string;
}

export type SubmitResult =
  | { readonly state: 'started'; readonly send: Send }
  /** The same click came before; nothing new was started. */
  | { readonly state: 'repeated'; readonly send: Send }
  /** Herald cannot take it now (shutting down, disk full); nothing was sent. Both are whole sentences. */
  | { readonly state: 'refused'; readonly what: string; readonly next: string };

/** What `slack` and `http` may ask of `sends`. */
export interface SendService {
  /**
   * Stores the send durably and starts it; resolves as soon as it is stored, long before the service answers.
   * The result reaches the channel through the `Announcer`.
   */
  submit(request: SubmitRequest): Promise<SubmitResult>;
  report(sendId: string): Promise<SendReport | undefined>;
}
