/** So often each size is read at most; the fastest time counts, because what else the machine does only makes it slower. */
const MOST_ROUNDS = 6;
const FEWEST_ROUNDS = 2;
/** Below this nothing can be told from noise, and nobody waits. */
const UNSEEN_MS = 12;
/** Four times the work takes 4 to 5 times as long; sixteen times would be the square. */
const MOST_TIMES = 9;

/** Processor time of this process for one call, in milliseconds. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * How a reader's time grows from n to 4n, in words: "in proportion", or the times it took for n, 2n and 4n. What looks too
 * slow is looked at again, since a machine that is busy for a moment must fail nobody. The bodies are made before the clock
 * runs.
 */
export async function growthOf<Body>(
  n: number,
  bodyOf: (size: number) => Body,
  read: (body: Body) => unknown,
): Promise<string> {
  const bodies = [n, 2 * n, 4 * n].map(bodyOf);
  const best = bodies.map(() => Number.POSITIVE_INFINITY);
  await read(bodies[0] as Body);
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    for (const [at, body] of bodies.entries())
      best[at] = Math.min(best[at] ?? 0, await cost(() => read(body)));
    const [first = 0, , last = 0] = best;
    const isFine = last <= UNSEEN_MS || last <= MOST_TIMES * Math.max(first, 1);
    if (isFine && round >= FEWEST_ROUNDS) return 'in proportion';
  }
  return best.map((time) => `${time.toFixed(1)} ms`).join(', ');
}
