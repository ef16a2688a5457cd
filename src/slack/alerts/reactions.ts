import type { webApi } from '@slack/bolt';
import { createExpiringMap } from '../../core/expiring-map.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import type { Alert } from '../../sends/alerts/alert.ts';
import { classifyApiError } from '../connection/api-error.ts';

/** Also the order: where several rules made alerts of one message, it shows what most needs somebody. */
const EMOJI = { open: 'rotating_light', acknowledged: 'eyes', resolved: 'white_check_mark' } as const;
const STATES = ['open', 'acknowledged', 'resolved'] as const;

const KEPT_MS = 24 * 60 * 60_000;
const KEPT = 5_000;
/** They say that a message has, or lacks, what was asked for already, or that it is gone. */
const AS_WANTED: ReadonlySet<string> = new Set(['already_reacted', 'no_reaction', 'message_not_found']);

interface Shown {
  readonly states: ReadonlyMap<string, Alert['state']>;
  /** Undefined while that is not known. */
  readonly emoji?: string | undefined;
}

interface ReactionDependencies extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'reactions'>;
}

/** Shows an alert's state on its own message, for whoever passes by. Never rejects: its card says the same. */
export function createReactions({ client, clock, logger }: ReactionDependencies) {
  const messages = createExpiringMap<Shown>(KEPT_MS, KEPT, clock);
  let isAllowed = true;

  /** False when Slack may do it another time. */
  async function react(how: 'add' | 'remove', name: string, { channelId, ts }: Alert): Promise<boolean> {
    if (!isAllowed) return true;
    try {
      await client.reactions[how]({ channel: channelId, timestamp: ts, name });
      return true;
    } catch (error) {
      const failure = classifyApiError(error);
      if (failure.kind !== 'refused') return false;
      if (failure.code === 'missing_scope') {
        isAllowed = false;
        logger.warn(
          {},
          'the app lacks the scope reactions:write: the state of alerts is not shown on their messages, only in their threads',
        );
      } else if (!AS_WANTED.has(failure.code)) {
        logger.info({ code: failure.code, channelId }, 'Slack refused a reaction to an alert');
      }
      return true;
    }
  }

  return async (alert: Alert): Promise<void> => {
    const key = `${alert.channelId}/${alert.ts}`;
    const before = messages.get(key);
    const states = new Map(before?.states).set(alert.id, alert.state);
    const state = STATES.find((one) => [...states.values()].includes(one));
    const emoji = state && EMOJI[state];
    if (before?.emoji !== undefined && before.emoji === emoji)
      return void messages.set(key, { states, emoji });
    // An alert that nothing is known of is new, if it is open.
    const old = before?.emoji === undefined ? (state === 'open' ? [] : Object.values(EMOJI)) : [before.emoji];
    const done = [
      ...(emoji === undefined ? [] : [await react('add', emoji, alert)]),
      ...(await Promise.all(old.filter((one) => one !== emoji).map((one) => react('remove', one, alert)))),
    ];
    messages.set(key, { states, emoji: done.every(Boolean) ? emoji : undefined });
  };
}
