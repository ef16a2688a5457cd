import { createBackgroundWork } from '../background-work.ts';
import type { Failure } from '../outcome.ts';
import type { QuietHoursAt } from '../quiet-hours.ts';
import type { Send, SendState } from '../send.ts';
import type { Task, TaskKind } from '../tasks.ts';
import type { BulkDependencies } from './dependencies.ts';
import { approvalsNeededNow } from './policy.ts';
import { type Running, startProblemIfUnsent } from './running.ts';
import * as say from './sentences.ts';

/** How often one process looks for lost tasks; those due before the next look are armed. */
const LOOK_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;
/** How often a process looks for sends to join, with replicas and without. */
const HELP_EVERY_MS = 1_000;
const ALONE_EVERY_MS = 15_000;
/** Delay of a retry when something outside of Herald is missing, e.g. Slack does not say who may approve. */
const AGAIN_MS = 15_000;
/** More sends than ever wait at once; the next look takes the rest. */
const BATCH = 1_000;
/** States in which something may become due. */
const TIMED: readonly SendState[] = ['awaiting_approval', 'approved', 'scheduled', 'paused'];
/** Approvers are reminded once, when this share of their time is left. */
const REMIND_BEFORE = 1 / 4;
/** A process that created a send and lives has posted the approval card by then. */
const CARD_LATE_MS = 10_000;

export interface Timekeeping {
  /** Starts an approved send, or schedules it. */
  begin(send: Send): Promise<void>;
  /** Arms the tasks of a send in its current state. Never rejects: `look` finds what could not be armed. */
  arm(send: Send): Promise<void>;
  /** Continues what an earlier process left, and starts the tasks. */
  start(): Promise<void>;
}

interface TimekeepingDependencies extends BulkDependencies {
  readonly running: Running;
  /** Drafts that this process is completing. */
  readonly preparing: ReadonlySet<string>;
  /** True when this call changed the state. */
  readonly end: (send: Send, to: SendState, actor: string, reason?: Failure) => Promise<boolean>;
  readonly askForMore: (send: Send, needed: number) => Promise<void>;
  readonly refresh: (sendId: string) => Promise<void>;
  readonly showApproval: (send: Send) => Promise<void>;
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** Does what is due for bulk sends: start, reminder, expiry, resumption; and takes over from dead replicas. */
export function createTimekeeping(dependencies: TimekeepingDependencies): Timekeeping {
  const { store, tasks, lease, announcer, running, preparing, end, refresh, inBackground } = dependencies;
  const { quietHours, clock, logger, policy, stopping } = dependencies;
  /** Sends whose reminder is known to be recorded. */
  const reminded = new Set<string>();
  /** The quiet hours of the moment when each waiting send was looked at last. */
  const quiet = new Map<string, ReturnType<QuietHoursAt>>();

  async function arm(send: Send): Promise<void> {
    for (const { kind, at } of dueOf(send)) await armAt({ kind, sendId: send.id }, at);
  }

  async function armAt(task: Task, at: number): Promise<void> {
    await tasks.arm(task, at).catch((error: unknown) => {
      logger.error({ task, error }, 'a task could not be armed; the next look will find it');
    });
  }

  async function begin(send: Send): Promise<void> {
    // If this process dies before the send has started, another one starts it.
    const armed = armAt({ kind: 'start', sendId: send.id }, clock.now() + AGAIN_MS);
    await running.begin(send);
    await armed;
    const now = await store.find(send.id);
    // When its time is over and it has not started, it waits for Slack, and the task above retries it.
    if (now?.state === 'scheduled' && (now.startAt ?? 0) > clock.now()) await arm(now);
  }

  async function work({ kind, sendId }: Task): Promise<void> {
    if (stopping.aborted) return;
    if (kind === 'look') return look();
    const send = sendId === undefined ? undefined : await store.find(sendId);
    const due = send?.audience && dueOf(send).find((one) => one.kind === kind);
    if (send === undefined || due === undefined) return;
    // The clock of the process that armed the task may be ahead: what is not due by this clock is armed again.
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
      await resumeByItself(send);
      const { id, state } = send;
      // Slack must answer first.
      if ((await store.find(id))?.state === state)
        await armAt({ kind: 'resume', sendId: id }, clock.now() + AGAIN_MS);
    },
  };

  /** The reason of its pause is over. */
  async function resumeByItself(send: Send): Promise<void> {
    const problem = await startProblemIfUnsent(dependencies, send);
    if (problem === 'unknown') return;
    if (problem !== undefined && 'needed' in problem) return dependencies.askForMore(send, problem.needed);
    if (problem === undefined) {
      if (await end(send, 'sending', 'herald')) running.goOn({ ...send, state: 'sending' });
    } else if (await end(send, 'stopped', 'herald', problem)) await refresh(send.id);
  }

  /** Recorded before it is posted: a missed reminder is better than one at every restart. */
  async function remind(send: Send): Promise<void> {
    if (reminded.has(send.id)) return;
    const note = { sendId: send.id, action: 'reminded', at: clock.now(), actor: 'herald' } as const;
    const first = await store.recordOnce(note);
    reminded.add(send.id);
    if (first) inBackground(announcer.remind(send));
  }

