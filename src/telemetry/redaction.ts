import { maskPhoneNumbers, secretCover } from '../core/secrets-in-text.ts';

/** Fields that are never logged, at any depth: secrets, and addresses that allow posting to Slack. */
const SECRET_FIELDS =
  /(?:token|authorization|otp|secret|password|(?:^|[-_])api[-_]?key|^(?:set-)?cookie|^ticket|^response_?url)$/i;
/** Fields in which even a JavaScript number is a phone number. */
const NUMBER_FIELDS = /^(to|from|number|phone|msisdn|recipient)$/i;
/** Recognisable tokens, configured or not. */
const SLACK_TOKEN = /\bx(?:ox[a-z]|app)-[\w-]+/gi;
/** Secrets after a known word, which stays. */
const NAMED_SECRET = /(\b(?:bearer )+)\S+|([?&](?:ticket|apikey|token)=)[^&\s"']+/gi;
/** Covering shorter values would make the log unreadable. */
const SHORTEST_SECRET = 8;
const LEAST_NUMBER = 10_000_000;
const DEEPEST = 8;
const LONGEST_LIST = 100;

export interface Redaction {
  text(text: string): string;
  /** A copy in which secret fields, secret values and phone numbers are covered, in errors too. Never throws. */
  value(value: unknown): unknown;
}

/** @param secrets values that must not appear anywhere, in whatever field or sentence they turn up; 8 characters or more */
export function createRedaction(secrets: readonly string[]): Redaction {
  const withoutSecrets = secretCover(secrets, { cover: '[secret]', shortest: SHORTEST_SECRET });

  function text(original: string): string {
    return maskPhoneNumbers(
      withoutSecrets(original).replaceAll(SLACK_TOKEN, '[secret]').replaceAll(NAMED_SECRET, '$1$2[secret]'),
    );
  }

  function value(original: unknown, depth = 0): unknown {
    if (typeof original === 'string') return text(original);
    if (typeof original === 'bigint') return text(String(original));
    if (typeof original !== 'object' || original === null) return original;
    if (depth === DEEPEST) return '[too deep]';
    if (ArrayBuffer.isView(original)) return `[${original.byteLength} bytes]`;
    if (original instanceof Error) return fields(entriesOfError(original), depth);
    if (original instanceof Map) return list([...original], depth);
    if (original instanceof Set || Array.isArray(original)) return list([...original], depth);
    if (hasJson(original)) return value(original.toJSON(), depth + 1);
    return fields(Object.entries(original), depth);
  }

  function list(items: readonly unknown[], depth: number): readonly unknown[] {
    const shown = items.slice(0, LONGEST_LIST).map((item) => value(item, depth + 1));
    return items.length > LONGEST_LIST ? [...shown, `[${items.length - LONGEST_LIST} more]`] : shown;
  }

  function fields(entries: readonly (readonly [string, unknown])[], depth: number) {
    return Object.fromEntries(entries.map(([key, item]) => [text(key), field(key, item, depth + 1)]));
  }

  function field(key: string, item: unknown, depth: number): unknown {
    if (SECRET_FIELDS.test(key) && item !== undefined) return '[secret]';
    return value(
      typeof item === 'number' && item >= LEAST_NUMBER && NUMBER_FIELDS.test(key) ? String(item) : item,
      depth,
    );
  }

  return {
    text,
    value: (original) => {
      try {
        return value(original);
      } catch {
        // Logging must never fail.
        return { unreadable: true };
      }
    },
  };
}

/** Name, message, stack and causes of an error, which are not enumerable, and its other fields that are no object. */
function entriesOfError(error: Error): readonly (readonly [string, unknown])[] {
  const { name, message, stack, cause } = error;
  const said = [
    ['name', name],
    ['message', message],
    ['stack', stack],
    ['cause', cause],
    ['errors', error instanceof AggregateError ? error.errors : undefined],
  ] as const;
  const names = new Set<string>(said.map(([key]) => key));
  return [
    ...said.filter(([, item]) => item !== undefined),
    ...Object.entries(error).filter(([key, item]) => !names.has(key) && typeof item !== 'object'),
  ];
}

function hasJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
