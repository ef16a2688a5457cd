import { fail, ok, type Result } from '../../core/result.ts';

/** Said where a language is asked for or wrong. */
export const LANGUAGE_RULE =
  'Enter the language code that the template is registered with, such as en, en_US or pt-BR.';

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/**
 * A language code in its usual letter case (`EN-us` → `en-US`); the failure is the rule: BCP 47, or with the
 * underscores of the chat-app platform (`en_US`). A code with a newer equivalent stays as written: a template is
 * registered under the code, not under what it means.
 */
export function readLanguage(typed: string): Result<string, string> {
  const trimmed = typed.trim();
  // Longer first parts are well-formed but none is registered: "english" and "hindi" are names, not codes.
  if (!/^[a-z]{2,3}(?:(?:-[a-z\d-]+)?|(?:_[a-z\d_]+)?)$/i.test(trimmed)) return fail(LANGUAGE_RULE);
  const separator = trimmed.includes('_') ? '_' : '-';
  try {
    const canonical = (Intl.getCanonicalLocales(hyphenated(trimmed))[0] ?? '').replaceAll('-', separator);
    return ok(canonical.toLowerCase() === trimmed.toLowerCase() ? canonical : trimmed);
  } catch {
    return fail(LANGUAGE_RULE);
  }
}

function hyphenated(code: string): string {
  return code.replaceAll('_', '-');
}

/** `English (en)`; the code alone for a language without a name. */
export function languageLabel(code: string): string {
  const name = LANGUAGE_NAMES.of(hyphenated(code));
  return name === undefined || name === hyphenated(code) ? code : `${name} (${code})`;
}
