import { fillColumns } from '../columns.ts';
import { measureSms, segmentsLine } from './segments.ts';

/**
 * How many parts a text takes as the given rows fill it in, in one line: `1 to 3 SMS parts`. One row, or a text that is
 * the same for all, gets the whole account of `segmentsLine`.
 *
 * @param columns in the order of each row's values
 */
export function segmentsRange(
  text: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const texts = new Set(rows.map((values) => fillColumns(text, columns, values)));
  const [first = text] = texts;
  if (texts.size <= 1) return segmentsLine(first);
  let fewest = Number.POSITIVE_INFINITY;
  let most = 0;
  let unicode = 0;
  for (const filled of texts) {
    const { segments, encoding } = measureSms(filled);
    fewest = Math.min(fewest, segments);
    most = Math.max(most, segments);
    if (encoding === 'UCS-2') unicode += 1;
  }
  const parts =
    most === 1 ? '1 SMS' : fewest === most ? `${most} SMS parts` : `${fewest} to ${most} SMS parts`;
  const encodings = unicode === 0 ? 'GSM-7' : unicode === texts.size ? 'UCS-2' : 'GSM-7 or UCS-2';
  return `${parts} a recipient (${encodings})`;
}
