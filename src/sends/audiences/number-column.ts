/** Names of the column with the numbers in several languages, compared without case and punctuation. */
const NUMBER_WORDS: ReadonlySet<string> = new Set(
  [
    'phone phonenumber phoneno mobile mobilenumber mobileno msisdn number cell cellphone tel telephone',
    'whatsapp contact contactnumber recipient to',
    'handy telefon téléphone teléfono telefono móvil celular',
    'मोबाइल फ़ोन फोन நம்பர் 手机 电话 携帯 電話番号 هاتف جوال телефон',
  ].flatMap((line) => line.split(' ')),
);
const LOOKED_AT = 50;
/** Share of a column's first cells that must look like numbers. */
const ENOUGH = 0.6;

/** The column with the numbers, by its name or else its content. Undefined when none or several qualify. */
export function findNumberColumn(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): number | undefined {
  const named = header.flatMap((name, index) => (NUMBER_WORDS.has(folded(name)) ? [index] : []));
  if (named.length === 1) return named[0];
  const candidates = named.length > 1 ? named : [...header.keys()];
  const holding = candidates.filter((index) =>
    holdsNumbers(rows.slice(0, LOOKED_AT).map((row) => row[index] ?? '')),
  );
  return holding.length === 1 ? holding[0] : undefined;
}

function folded(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_.\-#:()]/gu, '');
}

function holdsNumbers(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 0 && filled.filter(looksLikeNumber).length / filled.length >= ENOUGH;
}

/** True for what is written like a phone number, valid or not. */
export function looksLikeNumber(cell: string): boolean {
  return /^[+＋(\p{Nd}][\p{Nd}\s().-]+$/u.test(cell.trim()) && cell.replaceAll(/\P{Nd}/gu, '').length >= 8;
}
