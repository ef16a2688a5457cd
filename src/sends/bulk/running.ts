import type { BulkProgress } from '../bulk.ts';
import { needsCanary } from '../dispatch/canary.ts';
import { retryUntilStored } from '../dispatch/retry-until-stored.ts';
import type { Failure } from '../outcome.ts';
import type { SendStore } from '../ports.ts';
import { isUnsent, type Send } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import { approvalsNeededNow } from './policy.ts';
import { digestFor, findTemplate } from './request.ts';
import * as say from './sentences.ts';

/** Progress is told this often at most. */
const TELL_EVERY_MS = 1_000;
/** How often a process that has nothing more to claim of a send looks whether others have put something back. */
const LOOK_AGAIN_MS = 1_000;
/** Longer than any recipient waits for its next attempt, unless the service asked for a pause, which holds up the run itself. */
const IDLE_MS = 15_000;
/** A schedule missed by more than this is held, not fired. */
const LATEST_MS = 3_600_000;

export interface Running {
  /** Starts an approved send, or plans it for its time. */
  begin(send: Send): Promise<void>;
  /** Goes on with a send in state `sending`, together with other processes that do. */
  goOn(send: Send): void;
  /** True while this process works on the send. */
  has(sendId: string): boolean;
  progress(sendId: string): Promise<BulkProgress | undefined>;
  /** To be called whenever outcomes of a send were written. */
  progressed(sendId: string): void;
  /** To be called when trouble with the store has begun or is over: whatever runs here says so. */
  stalledOrNot(): void;
  /** Tells how a send stands; of its end what has not been told yet. */
  tell(sendId: string): Promise<void>;
  /** Resolves when every send that runs here has come to a rest. */
  idle(): Promise<void>;
}

/** A send while it runs here. */
interface RunningSend {
  /** It was asked to go on once more before its run had ended. */
  again: boolean;
  /** How many had an outcome when it was last read, and when that was, to know how fast it is. */
  told?: { readonly at: number; readonly settled: number };
}

/**
 * Starts sends, checks once more before, and tells how far they are.
 *
 * @param rested told of each send that came to a rest here, as it then was
 * @param askForMore lets a send wait for this many approvals
 */
