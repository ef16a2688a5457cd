/** What makes a spreadsheet read a cell as a formula, in full width, too, and behind apostrophes that stand there already. */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/;
/** Numbers, also in E.164 with a blank after the country code, are no formulas. */
const PLAIN_NUMBER = /^[+-]?\d+(?: \d+)?$/;

/** One cell of a CSV file (RFC 4180), whole with any of the delimiters that spreadsheets take; an apostrophe keeps spreadsheets from running it as a formula. */
function csvCell(value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  const safe = FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n;\t|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What a cell held before `csvLine` made it safe. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell;
}

/** One line of a CSV file, with its line break. */
export function csvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
