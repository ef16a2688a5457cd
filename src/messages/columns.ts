/** `{{column}}` in a value that a person typed for many recipients; spaces around the name are ignored. */
const COLUMN = /\{\{([^{}]+)\}\}/g;

export function inBraces(column: string): string {
  return `{{${column}}}`;
}

export function withoutColumns(text: string, instead: string): string {
  return text.replaceAll(COLUMN, instead);
}

/** The columns that a text uses, in order of appearance, each once. */
export function columnsUsed(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(COLUMN), ([, between = '']) => between.trim()))];
}

export type TextOf = (values: readonly string[]) => string;

/**
 * Parses a text's `{{column}}` once, for any number of rows. Inserted values are not parsed again; a column that a row lacks
 * stays as typed.
 */
export function compileText(text: string, columns: readonly string[]): TextOf {
  // At odd places stands what is between braces.
  const parts = text.split(COLUMN).map((part, place) => {
    const isColumn = place % 2 === 1;
    return { typed: isColumn ? inBraces(part) : part, column: isColumn ? columns.indexOf(part.trim()) : -1 };
  });
  if (parts.length === 1) return () => text;
  return (values) => parts.reduce((filled, { typed, column }) => filled + (values[column] ?? typed), '');
}

/** The only column whose name equals `name` but for case, spaces and marks; undefined for none or several. */
export function columnNamed(name: string, columns: readonly string[]): string | undefined {
  if (columns.includes(name)) return name;
  const wanted = plainName(name);
  const fitting = columns.filter((column) => wanted !== '' && plainName(column) === wanted);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** The same for `Order No.` and `order_no`. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
