/**
 * Processor time of this thread since `begun`, in milliseconds. Unlike the time by a clock, it counts nothing of what else the
 * machine does.
 */
export function processorMsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}
