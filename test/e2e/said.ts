import { expect } from 'vitest';

/** Everything that was said is either a line of the log or the sentence: no stack on lines of its own. */
export function expectOnlyLogAndSentences(said: string): void {
  for (const line of said.split('\n')) {
    const parsed = line.startsWith('{') ? JSON.parse(line) : undefined;
    if (parsed === undefined) expect(line).toMatch(/^Herald (broke off|cannot start): .+\.$/);
  }
}
