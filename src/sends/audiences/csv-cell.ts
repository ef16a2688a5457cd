/** What a spreadsheet would run as a formula when a cell begins with it. */
const FORMULA_START = /^[=+\-@\t\r]/;
/** A number in E.164 begins with + and is no formula. */
const PLAIN_NUMBER = /^[+-]?\d+$/;

/** One cell of a CSV file (RFC 4180), safe to open in a spreadsheet: what would run as a formula is led by an apostrophe. */
function csvCell(value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  const safe = FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV file, with its line break. */
export function csvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
