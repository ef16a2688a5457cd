import { type CountryCode, parsePhoneNumber } from './phone-number.ts';

/**
 * Numbers with a digit that some systems write and others leave out, as somebody is known by them and otherwise. The chat
 * platform writes the digit in Mexico and Argentina, and not in parts of Brazil, whose landlines begin with 2 to 5.
 */
const SPELLED_TWICE: readonly (readonly [number: RegExp, known: string, otherwise: string])[] = [
  [/^\+521?(?<rest>\d{10})$/, '+52$<rest>', '+521$<rest>'],
  [/^\+549?(?<rest>\d{10})$/, '+549$<rest>', '+54$<rest>'],
  [/^\+55(?<area>\d\d)9?(?<rest>[6-9]\d{7})$/, '+55$<area>9$<rest>', '+55$<area>$<rest>'],
];

/** Every E.164 number under which the person with this number may stand in a list, a report or an answer. */
export function spellingsOf<Number extends string>(number: Number): readonly Number[] {
  const found = SPELLED_TWICE.find(([pattern]) => pattern.test(number));
  if (!found) return [number];
  const [pattern, ...spellings] = found;
  return spellings.map((spelling) => number.replace(pattern, spelling) as Number);
}

/** Returns the person behind a number, equal for all its spellings. For comparing; messages go to the number as typed. */
export function personOf<Number extends string>(number: Number): Number {
  // The codes of these countries begin with 5, and a list may have a million others.
  if (number[1] !== '5') return number;
  return SPELLED_TWICE.reduce((one, [pattern, known]) => one.replace(pattern, known) as Number, number);
}

/** As `parsePhoneNumber`, of somebody who is not sent to: also in a spelling that only other systems use. */
export function readSomebodysNumber(written: string, country: CountryCode | undefined) {
  const typed = parsePhoneNumber(written, country);
  if (typed.ok) return typed;
  const known = parsePhoneNumber(personOf(`+${written.replace(/[+\s().-]/g, '')}`), undefined);
  return known.ok ? known : typed;
}
