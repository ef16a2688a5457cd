import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import type { Logger } from '../core/logger.ts';
import { createRedaction, type Redaction } from './redaction.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Values that must never be written. */
  readonly secrets: readonly string[];
  /** Standard output when absent. */
  readonly destination?: DestinationStream;
}

/** Herald's log: one line of JSON per event, without secrets and whole phone numbers. */
export function createLogger({ level, secrets, destination }: LoggerOptions): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return wrap(destination ? pino(options, destination) : pino(options), createRedaction(secrets));
}

function wrap(log: Pino, redaction: Redaction): Logger {
  const write = (level: LoggerOptions['level']) => (fields: object, message: string) => {
    // Redaction is expensive, so lines that are not written skip it.
    if (log.isLevelEnabled(level)) log[level](redaction.value(fields) as object, redaction.text(message));
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => wrap(log.child(redaction.value(fields) as object), redaction),
  };
}
