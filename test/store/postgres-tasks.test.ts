import { expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { taskKey } from '../../src/sends/tasks.ts';
import { openTaskQueue } from '../../src/store/postgres/task-queue.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { PATIENT } from '../patience.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { describeTasks } from './task-contract.ts';

await describeWithPostgres('the task queue on PostgreSQL', () => {
  const queue = (url: string, clock: Pick<Clock, 'now'> = systemClock) =>
    openTaskQueue(url, { clock, logger: createRecordingLogger() });
  describeTasks('pg-boss', async () => queue(await freshDatabase()));

  it('is opened by ten replicas at once, and does each task on one of them', async () => {
    const url = await freshDatabase();
    const replicas = await Promise.all(Array.from({ length: 10 }, () => queue(url)));
    const done: string[] = [];
    await Promise.all(replicas.map((one) => one.start(async ({ sendId }) => void done.push(sendId ?? ''))));
    const ids = Array.from({ length: 100 }, (_, n) => `S-${String(n).padStart(3, '0')}`);
    // Every replica arms every task, as it happens when all of them look at the same send.
    await Promise.all(
      replicas.map(async (one) => {
        for (const sendId of ids) await one.arm({ sendId }, Date.now() + 3_600_000);
      }),
    );
    await directly(url, `UPDATE herald_tasks.job SET start_after = now() WHERE name = 'tasks'`);
    await vi.waitFor(() => expect(done.toSorted()).toEqual(ids), PATIENT);
    await Promise.all(replicas.map((one) => one.stop(1_000)));
    expect(done.toSorted()).toEqual(ids);
  });

  it('waits as long as was meant, whatever the clocks of a replica and of the database say', async () => {
    const url = await freshDatabase();
    const behind = await queue(url, { now: () => Date.now() - 7_200_000 });
    const done: string[] = [];
    await behind.start(async (task) => void done.push(taskKey(task)));
    await behind.arm({}, Date.now() - 7_200_000 + 3_600_000);
    await behind.arm({ sendId: 'S-A' }, Date.now() - 7_200_000);
    await vi.waitFor(() => expect(done).toContain('look:S-A'), PATIENT);
    expect(done).not.toContain('look');
    await behind.stop(1_000);
  });

  it('leaves to the living what a dead replica had armed', async () => {
    const url = await freshDatabase();
    const [dead, living] = [await queue(url), await queue(url)];
    await dead.arm({ sendId: 'S-A' }, Date.now() + 500);
    await dead.stop(0);
    const done: string[] = [];
    await living.start(async ({ sendId = '' }) => void done.push(sendId));
    await vi.waitFor(() => expect(done).toEqual(['S-A']), PATIENT);
    await living.stop(1_000);
  });

  it('gives to another what a replica had in hand when it fell silent, within seconds of its heartbeat', async () => {
    const url = await freshDatabase();
    const [silent, living] = [await queue(url), await queue(url)];
    const inHand = Promise.withResolvers<void>();
    await silent.start(() => {
      inHand.resolve();
      return new Promise(() => {});
    });
    await silent.arm({ sendId: 'S-A' }, Date.now());
    await inHand.promise;
    // As it is once the process has stood still: nothing is heard of the job any more.
    await silent.stop(0);
    await directly(
      url,
      `UPDATE herald_tasks.job SET state = 'active', heartbeat_on = now() - interval '11 seconds' WHERE name = 'tasks'`,
    );
    const done: string[] = [];
    await living.start(async ({ sendId = '' }) => void done.push(sendId));
    await vi.waitFor(() => expect(done).toEqual(['S-A']), PATIENT);
    await living.stop(1_000);
  });
});