export function createRunning(
  dependencies: BulkDependencies,
  rested: (send: Send) => Promise<void>,
  askForMore: (send: Send, needed: number) => Promise<void>,
): Running {
  const { store, dispatcher, announcer, clock, logger, stopping, storeTrouble } = dependencies;
  const running = new Map<string, RunningSend>();
  const work = new Set<Promise<void>>();
  const telling = new Set<string>();
  /** What is being told of these is old already, and nothing else may come to tell of. */
  const tellAgain = new Set<string>();

  async function begin(send: Send): Promise<void> {
    const { startAt } = send;
    if (startAt !== undefined && startAt > clock.now()) {
      await move(store, send, 'scheduled', clock.now());
      return;
    }
    const stop = await obstacleTo(dependencies, send);
    // Slack did not say who may approve: the timer asks again.
    if (stop === 'unknown') return;
    if (stop !== undefined && 'needed' in stop) return askForMore(send, stop.needed);
    if (stop !== undefined) {
      await store.moveSend({ sendId: send.id, from: send.state, ...stop, at: clock.now(), actor: 'herald' });
      await tellEnd(send.id);
      // Whom it would have tried again can be tried again from there.
      if (send.retryOf !== undefined) await tellEnd(send.retryOf);
      return;
    }
    if (await move(store, send, 'sending', clock.now())) goOn({ ...send, state: 'sending' });
  }

  function goOn(send: Send): void {
    const before = running.get(send.id);
    // Resumed before what was on its way when it was paused had come back.
    if (before !== undefined) before.again = true;
    else {
      const run: Promise<void> = runToRest(send)
        .catch((error: unknown) =>
          logger.error({ sendId: send.id, error }, 'a bulk send ended in a way that is a bug'),
        )
        .finally(() => work.delete(run));
      work.add(run);
    }
  }

  async function runToRest({ id }: Send): Promise<void> {
    const mine: RunningSend = { again: false };
    running.set(id, mine);
    try {
      do {
        mine.again = false;
        await runTogether(id);
      } while (mine.again && !stopping.aborted);
    } finally {
      running.delete(id);
    }
    const send = await retryUntilStored(() => store.find(id), dependencies);
    if (send !== undefined) await rested(send);
    // Slack may take long; resuming does not wait for it.
    if (await retryUntilStored(() => store.tells(id), dependencies)) await tellEnd(id);
  }

  async function runTogether(sendId: string): Promise<void> {
    let idleSince: number | undefined;
    while (!stopping.aborted) {
      const send = await retryUntilStored(() => store.find(sendId), dependencies);
      if (send?.state !== 'sending') return;
      // The first recipients go from one process only, and the others wait for what comes of them.
      if (needsCanary(send) && !(await retryUntilStored(() => store.looksAfter(sendId), dependencies))) {
        await clock.sleep(LOOK_AGAIN_MS, stopping);
        continue;
      }
      progressed(sendId);
      await dispatcher.run(send);
      const left = await retryUntilStored(() => store.find(sendId), dependencies);
      if (left?.state !== 'sending') return;
      // The rest is with other processes, and comes back when one of them dies.
      idleSince = isIdle(send, left) ? (idleSince ?? clock.monotonic()) : undefined;
      if (idleSince !== undefined && clock.monotonic() - idleSince >= IDLE_MS) {
        idleSince = undefined;
        await takeUpAgain(left);
      }
      await clock.sleep(LOOK_AGAIN_MS, stopping);
    }
  }

  async function takeUpAgain({ id, counts: { pending } }: Send): Promise<void> {
    if (stopping.aborted) return;
    logger.error(
      { sendId: id, pending },
      'a bulk send had recipients left and nobody worked on them; they are taken up again',
    );
    await retryUntilStored(() => store.rewind(id), dependencies);
  }

  async function tellEnd(sendId: string): Promise<void> {
    const progress = await readProgress(sendId);
    if (progress === undefined) return;
    if (progress.send.state === 'sending' || progress.send.state === 'paused')
      await announcer.showProgress(progress);
    else await announcer.showEnd(progress);
  }

  function progressed(sendId: string): void {
    // Sends to one person are told of elsewhere.
    if (!running.has(sendId) || telling.has(sendId)) return;
    telling.add(sendId);
    void tell(sendId)
      .catch((error: unknown) => logger.error({ sendId, error }, 'progress could not be told'))
      .finally(() => {
        telling.delete(sendId);
        if (tellAgain.delete(sendId)) progressed(sendId);
      });
  }

  async function tell(sendId: string): Promise<void> {
    await clock.sleep(TELL_EVERY_MS, stopping);
    if (stopping.aborted) return;
    if (!(await store.tells(sendId))) return;
    const progress = await readProgress(sendId);
    if (progress?.send.state === 'sending') await announcer.showProgress(progress);
  }

  async function readProgress(sendId: string): Promise<BulkProgress | undefined> {
    const send = await store.find(sendId);
    if (send === undefined) return undefined;
    const { counts } = send;
    const settled = counts.accepted + counts.rejected + counts.not_sent + counts.unknown;
    const run = running.get(sendId);
    const now = { at: clock.monotonic(), settled };
    const { told: before = now } = run ?? {};
    const seconds = (now.at - before.at) / 1_000;
    const perSecond = seconds > 0 ? (settled - before.settled) / seconds : 0;
    if (run !== undefined) run.told = now;
    const left = counts.pending + counts.attempting;
    return {
      send,
      counts,
      perSecond,
      ...(perSecond > 0 && left > 0 && { remainingMs: (left / perSecond) * 1_000 }),
      failures: await store.failures(sendId),
      ...(storeTrouble?.since() !== undefined && { stalled: true }),
    };
  }

  return {
    begin,
    goOn,
    has: (sendId) => running.has(sendId),
    progress: readProgress,
    progressed,
    stalledOrNot: () => {
      for (const sendId of running.keys()) {
        if (telling.has(sendId)) tellAgain.add(sendId);
        else progressed(sendId);
      }
    },
    tell: tellEnd,
    idle: async () => {
      await Promise.all(work);
    },
  };
}

