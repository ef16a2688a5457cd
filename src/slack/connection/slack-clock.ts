import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';

/**
 * Slack's clock, by the dates of its answers: this machine's may be wrong, and what Slack dates is measured by its own.
 * Until Slack has answered it is this machine's.
 */
export function createSlackClock(fetch: webApi.FetchFunction, clock: Clock) {
  let heard: { readonly said: number; readonly at: number } | undefined;
  const slackClock: Clock = {
    ...clock,
    now: () => (heard === undefined ? clock.now() : heard.said + clock.monotonic() - heard.at),
  };
  return {
    slackClock,
    fetch: async (...request: Parameters<webApi.FetchFunction>) => {
      const response = await fetch(...request);
      const said = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(said)) heard = { said, at: clock.monotonic() };
      return response;
    },
  };
}
