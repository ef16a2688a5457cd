import type { Msisdn } from '../../messages/numbers/phone-number.ts';

/** Initial size; doubled whenever half of it is used. */
const FIRST_SIZE = 1_024;
/** 2^32 divided by the golden ratio (Fibonacci hashing), which spreads consecutive numbers. */
const SPREAD = 0x9e3779b1;

/** A set of numbers in 16 to 32 bytes each: a `Set` of a million strings takes eight times that. */
export interface NumberSet {
  /** False when it was there already. */
  add(number: Msisdn): boolean;
}

/** A hash table of doubles, which represent the 15 digits of E.164 exactly; 0 marks a free place. */
export function createNumberSet(): NumberSet {
  let places = new Float64Array(FIRST_SIZE);
  let count = 0;

  /** Where `digits` stands in `table`, or the free place where it belongs. */
  function placeIn(table: Float64Array, digits: number): number {
    const last = table.length - 1;
    // The operator takes the lower 32 bits of each.
    let place = Math.imul(digits ^ (digits / 0x1_0000_0000), SPREAD) & last;
    while (table[place] !== 0 && table[place] !== digits) place = (place + 1) & last;
    return place;
  }

  function grow(): void {
    const larger = new Float64Array(places.length * 2);
    for (const digits of places) if (digits !== 0) larger[placeIn(larger, digits)] = digits;
    places = larger;
  }

  return {
    add: (number) => {
      const digits = Number(number);
      const place = placeIn(places, digits);
      if (places[place] === digits) return false;
      places[place] = digits;
      count += 1;
      if (count * 2 > places.length) grow();
      return true;
    },
  };
}
