const NUMBERED = /\{\{\s*(\d{1,3})\s*\}\}/g;
const ANY = /\{\{[^{}]*\}\}/g;

/** The distinct placeholder numbers of a sample text, ascending: `{{2}} {{1}} {{2}}` → 1, 2. */
export function placeholderNumbers(text: string): number[] {
  const numbers = Array.from(text.matchAll(NUMBERED), (match) => Number(match[1]));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The first `{{…}}` that is no numbered placeholder, such as `{{name}}`; undefined when there is none. */
export function strayPlaceholder(text: string): string | undefined {
  return text.replace(NUMBERED, '').match(ANY)?.[0];
}

/** Replaces every numbered placeholder once: what a value brings in is not read again. */
export function fillPlaceholders(text: string, valueAt: (index: number) => string): string {
  return text.replace(NUMBERED, (_placeholder, digits: string) => valueAt(Number(digits) - 1));
}
