import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import { createExpiringMap } from '../../core/expiring-map.ts';
import type { Logger } from '../../core/logger.ts';
import type { AlertEvent } from '../../sends/alerts/alert.ts';
import { classifyApiError } from '../connection/api-error.ts';

/** A bot never changes its app, and no workspace has more bots that raise alerts. */
const KNOWN_MS = 24 * 60 * 60_000;
const KNOWN = 1_000;
/** A bot of which Slack does not say whose it is. */
const UNKNOWN_MS = 10 * 60_000;
/** Whoever asks while one question is on its way, or has just failed, hears the same. */
const RECENT_MS = 5_000;
/** Before the second and the third try. */
const PAUSES_MS = [300, 1_200];

/** Messages of incoming webhooks and classic bots name the bot alone; Slack tells which app it belongs to. */
export interface BotApps {
  /**
   * The app's id; undefined where Slack refuses to say, which is logged once.
   *
   * @param botId `B…`
   * @throws when Slack cannot be asked now: it may say later
   */
  appOf(botId: string): Promise<string | undefined>;
}

interface BotAppsDependencies {
  readonly client: Pick<webApi.WebClient, 'bots'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createBotApps({ client, clock, logger }: BotAppsDependencies): BotApps {
  const known = createExpiringMap<string>(KNOWN_MS, KNOWN, clock);
  const unknown = createExpiringMap<true>(UNKNOWN_MS, KNOWN, clock);
  const said = createExpiringMap<true>(KNOWN_MS, KNOWN, clock);
  const recent = createExpiringMap<Promise<string | undefined>>(RECENT_MS, KNOWN, clock);

  async function ask(botId: string): Promise<string | undefined> {
    for (const pause of [...PAUSES_MS, undefined]) {
      try {
        const { bot } = await client.bots.info({ bot: botId });
        if (bot?.app_id === undefined) return withoutApp(botId, 'no_app_id');
        known.set(botId, bot.app_id);
        return bot.app_id;
      } catch (error) {
        const failure = classifyApiError(error);
        if (failure.kind === 'refused') return withoutApp(botId, failure.code);
        if (pause === undefined) throw error;
        await clock.sleep(pause);
      }
    }
    return undefined;
  }

  function withoutApp(botId: string, code: string): undefined {
    unknown.set(botId, true);
    if (said.get(botId)) return;
    said.set(botId, true);
    logger.warn(
      { botId, code },
      'Slack does not say which app a bot belongs to: alert rules by app do not fit its messages; name it under from.bots',
    );
  }

  return {
    appOf: async (botId) => {
      const before = known.get(botId);
      if (before !== undefined || unknown.get(botId)) return before;
      const inFlight = recent.get(botId);
      if (inFlight !== undefined) return inFlight;
      const asked = ask(botId);
      recent.set(botId, asked);
      return asked;
    },
  };
}

/**
 * An author with the app, where a message names the bot alone.
 *
 * @throws as `BotApps.appOf`
 */
export async function withApp(author: AlertEvent['author'], botApps: BotApps): Promise<AlertEvent['author']> {
  if (author.botId === undefined || author.appId !== undefined) return author;
  const appId = await botApps.appOf(author.botId);
  return appId === undefined ? author : { ...author, appId };
}
