/** Field names whose values are never logged, at any depth. */
const SECRET_FIELDS = /^(.*token|apikey|api_key|authorization|cookie|otp|.*secret|password)$/i;

/**
 * E.164 with its +, or a run of 8 to 15 digits that is no part of a longer word or number, and no date. Slack's message ids
 * (`1700000000.123456`) and times in milliseconds are let through: they are numbers, or have a point.
 */
const PHONE_NUMBER = /(?<![\w.+])(?!\d{4}-\d\d-\d\d)\+?\d(?:[ -]?\d){7,14}(?!\w|\.\d)/g;
const KEPT_DIGITS = 4;
/** A shorter secret is no secret, and covering every place where its letters stand would hide the log itself. */
const SHORTEST_SECRET = 8;
const DEEPEST = 8;

export interface Redaction {
  text(text: string): string;
  /** A copy in which secret fields, secret values and phone numbers are covered, in errors too. */
  value(value: unknown): unknown;
}

/** @param secrets values that must not appear anywhere, in whatever field or sentence they turn up; 8 characters or more */
export function createRedaction(secrets: readonly string[]): Redaction {
  const values = secrets.filter(({ length }) => length >= SHORTEST_SECRET);

  function text(original: string): string {
    const withoutSecrets = values.reduce((text, secret) => text.replaceAll(secret, '[secret]'), original);
    return withoutSecrets.replaceAll(PHONE_NUMBER, masked);
  }

  function value(original: unknown, depth = 0): unknown {
    if (typeof original === 'string') return text(original);
    if (typeof original !== 'object' || original === null) return original;
    if (depth === DEEPEST) return '[too deep]';
    if (original instanceof Error) return error(original, depth);
    if (Array.isArray(original)) return original.map((item) => value(item, depth + 1));
    return fields(Object.entries(original), depth);
  }

  function fields(entries: readonly (readonly [string, unknown])[], depth: number) {
    return Object.fromEntries(
      entries.map(([key, item]) => [
        key,
        SECRET_FIELDS.test(key) && item !== undefined ? '[secret]' : value(item, depth + 1),
      ]),
    );
  }

  function error(original: Error, depth: number) {
    const { name, message, stack, cause } = original;
    const extra = Object.entries(original).filter(
      ([key]) => !['name', 'message', 'stack', 'cause'].includes(key),
    );
    return fields(
      [
        ['name', name],
        ['message', message],
        ['stack', stack],
        ...(cause === undefined ? [] : [['cause', cause] as const]),
        ...extra,
      ],
      depth,
    );
  }

  return { text, value: (original) => value(original) };
}

function masked(number: string): string {
  const digits = number.replaceAll(/\D/g, '');
  return `[number …${digits.slice(-KEPT_DIGITS)}]`;
}
