import { expect, test } from 'vitest';
import type { Exit, HeraldProcess } from '../../../sandbox/herald-process.ts';
import { supervise } from '../../../sandbox/supervise.ts';

/** A process that lives until it is told to end. */
class FakeProcess {
  readonly exited: Promise<Exit>;
  end: (exit: Exit) => void = () => undefined;
  readonly #becomesReady: boolean;

  constructor(becomesReady: boolean) {
    this.#becomesReady = becomesReady;
    this.exited = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  async ready(): Promise<boolean> {
    if (!this.#becomesReady) await this.exited;
    return this.#becomesReady;
  }

  async stop(): Promise<Exit> {
    this.end({ code: 0, signal: null });
    return this.exited;
  }
}

/** A supervisor over fake processes; `step` waits for the next thing it reports. */
function harness(becomesReady: boolean) {
  const processes: FakeProcess[] = [];
  const reports: unknown[] = [];
  let wake: () => void = () => undefined;
  let now = 0;
  const report = (entry: unknown): void => {
    reports.push(entry);
    wake();
  };
  const supervisor = supervise({
    start: () => {
      const process = new FakeProcess(becomesReady);
      processes.push(process);
      report('start');
      return process as unknown as HeraldProcess;
    },
    onReady: () => report('ready'),
    onExit: (exit, restartInMs) => report({ code: exit.code, restartInMs }),
    sleep: async () => undefined,
    now: () => now,
  });
  const reported = async (count: number): Promise<void> => {
    while (reports.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return {
    processes,
    reports,
    reported,
    supervisor,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a Herald that ends is reported and started again, with pauses that grow to a cap', async () => {
  const { processes, reports, reported, supervisor } = harness(false);
  for (let run = 0; run < 7; run++) {
    await reported(run * 2 + 1);
    processes[run]?.end({ code: 1, signal: null });
  }
  await reported(15);
  await supervisor.stop();
  expect(reports.filter((entry) => typeof entry === 'object')).toEqual(
    [1, 2, 4, 8, 16, 30, 30].map((seconds) => ({ code: 1, restartInMs: seconds * 1000 })),
  );
});

test('after a good run the pause is short again', async () => {
  const { processes, reports, reported, supervisor, pass } = harness(true);
  await reported(2);
  processes[0]?.end({ code: 1, signal: null });
  await reported(5);
  pass(30_000);
  processes[1]?.end({ code: null, signal: 'SIGKILL' });
  await reported(8);
  await supervisor.stop();
  expect(reports).toEqual([
    'start',
    'ready',
    { code: 1, restartInMs: 1000 },
    'start',
    'ready',
    { code: null, restartInMs: 1000 },
    'start',
    'ready',
  ]);
});

test('a stop is not taken for a failure', async () => {
  const { reports, reported, supervisor } = harness(true);
  await reported(2);
  await supervisor.stop();
  expect(reports).toEqual(['start', 'ready']);
});
