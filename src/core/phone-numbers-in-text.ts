/** With +, or %2B in a URL: 7 digits, as in Tokelau, to 15; spaces, dashes, points or brackets between. */
const WITH_PLUS = /(?:\+|%2B)\d(?:[ .()-]{0,2}\d){6,14}(?!\d)/gi;
/**
 * Without: 8 to 15 digits with single spaces or dashes between; no part of a longer number, no date, and no message
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
