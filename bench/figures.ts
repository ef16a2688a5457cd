/** The middle value; of an even number of values the upper middle one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** One line a round: rates in thousands a second. */
export function formatRound(round: number, rates: Readonly<Record<string, number>>): string {
  const cells = Object.entries(rates).map(([name, rate]) => `${name} ${(rate / 1_000).toFixed(1)} k/s`);
  return `round ${round}: ${cells.join(', ')}`;
}
