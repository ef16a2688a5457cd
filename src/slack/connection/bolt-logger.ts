import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { Logger } from '../../core/logger.ts';

/**
 * What Slack's libraries log, on Herald's logger. Their debug lines hold whole requests and envelopes, message
 * texts and phone numbers included, and are dropped whatever the level; of an error only its name, code and
 * message are kept.
 */
export function createBoltLogger(logger: Logger): BoltLogger {
  const log = logger.child({ component: 'slack' });
  return {
    debug: () => {},
    info: (...messages) => log.debug({}, sentence(messages)),
    warn: (...messages) => log.warn({}, sentence(messages)),
    error: (...messages) => log.error({}, sentence(messages)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

function sentence(messages: readonly unknown[]): string {
  return messages.map(describe).join(' ');
}

function describe(message: unknown): string {
  if (typeof message === 'string') return message;
  if (message instanceof Error) return `${message.name}: ${message.message}`;
  return '';
}
