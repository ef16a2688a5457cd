import type { Msisdn } from '../../messages/numbers/phone-number.ts';

/** Places at the start; doubled whenever half of them are taken. */
const FIRST_SIZE = 1_024;
/** An odd constant near 2^32 divided by the golden ratio, which spreads numbers that follow one another. */
const SPREAD = 0x9e3779b1;

/** Remembers which numbers were there, in 16 to 32 bytes each: a `Set` of a million texts takes eight times that. */
export interface NumberSet {
  /** False when it was there already. */
  add(number: Msisdn): boolean;
}

/** E.164 has at most 15 digits, which a double holds exactly, and no number is 0: that is a free place. */
export function createNumberSet(): NumberSet {
  let places = new Float64Array(FIRST_SIZE);
  let count = 0;

  /** Where `digits` stands in `table`, or the free place where it belongs. */
  function placeIn(table: Float64Array, digits: number): number {
    const last = table.length - 1;
    const folded = (digits % 0x1_0000_0000) ^ Math.floor(digits / 0x1_0000_0000);
    let place = (Math.imul(folded, SPREAD) >>> 0) & last;
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
