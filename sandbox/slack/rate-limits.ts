import type { WorkspaceClock } from './clock.ts';
import type { ApiArguments } from './request-body.ts';

/*
 * How often an app may call. A method's tier is a number of calls a minute; posting is about one message a second in a
 * channel, with short bursts above it, whose size Slack does not tell.
 * Source: https://docs.slack.dev/apis/web-api/rate-limits
 */

/** Tier 1 is once a minute, with a small burst above it, whose size Slack does not tell either. */
const TIER_1 = 1;
const TIER_1_BURST = 20;
const TIER_2 = 20;
const TIER_3 = 50;
const TIER_4 = 100;

const CALLS_A_MINUTE: Readonly<Record<string, number>> = {
  'apps.connections.open': TIER_1,
  'bots.info': TIER_3,
  'chat.delete': TIER_3,
  'chat.postEphemeral': TIER_4,
  'chat.update': TIER_3,
  'conversations.history': TIER_3,
  'conversations.info': TIER_3,
  'conversations.list': TIER_2,
  'conversations.members': TIER_4,
  'conversations.open': TIER_3,
  'conversations.replies': TIER_3,
  'files.completeUploadExternal': TIER_4,
  'files.getUploadURLExternal': TIER_4,
  'files.info': TIER_4,
  'reactions.add': TIER_3,
  'reactions.remove': TIER_2,
  'usergroups.list': TIER_2,
  'usergroups.users.list': TIER_2,
  'users.info': TIER_4,
  'users.list': TIER_2,
  'views.open': TIER_4,
  'views.publish': TIER_4,
  'views.push': TIER_4,
  'views.update': TIER_4,
};

const POSTS_A_SECOND = 1;
const POSTS_IN_A_BURST = 10;

interface Allowance {
  /** Calls that may be made now. */
  left: number;
  at: number;
}

/** Counts an app's calls, by method, and its posts by channel. */
export class RateLimits {
  #clock: WorkspaceClock;
  #allowances = new Map<string, Allowance>();

  constructor(clock: WorkspaceClock) {
    this.#clock = clock;
  }

  /** Seconds after which the call may be made again; 0: it may be made now, and counts. */
  retryAfterSeconds(method: string, args: ApiArguments): number {
    if (method === 'chat.postMessage') {
      return this.#take(`${method} ${String(args.channel)}`, POSTS_IN_A_BURST, POSTS_A_SECOND);
    }
    const perMinute = CALLS_A_MINUTE[method];
    if (perMinute === undefined) return 0;
    return this.#take(method, perMinute === TIER_1 ? TIER_1_BURST : perMinute, perMinute / 60);
  }

  #take(key: string, most: number, perSecond: number): number {
    const now = this.#clock.now();
    const before = this.#allowances.get(key) ?? { left: most, at: now };
    const gained = (Math.max(0, now - before.at) / 1_000) * perSecond;
    const left = Math.min(most, before.left + gained);
    const isAllowed = left >= 1;
    this.#allowances.set(key, { left: isAllowed ? left - 1 : left, at: now });
    return isAllowed ? 0 : Math.ceil((1 - left) / perSecond);
  }
}
