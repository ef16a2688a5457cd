/** Any value that JSON can carry. */
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
 */
export function parseJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, keepLongNumbers) : JSON.parse(text);
  } catch {
    // Not JSON is an expected kind of answer; the caller goes on with the text.
    return undefined;
  }
}

function keepLongNumbers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isLong = typeof value === 'number' && !Number.isSafeInteger(value);
  return isLong && /^\d+$/.test(context?.source ?? '') ? context?.source : value;
}
