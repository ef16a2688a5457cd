/** The rows of a table in text: a line each, its cells with | between them. A backslash stays one. */
export function table(text: TemplateStringsArray, ...values: readonly unknown[]): readonly string[][] {
  const lines = String.raw(text, ...values)
    .trim()
    .split('\n');
  return lines.map((line) => line.split(' | ').map((cell) => cell.trim()));
}
