import { type Job, PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { asOutage } from '../../core/outage.ts';
import { type Tasks, taskKey, type Work } from '../../sends/tasks.ts';
import { createPool } from './database.ts';

/** pg-boss keeps its tables beside Herald's own. */
const SCHEMA = 'herald_tasks';
const QUEUE = 'tasks';
/** Connections besides those of the stores: fetching, arming, and pg-boss's own upkeep. */
const CONNECTIONS = 3;

/** Each process looks this often for tasks that fell silent. */
const SUPERVISE_SECONDS = 5;
const CLEAN_UP_SECONDS = 600;

const WORK = {
  /** Each process looks this often for tasks that are due: all that many replicas do at rest. */
  pollingIntervalSeconds: 2,
  /** Done side by side here, so that one that waits for Slack holds nothing up. */
  batchSize: 10,
  localConcurrency: 2,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;

/** The settings of the queue are those of this version. */
const SETTINGS = {
  /** A task whose process says nothing for so long is another's; pg-boss allows no less. */
  heartbeatSeconds: 10,
  expireInSeconds: 600,
  /** Tried again after a second, then later and later; after all of these a look finds what is left. */
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  /** A task may be armed for a day a year ahead. */
  retentionSeconds: 2 * 366 * 86_400,
  deleteAfterSeconds: 3_600,
};

const taskSchema = z.object({ sendId: z.string().exactOptional() });

/**
 * Tasks as jobs of pg-boss: whichever replica is alive does them, and those of a replica that died in the middle are
 * done again by another within seconds of the end of its heartbeat.
 *
 * @returns once pg-boss's own tables are there; rejects when the database does not let it make them
 */
export async function openTaskQueue(
  url: string,
  { clock, logger }: { readonly clock: Pick<Clock, 'now'>; readonly logger: Logger },
): Promise<Tasks> {
  const pool = createPool(url, 'herald tasks', CONNECTIONS);
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: SCHEMA,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: CLEAN_UP_SECONDS,
  });
  // Without a listener an error would end the process; pg-boss itself tries again.
  boss.on('error', (error) =>
    logger.warn({ error: asOutage(error) }, 'the task queue met an error and tries again'),
  );
  boss.on('warning', ({ message, data }) =>
    logger.info({ message, ...data }, 'the task queue has a warning'),
  );
  await boss.start();
  // Only one task with a given key waits at a time.
  await boss.createQueue(QUEUE, { policy: 'short', ...SETTINGS });
  await boss.updateQueue(QUEUE, SETTINGS);

  async function doOne({ id, data }: Job, work: Work) {
    const task = taskSchema.safeParse(data);
    if (!task.success) {
      logger.warn({ id }, 'a task of another version of Herald was left alone');
      return { id, status: 'completed' } as const;
    }
    try {
      await work(task.data);
      return { id, status: 'completed' } as const;
    } catch (error) {
      logger.error({ task: taskKey(task.data), error }, 'a task failed; it is done again later');
      return { id, status: 'failed' } as const;
    }
  }

  return {
    arm: async (task, at) => {
      // How long it is until then both clocks agree on, when this machine's was set and the database's was not.
      const startAfter = Math.max(0, Math.ceil(at - clock.now()) / 1_000);
      await boss.upsert(QUEUE, task, { singletonKey: taskKey(task), startAfter });
    },
    start: async (work) => {
      await boss.work(QUEUE, WORK, (jobs: Job[]) => Promise.all(jobs.map((job) => doOne(job, work))));
    },
    stop: async (deadlineMs) => {
      await boss.stop({ graceful: deadlineMs > 0, timeout: deadlineMs });
      if (!pool.ending) await pool.end();
    },
  };
}
