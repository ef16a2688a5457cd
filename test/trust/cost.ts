/** What one input may take of the thread that everything waits for; asserted with a margin, because machines differ. */
export const MOST_MS = 1_000;

/** The processor time of this thread by input, and which took the longest. */
export function createCost() {
  let inputs = 0;
  let slowest = { ms: 0, input: '' };
  const note = (begun: NodeJS.CpuUsage, input: string) => {
    const { user, system } = process.threadCpuUsage(begun);
    const ms = (user + system) / 1_000;
    inputs += 1;
    if (ms > slowest.ms) slowest = { ms, input: input.slice(0, 60) };
  };
  return {
    of<Value>(input: string, work: () => Value): Value {
      const begun = process.threadCpuUsage();
      const value = work();
      note(begun, input);
      return value;
    },
    async ofAll<Value>(input: string, work: () => Promise<Value>): Promise<Value> {
      const begun = process.threadCpuUsage();
      const value = await work();
      note(begun, input);
      return value;
    },
    slowest: () => slowest,
    /** `1,234 inputs, the slowest 12 ms` */
    figure: () => `${inputs.toLocaleString('en')} inputs, the slowest ${slowest.ms.toFixed(0)} ms`,
  };
}
