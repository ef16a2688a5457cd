import { stripVTControlCharacters, styleText } from 'node:util';
import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import type { Logger } from '../core/logger.ts';
import { isOutage } from '../core/outage.ts';
import { createRedaction, type Redaction } from './redaction.ts';

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
/** By pino's numbers. */
const LEVELS: Readonly<Record<number, keyof typeof COLORS>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
};
const PLAIN = /^[\w.:+/@-]+$/;

/** A line of the log as a person reads it at a terminal: time, level, sentence, fields, and the stack of an error below. */
export function prettyLine(line: string): string {
  const { time, level, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const name = LEVELS[Number(level)] ?? 'error';
  const said = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
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

/** Foreign words must not move the cursor. */
function clean(text: string): string {
  return stripVTControlCharacters(text);
}
