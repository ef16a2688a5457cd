const DIGITS_ONLY = /^\d+$/;

/**
 * Returns a function that covers every one of `secrets` wherever its letters stand in a text, also as a URL writes them. One of digits
 * alone counts only where no other digit stands beside it: within a longer number it is a coincidence.
 *
 * @param shortest those with fewer characters are left alone: covering them would cover half of every sentence
 */
export function secretCover(
  secrets: readonly string[],
  { cover, shortest }: { readonly cover: string; readonly shortest: number },
): (text: string) => string {
  const values = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))].filter(
    ({ length }) => length >= shortest,
  );
  return (text) =>
    values.reduce((known, secret) => (known.includes(secret) ? without(known, secret, cover) : known), text);
}

function without(text: string, secret: string, cover: string): string {
  if (!DIGITS_ONLY.test(secret)) return text.replaceAll(secret, cover);
  return text.replaceAll(secret, (found, at: number) =>
    isDigit(text[at - 1]) || isDigit(text[at + secret.length]) ? found : cover,
  );
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** Finds a number with +, or %2B in a URL: 7 digits, as in Tokelau, to 15; spaces, dashes, points or brackets between. */
const WITH_PLUS = /(?:\+|%2B)\d(?:[ .()-]{0,2}\d){6,14}(?!\d)/gi;
/**
 * Finds a number without +: 8 to 15 digits with single spaces or dashes between; no part of a longer number, no date, and no message
 * id of Slack (`1700000000.123456`), whose digits are followed by a point and more digits.
 */
const WITHOUT_PLUS = /(?<![\d.+])(?!\d{4}-\d\d-\d\d)\d(?:[ -]?\d){7,14}(?!\d|\.\d)/g;
const SHOWN_DIGITS = 4;

/** Masks everything in a text that may be a phone number, except its last four digits, of seven three. */
export function maskPhoneNumbers(text: string): string {
  return text.replaceAll(WITH_PLUS, masked).replaceAll(WITHOUT_PLUS, masked);
}

function masked(number: string): string {
  const digits = number.replace(/^%2B/i, '').replaceAll(/\D/g, '');
  const shown = Math.min(SHOWN_DIGITS, Math.floor(digits.length / 2));
  return `[number …${digits.slice(-shown)}]`;
}
