import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Task, type Tasks, taskKey } from '../../src/sends/tasks.ts';
import { PATIENT } from '../patience.ts';

/**
 * What every queue of tasks must do, on the machine's own clock.
 *
 * @param open an empty one
 */
export function describeTasks(name: string, open: () => Promise<Tasks>): void {
  describe(`${name} has tasks done`, () => {
    let tasks: Tasks;
    let done: string[];
    beforeEach(async () => {
      tasks = await open();
      done = [];
    });
    afterEach(() => tasks.stop(1_000));
    const note = async (task: Task) => void done.push(taskKey(task));

    it('once each, at their time and not before, also those armed before it started', async () => {
      await tasks.arm({ sendId: 'S-A' }, Date.now() - 1_000);
      await tasks.arm({ sendId: 'S-LATER' }, Date.now() + 3_600_000);
      expect(done).toEqual([]);
      await tasks.start(note);
      await tasks.arm({ sendId: 'S-B' }, Date.now());
      await tasks.arm({}, Date.now());
      await vi.waitFor(() => expect(done.toSorted()).toEqual(['look', 'look:S-A', 'look:S-B']), PATIENT);
    });

    it('once at the newer time when they are armed again', async () => {
      await tasks.arm({ sendId: 'S-A' }, Date.now() + 3_600_000);
      await tasks.arm({ sendId: 'S-A' }, Date.now());
      await tasks.arm({ sendId: 'S-B' }, Date.now());
      await tasks.arm({ sendId: 'S-B' }, Date.now() + 3_600_000);
      await tasks.start(note);
      await tasks.arm({}, Date.now());
      await vi.waitFor(() => expect(done.toSorted()).toEqual(['look', 'look:S-A']), PATIENT);
    });

    it('again when they failed, and again when they arm themselves', async () => {
      let left = 1;
      await tasks.start(async (task) => {
        await note(task);
        if (task.sendId !== undefined && left-- > 0) throw new Error('not yet');
        if (task.sendId === undefined && done.filter((key) => key === 'look').length < 3)
          await tasks.arm(task, Date.now());
      });
      await tasks.arm({ sendId: 'S-A' }, Date.now());
      await tasks.arm({}, Date.now());
      await vi.waitFor(
        () => expect(done.toSorted()).toEqual(['look', 'look', 'look', 'look:S-A', 'look:S-A']),
        PATIENT,
      );
    });

    it('no more once it has stopped', async () => {
      await tasks.start(note);
      await tasks.stop(1_000);
      await tasks.arm({}, Date.now()).catch(() => {});
      expect(done).toEqual([]);
    });
  });
}
