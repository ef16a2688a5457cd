import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';

/** A later answer says too little about when Slack has looked at its clock. */
const PATIENCE_MS = 10_000;

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
  async function heardFetch(...request: Parameters<webApi.FetchFunction>) {
    const response = await fetch(...request);
    const said = saidIn(response);
    if (said !== undefined) heard = { said, at: clock.monotonic() };
    return response;
  }
  return {
    slackClock,
    fetch: heardFetch,
    /** How far this machine's clock is ahead of Slack's, in milliseconds, to some seconds; undefined while Slack does not say. */
    aheadOfSlack: async (slackApiUrl: string): Promise<number | undefined> => {
      const request = { method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) };
      const answer = await heardFetch(`${slackApiUrl}api.test`, request).catch(() => undefined);
      const said = answer && saidIn(answer);
      return said === undefined ? undefined : clock.now() - said;
    },
  };
}

function saidIn({ headers }: Pick<Awaited<ReturnType<webApi.FetchFunction>>, 'headers'>): number | undefined {
  const said = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(said) ? undefined : said;
}
