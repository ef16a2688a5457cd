import { TEXT_MAX_CHARACTERS } from './limits.ts';

/** A character that leaves a mark: not space, not control, not one that is drawn as nothing. */
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

export interface TextRule {
  /** How the field is called at the start of a sentence, e.g. `Text`. */
  readonly label: string;
  /** False for fields of one line. */
  readonly lineBreaks: boolean;
}

/** True when nobody could see anything of it: empty, white space, or only invisible characters. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Windows and old Macintosh line breaks become line feeds: the service and the segment count see one kind. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * What every text field refuses, whatever its kind: more than 3000 characters (Slack), control characters, half
 * characters (lone surrogates), and text that reads differently from how it is stored. Marks, embeddings and isolates
 * of right-to-left text are welcome when each is closed; the two overrides (U+202D, U+202E) are not, since they
 * make an approver read another text than the customer's phone may show.
 *
 * @returns one sentence with what is wrong and what to do, or undefined when the text is fine
 */
export function textProblem(text: string, rule: TextRule): string | undefined {
  const { label } = rule;
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
  if (!rule.lineBreaks && LINE_BREAK.test(text)) return `${label} must be one line, without line breaks.`;
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
    // The bidirectional algorithm ends everything at a paragraph: what is still open there was never closed.
    else if (LINE_BREAK.test(character) && open.length > 0) return unbalanced(label);
  }
  return open.length > 0 ? unbalanced(label) : undefined;
}

function unbalanced(label: string): string {
  return `${label} contains invisible direction marks that do not match. Type the text again without them.`;
}

/** How a character that nobody can see is named: `U+200B`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
