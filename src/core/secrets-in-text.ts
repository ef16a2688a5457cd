const DIGITS_ONLY = /^\d+$/;

/**
 * What covers every one of `secrets` wherever its letters stand in a text, also as a URL writes them. One of digits
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
