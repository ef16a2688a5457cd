import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { WebhookBody } from './event.ts';
import type { NewWebhook, ReplyStore } from './ports.ts';

/** A service without an answer repeats the same body for up to a day. A customer may write the same twice, too. */
const REPEAT_WITHIN_MS = 24 * 60 * 60_000;
/** Most bodies in one commit; each may have 256 KB. */
const MOST_AT_ONCE = 64;

interface Waiting {
  readonly webhook: NewWebhook;
  readonly resolve: (kept: { readonly repeated: boolean }) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores bodies in groups: those that arrive during a commit share the next one.
 *
 * @param hear does what has to be done before, and says how a body is to be kept
 */
export function createInbox(
  store: Pick<ReplyStore, 'keep'>,
  hear: (body: WebhookBody, receivedAt: number) => Promise<Partial<NewWebhook>>,
  clock: Clock,
) {
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
    /** Resolves once the body is on disk, and opt-outs in it are in force; rejects when that could not be stored. */
    keep: async (body: WebhookBody): Promise<{ readonly repeated: boolean }> => {
      const { contentType, bytes } = body;
      const receivedAt = clock.now();
      const webhook = {
        digest: createHash('sha256').update(bytes).digest('hex'),
        receivedAt,
        ...(contentType !== undefined && { contentType }),
        ...(await hear(body, receivedAt)),
        body: Buffer.from(bytes).toString('base64'),
      };
      return new Promise((resolve, reject) => {
        waiting.push({ webhook, resolve, reject });
        void commit();
      });
    },
  };
}
