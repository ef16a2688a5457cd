import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import type { AlertAuthor } from '../../../sends/alerts/alert.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import type { SlackClient } from '../../connection/client.ts';

/** A bot never changes its app, and no workspace has more bots that raise alerts. */
const KNOWN_MS = 24 * 60 * 60_000;
const KNOWN = 1_000;
/** The one refusal that says something of the bot. */
const UNKNOWN_BOT = 'bot_not_found';
/** A bot of which Slack does not say whose it is. */
const UNKNOWN_MS = 10 * 60_000;
/** Whoever asks while one question is on its way hears the same. */
const ON_ITS_WAY_MS = 5_000;
/** Before the second and the third try. */
const PAUSES_MS = [300, 1_200];

type Bot = Pick<AlertAuthor, 'appId' | 'name'>;

export type BotApps = ReturnType<typeof createBotApps>;

/** Messages of incoming webhooks and classic bots name the bot alone; Slack is asked for its app and its name. */
export function createBotApps({ client, clock, logger }: Surroundings & Pick<SlackClient, 'client'>) {
  const known = createExpiringMap<Bot>(KNOWN_MS, KNOWN, clock);
  const unknown = createExpiringMap<Bot>(UNKNOWN_MS, KNOWN, clock);
  const said = createExpiringMap<true>(KNOWN_MS, KNOWN, clock);
  const asking = createExpiringMap<Promise<Bot>>(ON_ITS_WAY_MS, KNOWN, clock);

  async function ask(botId: string, [pause, ...pauses]: readonly number[] = PAUSES_MS): Promise<Bot> {
    try {
      const { bot } = await client.bots.info({ bot: botId });
      const name = bot?.name ? { name: bot.name } : {};
      if (bot?.app_id === undefined) return withoutApp(botId, 'no_app_id', name);
      const found = { appId: bot.app_id, ...name };
      known.set(botId, found);
      return found;
    } catch (error) {
      const failure = classifyApiError(error);
      if (failure.kind === 'refused' && failure.code === UNKNOWN_BOT)
        return withoutApp(botId, failure.code, {});
      if (pause === undefined) throw error;
      await clock.sleep(pause);
      return ask(botId, pauses);
    }
  }

  function withoutApp(botId: string, code: string, found: Bot): Bot {
    unknown.set(botId, found);
    if (said.get(botId)) return found;
    said.set(botId, true);
    logger.warn(
      { botId, code },
      'Slack does not say which app a bot belongs to: alert rules by app do not fit its messages; name it under from.bots',
    );
    return found;
  }

  return {
    /**
     * Nothing of a bot that Slack does not know; without its app that is logged once.
     *
     * @param botId `B…`
     * @throws when Slack does not say, for whatever other reason: it may say later
     */
    of: async (botId: string): Promise<Bot> => {
      const before = known.get(botId) ?? unknown.get(botId);
      if (before !== undefined) return before;
      const inFlight = asking.get(botId);
      if (inFlight !== undefined) return inFlight;
      const asked = ask(botId).finally(() => asking.delete(botId));
      asking.set(botId, asked);
      return asked;
    },
  };
}

/**
 * An author with the bot's app and name, where the message names the bot alone.
 *
 * @throws as `BotApps.of`
 */
export async function withBot(author: AlertAuthor, botApps: BotApps): Promise<AlertAuthor> {
  const { botId, appId, name } = author;
  if (botId === undefined || (appId !== undefined && name !== undefined)) return author;
  return { ...(await botApps.of(botId)), ...author };
}
