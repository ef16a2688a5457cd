import { TEXT_MAX_CHARACTERS } from './limits.ts';

/** A visible character: no space, no control character, none that is drawn as nothing. */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Control characters other than tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/u;
const LINE_BREAK = /[\n\u2028\u2029]/u;

const OVERRIDES = new Set(['\u202D', '\u202E']);
const EMBEDDINGS = new Set(['\u202A', '\u202B']);
const ISOLATES = new Set(['\u2066', '\u2067', '\u2068']);
const POP_EMBEDDING = '\u202C';
const POP_ISOLATE = '\u2069';

export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** All line breaks become line feeds, for the service and for counting segments. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * The rules of every text: at most 3000 characters (Slack), no control characters, no lone surrogates, and no text that
 * reads differently from how it is stored. Embeddings and isolates of right-to-left text must be closed; overrides (U+202D,
 * U+202E) are refused, because an approver could read another text than the customer.
 *
 * @param label how the field is called at the start of a sentence, e.g. `Text`
 * @param lineBreaks false for fields of one line
 * @returns one sentence with what is wrong and what to do, or undefined when the text is fine
 */
export function textProblem(
  text: string,
  { label, lineBreaks }: { readonly label: string; readonly lineBreaks: boolean },
): string | undefined {
  const characters = [...text].length;
  if (characters > TEXT_MAX_CHARACTERS) {
    return `${label} has ${characters} characters; at most ${TEXT_MAX_CHARACTERS} are possible. Shorten it.`;
  }
  if (!text.isWellFormed()) {
    return `${label} contains half of a character, often a cut emoji. Delete it and type it again.`;
  }
  const control = CONTROL.exec(text)?.[0];
  if (control !== undefined) {
    return `${label} contains a control character (${codePointName(control)}) that cannot be sent. Delete it or type the text again.`;
  }
  if (!lineBreaks && LINE_BREAK.test(text)) return `${label} must be one line, without line breaks.`;
  return directionProblem(text, label);
}

function directionProblem(text: string, label: string): string | undefined {
  const open: string[] = [];
  for (const character of text) {
    if (OVERRIDES.has(character)) {
      return `${label} contains a direction override (${codePointName(character)}), which makes it read differently from what is sent. Type the text again without it.`;
    }
    if (EMBEDDINGS.has(character) || ISOLATES.has(character)) open.push(character);
    else if (character === POP_EMBEDDING && !EMBEDDINGS.has(open.pop() ?? '')) return unbalanced(label);
    else if (character === POP_ISOLATE && !ISOLATES.has(open.pop() ?? '')) return unbalanced(label);
    // The bidirectional algorithm closes everything at the end of a paragraph.
    else if (LINE_BREAK.test(character) && open.length > 0) return unbalanced(label);
  }
  return open.length > 0 ? unbalanced(label) : undefined;
}

function unbalanced(label: string): string {
  return `${label} contains invisible direction marks that do not match. Type the text again without them.`;
}

/** E.g. `U+200B`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

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

export function unfilled(text: string): string | undefined {
  return UNFILLED.exec(text)?.[0];
}

export function insecureLink(text: string): string | undefined {
  return INSECURE.exec(text)?.[0];
}
