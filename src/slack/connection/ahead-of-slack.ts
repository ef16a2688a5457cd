import type { Clock } from '../../core/clock.ts';
import type { SlackClient } from './client.ts';

/** A later answer says too little about when Slack has looked at its clock. */
const PATIENCE_MS = 10_000;

/** How far this machine's clock is ahead of Slack's, in milliseconds, to some seconds; undefined while Slack does not say. */
export async function aheadOfSlack(
  { fetch, slackApiUrl }: Pick<SlackClient, 'fetch' | 'slackApiUrl'>,
  clock: Clock,
): Promise<number | undefined> {
  const asked = clock.monotonic();
  const request = { method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) };
  const answer = await fetch(`${slackApiUrl}api.test`, request).catch(() => undefined);
  const slackSays = Date.parse(answer?.headers.get('date') ?? '');
  if (Number.isNaN(slackSays)) return undefined;
  return clock.now() - (clock.monotonic() - asked) / 2 - slackSays;
}
