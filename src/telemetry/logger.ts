import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import type { Logger } from '../core/logger.ts';
import { isOutage } from '../core/outage.ts';
import { prettyLine } from './pretty.ts';
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
