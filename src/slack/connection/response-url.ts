import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import { createExpiringMap } from '../../core/expiring-map.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { LIMITS } from './limits.ts';
import { actorOf, type Payload, textAt } from './payload.ts';

export const SLACK_RESPONSE_ORIGINS = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];

/** How many response_urls are remembered; older ones are near their end anyway. */
const REMEMBERED = 5000;
const KEPT_MS = 2 * LIMITS.responseUrlMs;

export type ResponseUrls = ReturnType<typeof createResponseUrls>;

/**
 * Watches over response_urls. Slack's libraries post to whatever address a payload names, so only Slack's own
 * host, or the configured API's, may be posted to. Slack takes five posts within thirty minutes; what would be
 * refused there is refused here, with a reason.
 */
export function createResponseUrls(allowedOrigins: readonly string[], clock: Clock) {
  const uses = createExpiringMap<{ count: number; since: number }>(KEPT_MS, REMEMBERED, clock);
  const allowed = (url: string): boolean =>
    URL.canParse(url) && allowedOrigins.includes(new URL(url).origin) && new URL(url).username === '';
  return {
    /** Counts one use, or says why there is none left. */
    use: (url: string): Result<void, string> => {
      if (!allowed(url)) return fail('The response_url is not on Slack\u2019s host.');
      const now = clock.monotonic();
      const known = uses.get(url) ?? { count: 0, since: now };
      if (now - known.since > LIMITS.responseUrlMs) return fail('The response_url is older than 30 minutes.');
      if (known.count >= LIMITS.responseUrlUses) return fail('The response_url was used five times already.');
      known.count += 1;
      if (known.count === 1) uses.set(url, known);
      return ok(undefined);
    },
  };
}

/** Shows a message to the person alone whose response_url it is; false where it is not shown. Never rejects. */
export async function respondTo(fetch: webApi.FetchFunction, url: string, message: object): Promise<boolean> {
  const body = JSON.stringify({ response_type: 'ephemeral', replace_original: false, ...message });
  const headers = { 'Content-Type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body }).then(
    (response) => response.ok,
    () => false,
  );
}

export type LatestUrls = ReturnType<typeof createLatestUrls>;

/** The latest response_url of each person: the way to tell them something where no channel is open to Herald. */
export function createLatestUrls(fetch: webApi.FetchFunction, clock: Clock) {
  const urls = createExpiringMap<string>(LIMITS.responseUrlMs, REMEMBERED, clock);
  return {
    note: (payload: Payload): void => {
      const { userId } = actorOf(payload);
      const url = textAt(payload, 'response_url');
      if (userId !== undefined && url !== undefined) urls.set(userId, url);
    },
    /** With its words alone where Slack does not take the blocks. False where the person is not told. */
    tell: async (userId: string, { text, blocks }: { text: string; blocks: unknown[] }): Promise<boolean> => {
      const url = urls.get(userId);
      if (url === undefined) return false;
      return (await respondTo(fetch, url, { text, blocks })) || respondTo(fetch, url, { text });
    },
  };
}
