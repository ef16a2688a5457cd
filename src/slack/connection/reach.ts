import type { webApi } from '@slack/bolt';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { within } from '../../core/within.ts';
import { classifyApiError } from './api-error.ts';

const ASK_EVERY_MS = 3_000;
/** Slack answers in well under a second. */
const PATIENCE_MS = 4_000;
/** One unanswered question is a hiccup; this many in a row are none. */
const LOST_AFTER = 2;

interface ReachDependencies extends StoppableSurroundings {
  readonly client: Pick<webApi.WebClient, 'api'>;
  /** Called at every question while Slack does not answer, and once when it does again. */
  readonly announceReach: (reached: boolean) => Promise<void>;
}

/**
 * Asks Slack, over and over, whether it is there, so that others can answer people where this process cannot. A cut is
 * noticed within about ten seconds, its end within three. Resolves when Herald stops; never rejects.
 */
export async function watchReach(dependencies: ReachDependencies): Promise<void> {
  const { announceReach, clock, logger, stopping } = dependencies;
  let unanswered = 0;
  /** Others know this. */
  let announced = true;

  async function announce(reached: boolean): Promise<void> {
    if (reached && announced) return;
    if (announced !== reached) logger.warn({ reached }, 'whether Herald reaches Slack has changed');
    announced = reached;
    await announceReach(reached).catch((error: unknown) => {
      // Whoever cannot say that Slack is back is asked for again.
      announced = false;
      logger.error({ error }, 'other replicas were not notified whether this one reaches Slack');
    });
  }

  while (!stopping.aborted) {
    unanswered = (await answers(dependencies)) ? 0 : unanswered + 1;
    if (stopping.aborted) return;
    if (unanswered === 0) await announce(true);
    else if (unanswered >= LOST_AFTER) await announce(false);
    await clock.sleep(ASK_EVERY_MS, stopping);
  }
}

/** Also an answer that is no: whoever says it is there. */
async function answers({ client, clock }: ReachDependencies): Promise<boolean> {
  const answered = client.api.test().then(
    () => true,
    (error: unknown) => {
      const { kind } = classifyApiError(error);
      return kind === 'refused' || kind === 'rate_limited';
    },
  );
  return (await within(answered, PATIENCE_MS, clock)) === true;
}
