import { RE2JS, RE2JSSyntaxException } from 're2js';
import { z } from 'zod';

/** A pattern of a rule. RE2 matches in time linear in the text, so no pattern can stall Herald. */
export interface Pattern {
  /** The first match and its groups ('' for a group without a match); undefined when nothing matches. */
  find(text: string): readonly [string, ...string[]] | undefined;
  /** What the named parts of all matches hold, each once and in order; empty where the pattern names none. */
  named(text: string): readonly string[];
}

/** Each match may read on to the end of the text: their number is limited, so that all of them stay linear. */
const MOST_MATCHES = 100;

/** Ignores case; ^ and $ match at line breaks. Throws when the syntax is not RE2's. */
export function compilePattern(source: string): Pattern {
  const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  const names = Object.values(compiled.namedGroups());
  return {
    named: (text) => {
      const found = new Set<string>();
      const matcher = compiled.matcher(text);
      for (let matches = 0; names.length > 0 && matches < MOST_MATCHES && matcher.find(); matches += 1)
        found.add(names.map((index) => matcher.group(index) ?? '').join('\u001f'));
      return [...found].toSorted();
    },
    find: (text) => {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return undefined;
      const groups = Array.from(
        { length: matcher.groupCount() },
        (_, index) => matcher.group(index + 1) ?? '',
      );
      return [matcher.group() ?? '', ...groups];
    },
  };
}

const NOT_TEXT = 'Enter the pattern as text, in quotes.';
const LACKING = /\(\?<?[=!]|\\[1-9]|\\k/;

/** A pattern in herald.yml; the error names features that other tools have and RE2 lacks. */
export const patternSchema: z.ZodType<Pattern, string> = z
  .string({ error: NOT_TEXT })
  .transform((source, context) => {
    try {
      return compilePattern(source);
    } catch (error) {
      const message = LACKING.test(source)
        ? 'Patterns are in the syntax of RE2, which has no look-ahead, no look-behind and no back-references. Write it without them.'
        : `Patterns are in the syntax of RE2; this one it cannot read: ${reasonOf(error)}.`;
      context.addIssue({ code: 'custom', message, input: source });
      return z.NEVER;
    }
  });

function reasonOf(error: unknown): string {
  if (error instanceof RE2JSSyntaxException) return error.error;
  return error instanceof Error ? error.message : String(error);
}
