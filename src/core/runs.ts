/** Whole numbers as runs in their order, each by its first and last; within a run, neighbours are at most `apart` from each other. */
export function runsOf(numbers: readonly number[], apart = 1): readonly (readonly [number, number])[] {
  const runs: [first: number, last: number][] = [];
  for (const next of numbers.toSorted((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run === undefined || next - run[1] > apart) runs.push([next, next]);
    else run[1] = next;
  }
  return runs;
}
