import type { Failure } from '../outcome.ts';
import type { Send, SendState } from '../send.ts';
import type { Task, TaskKind } from '../tasks.ts';
import type { BulkDependencies } from './dependencies.ts';
import { type Due, dueOf } from './due.ts';
import { approvalsNeededNow } from './policy.ts';
import { doubtBeforeFirst, type Running } from './running.ts';
import * as say from './sentences.ts';

/** How often one process looks for what was lost; what is due before the next look is armed for its moment. */
const LOOK_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;
/** How often each process looks for sends that others have begun, where there may be others, and where there are none. */
const HELP_EVERY_MS = 1_000;
const ALONE_EVERY_MS = 15_000;
/** What cannot be done now for a cause outside of Herald, e.g. because Slack does not say who may approve. */
const AGAIN_MS = 15_000;
/** More than ever wait at once; the next look takes the rest. */
const BATCH = 1_000;
/** States that time may end. */
const TIMED: readonly SendState[] = ['awaiting_approval', 'approved', 'scheduled', 'paused'];
/** By then whoever made a send has shown its card, or died. */
const CARD_LATE_MS = 10_000;

export interface Timekeeping {
  /** Starts an approved send, or plans it for its time. */
  begin(send: Send): Promise<void>;
  /** Has done at its time what time will do to this send as it stands now. Never rejects: a look finds what is missing. */
  arm(send: Send): Promise<void>;
  /** Puts in order what an earlier process left, goes on with it, and begins to look at the clock. */
  start(): Promise<void>;
}

