import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Outcome } from '../sends/outcome.ts';

/** The service refuses the API key, or what it may do. */
export interface KeyRefusal {
  readonly status: number;
  /** When it was first seen, in milliseconds since the epoch. */
  readonly since: number;
}

interface AnsweredRequest {
  readonly path: string;
  readonly state: Outcome['state'];
  readonly status: number | undefined;
}

export interface KeyWatch {
  ended(request: AnsweredRequest): void;
  /** Undefined while the latest answer that tells anything of the key did not refuse it. */
  refusal(): KeyRefusal | undefined;
}

/**
 * Knows whether the service refuses the API key (401, 403), and says in the log when that begins and when it is over:
 * once for each address, since a key may have the right to one of them only.
 */
export function createKeyWatch(clock: Pick<Clock, 'now'>, logger: Logger): KeyWatch {
  const refusing = new Set<string>();
  let current: KeyRefusal | undefined;

  function refused(path: string, status: number): void {
    current ??= { status, since: clock.now() };
    if (refusing.has(path)) return;
    refusing.add(path);
    logger.error(
      { path, status },
      'the messaging service refuses Herald’s API key and nothing can be sent: ' +
        'have the key in MESSAGING_API_KEY and its rights checked',
    );
  }

  return {
    ended: ({ path, state, status }) => {
      if (state !== 'accepted' && state !== 'rejected') return;
      if (state === 'rejected' && (status === 401 || status === 403)) return refused(path, status);
      current = undefined;
      if (refusing.delete(path))
        logger.info({ path, status }, 'the messaging service takes Herald’s API key again');
    },
    refusal: () => current,
  };
}
