import type { Clock } from '../../../core/clock.ts';
import { fail, type Result } from '../../../core/result.ts';
import type { NotGiven } from '../../kit/files/files.ts';

/**
 * Gives Slack a file, as often as Slack wants to be asked again later. The failure is a sentence; undefined when Herald
 * stopped meanwhile.
 */
export async function inTime<Given>(
  give: () => Promise<Result<Given, NotGiven>>,
  { clock, stopping }: { readonly clock: Clock; readonly stopping: AbortSignal },
): Promise<Result<Given, string> | undefined> {
  while (!stopping.aborted) {
    const given = await give();
    if (given.ok) return given;
    const { sentence, retryAfterMs } = given.error;
    if (retryAfterMs === undefined) return fail(sentence);
    await clock.sleep(retryAfterMs, stopping);
  }
  return undefined;
}
