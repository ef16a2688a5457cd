/** Runs of which the fastest counts: what else the machine does only makes them slower. */
const RUNS = 5;
/** Below this nothing can be told from noise, and nobody waits. */
const UNSEEN_MS = 12;
/** Four times the work takes 4 to 5 times as long; sixteen times would be the square. */
const MOST_TIMES = 9;

/** Processor time of this process for one call, in milliseconds, at best. */
async function cost(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/**
 * How a reader's time grows from n to 4n, in words: "in proportion", or the times it took for n, 2n and 4n. The body for a
 * size is made before the clock runs.
 */
export async function growthOf<Body>(
  n: number,
  bodyOf: (size: number) => Body,
  read: (body: Body) => unknown,
): Promise<string> {
  const times: number[] = [];
  for (const size of [n, 2 * n, 4 * n]) {
    const body = bodyOf(size);
    times.push(await cost(() => read(body)));
  }
  const [first = 0, , last = 0] = times;
  const isFine = last <= UNSEEN_MS || last <= MOST_TIMES * Math.max(first, 1);
  return isFine ? 'in proportion' : times.map((time) => `${time.toFixed(1)} ms`).join(', ');
}
