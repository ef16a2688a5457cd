/*
 * Work that must be done at a time, by whichever process is alive then. The truth stands in the store: a task says
 * when to look at it, and doing one twice changes nothing. So a task may come late or twice, and one that was lost is
 * found by `look`.
 */

/** What is to be looked at; `sendId` says of which send, and is absent for `look`. */
export interface Task {
  readonly kind: TaskKind;
  readonly sendId?: string;
}

export const TASK_KINDS = [
  /** Its time has come: it starts, unless what was approved has changed. */
  'start',
  /** Its approvers are told once more. */
  'remind',
  /** Nobody approved in time. */
  'expire',
  /** What held it back, e.g. quiet hours, is over. */
  'resume',
  /** Now and then: whatever was not armed or got lost, and what the dead have left behind. */
  'look',
] as const;

export type TaskKind = (typeof TASK_KINDS)[number];

/** Does a task; a rejection has it done again, later and later. */
export type Work = (task: Task) => Promise<void>;

export interface Tasks {
  /**
   * Has `task` done at `at`, or as soon after as somebody is alive. Armed again before it is done, it is done once, at
   * the newer time. Resolves once that is durable, where anything is; rejects when it could not be written.
   *
   * @param at milliseconds since the epoch
   */
  arm(task: Task, at: number): Promise<void>;
  /** From now on this process does tasks that are due. */
  start(work: Work): Promise<void>;
  /** Takes no more, and waits at most `deadlineMs` for those that are being done. */
  stop(deadlineMs: number): Promise<void>;
}

/** The same for the same work: of equal keys one waits at a time. */
export function taskKey({ kind, sendId }: Task): string {
  return sendId === undefined ? kind : `${kind}:${sendId}`;
}
