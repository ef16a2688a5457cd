import type { Weather } from '../../sandbox/protocol.ts';

/**
 * What the carrier's answers are like in end-to-end tests, by a seed that is another in each run;
 * `HERALD_E2E_WEATHER` tries that of another run again, or `calm`. Other groups, which measure or set their own delays,
 * have none.
 */
export const WEATHER: Weather | undefined = weatherIn(process.env.HERALD_E2E_WEATHER);

function weatherIn(seed: string | undefined): Weather | undefined {
  return seed === undefined || seed === 'calm' ? undefined : { seed: Number(seed) };
}
