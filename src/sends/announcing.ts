import type { AnnounceResult, Announcer, SendStore } from './ports.ts';
import { isGivenUp, type RefusedPosts, waitAfterRefusal } from './refused-posts.ts';
import type { Send, SendReport } from './send.ts';
import { type SetAsideDependencies, workOnInputs } from './set-aside.ts';

/** How often sends that the channel does not know the end of are looked for. */
const SWEEP_EVERY_MS = 30_000;
const SWEEP_BATCH = 100;
/** How often one result is offered to Slack before it is left to the sweep. */
const TRIES_AT_ONCE = 3;

export interface Announcing {
  /** Makes the channel's message show the send as it now is. Resolves when Slack has it, or will get it later. */
  tell(sendId: string): Promise<void>;
  /** Tells every send that the channel is behind with, and that no other process tells of. */
  sweep(): Promise<void>;
  /** Sweeps now and then, until Herald stops. */
  keepSweeping(): Promise<void>;
}

interface AnnouncingDependencies extends SetAsideDependencies {
  readonly store: SendStore;
  readonly announcer: Announcer;
  readonly refusedPosts: RefusedPosts;
  readonly stopping: AbortSignal;
}

/**
 * Keeps each send's channel message in step with the store. One announcement at a time per send, always of the
 * state read just before, so that "sending…" can never overwrite a result. What Slack did not take is found
 * again by the sweep, also after a restart.
 */
export function createAnnouncing(dependencies: AnnouncingDependencies): Announcing {
  const { store, announcer, refusedPosts, clock, logger, stopping } = dependencies;
  const inFlight = new Map<string, Promise<void>>();
  /** By send, what Slack refuses for a reason of which nothing but time can be hoped. */
  const refused = new Map<string, { readonly tries: number; readonly notBefore: number }>();

  /** False when it is left for later. */
  async function announce(sendId: string, mostTries: number): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      const report = await readReport(store, sendId);
      if (report === undefined) return true;
      const result = await announcer.announce(report);
      if (result.state !== 'later') {
        refused.delete(sendId);
        await note(report, result);
        return true;
      }
      const { retryAfterMs, refusal } = result;
      if (refusal !== undefined && isOver(report)) {
        await giveUp(report, refusal);
        return true;
      }
      const waitMs =
        refusal === undefined ? Math.min(retryAfterMs, SWEEP_EVERY_MS) : waitFor(sendId, retryAfterMs);
      logger.warn({ sendId, tries, waitMs, refusal }, 'Slack did not take a result; trying again later');
      if (tries === mostTries || waitMs > SWEEP_EVERY_MS || stopping.aborted) return false;
      await clock.sleep(waitMs, stopping);
    }
  }

  /** True when Slack has refused it for too long. */
  function isOver({ send, recipient }: SendReport): boolean {
    const tries = (refused.get(send.id)?.tries ?? 0) + 1;
    return isGivenUp(tries, recipient.settledAt ?? send.createdAt, clock.now());
  }

  function waitFor(sendId: string, retryAfterMs: number): number {
    const tries = (refused.get(sendId)?.tries ?? 0) + 1;
    const waitMs = waitAfterRefusal(tries, retryAfterMs);
    refused.set(sendId, { tries, notBefore: clock.monotonic() + waitMs });
    return waitMs;
  }

  function giveUp({ send }: SendReport, refusal: string): Promise<void> {
    refused.delete(send.id);
    refusedPosts.add({ sendId: send.id }, refusal);
    return store.markAnnounced(send.id, send.revision, undefined);
  }

  async function note(
    { send }: SendReport,
    result: Exclude<AnnounceResult, { state: 'later' }>,
  ): Promise<void> {
    if (result.state === 'refused') refusedPosts.add({ sendId: send.id }, result.reason);
    const announcement =
      result.state === 'posted' ? { channelId: result.channelId, ts: result.ts } : undefined;
    await store.markAnnounced(send.id, send.revision, announcement);
  }

  async function inTurn(sendId: string, mostTries: number): Promise<boolean> {
    const announced = (inFlight.get(sendId) ?? Promise.resolve()).then(() => announce(sendId, mostTries));
    const mine = announced.then(
      () => {},
      () => {},
    );
    inFlight.set(sendId, mine);
    await mine;
    if (inFlight.get(sendId) === mine) inFlight.delete(sendId);
    return announced;
  }

  async function tell(sendId: string): Promise<void> {
    await inTurn(sendId, TRIES_AT_ONCE).catch((error: unknown) =>
      logger.error({ sendId, error }, 'an announcement failed; the sweep will find it'),
    );
  }

  async function sweep(): Promise<void> {
    const items: Send[] = [];
    // Those that Slack refuses must not hide others behind them.
    for (const send of await store.unannounced(SWEEP_BATCH + refused.size)) {
      if (inFlight.has(send.id) || (refused.get(send.id)?.notBefore ?? 0) > clock.monotonic()) continue;
      if (await store.tells(send.id)) items.push(send);
    }
    if (items.length === 0) return;
    const idOf = ({ id, revision }: Send) => `${id}:${revision}`;
    const leave = ({ id, revision }: Send) => store.markAnnounced(id, revision, undefined);
    await workOnInputs({ source: 'result', items, idOf, work: announceAll, giveUp: leave }, dependencies);
  }

  /** What Slack does not take now is left to the next sweep: nobody waits while an attempt is counted. */
  async function announceAll(sends: readonly Send[]): Promise<void> {
    for (const { id } of sends) if (!(await inTurn(id, 1)) && !refused.has(id)) return;
  }

  async function keepSweeping(): Promise<void> {
    while (!stopping.aborted) {
      await sweep().catch((error: unknown) =>
        logger.error({ error }, 'looking for unannounced sends failed'),
      );
      await clock.sleep(SWEEP_EVERY_MS, stopping);
    }
  }

  return { tell, sweep, keepSweeping };
}

/** A send and its one recipient, or undefined when there is no such send. */
export async function readReport(
  store: Pick<SendStore, 'find' | 'recipients'>,
  sendId: string,
): Promise<SendReport | undefined> {
  const send = await store.find(sendId);
  if (send === undefined) return undefined;
  const [recipient] = await store.recipients(sendId);
  return recipient === undefined ? undefined : { send, recipient };
}
