import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { given } from '../../core/given.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { createBackgroundWork } from '../background-work.ts';
import { type SetAsideDependencies, workOnInputs } from '../set-aside.ts';
import type { WebhookBody } from './event.ts';
import type { NewWebhook, ReplyStore, StoredWebhook } from './ports.ts';
import { hear, type ProcessDependencies, processWebhook } from './process.ts';

/** Most webhooks in one transaction. */
const BATCH = 50;
const IDLE_MS = 30_000;

export type Replies = ReturnType<typeof createReplies>;

interface RepliesDependencies
  extends ProcessDependencies,
    StoppableSurroundings,
    Pick<SetAsideDependencies, 'inputs'> {
  readonly metrics: ProcessDependencies['metrics'] & SetAsideDependencies['metrics'];
}

const idOf = ({ id }: { readonly id: number }) => String(id);

/**
 * Webhooks: stored, and processed once; what customers say in them is shown by the outbox. Each step continues from the store
 * after a crash, and nothing depends on the order of arrival.
 */
export function createReplies(dependencies: RepliesDependencies) {
  const { store, metrics, clock } = dependencies;
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
    // The words of customers do not wait for the reports beside them.
    const groups = [webhooks.filter(({ heard }) => heard), webhooks.filter(({ heard }) => !heard)];
    for (const group of groups.filter(({ length }) => length > 0)) {
      const processed = [];
      for (const webhook of group) processed.push(await processWebhook(webhook, dependencies));
      await store.record(processed);
    }
  }

  // While messages are sent, their ids stay out of the way.
  const indexing = createLoop('indexing message ids', async () => {
    return !(await store.isUnderWay()) && (await store.indexIds(1)) ? 0 : IDLE_MS;
  });

  return {
    /** Stores a webhook's body, which is then processed in the background. Rejects when it could not be stored. */
    receive: async (body: WebhookBody) => {
      const { repeated } = await inbox.keep(body);
      metrics.webhookReceived(repeated ? 'repeated' : 'kept');
      if (!repeated) processing.wake();
    },
    start: () => {
      processing.start();
      indexing.start();
    },
    /** After `stopping` has aborted: waits for work in progress. */
    drained,
  };
}

/** A service without an answer repeats the same body for up to a day. A customer may write the same twice, too. */
const REPEAT_WITHIN_MS = 24 * 60 * 60_000;
/** Most bodies in one commit; each may have 256 KB. */
const MOST_AT_ONCE = 64;

type Kept = Awaited<ReturnType<ReplyStore['keep']>>[number];

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
  let waiting: { readonly webhook: NewWebhook; readonly end: PromiseWithResolvers<Kept> }[] = [];
  let committing = false;

  async function commit(): Promise<void> {
    if (committing) return;
    committing = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      try {
        const webhooks = group.map(({ webhook }) => webhook);
        const kept = await store.keep(webhooks, REPEAT_WITHIN_MS);
        for (const [index, { end }] of group.entries()) end.resolve(kept[index] ?? { repeated: false });
      } catch (error) {
        for (const { end } of group) end.reject(error);
      }
    }
    committing = false;
  }

  return {
    /** Resolves once the body is on disk, and opt-outs in it are in force; rejects when that could not be stored. */
    keep: async (body: WebhookBody): Promise<Kept> => {
      const { contentType, bytes } = body;
      const receivedAt = clock.now();
      const webhook = {
        digest: createHash('sha256').update(bytes).digest('hex'),
        receivedAt,
        ...given({ contentType }),
        ...(await hear(body, receivedAt)),
        body: Buffer.from(bytes).toString('base64'),
      };
      const end = Promise.withResolvers<Kept>();
      waiting.push({ webhook, end });
      void commit();
      return end.promise;
    },
  };
}