  /** Finds lost tasks: does the late ones and arms those due soon. One process at a time. */
  async function look(): Promise<void> {
    await tasks.arm({ kind: 'look' }, clock.now() + LOOK_EVERY_MS);
    const waiting = await store.findByState(TIMED, BATCH);
    const ids = new Set(waiting.map(({ id }) => id));
    for (const id of reminded) if (!ids.has(id)) reminded.delete(id);
    for (const id of quiet.keys()) if (!ids.has(id)) quiet.delete(id);
    for (const send of waiting) {
      if (send.audience === undefined) continue;
      if (send.state === 'awaiting_approval' && send.startAt === undefined) await showQuietHours(send);
      for (const { kind, at } of dueOf(send)) {
        // Read anew: those before it may have taken long.
        if (at <= clock.now()) await work({ kind, sendId: send.id });
        else if (at <= clock.now() + LOOK_EVERY_MS) await armAt({ kind, sendId: send.id }, at);
      }
    }
  }

  /** The card says when what is approved now goes out: it is shown again when quiet hours have begun or ended. */
  async function showQuietHours(send: Send): Promise<void> {
    const { id, message, createdAt } = send;
    const before = quiet.has(id) ? quiet.get(id) : quietHours(message, createdAt);
    const now = quietHours(message, clock.now());
    quiet.set(id, now);
    if (before !== now) await dependencies.showApproval(send);
  }

  /** Cancels drafts that nobody is completing any more: their recipients are incomplete. */
  async function cancelDrafts(): Promise<void> {
    for (const draft of await store.findByState(['draft'], BATCH)) {
      if (preparing.has(draft.id) || !(await store.owns(draft.id))) continue;
      if (await end(draft, 'cancelled', 'herald', say.LEFT_BEHIND)) await refresh(draft.id);
    }
  }

  /** The rules may have become stricter while Herald was stopped; approvers learn that now, not at the start of a send. */
  async function askForMore(): Promise<void> {
    for (const send of await store.findByState(['awaiting_approval', 'scheduled'], BATCH)) {
      if (send.audience === undefined) continue;
      const needed = approvalsNeededNow(policy, send);
      const asked =
        send.state === 'scheduled' ? (await store.approvals(send.id)).length : send.approval?.needed;
      if (needed > (asked ?? 0)) await dependencies.askForMore(send, needed);
    }
  }

  /** Joins sends that another process has started, or continues them when it died. */
  async function joinIn(): Promise<void> {
    for (const send of await store.findByState(['sending'], BATCH)) {
      if (send.audience === undefined) continue;
      if (running.has(send.id) || !isLate(send)) running.goOn(send);
      // Its owner sends the next message, or asks people.
      else if (await store.owns(send.id)) await askWhetherToGoOn(send);
    }
  }

  function isLate({ activeAt }: Send): boolean {
    return activeAt !== undefined && clock.now() - activeAt > policy.lateAfterMinutes * MINUTE_MS;
  }

  /** After a long break: the database may be a restored copy, so people must say whether the rest was sent to. */
  async function askWhetherToGoOn(send: Send): Promise<void> {
    logger.warn(
      { sendId: send.id },
      'a bulk send was interrupted long ago: it is paused until a person decides',
    );
    if (await end(send, 'paused', 'herald', say.brokenOff(policy.lateAfterMinutes))) await refresh(send.id);
  }

  /** Announces ends and approval cards that were not announced completely. */
  async function announceMissing(): Promise<void> {
    for (const { id } of await store.unannouncedEnds(BATCH))
      if (await store.announces(id)) inBackground(running.announce(id));
    for (const send of await store.findByState(['awaiting_approval'], BATCH)) {
      const { approval, createdAt } = send;
      const unseen = approval?.card === undefined && clock.now() - createdAt > CARD_LATE_MS;
      if (unseen && (await store.announces(send.id))) await dependencies.showApproval(send);
    }
  }

  /** Of what another process has changed, or one that died. */
  async function notifyRequesters(): Promise<void> {
    for (const { id, state } of await store.untold(BATCH)) {
      if (!(await store.announces(id))) continue;
      inBackground(state === 'stopped' ? running.announce(id) : announcer.notifyRequester(id));
    }
  }

  let announcedAt = clock.monotonic();
  const helpEveryMs = lease.exclusive ? ALONE_EVERY_MS : HELP_EVERY_MS;
  const { createLoop } = createBackgroundWork('helping with bulk sends', dependencies);
  const helping = createLoop('looking for sends to help with', async () => {
    await joinIn();
    await notifyRequesters();
    if (clock.monotonic() - announcedAt < LOOK_EVERY_MS) return helpEveryMs;
    announcedAt = clock.monotonic();
    await cancelDrafts();
    await announceMissing();
    return helpEveryMs;
  });

  return {
    begin,
    arm,
    start: async () => {
      await cancelDrafts();
      await askForMore();
      await joinIn();
      await announceMissing();
      await notifyRequesters();
      await tasks.start(work);
      await armAt({ kind: 'look' }, clock.now());
      helping.start(helpEveryMs);
    },
  };
}

/** A task of a send; `at` in milliseconds since the epoch. */
interface Due {
  readonly kind: Exclude<TaskKind, 'look'>;
  readonly at: number;
}

/** The tasks of a bulk send in its current state, earliest first; none while it waits for people only. */
function dueOf({ state, createdAt, approval, startAt, resumeAt }: Send): readonly Due[] {
  switch (state) {
    case 'awaiting_approval': {
      if (approval === undefined) return [];
      const { expiresAt } = approval;
      const remindAt = expiresAt - (expiresAt - createdAt) * REMIND_BEFORE;
      return [
        { kind: 'remind', at: remindAt },
        { kind: 'expire', at: expiresAt },
      ];
    }
    case 'approved':
      // If its time has not come, `begin` schedules it.
      return [{ kind: 'start', at: createdAt }];
    case 'scheduled':
      return [{ kind: 'start', at: startAt ?? createdAt }];
    case 'paused':
      return resumeAt === undefined ? [] : [{ kind: 'resume', at: resumeAt }];
    default:
      return [];
  }
}
