import type { Clock } from '../../../core/clock.ts';
import type { Announcement } from '../../../sends/send.ts';
import type { FileToSend, SlackFiles } from '../../kit/files/files.ts';

/**
 * Puts a file into the thread of a message, as often as Slack wants to be asked again later. Returns a sentence when it
 * could not be put there; nothing when it was, or when Herald stopped meanwhile.
 */
export async function shareInTime(
  message: () => Promise<Announcement>,
  file: FileToSend,
  {
    files,
    clock,
    stopping,
  }: {
    readonly files: Pick<SlackFiles, 'share'>;
    readonly clock: Clock;
    readonly stopping: AbortSignal;
  },
): Promise<string | undefined> {
  while (!stopping.aborted) {
    const shared = await files.share(message, file);
    if (shared.ok) return undefined;
    const { sentence, retryAfterMs } = shared.error;
    if (retryAfterMs === undefined) return sentence;
    await clock.sleep(retryAfterMs, stopping);
  }
  return undefined;
}
