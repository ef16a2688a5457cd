import { type AnswerSecrets, NO_SECRETS } from './secrets.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** True for an object that is not an array; narrows parsed JSON without trusting its shape. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONG_NUMBER = /\d{16}/;

/**
 * Parsed JSON, or undefined for anything else. Whole numbers above 2^53 stay text: they would lose digits, and the id
 * of a message must not.
 *
 * @param secrets covered in every value, so that nobody who reads it meets them
 */
export function parseJson(text: string, secrets: AnswerSecrets = NO_SECRETS): unknown {
  const { passwords, cover } = secrets;
  // A secret may be written with escapes, as PHP writes \/ for a slash.
  const isPlain =
    !text.includes('\\') && cover(text) === text && !passwords.some((password) => text.includes(password));
  try {
    if (isPlain) return LONG_NUMBER.test(text) ? JSON.parse(text, keepLongNumber) : JSON.parse(text);
    const read = (...given: Parameters<typeof keepLongNumber>) =>
      withoutSecrets(keepLongNumber(...given), secrets);
    return JSON.parse(text, read);
  } catch {
    // Not JSON is an expected kind of answer; the caller goes on with the text.
    return undefined;
  }
}

function keepLongNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isLong = typeof value === 'number' && !Number.isSafeInteger(value);
  return isLong && /^\d+$/.test(context?.source ?? '') ? context?.source : value;
}

/** An echo of a password alone says nothing; a key where a code stands still says that something is wrong. */
function withoutSecrets(value: unknown, { passwords, cover }: AnswerSecrets): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value);
  if (passwords.includes(text.trim())) return undefined;
  const covered = cover(text);
  return covered === text ? value : covered;
}
