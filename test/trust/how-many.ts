/** Whether long attacks are tried as often as they are meant to be. */
export const isFull = process.env.HERALD_TRUST === 'full';

/** How often something long is tried, and what its line says of that. */
export function howMany(quick: number, full: number) {
  return isFull ? { count: full, said: '' } : { count: quick, said: ` (${full} with HERALD_TRUST=full)` };
}
