/** Initial size of a table; doubled whenever three quarters of it are used. */
const FIRST_SIZE = 16;
const MOST_USED = 0.75;
/** 2^32 divided by the golden ratio (Fibonacci hashing), which spreads consecutive numbers. */
const SPREAD = 0x9e3779b1;
/** A table has the numbers that are equal but for their lower 31 bits. */
const RANGE = 2 ** 31;

/** Numbers with their rows in 10 to 22 bytes each: a `Map` of a million strings takes ten times that. */
export interface NumberSet {
  /** Adds a number in E.164, unless it is there already: then it returns the row that it was added with. */
  add(number: string, row: number): number | undefined;
}

/** Hash tables of the lower bits of numbers, one more each, because 0 marks a free place; beside each stands its row. */
export function createNumberSet(): NumberSet {
  const tables = new Map<number, { places: Uint32Array; count: number }>();

  /** Where `low` stands, or the free place where it belongs. */
  function placeIn(places: Uint32Array, low: number): number {
    const last = places.length / 2 - 1;
    let place = Math.imul(low, SPREAD) >>> Math.clz32(last);
    while (places[2 * place] !== 0 && places[2 * place] !== low) place = (place + 1) & last;
    return 2 * place;
  }

  function grown(places: Uint32Array): Uint32Array {
    const larger = new Uint32Array(places.length * 2);
    for (let at = 0; at < places.length; at += 2) {
      const low = places[at] ?? 0;
      if (low !== 0) larger.set(places.subarray(at, at + 2), placeIn(larger, low));
    }
    return larger;
  }

  return {
    add: (number, row) => {
      // Doubles represent the 15 digits of E.164 exactly.
      const digits = Number(number);
      const high = Math.floor(digits / RANGE);
      const low = digits - high * RANGE + 1;
      const table = tables.get(high) ?? { places: new Uint32Array(2 * FIRST_SIZE), count: 0 };
      const place = placeIn(table.places, low);
      if (table.places[place] === low) return table.places[place + 1];
      table.places[place] = low;
      table.places[place + 1] = row;
      table.count += 1;
      if (2 * table.count > table.places.length * MOST_USED) table.places = grown(table.places);
      tables.set(high, table);
      return undefined;
    },
  };
}
