/* What a text has in it that its sender hardly meant. */

/** What programs leave where a value is missing, and errors of spreadsheets. */
const LEFT_BEHIND = /^(?:null|undefined|nan|#(?:n\/a|ref!|value!|name\?|div\/0!|num!|null!))?$/i;
/** A placeholder that nobody filled: `{{`, `{name}`. */
const UNFILLED = /\{\{|\{\p{L}[\p{L}\p{N}_ -]{0,40}\}/u;
const INSECURE = /\bhttp:\/\/[^\s"<>]+/i;

/** True for a value that reads as if something went wrong on its way into the list. */
export function readsOddly(value: string): boolean {
  return LEFT_BEHIND.test(value.trim()) || UNFILLED.test(value);
}

/** The first placeholder of a text that was left as typed. */
export function unfilled(text: string): string | undefined {
  return UNFILLED.exec(text)?.[0];
}

/** The first link of a text that is not https. */
export function insecureLink(text: string): string | undefined {
  return INSECURE.exec(text)?.[0];
}
