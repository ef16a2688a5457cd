import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { given } from '../../core/given.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { createBackgroundWork } from '../background-work.ts';
import type { Send } from '../send.ts';
import { type SetAsideDependencies, workOnInputs } from '../set-aside.ts';
import type { Lease, Sharing } from '../sharing.ts';
import type { WebhookBody } from './event.ts';
import type { NewWebhook, ReplyAnnouncer, ReplyStore, StoredCustomerEvent, StoredWebhook } from './ports.ts';
import { hear, type ProcessDependencies, processWebhook } from './process.ts';

/** Most webhooks in one transaction. */
const BATCH = 50;
/** Most events in one message in Slack. */
const ANNOUNCE_AT_ONCE = 200;
const IDLE_MS = 30_000;
/** Slack accepts about one message a second per channel; events that arrive meanwhile share the next. */
const ANNOUNCE_EVERY_MS = 1_200;

export interface Replies {
  /** Stores a webhook's body, which is then processed in the background. Rejects when it could not be stored. */
  receive(body: WebhookBody): Promise<void>;
  /** Starts the processing, with what an earlier process left. */
  start(): void;
  /** After `stopping` has aborted: waits for work in progress. */
  drained(): Promise<void>;
}

interface RepliesDependencies
  extends ProcessDependencies,
    StoppableSurroundings,
    Pick<SetAsideDependencies, 'inputs'> {
  readonly metrics: ProcessDependencies['metrics'] & SetAsideDependencies['metrics'];
  readonly sharing: Pick<Sharing, 'isLeader'>;
  readonly lease: Pick<Lease, 'exclusive' | 'epoch'>;
  readonly announcer: ReplyAnnouncer;
}

const idOf = ({ id }: { readonly id: number }) => String(id);

/**
 * Webhooks, from the service to Slack: stored, processed once, announced. Each step continues from the store after a crash,
 * and nothing depends on the order of arrival.
 */
export function createReplies(dependencies: RepliesDependencies): Replies {
  const { store, sends, sharing, lease, metrics, clock, stopping } = dependencies;
  const inbox = createInbox(store, (body, at) => hear(body, at, dependencies), clock);
  const { createLoop, drained } = createBackgroundWork('a part of the webhooks', dependencies);

  const processing = createLoop('processing webhooks', async () => {
    const items = await store.waiting(clock.now(), BATCH);
    if (items.length > 0) {
      const giveUp = async ({ id: webhookId }: StoredWebhook) => {
        await store.record([{ webhookId, events: [], deliveries: [] }]);
      };
      return workOnInputs({ source: 'webhook', items, idOf, work: processAll, giveUp }, dependencies);
    }
    const due = await store.nextDue();
    return due === undefined ? IDLE_MS : Math.min(IDLE_MS, Math.max(0, due - clock.now()));
  });

  async function processAll(webhooks: readonly StoredWebhook[]): Promise<void> {
    // What customers say does not wait for the reports beside it.
    const groups = [webhooks.filter(({ heard }) => heard), webhooks.filter(({ heard }) => !heard)];
    for (const group of groups.filter(({ length }) => length > 0)) {
      const processed = [];
      for (const webhook of group) processed.push(await processWebhook(webhook, dependencies));
      await store.record(processed);
      announcing.wake();
    }
  }

  const announcing = createLoop('telling of webhooks', async () => {
    // Events may have been received by another replica than the one that announces them.
    const idleMs = lease.exclusive ? IDLE_MS : ANNOUNCE_EVERY_MS;
    if (!(await sharing.isLeader('tell_replies'))) return idleMs;
    const epoch = lease.epoch();
    const events = await store.unannounced(ANNOUNCE_AT_ONCE);
    const [first] = events;
    if (first === undefined || !epoch.isValid()) return idleMs;
    const send = first.sendId === undefined ? undefined : await sends.find(first.sendId);
    let waitMs = ANNOUNCE_EVERY_MS;
    const work = async (some: readonly StoredCustomerEvent[]) => {
      waitMs = Math.max(waitMs, await announce(some, send, dependencies));
    };
    const giveUp = ({ id }: StoredCustomerEvent) => store.markAnnounced([id], clock.now());
    const restMs = await workOnInputs({ source: 'answer', items: events, idOf, work, giveUp }, dependencies);
    await clock.sleep(Math.max(restMs, waitMs), stopping);
    return 0;
  });

  return {
    receive: async (body) => {
      const { repeated } = await inbox.keep(body);
      metrics.webhookReceived(repeated ? 'repeated' : 'kept');
      if (!repeated) processing.wake();
    },
    start: () => {
      processing.start();
      announcing.start();
    },
    drained,
  };
}

/** A service without an answer repeats the same body for up to a day. A customer may write the same twice, too. */
const REPEAT_WITHIN_MS = 24 * 60 * 60_000;
/** Most bodies in one commit; each may have 256 KB. */
const MOST_AT_ONCE = 64;

/** Returns how long Slack wants a pause. */
async function announce(
  events: readonly StoredCustomerEvent[],
  send: Send | undefined,
  { announcer, store, clock, logger }: RepliesDependencies,
): Promise<number> {
  const result = await announcer.announce(events, send);
  if (result.state === 'later') return result.retryAfterMs;
  if (result.state === 'refused') {
    const { reason } = result;
    logger.warn(
      { events: events.length, sendId: send?.id, reason },
      'replies could not be posted anywhere; they stay stored',
    );
  }
  await store.markAnnounced(
    result.state === 'announced' ? result.eventIds : events.map(({ id }) => id),
    clock.now(),
    result.state === 'announced' ? result.place : undefined,
  );
  return 0;
}

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
        ...given({ contentType }),
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
