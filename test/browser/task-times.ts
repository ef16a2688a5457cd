import type { Page } from 'playwright-core';

/** What the page's own thread was busy with at one go, in milliseconds. */
export interface TaskTimes {
  /** Of the processor: the same on a machine that others use as well. */
  readonly longestMs: number;
  /** Tasks during which the clock went on by more than 50 ms. */
  readonly long: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** By the clock, and of the processor; in microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Measures the tasks of a page for as long as something takes; a task is what a click has to wait for. */
export async function taskTimes(page: Page, during: Promise<unknown>): Promise<TaskTimes> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'] },
  });
  await during;
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await ended;
  await session.detach();
  const thread = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread),
  );
  const tasks = events.filter((event) => event.name === 'RunTask' && mains.has(thread(event)));
  return {
    longestMs: Math.round(Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000),
    long: tasks.filter(({ dur = 0 }) => dur > 50_000).length,
  };
}
