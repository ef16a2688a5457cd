import { stripVTControlCharacters as clean, styleText } from 'node:util';
import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import type { Logger } from '../core/logger.ts';
import { isOutage } from '../core/outage.ts';
import { maskPhoneNumbers, secretCover } from '../core/secrets-in-text.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Values that must never be written. */
  readonly secrets: readonly string[];
  /** Standard output when absent: for people where that is a terminal. */
  readonly destination?: DestinationStream;
  /** Asked for each line: which of several processes writes it. */
  readonly replica?: () => string | undefined;
  /** True while it was said that the database is gone: what only follows from that is a matter for `debug`. */
  readonly isDown?: () => boolean;
}

/** Herald's log: one line of JSON per event, without secrets and whole phone numbers. */
export function createLogger(options: LoggerOptions): Logger {
  const { level, secrets, replica, isDown = () => false } = options;
  const destination = options.destination ?? (process.stdout.isTTY ? TERMINAL : undefined);
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(replica && { mixin: () => ({ replica: replica() }) }),
  };
  return wrap(destination ? pino(settings, destination) : pino(settings), createRedaction(secrets), isDown);
}

const TERMINAL: DestinationStream = { write: (line) => process.stdout.write(prettyLine(line)) };

function wrap(log: Pino, redaction: Redaction, isDown: () => boolean): Logger {
  const write = (level: LoggerOptions['level']) => (fields: object, message: string) => {
    const isKnown = 'error' in fields && isOutage(fields.error) && isDown();
    const at = isKnown ? 'debug' : level;
    // Redaction is expensive, so lines that are not written skip it.
    if (log.isLevelEnabled(at)) log[at](redaction.value(fields) as object, redaction.text(message));
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => wrap(log.child(redaction.value(fields) as object), redaction, isDown),
  };
}

const COLORS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;
const PLAIN = /^[\w.:+/@-]+$/;

/** A line of the log as a person reads it at a terminal: time, level, sentence, fields, and the stack of an error below. */
export function prettyLine(line: string): string {
  const { time, level, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const name = pino.levels.labels[Number(level)] as keyof typeof COLORS;
  const said = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  // Foreign words must not move the cursor.
  const parts = [
    clock,
    styleText(COLORS[name], name.padEnd(5)),
    clean(String(msg)),
    styleText('gray', clean(said.join(' '))),
  ];
  return `${parts.join(' ').trimEnd()}\n${error === undefined ? '' : `${clean(stackOf(error))}\n`}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value);
}

function stackOf(error: unknown): string {
  const has = typeof error === 'object' && error !== null && 'stack' in error;
  return (has ? String(error.stack) : shown(error)).replaceAll(/^/gm, '    ');
}

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

type Redaction = ReturnType<typeof createRedaction>;

/** @param secrets values that must not appear anywhere, in whatever field or sentence they turn up; 8 characters or more */
function createRedaction(secrets: readonly string[]) {
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
    if (original instanceof Map || original instanceof Set || Array.isArray(original))
      return list([...original], depth);
    if ('toJSON' in original && typeof original.toJSON === 'function')
      return value(original.toJSON(), depth + 1);
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
    /** A copy in which secret fields, secret values and phone numbers are covered, in errors too. Never throws. */
    value: (original: unknown): unknown => {
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
  const errors = error instanceof AggregateError ? error.errors : undefined;
  const said = { name, message, stack, cause, errors };
  return [
    ...Object.entries(said).filter(([, item]) => item !== undefined),
    ...Object.entries(error).filter(([key, item]) => !Object.hasOwn(said, key) && typeof item !== 'object'),
  ];
}
