import type { Clock } from '../../core/clock.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { LIMITS } from './limits.ts';

export const SLACK_RESPONSE_ORIGIN = 'https://hooks.slack.com';

/** How many response_urls are remembered; older ones are near their end anyway. */
const REMEMBERED = 5000;

/**
 * Watches over response_urls. Slack's libraries post to whatever address a payload names, so only Slack's own
 * host, or the configured API's, may be posted to. Slack takes five posts within thirty minutes; what would be
 * refused there is refused here, with a reason.
 */
export interface ResponseUrls {
  /** Counts one use, or says why there is none left. */
  readonly use: (url: string) => Result<void, string>;
}

export function createResponseUrls(allowedOrigins: readonly string[], clock: Clock): ResponseUrls {
  const uses = new Map<string, { count: number; readonly since: number }>();
  const allowed = (url: string): boolean =>
    URL.canParse(url) && allowedOrigins.includes(new URL(url).origin) && new URL(url).username === '';
  return {
    use: (url) => {
      if (!allowed(url)) return fail('The response_url is not on Slack\u2019s host.');
      const now = clock.monotonic();
      const known = uses.get(url) ?? { count: 0, since: now };
      if (now - known.since > LIMITS.responseUrlMs) return fail('The response_url is older than 30 minutes.');
      if (known.count >= LIMITS.responseUrlUses) return fail('The response_url was used five times already.');
      known.count += 1;
      uses.set(url, known);
      for (const [oldest] of uses) {
        if (uses.size <= REMEMBERED) break;
        uses.delete(oldest);
      }
      return ok(undefined);
    },
  };
}
