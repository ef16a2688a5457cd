/**
 * A look that is due at a time, done by any process that is alive then. A task only says when to look at the store, so it
 * may come late or twice without harm, and a `look` without a `sendId` finds lost ones.
 */
export interface Task {
  readonly kind: TaskKind;
  readonly sendId?: string;
}

export const TASK_KINDS = [
  /** What is due for a send is done; without one, for all that wait. */
  'look',
  /** Armed by earlier versions: each says to look at its send. */
  'start',
  'remind',
  'expire',
  'resume',
] as const;

type TaskKind = (typeof TASK_KINDS)[number];

/** Does a task. When it rejects, the task is retried with growing delays. */
export type Work = (task: Task) => Promise<void>;

export interface Tasks {
  /**
   * Has `task` done at `at`, or as soon after as a process is alive. Arming it again replaces the time. Resolves once
   * stored; rejects when it could not be.
   *
   * @param at milliseconds since the epoch
   */
  arm(task: Task, at: number): Promise<void>;
  /** From now on this process does due tasks. */
  start(work: Work): Promise<void>;
  /** Begins no more tasks, and waits at most `deadlineMs` for those in progress. */
  stop(deadlineMs: number): Promise<void>;
}

/** Equal for equal tasks: at most one task per key waits. */
export function taskKey({ kind, sendId }: Task): string {
  return sendId === undefined ? kind : `${kind}:${sendId}`;
}
