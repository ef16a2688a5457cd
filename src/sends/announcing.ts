import type { AnnounceResult, Announcer } from './announcer.ts';
import type { AnnouncementStore, OwnershipStore, SendReader } from './ports.ts';
import { isGivenUp, type RefusedPosts, waitAfterRefusal } from './refused-posts.ts';
import type { Send, SendReport } from './send.ts';
import { type SetAsideDependencies, workOnInputs } from './set-aside.ts';

/** How often `sweep` runs, in milliseconds. */
export const SWEEP_EVERY_MS = 30_000;
const SWEEP_BATCH = 100;
/** Tries of one announcement before it is left to the next sweep. */
const TRIES_AT_ONCE = 3;

export interface Announcing {
  /** Updates the channel's message to the send's current state. Resolves when Slack has it, or when the sweep will try again. */
  announce(sendId: string): Promise<void>;
  /** Announces every send whose latest revision the channel lacks and that no other process announces. */
  sweep(): Promise<void>;
}

interface AnnouncingDependencies extends SetAsideDependencies {
  readonly store: SendReader & AnnouncementStore & Pick<OwnershipStore, 'announces'>;
  readonly announcer: Announcer;
  readonly refusedPosts: RefusedPosts;
  readonly stopping: AbortSignal;
}

/**
 * Keeps each send's channel message up to date with the store. One announcement at a time per send, always of the
 * state read just before, so that "sending…" cannot overwrite a result. What Slack did not accept is found again by
 * the sweep, after a restart too.
 */
export function createAnnouncing(dependencies: AnnouncingDependencies): Announcing {
  const { store, announcer, refusedPosts, clock, logger, stopping } = dependencies;
  const inFlight = new Map<string, Promise<void>>();
  /** Sends whose announcement Slack refuses, for a reason that may pass by itself. */
  const refused = new Map<string, { readonly tries: number; readonly notBefore: number }>();
  /** What the store did not take of where a send stands: it is written before anything is posted anew. */
  const unwritten = new Map<string, () => Promise<void>>();

  /** False when it is left to a later sweep. */
  async function tryToAnnounce(sendId: string, mostTries: number): Promise<boolean> {
    await unwritten.get(sendId)?.();
    for (let tries = 1; ; tries += 1) {
      const report = await readReport(store, sendId);
      if (report === undefined) return true;
      const said = await announcer.announce(report);
      const isOff = said.state === 'later' && said.refusal !== undefined && isOver(report);
      const result = isOff ? ({ state: 'refused', reason: said.refusal } as const) : said;
      if (result.state !== 'later') {
        refused.delete(sendId);
        await note(report, result);
        return true;
      }
      const { retryAfterMs, refusal } = result;
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

  function note(
    { send: { id, revision } }: SendReport,
    result: Exclude<AnnounceResult, { state: 'later' }>,
  ): Promise<void> {
    if (result.state === 'refused') refusedPosts.add({ sendId: id }, result.reason);
    const announcement = result.state === 'posted' ? result : undefined;
    const write = async () => {
      await store.markAnnounced(id, revision, announcement);
      unwritten.delete(id);
    };
    unwritten.set(id, write);
    return write();
  }

  async function inTurn(sendId: string, mostTries: number): Promise<boolean> {
    const announced = (inFlight.get(sendId) ?? Promise.resolve()).then(() =>
      tryToAnnounce(sendId, mostTries),
    );
    const mine = announced.then(
      () => {},
      () => {},
    );
    inFlight.set(sendId, mine);
    await mine;
    if (inFlight.get(sendId) === mine) inFlight.delete(sendId);
    return announced;
  }

  async function announce(sendId: string): Promise<void> {
    await inTurn(sendId, TRIES_AT_ONCE).catch((error: unknown) =>
      logger.error({ sendId, error }, 'an announcement failed; the sweep will find it'),
    );
  }

  async function sweep(): Promise<void> {
    const items: Send[] = [];
    // Sends that Slack refuses must not crowd the others out of the batch.
    for (const send of await store.unannounced(SWEEP_BATCH + refused.size)) {
      if (inFlight.has(send.id) || (refused.get(send.id)?.notBefore ?? 0) > clock.monotonic()) continue;
      if (await store.announces(send.id)) items.push(send);
    }
    if (items.length === 0) return;
    const idOf = ({ id, revision }: Send) => `${id}:${revision}`;
    const giveUpOn = ({ id, revision }: Send) => store.markAnnounced(id, revision, undefined);
    await workOnInputs({ source: 'result', items, idOf, work: announceAll, giveUp: giveUpOn }, dependencies);
  }

  /** One try each: what Slack does not accept now is left to the next sweep. */
  async function announceAll(sends: readonly Send[]): Promise<void> {
    for (const { id } of sends) if (!(await inTurn(id, 1)) && !refused.has(id)) return;
  }

  return { announce, sweep };
}

/** A send and its one recipient, or undefined when there is no such send. */
export async function readReport(
  store: Pick<SendReader, 'find' | 'recipients'>,
  sendId: string,
): Promise<SendReport | undefined> {
  const send = await store.find(sendId);
  if (send === undefined) return undefined;
  const [recipient] = await store.recipients(sendId);
  return recipient === undefined ? undefined : { send, recipient };
}
