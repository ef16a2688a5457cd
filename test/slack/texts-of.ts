/** What blocks, or a whole window, say and hold: a line for each text, in the order in which they stand. */
export function textsOf(shown: unknown): string {
  if (typeof shown !== 'object' || shown === null) return '';
  const texts = Object.entries(shown).map(([key, value]) =>
    typeof value === 'string' && SAYING.has(key) ? value : textsOf(value),
  );
  return texts.filter((text) => text !== '').join('\n');
}

const SAYING: ReadonlySet<string> = new Set(['text', 'initial_value']);
