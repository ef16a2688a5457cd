import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const NAMES = ['Asha', 'Ravi', 'Mei', 'José', 'Björn', 'ஆஷா', '明', 'Olga'];

/**
 * Writes a list as teams have them: phone, name, order. Of a hundred numbers nine are invalid, eleven are valid but not
 * clean (blanks, dashes, no +), and one stands in an earlier row too; the rest are E.164 as it should be.
 */
export async function writeList(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('phone,name,order\n');
  let piece = '';
  for (let n = 0; n < rows; n += 1) {
    piece += `${cell(n)},${NAMES[n % NAMES.length]},A-${n}\n`;
    if (piece.length < 65_536) continue;
    if (!file.write(piece)) await once(file, 'drain');
    piece = '';
  }
  file.end(piece);
  await once(file, 'finish');
}

function cell(n: number): string {
  const digits = String(7_000_000_000 + n * 7);
  switch (n % 100) {
    case 3:
    case 13:
    case 23:
      return digits.slice(0, 8);
    case 33:
    case 43:
    case 53:
      return `+91123${digits.slice(4)}`;
    case 63:
    case 73:
    case 83:
      return 'not known';
    case 93:
      return `+91${7_000_000_000 + (n - 1) * 7}`;
    default:
      return n % 10 === 5
        ? `+91 ${digits.slice(0, 5)}-${digits.slice(5)}`
        : n % 100 === 1
          ? digits
          : `+91${digits}`;
  }
}
