/** Said where a language is asked for or wrong. */
export const LANGUAGE_RULE = 'Enter a BCP 47 language code, such as en or pt-BR (with a hyphen).';

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/**
 * A BCP 47 language code in its usual letter case (`EN-us` → `en-US`), or undefined when it is none. A code with a
 * newer equivalent stays as written: a template is registered under the code, not under what it means.
 */
export function languageCode(typed: string): string | undefined {
  const trimmed = typed.trim();
  // Longer first parts are well-formed but none is registered: "english" and "hindi" are names, not codes.
  if (!/^[a-z]{2,3}(?:-|$)/i.test(trimmed)) return undefined;
  try {
    const canonical = Intl.getCanonicalLocales(trimmed)[0] ?? '';
    return canonical.toLowerCase() === trimmed.toLowerCase() ? canonical : trimmed;
  } catch {
    return undefined;
  }
}

/** `English (en)`; the code alone for a language without a name. */
export function languageLabel(code: string): string {
  const name = LANGUAGE_NAMES.of(code);
  return name === undefined || name === code ? code : `${name} (${code})`;
}
