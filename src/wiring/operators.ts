import type { Channel } from '../messages/kinds.ts';
import { keepNotifying, type Look, type Watch } from '../sends/notices.ts';
import { SIGHT_KEPT_MS } from '../slack/alerts/sight.ts';
import { escapeMrkdwn } from '../slack/connection/escape.ts';
import { DROPPED_KEPT_MS, EVENTS_DROPPED } from '../slack/connection/health.ts';
import { askIdentity } from '../slack/connection/identity.ts';
import { NEEDED_SCOPES } from '../slack/features.ts';
import { createNoticePoster } from '../slack/kit/posting/notice.ts';
import { KEY_REMEDY } from '../status.ts';
import { checkDatabase } from '../store/check.ts';
import { type Backups, isOverdue } from '../store/sqlite/backups.ts';
import type { WiredHerald } from '../wiring.ts';

const OPEN_TOO_LONG_MS = 10 * 60_000;
const LONGEST_NAME = 80;

interface Operated extends WiredHerald {
  readonly backups: Backups | undefined;
  /** How the latest look for what is too old went. */
  readonly removal: () => Look;
}

/** Notifies the channel `operators` of herald.yml of what needs a person; without it nobody is notified. */
export function notifyOperators(herald: Operated): void {
  const { configuration } = herald;
  const { operators: channel } = configuration.team;
  if (channel === undefined) return;
  const post = createNoticePoster(herald, channel);
  keepNotifying(watchesOf(herald), { ...herald, ...herald.stores, post });
}

/** Everything that may need a person has an entry here. */
export function watchesOf(herald: Operated): readonly Watch[] {
  const channels = new Set(herald.alertSettings.rules.map(({ channel }) => channel));
  return [
    { name: 'key', look: () => lookAtKey(herald) },
    { name: 'token', look: (now) => lookAtTokens(herald, now) },
    { name: 'events', look: (now) => lookAtEvents(herald, now) },
    { name: 'disk', look: (now) => lookAtDisk(herald, now) },
    { name: 'backup', look: lookAtBackups(herald) },
    { name: 'removal', look: herald.removal },
    ...herald.dispatcher.channels().map(({ channel }) => ({
      name: `breaker:${channel}`,
      look: (now: number) => lookAtBreaker(herald, channel, now),
    })),
    ...[...channels].map((channel) => ({ name: `rule:${channel}`, look: lookAtRules(herald, channel) })),
  ];
}

function lookAtKey({ gateway }: Operated): Look {
  const { keyRefusal, latest } = gateway.health();
  if (keyRefusal !== undefined)
    return {
      problem: `The messaging service refuses Herald’s API key (HTTP ${keyRefusal.status}), and nothing can be sent. ${KEY_REMEDY}`,
    };
  return answered(latest);
}

/** A service that has answered is well. */
function answered(latest: ReturnType<Operated['gateway']['health']>['latest']): Look {
  const isAnswer = latest?.state === 'accepted' || latest?.state === 'rejected';
  return isAnswer ? { fine: latest.at } : undefined;
}

/** Slack takes no post with a bot token that was revoked; the operators hear of it, and of its end, with the next token. */
async function lookAtTokens({ client, slack }: Operated, now: number): Promise<Look> {
  const { ready, isRefused, problem } = slack.health();
  if (isRefused && problem !== undefined) return { problem };
  const asked = await askIdentity(client, NEEDED_SCOPES);
  if (asked.ok) return ready ? { fine: now } : undefined;
  return asked.error.kind === 'refused' ? { problem: asked.error.sentence } : undefined;
}

/** Slack notifies one of the replicas only, so this one cannot know that the trouble of another is over. */
function lookAtEvents({ slack }: Operated, now: number): Look {
  return slack.health().droppedAt ? { problem: EVENTS_DROPPED } : { fine: now - DROPPED_KEPT_MS };
}

async function lookAtDisk({ configuration }: Operated, now: number): Promise<Look> {
  const { DATABASE_URL } = configuration.environment;
  if (!DATABASE_URL.startsWith('file:')) return undefined;
  const [finding] = await checkDatabase(DATABASE_URL, true);
  return finding === undefined ? { fine: now } : { problem: `${finding.what} ${finding.fix}` };
}

function lookAtBackups({ backups, clock }: Operated): Watch['look'] {
  const startedAt = clock.now();
  return (now) => {
    if (backups === undefined || !isOverdue(backups, now, startedAt)) return { fine: now };
    return {
      problem: `A backup of the database is overdue: the newest in ${backups.folder} is too old, or there is none. Herald’s log says why.`,
    };
  };
}

async function lookAtBreaker(
  { dispatcher, gateway, stores }: Operated,
  channel: Channel,
  now: number,
): Promise<Look> {
  const openSince = dispatcher.channels().find((one) => one.channel === channel)?.openSince;
  if (openSince !== undefined) {
    if (now - openSince < OPEN_TOO_LONG_MS) return undefined;
    return {
      problem: `The messaging service fails, and ${channel} has waited for it for more than 10 minutes; Herald tries again by itself. Ask the service what is wrong.`,
    };
  }
  if (stores.sharing.channels !== undefined)
    return (await stores.sharing.channels.read()).get(channel)?.broken === undefined
      ? { fine: now }
      : undefined;
  return answered(gateway.health().latest);
}

function lookAtRules({ alertSettings, sight }: Operated, channel: string): Watch['look'] {
  const rules = alertSettings.rules.filter((rule) => rule.channel === channel);
  const names = rules.map(({ name }) => escapeMrkdwn(name, LONGEST_NAME)).join(', ');
  return async (now) => {
    const unseen = await sight(channel);
    if (unseen === undefined) return { fine: now - SIGHT_KEPT_MS };
    const problem = `Rules that watch <#${channel}> see nothing (${names}): ${unseen.why}`;
    return unseen.state === 'refused' ? { problem } : undefined;
  };
}
