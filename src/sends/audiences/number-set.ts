import type { Msisdn } from '../../messages/numbers/phone-number.ts';

/** Initial size of a table; doubled whenever three quarters of it are used. */
const FIRST_SIZE = 16;
const MOST_USED = 0.75;
/** 2^32 divided by the golden ratio (Fibonacci hashing), which spreads consecutive numbers. */
const SPREAD = 0x9e3779b1;
/** A table has the numbers that are equal but for their lower 31 bits. */
const RANGE = 2 ** 31;

/** A set of numbers in 5 to 11 bytes each: a `Set` of a million strings takes twenty times that. */
export interface NumberSet {
  /** False when it was there already. */
  add(number: Msisdn): boolean;
}

/** Hash tables of the lower bits of numbers, one more each, because 0 marks a free place. */
export function createNumberSet(): NumberSet {
  const tables = new Map<number, { places: Uint32Array; count: number }>();

  /** Where `low` stands, or the free place where it belongs. */
  function placeIn(places: Uint32Array, low: number): number {
    const last = places.length - 1;
    let place = Math.imul(low, SPREAD) >>> Math.clz32(last);
    while (places[place] !== 0 && places[place] !== low) place = (place + 1) & last;
    return place;
  }

  function grown(places: Uint32Array): Uint32Array {
    const larger = new Uint32Array(places.length * 2);
    for (const low of places) if (low !== 0) larger[placeIn(larger, low)] = low;
    return larger;
  }

  return {
    add: (number) => {
      // Doubles represent the 15 digits of E.164 exactly.
      const digits = Number(number);
      const high = Math.floor(digits / RANGE);
      const low = digits - high * RANGE + 1;
      const table = tables.get(high) ?? { places: new Uint32Array(FIRST_SIZE), count: 0 };
      const place = placeIn(table.places, low);
      if (table.places[place] === low) return false;
      table.places[place] = low;
      table.count += 1;
      if (table.count > table.places.length * MOST_USED) table.places = grown(table.places);
      tables.set(high, table);
      return true;
    },
  };
}
