import type { webApi } from '@slack/bolt';
import { createExpiringMap } from '../../core/expiring-map.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import type { Alert } from '../../sends/alerts/alert.ts';
import { classifyApiError, retryAfterOf } from '../connection/api-error.ts';
import { remedyOf } from '../kit/posting/remedy.ts';

/** Also the order: where several rules made alerts of one message, it shows what most needs somebody. */
const EMOJI = { open: 'rotating_light', acknowledged: 'eyes', resolved: 'white_check_mark' } as const;
const STATES = ['open', 'acknowledged', 'resolved'] as const;

const KEPT_MS = 24 * 60 * 60_000;
const KEPT = 5_000;
const AGAIN_MS = 15_000;
/** News of the alert waits as long. */
const LONGEST_MS = 60_000;
/** They say that a message has, or lacks, what was asked for already. */
const AS_WANTED: ReadonlySet<string> = new Set(['already_reacted', 'no_reaction']);
/** They say of a message that it can have no other reaction. */
const FULL: ReadonlySet<string> = new Set(['not_reactable', 'too_many_emoji', 'too_many_reactions']);

interface Shown {
  readonly states: ReadonlyMap<string, Alert['state']>;
  /** Undefined while that is not known. */
  readonly emoji?: string | undefined;
  /** Times in a row that Slack did not take what was asked for. */
  readonly tries: number;
}

interface ReactionDependencies extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'reactions'>;
}

/**
 * Shows an alert's state on its own message, for whoever passes by: how long to wait before it is to be shown again, 0 when
 * it stands there. Never rejects: its card says the same.
 */
export function createReactions({ client, clock, logger }: ReactionDependencies) {
  const messages = createExpiringMap<Shown>(KEPT_MS, KEPT, clock);
  let isAllowed = true;

  /** How long to wait where Slack may do it another time; otherwise 0. */
  async function react(how: 'add' | 'remove', name: string, { channelId, ts }: Alert): Promise<number> {
    if (!isAllowed) return 0;
    try {
      await client.reactions[how]({ channel: channelId, timestamp: ts, name });
      return 0;
    } catch (error) {
      const failure = classifyApiError(error);
      if (failure.kind !== 'refused') return retryAfterOf(failure, AGAIN_MS);
      if (failure.code === 'missing_scope') {
        isAllowed = false;
        logger.warn(
          {},
          'the app lacks the scope reactions:write: the state of alerts is not shown on their messages, only in their threads',
        );
      } else if (!AS_WANTED.has(failure.code)) {
        logger.info({ code: failure.code, channelId }, 'Slack refused a reaction to an alert');
        if (remedyOf(failure.code) === 'later' && !FULL.has(failure.code)) return AGAIN_MS;
      }
      return 0;
    }
  }

  return async (alert: Alert): Promise<number> => {
    const key = `${alert.channelId}/${alert.ts}`;
    const before = messages.get(key);
    const states = new Map(before?.states).set(alert.id, alert.state);
    const state = STATES.find((one) => [...states.values()].includes(one));
    const emoji = state && EMOJI[state];
    if (before?.emoji !== undefined && before.emoji === emoji) {
      messages.set(key, { states, emoji, tries: 0 });
      return 0;
    }
    // A message that nothing is known of is new, if its alert is open and was not made by an edit.
    const unknown = state === 'open' && !alert.edited ? [] : Object.values(EMOJI);
    const old = before?.emoji === undefined ? unknown : [before.emoji];
    let waitMs = emoji === undefined ? 0 : await react('add', emoji, alert);
    // The old sign stands until the new one does.
    for (const one of waitMs > 0 ? [] : old.filter((name) => name !== emoji))
      waitMs = Math.max(waitMs, await react('remove', one, alert));
    const tries = waitMs > 0 ? (before?.tries ?? 0) + 1 : 0;
    messages.set(key, { states, emoji: waitMs > 0 ? undefined : emoji, tries });
    return waitMs > 0 ? Math.max(waitMs, Math.min(AGAIN_MS * 2 ** (tries - 1), LONGEST_MS)) : 0;
  };
}
