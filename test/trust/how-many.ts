/** Whether long attacks are tried as often as they are meant to be, as each night. */
export const isFull = process.env.HERALD_TRUST === 'full';

/** How often something long is tried, and what its line says of that. */
export function howMany(quick: number, full: number) {
  return isFull ? { count: full, said: '' } : { count: quick, said: ` (${full} with HERALD_TRUST=full)` };
}

/** One in so many, beginning with the first; all of them in full. */
export function sample<One>(all: readonly One[], oneIn: number, from = 0): readonly One[] {
  return isFull ? all : all.filter((_one, index) => index % oneIn === from % oneIn);
}

/** What its line says of a sample. */
export function saidOf(all: readonly unknown[]): string {
  return isFull ? '' : ` (${all.length} with HERALD_TRUST=full)`;
}
