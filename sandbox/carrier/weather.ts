import type { Weather } from '../protocol.ts';
import type { Report } from './report.ts';

/** An answer usually takes a few milliseconds; the worst of the usual, and one in a hundred that is slow. */
const USUAL_MS = { from: 2, to: 35 };
const SLOW_MS = { from: 300, to: 900 };
const SLOW_SHARE = 0.01;

/** Of so many reports one is told before the request is answered, twice, or late; the others come about when they should. */
const EARLY_SHARE = 0.1;
const DOUBLED_SHARE = 0.1;
const LATE_SHARE = 0.1;
const LATE_FACTOR = 3;
/** How much sooner or later than planned a report comes. */
const USUAL_FACTOR = { from: 0.5, to: 1.5 };
const DOUBLED_AFTER_MS = { from: 0, to: 2_000 };

/** What services of the kind say of a recipient whom they do not take, within an answer that is a success as a whole. */
const REFUSALS = ['INVALID-NUM', 'BLACKLISTED', 'DNDNUMB'] as const;

export interface Timing {
  /** 0: before the request is answered. */
  readonly afterMs: number;
  /** Told a second time, so long after the first. */
  readonly againAfterMs: number | undefined;
}

/**
 * What the service and the network are like, by a seed. Nothing depends on the order of requests, which is another in
 * every run: the same recipients meet the same weather.
 */
export class Forecast {
  readonly #weather: Weather;
  /** How often something was asked of each recipient: what is tried again meets other weather. */
  readonly #asked = new Map<string, number>();

  constructor(weather: Weather) {
    this.#weather = weather;
  }

  /** Whether answers have an entry for each recipient. */
  get hasEntries(): boolean {
    return this.#weather.refusedPercent !== undefined;
  }

  /** How long the answer to a request for these recipients takes. */
  latencyMs(numbers: readonly string[]): number {
    const key = this.#anew(`answer ${numbers[0] ?? ''}`);
    const isSlow = this.#chance('slow', key) < SLOW_SHARE;
    return Math.round(between(isSlow ? SLOW_MS : USUAL_MS, this.#chance('latency', key) ** 2));
  }

  /** Why a recipient is refused within a request that is taken; undefined for one who is not. */
  refusal(number: string): string | undefined {
    if (this.#chance('refused', number) * 100 >= (this.#weather.refusedPercent ?? 0)) return undefined;
    return REFUSALS[Math.floor(this.#chance('why', number) * REFUSALS.length)];
  }

  /** When a report is told that is due after `plannedMs`. */
  timing({ number, status }: Pick<Report, 'number' | 'status'>, plannedMs: number): Timing {
    const key = this.#anew(`${status} ${number}`);
    const kind = this.#chance('kind', key);
    const isDoubled = this.#chance('doubled', key) < DOUBLED_SHARE;
    const factor = between(USUAL_FACTOR, this.#chance('factor', key));
    const isLate = kind >= EARLY_SHARE && kind < EARLY_SHARE + LATE_SHARE;
    return {
      afterMs: kind < EARLY_SHARE ? 0 : Math.round(plannedMs * (isLate ? LATE_FACTOR : factor)),
      againAfterMs: isDoubled ? Math.round(between(DOUBLED_AFTER_MS, this.#chance('again', key))) : undefined,
    };
  }

  /** The same reports in an order that says nothing of when they happened. */
  shuffled(reports: readonly Report[]): Report[] {
    const placeOf = ({ number, status }: Report) => this.#chance('place', `${number} ${status}`);
    return reports.toSorted((one, other) => placeOf(one) - placeOf(other));
  }

  #anew(what: string): string {
    const times = (this.#asked.get(what) ?? 0) + 1;
    this.#asked.set(what, times);
    return `${what} ${times}`;
  }

  /** A number from 0 to 1 that the seed and the words decide. */
  #chance(what: string, about: string): number {
    return fractionOf(`${this.#weather.seed} ${what} ${about}`);
  }
}

function between({ from, to }: { from: number; to: number }, share: number): number {
  return from + (to - from) * share;
}

/** FNV-1a over the text, its bits then mixed: texts that differ in their last letter are far apart. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
