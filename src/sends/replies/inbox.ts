import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { DecodeWebhook, WebhookBody } from './event.ts';
import type { NewWebhook, ReplyStore } from './ports.ts';

/** A service without an answer repeats the same body for up to a day. A customer may write the same twice, too. */
const REPEAT_WITHIN_MS = 24 * 60 * 60_000;
/** Most bodies in one commit; each may have 256 KB. */
const MOST_AT_ONCE = 64;

export interface Inbox {
  /** Resolves once the body is on disk; rejects when it could not be stored. */
  keep(body: WebhookBody): Promise<{ readonly repeated: boolean }>;
}

interface Waiting {
  readonly webhook: NewWebhook;
  readonly resolve: (kept: { readonly repeated: boolean }) => void;
  readonly reject: (error: unknown) => void;
}

/** Stores bodies in groups: those that arrive during a commit share the next one. */
export function createInbox(store: Pick<ReplyStore, 'keep'>, decode: DecodeWebhook, clock: Clock): Inbox {
  let waiting: Waiting[] = [];
  let committing = false;

  async function commit(): Promise<void> {
    if (committing) return;
    committing = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      try {
        const kept = await store.keep(
          group.map(({ webhook }) => webhook),
          REPEAT_WITHIN_MS,
        );
        for (const [index, { resolve }] of group.entries()) resolve(kept[index] ?? { repeated: false });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    committing = false;
  }

  return {
    keep: (body) =>
      new Promise((resolve, reject) => {
        const { contentType, bytes } = body;
        const sender = namelessSender(body, decode);
        const webhook = {
          digest: createHash('sha256').update(bytes).digest('hex'),
          receivedAt: clock.now(),
          ...(contentType !== undefined && { contentType }),
          ...(sender !== undefined && { sender }),
          body: Buffer.from(bytes).toString('base64'),
        };
        waiting.push({ webhook, resolve, reject });
        void commit();
      }),
  };
}

/** Who wrote a body whose events the service gives no ids: only then may the same bytes be another answer. */
function namelessSender(body: WebhookBody, decode: DecodeWebhook): Msisdn | undefined {
  try {
    const written = decode(body).find((event) => event.kind !== 'report' && event.eventId === undefined);
    return written?.kind === 'report' ? undefined : written?.from;
  } catch {
    // It is kept all the same, and set aside where it is worked on.
    return undefined;
  }
}