interface TimekeepingDependencies extends BulkDependencies {
  readonly running: Running;
  /** The drafts that are being completed here. */
  readonly preparing: ReadonlySet<string>;
  /** True when this caller changed the state. */
  readonly end: (send: Send, to: SendState, actor: string, reason?: Failure) => Promise<boolean>;
  readonly askForMore: (send: Send, needed: number) => Promise<void>;
  readonly refresh: (sendId: string) => Promise<void>;
  readonly showApproval: (send: Send) => Promise<void>;
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** Does to bulk sends what time brings: start, reminder, expiry, resumption; and looks after what the dead have left. */
export function createTimekeeping(dependencies: TimekeepingDependencies): Timekeeping {
  const { store, tasks, lease, announcer, running, preparing, end, refresh, inBackground } = dependencies;
  const { clock, logger, policy, stopping } = dependencies;
  /** Those of whom this process need not ask the store again. */
  const reminded = new Set<string>();

  async function arm(send: Send): Promise<void> {
    for (const { kind, at } of dueOf(send)) await armAt({ kind, sendId: send.id }, at);
  }

  async function armAt(task: Task, at: number): Promise<void> {
    await tasks.arm(task, at).catch((error: unknown) => {
      logger.error({ task, error }, 'a task could not be armed; a later look will find it');
    });
  }

  async function begin(send: Send): Promise<void> {
    // Should this process die before it has begun, another one does.
    const armed = armAt({ kind: 'start', sendId: send.id }, clock.now() + AGAIN_MS);
    await running.begin(send);
    await armed;
    const now = await store.find(send.id);
    // Still there after its time: it waits for Slack, and is tried again later.
    if (now?.state === 'scheduled' && (now.startAt ?? 0) > clock.now()) await arm(now);
  }

  async function work({ kind, sendId }: Task): Promise<void> {
    if (stopping.aborted) return;
    if (kind === 'look') return look();
    const send = sendId === undefined ? undefined : await store.find(sendId);
    if (send?.audience !== undefined) await doWhatIsDue(send, kind);
  }

  /** The clock that called may be ahead of this one: what is not due yet by this one is armed again. */
  async function doWhatIsDue(send: Send, kind: TaskKind): Promise<void> {
    const due = dueOf(send).find((one) => one.kind === kind);
    if (due === undefined) return;
    if (due.at > clock.now()) return armAt({ kind, sendId: send.id }, due.at);
    await DO[due.kind](send);
  }

  const DO: Readonly<Record<Due['kind'], (send: Send) => Promise<void>>> = {
    remind,
    expire: async (send) => {
      if (await end(send, 'expired', 'herald', say.EXPIRED)) await refresh(send.id);
    },
    start: begin,
    resume: async (send) => {
      await goOnByItself(send);
      await againIfStill(send, 'resume');
    },
  };

  /** Nothing came of it, because somebody else must answer first. */
  async function againIfStill({ id, state }: Send, kind: Due['kind']): Promise<void> {
    if ((await store.find(id))?.state === state) await armAt({ kind, sendId: id }, clock.now() + AGAIN_MS);
  }

  /** What held it is over, and nobody has stopped it. */
  async function goOnByItself(send: Send): Promise<void> {
    const doubt = await doubtBeforeFirst(dependencies, send);
    if (doubt === 'unknown') return;
    if (doubt !== undefined && 'needed' in doubt) return dependencies.askForMore(send, doubt.needed);
    if (doubt === undefined) {
      if (await end(send, 'sending', 'herald')) running.goOn({ ...send, state: 'sending' });
    } else if (await end(send, 'stopped', 'herald', doubt)) await refresh(send.id);
  }

  /** Noted before it is said: approvers would rather miss a reminder than get one at every restart. */
  async function remind(send: Send): Promise<void> {
    if (reminded.has(send.id)) return;
    const note = { sendId: send.id, action: 'reminded', at: clock.now(), actor: 'herald' } as const;
    const first = await store.noteOnce(note);
    reminded.add(send.id);
    if (first) inBackground(announcer.remind(send));
  }

  /** One process at a time looks; whatever it finds late it does itself. */
  async function look(): Promise<void> {
    await tasks.arm({ kind: 'look' }, clock.now() + LOOK_EVERY_MS);
    const waiting = await store.findByState(TIMED, BATCH);
    const ids = new Set(waiting.map(({ id }) => id));
    for (const id of reminded) if (!ids.has(id)) reminded.delete(id);
    for (const send of waiting) {
      if (send.audience === undefined) continue;
      for (const { kind, at } of dueOf(send)) {
        if (at <= clock.now()) await doWhatIsDue(send, kind);
        else if (at <= clock.now() + LOOK_EVERY_MS) await armAt({ kind, sendId: send.id }, at);
      }
    }
  }

  /** A draft that nobody is completing, of this process or of one that died, lacks recipients: it never will be. */
  async function cancelDrafts(): Promise<void> {
    for (const draft of await store.findByState(['draft'], BATCH)) {
      if (preparing.has(draft.id) || !(await store.looksAfter(draft.id))) continue;
      if (await end(draft, 'cancelled', 'herald', say.LEFT_BEHIND)) await refresh(draft.id);
    }
  }

  /** The rules may have become stricter while Herald was stopped: approvers learn now, not at a send's time. */
  async function askForMore(): Promise<void> {
    for (const send of await store.findByState(['awaiting_approval', 'scheduled'], BATCH)) {
      if (send.audience === undefined) continue;
      const needed = approvalsNeededNow(policy, send);
      const asked =
        send.state === 'scheduled' ? (await store.approvals(send.id)).length : send.approval?.needed;
      if (needed > (asked ?? 0)) await dependencies.askForMore(send, needed);
    }
  }

  /** Sends that another process has started: this one helps, or goes on where that one died. */
  async function joinIn(): Promise<void> {
    for (const send of await store.findByState(['sending'], BATCH)) {
      if (send.audience === undefined) continue;
      if (running.has(send.id) || !isLate(send)) running.goOn(send);
      // Whoever looks after it attempts the next one, or asks people.
      else if (await store.looksAfter(send.id)) await askWhetherToGoOn(send);
    }
  }

  function isLate({ activeAt }: Send): boolean {
    return activeAt !== undefined && clock.now() - activeAt > policy.lateAfterMinutes * MINUTE_MS;
  }

  /** Who of it was sent to meanwhile is not known where a copy of the database was put back. */
  async function askWhetherToGoOn(send: Send): Promise<void> {
    logger.warn(
      { sendId: send.id },
      'a bulk send was broken off long ago: it is paused, and people are asked',
    );
    if (await end(send, 'paused', 'herald', say.brokenOff(policy.lateAfterMinutes))) await refresh(send.id);
  }

  /** Ends that were not told wholly, and cards that nobody has seen, of this process's own sends or of the dead's. */
  async function tellUntold(): Promise<void> {
    for (const { id } of await store.untold(BATCH)) if (await store.tells(id)) inBackground(running.tell(id));
    for (const send of await store.findByState(['awaiting_approval'], BATCH)) {
      const { approval, createdAt } = send;
      const unseen = approval?.card === undefined && clock.now() - createdAt > CARD_LATE_MS;
      if (unseen && (await store.tells(send.id))) await dependencies.showApproval(send);
    }
  }

  async function keepHelping(): Promise<void> {
    let toldAt = clock.monotonic();
    while (!stopping.aborted) {
      await clock.sleep(lease.exclusive ? ALONE_EVERY_MS : HELP_EVERY_MS, stopping);
      if (stopping.aborted) return;
      try {
        await joinIn();
        if (clock.monotonic() - toldAt < LOOK_EVERY_MS) continue;
        toldAt = clock.monotonic();
        await cancelDrafts();
        await tellUntold();
      } catch (error) {
        logger.error({ error }, 'looking for sends to help with failed');
      }
    }
  }

  return {
    begin,
    arm,
    start: async () => {
      await cancelDrafts();
      await askForMore();
      await joinIn();
      await tellUntold();
      await tasks.start(work);
      await armAt({ kind: 'look' }, clock.now());
      inBackground(keepHelping());
    },
  };
}