/** Some are left, nobody attempts any, and nothing has changed between two looks. */
function isIdle({ counts: before }: Send, { counts: after }: Send): boolean {
  return after.pending > 0 && after.attempting === 0 && after.pending === before.pending;
}

/** False when message, template, audience or schedule is no longer what its digest names: people read other words. */
export async function isAsApproved(dependencies: BulkDependencies, send: Send): Promise<boolean> {
  const audience = send.audience && (await dependencies.audiences.find(send.audience.id));
  const template = await findTemplate(dependencies, send.message);
  return audience !== undefined && digestFor(send, audience, template) === send.digest;
}

/** Why a send must not start now, and what becomes of it instead. */
async function obstacleTo(dependencies: BulkDependencies, send: Send) {
  const doubt = await doubtAbout(dependencies, send);
  if (doubt === 'unknown' || (doubt !== undefined && 'needed' in doubt)) return doubt;
  if (doubt !== undefined) return { to: 'cancelled', reason: doubt } as const;
  const late = await whyTooLate(dependencies, send);
  return late && ({ to: 'paused', reason: late } as const);
}

/** Why a person must say whether a send that has a time to start shall start after it. */
async function whyTooLate({ store, clock }: BulkDependencies, send: Send): Promise<Failure | undefined> {
  const { id, startAt } = send;
  if (startAt === undefined) return undefined;
  const approvals = await store.approvals(id);
  if (approvals.some(({ at }) => at > startAt)) return say.APPROVED_LATE;
  return clock.now() - startAt > LATEST_MS ? say.MISSED : undefined;
}

/** What keeps a send from its start: that so many must approve it by now, a reason for good, or that Slack does not say. */
type Doubt = { readonly needed: number } | Failure | 'unknown';

/** Why a send that has not begun is not what was approved by as many people as must. */
async function doubtAbout(dependencies: BulkDependencies, send: Send): Promise<Doubt | undefined> {
  if (!(await isAsApproved(dependencies, send))) return say.CHANGED;
  return doubtAboutApprovals(dependencies, send);
}

/** A send that was paused before anybody was sent to is looked at as one that starts. */
export async function doubtBeforeFirst(
  dependencies: BulkDependencies,
  send: Send,
): Promise<Doubt | undefined> {
  return isUnsent(send) ? doubtAbout(dependencies, send) : undefined;
}

/** Whoever approved must still be allowed to, at the moment of starting, and be as many as the rules ask for then. */
async function doubtAboutApprovals(
  { store, directory, policy }: BulkDependencies,
  send: Send,
): Promise<Doubt | undefined> {
  const needed = approvalsNeededNow(policy, send);
  if (needed === 0) return undefined;
  const approvals = await store.approvals(send.id);
  const { teamId } = send.origin;
  const answers = await Promise.all(
    approvals.map(({ userId }) => directory.whyNot(userId, teamId, { fresh: true })),
  );
  const standing = answers.filter((answer) => answer === undefined).length;
  if (standing >= needed) return undefined;
  if (answers.includes('unknown')) return 'unknown';
  return standing >= (send.approval?.needed ?? 0) ? { needed } : say.ROLE_LOST;
}

function move(store: SendStore, send: Send, to: 'scheduled' | 'sending', at: number): Promise<boolean> {
  return store.moveSend({ sendId: send.id, from: send.state, to, at, actor: 'herald' });
}
