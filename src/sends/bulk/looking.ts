import type { Failure } from '../outcome.ts';
import type { Send, SendState } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import type { Running } from './running.ts';
import * as say from './sentences.ts';

const TIMER_MS = 15_000;
/** More than ever wait at once; the next round of the timer takes the rest. */
export const DUE_BATCH = 1_000;
/** Approvers are reminded once, in the last quarter of the time they have. */
const REMIND_BEFORE = 1 / 4;
/** States that time may end. */
const LOOKED_AT: readonly SendState[] = ['awaiting_approval', 'approved', 'scheduled', 'paused', 'sending'];

/** What may be done with a send that is found to be due. */
interface Acts {
  readonly running: Running;
  /** True when the send was still in the state that it shows, and is now in `to`. */
  end(send: Send, to: SendState, actor: string, reason?: Failure): Promise<boolean>;
  /** Shows the send as it now is. */
  refresh(sendId: string): Promise<void>;
  /** Why a send that was paused before anybody was sent to must not begin; `unknown` when Slack does not say. */
  doubtBeforeFirst(send: Send): Promise<Failure | 'unknown' | undefined>;
  inBackground(work: Promise<unknown>): void;
}

export interface Looking {
  /** Puts in order what an earlier process left, and goes on with it. */
  catchUp(): Promise<void>;
  /** Looks at the clock, over and over, until Herald stops. */
  keepLooking(): Promise<void>;
}

/** Does what time brings: starts, expiries, reminders, the ends of quiet hours. */
export function createLooking(dependencies: BulkDependencies, acts: Acts): Looking {
  const { store, announcer, clock, logger, stopping } = dependencies;
  const { running, end, refresh, doubtBeforeFirst, inBackground } = acts;
  /** Those of whom this process need not ask the store again. */
  const reminded = new Set<string>();

  /** What held it is over, and nobody has stopped it. */
  async function goOnByItself(send: Send): Promise<void> {
    const doubt = await doubtBeforeFirst(send);
    if (doubt === 'unknown') return;
    if (doubt === undefined) {
      if (await end(send, 'sending', 'herald')) running.goOn({ ...send, state: 'sending' });
    } else if (await end(send, 'stopped', 'herald', doubt)) await refresh(send.id);
  }

  /** Ends that a dead process did not tell of. */
  async function tellUntold(): Promise<void> {
    for (const { id } of await store.untold(DUE_BATCH))
      if (await store.looksAfter(id)) inBackground(running.tell(id));
  }

  async function runDue(): Promise<void> {
    await cancelDrafts();
    for (const send of await store.findByState(LOOKED_AT, DUE_BATCH)) {
      if (send.audience !== undefined) await doWhatIsDue(send, clock.now());
    }
  }

  async function doWhatIsDue(send: Send, now: number): Promise<void> {
    switch (send.state) {
      case 'awaiting_approval':
        if ((send.approval?.expiresAt ?? 0) > now) return remindInTime(send, now);
        if (await end(send, 'expired', 'herald', say.EXPIRED)) await refresh(send.id);
        return;
      case 'paused':
        // Without a time it waits for a person.
        if (send.resumeAt === undefined || send.resumeAt > now) return;
        return goOnByItself(send);
      case 'sending':
        // Another process has started it, and this one helps.
        running.goOn(send);
        return;
      default:
        if (send.state === 'approved' || (send.startAt ?? 0) <= now) await running.begin(send);
    }
  }

  /** A draft whose process died lacks recipients: it is never completed. */
  async function cancelDrafts(): Promise<void> {
    for (const draft of await store.adopt(['draft'], DUE_BATCH))
      await end(draft, 'cancelled', 'herald', say.LEFT_BEHIND);
  }

  async function joinIn(): Promise<void> {
    for (const send of await store.findByState(['sending'], DUE_BATCH))
      if (send.audience !== undefined) running.goOn(send);
  }

  /** Noted before it is said: approvers would rather miss a reminder than get one at every restart. */
  async function remindInTime(send: Send, now: number): Promise<void> {
    const { createdAt, approval } = send;
    if (approval === undefined || reminded.has(send.id)) return;
    if (now < approval.expiresAt - (approval.expiresAt - createdAt) * REMIND_BEFORE) return;
    const note = { sendId: send.id, action: 'reminded', at: now, actor: 'herald' } as const;
    const first = await store.noteOnce(note);
    reminded.add(send.id);
    if (first) inBackground(announcer.remind(send));
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.aborted) {
      await runDue().catch((error: unknown) => logger.error({ error }, 'looking for due sends failed'));
      await clock.sleep(TIMER_MS, stopping);
    }
  }

  return {
    catchUp: async () => {
      await cancelDrafts();
      await joinIn();
      await tellUntold();
    },
    keepLooking,
  };
}
