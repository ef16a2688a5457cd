import type { WorkspaceClock } from './clock.ts';
import { newToken } from './identifiers.ts';

/** A response_url works five times within half an hour. */
const RESPONSE_URL_USES = 5;
const RESPONSE_URL_LIFETIME_MS = 30 * 60 * 1000;

/** What a response_url answers to. */
export interface ResponseTarget {
  channel: string;
  userId: string;
  /** The message that was clicked, which `replace_original` and `delete_original` mean. */
  messageTs?: string;
  threadTs?: string;
}

export type ResponseUrlProblem = 'invalid_url' | 'expired_url' | 'used_url';

/** Hands out the tokens of response_urls and counts their uses. */
export class ResponseUrls {
  #clock: WorkspaceClock;
  #issued = new Map<string, ResponseTarget & { issuedAt: number; uses: number }>();

  constructor(clock: WorkspaceClock) {
    this.#clock = clock;
  }

  /** @returns the token that ends the address */
  issue(target: ResponseTarget): string {
    const token = newToken();
    this.#issued.set(token, { ...target, issuedAt: this.#clock.now(), uses: 0 });
    return token;
  }

  use(token: string): ResponseTarget | ResponseUrlProblem {
    const issued = this.#issued.get(token);
    if (issued === undefined) return 'invalid_url';
    if (this.#clock.now() - issued.issuedAt > RESPONSE_URL_LIFETIME_MS) return 'expired_url';
    if (issued.uses >= RESPONSE_URL_USES) return 'used_url';
    issued.uses += 1;
    return issued;
  }
}
