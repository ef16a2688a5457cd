import { isDeepStrictEqual } from 'node:util';

/** What the tour has claimed, and whether it was so. */
export class Verification {
  readonly #failures: string[] = [];
  #claims = 0;

  /** Notes a claim; a false one fails the tour but does not end it, so that all are seen at once. */
  claim(sentence: string, holds: boolean, evidence?: unknown): void {
    this.#claims += 1;
    if (holds) return;
    const shown = evidence === undefined ? '' : `\n    ${JSON.stringify(evidence)}`;
    this.#failures.push(`${sentence}${shown}`);
  }

  same(sentence: string, actual: unknown, expected: unknown): void {
    this.claim(sentence, isDeepStrictEqual(actual, expected), { actual, expected });
  }

  get claims(): number {
    return this.#claims;
  }

  get failures(): readonly string[] {
    return this.#failures;
  }
}
