import { escapeMrkdwn } from '../../connection/escape.ts';
import { plainTextOf } from '../message-text/plain-text.ts';
import { LONGEST_TEXT } from '../posting/attempt.ts';
import type { Respond } from './arguments.ts';

interface Answering {
  readonly respond: Respond;
  readonly logger: { error(...message: unknown[]): void };
}

/** With answers by response_url that Slack takes: where it refuses their blocks, their words are said alone. */
export function sayingPlainly<Arguments extends Answering>(args: Arguments): Arguments {
  const { respond, logger } = args;
  const plainly: Respond = async (message) => {
    try {
      return await respond(message);
    } catch (error) {
      if (message.blocks === undefined || !wasRefused(error)) throw error;
      logger.error('Slack refused an answer\u2019s blocks; its words are said alone:', error);
      return respond({ ...message, text: escapeMrkdwn(plainTextOf(message), LONGEST_TEXT), blocks: [] });
    }
  };
  return { ...args, respond: plainly };
}

/** A 4xx: nothing was shown. */
function wasRefused(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0;
  return status >= 400 && status < 500;
}
