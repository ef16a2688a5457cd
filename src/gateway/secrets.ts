import { secretCover } from '../core/secrets-in-text.ts';
import { inBase64 } from './headers.ts';

/** Stands for a secret, and for a number, in what people are shown of the service's words. */
export const COVER = '•••';
/** Covering a shorter one would cover half of every sentence. */
const SHORTEST_SECRET = 3;

/** What a service's answer may echo and nobody may read. */
export interface AnswerSecrets {
  /** The one-time passwords of the message that was sent. */
  readonly passwords: readonly string[];
  /** Covers them, and the API key, wherever they stand in a text. */
  cover(text: string): string;
}

export const NO_SECRETS: AnswerSecrets = { passwords: [], cover: (text) => text };

export function answerSecrets(
  apiKeys: string | readonly string[],
  passwords: readonly string[] = [],
): AnswerSecrets {
  const keys = [apiKeys].flat();
  const words = [...keys, ...keys.map(inBase64), ...passwords];
  return { passwords, cover: secretCover(words, { cover: COVER, shortest: SHORTEST_SECRET }) };
}
