import { columnsUsed } from '../../messages/columns.ts';
import type { Placeholder } from '../../messages/templates/placeholder.ts';

/** Such a start makes a spreadsheet read a cell as a formula, in full width, too, and behind apostrophes that stand there already. */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/;
/** Numbers, also in E.164 with a blank after the country code, are no formulas. */
const PLAIN_NUMBER = /^[+-]?\d+(?: \d+)?$/;

/** One cell of a CSV file (RFC 4180), whole with any of the delimiters that spreadsheets take; an apostrophe keeps spreadsheets from running it as a formula. */
function csvCell(value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  const safe = FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n;\t|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the cell as it was before `csvLine` made it safe. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell;
}

/** One line of a CSV file, with its line break. */
export function csvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/** Given to nobody: the North American plan keeps 555-0100 to 555-0199 for fiction. A sample sent as it is reaches no stranger. */
const NUMBERS = ['+12025550101', '+12025550102', '+12025550103'];
const DATES = ['2027-05-31', '2027-06-01', '2027-06-02'];

/** A CSV file of three rows for a template: the column of numbers, and one named after each placeholder. */
export function sampleForTemplate(placeholders: readonly Placeholder[]): string {
  const values = placeholders.map(valuesFor);
  return [
    csvLine(['phone', ...placeholders.map(({ name }) => name)]),
    ...NUMBERS.map((number, row) => csvLine([number, ...values.map((valueIn) => valueIn(row))])),
  ].join('');
}

/** The same for a text: one column for each that it uses, or a name to begin with. */
export function sampleForText(text: string): string {
  const used = columnsUsed(text);
  return sampleForTemplate((used.length === 0 ? ['name'] : used).map((name) => ({ name })));
}

/** Values that keep the rule of a placeholder, for each row. */
function valuesFor({ name, example, oneOf, type, maxLength }: Placeholder): (row: number) => string {
  if (oneOf !== undefined) return (row) => oneOf[row % oneOf.length] ?? '';
  if (example !== undefined) return () => example;
  if (type === 'date') return (row) => DATES[row] ?? '';
  if (type === 'number') return (row) => String(row + 1);
  return (row) => [...`${row + 1} ${name}`].slice(0, maxLength).join('').trim();
}
