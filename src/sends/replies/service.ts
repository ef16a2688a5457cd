import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { createBackgroundWork } from '../background-work.ts';
import type { Lease } from '../lease.ts';
import type { Send } from '../send.ts';
import { type SetAsideDependencies, workOnInputs } from '../set-aside.ts';
import type { Sharing } from '../sharing.ts';
import type { WebhookBody } from './event.ts';
import { createInbox } from './inbox.ts';
import type { ReplyAnnouncer, StoredCustomerEvent, StoredWebhook } from './ports.ts';
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
  const { store, sends, sharing, lease, announcer, metrics, clock, logger, stopping } = dependencies;
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
      waitMs = Math.max(waitMs, await announce(some, send));
    };
    const giveUp = ({ id }: StoredCustomerEvent) => store.markAnnounced([id], clock.now());
    const restMs = await workOnInputs({ source: 'answer', items: events, idOf, work, giveUp }, dependencies);
    await clock.sleep(Math.max(restMs, waitMs), stopping);
    return 0;
  });

  /** Returns how long Slack wants a pause. */
  async function announce(events: readonly StoredCustomerEvent[], send: Send | undefined): Promise<number> {
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
