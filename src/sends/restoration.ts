import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Alerts } from './alerts/service.ts';
import { RESTORED } from './failures.ts';
import type { SendStore } from './ports.ts';

/**
 * Before anything else is done at a start: in a restored copy of the database every send that has not ended is stopped,
 * and whoever it holds as unsent counts as unknown, because they may have been sent to since the copy was made.
 * Alerts that were still to be sent are not, for the same reason. Returns the ids of these sends, whose channels must be told.
 */
export async function stopWhatWasRestored({
  store,
  alerts,
  clock,
  logger,
}: {
  store: Pick<SendStore, 'stopRestored'>;
  alerts: Pick<Alerts, 'stopRestored'>;
  clock: Clock;
  logger: Logger;
}): Promise<readonly string[]> {
  const stopped = await store.stopRestored(RESTORED, clock.now());
  if (stopped === undefined) return [];
  await alerts.stopRestored();
  logger.error(
    { sendIds: stopped },
    'the database is an older copy than the one used last: sends that had not ended were stopped, and nothing is sent by itself; opt-outs and templates may be older, too',
  );
  return stopped;
}
