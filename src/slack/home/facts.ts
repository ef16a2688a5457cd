import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { kindOf } from '../../messages/kinds.ts';
import type { ApproverDirectory } from '../../sends/bulk.ts';
import type { SendReader, TemplateCatalogue } from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { classifyApiError } from '../connection/api-error.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import type { Access } from '../kit/people/access.ts';
import type { LinkTo } from '../kit/posting/links.ts';
import { lastDays } from './days.ts';
import { type HomeFacts, type ListedSend, SHOWN_SENDS } from './home-view.ts';

const CHART_DAYS = 14;
/** Sends that are looked at for what is used most. */
const LATELY = 200;
const TEMPLATES_SHOWN = 5;
/** More than can wait or run at once and be shown. */
const OPEN_SENDS = 50;

export interface HomeDependencies {
  readonly client: Pick<webApi.WebClient, 'chat' | 'users' | 'views'>;
  readonly store: Pick<SendReader, 'findByState' | 'list' | 'outcomesSince'>;
  readonly catalogue: TemplateCatalogue;
  readonly directory: ApproverDirectory;
  readonly access: Access;
  /** Rules for alerts that see nothing, a line each. */
  readonly unseenRules: () => Promise<readonly string[]>;
  /** `defaults.timezone` of herald.yml, for people whose own Slack does not tell. */
  readonly timeZone: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function gatherHome(
  { userId, teamId }: { readonly userId: string; readonly teamId: string },
  dependencies: HomeDependencies,
  linkTo: LinkTo,
): Promise<HomeFacts> {
  const { store, directory, access, clock } = dependencies;
  const [allOpen, allLatest, days, unseenRules, whyNotOthers] = await Promise.all([
    store.findByState(['awaiting_approval', 'approved', 'scheduled', 'sending', 'paused'], OPEN_SENDS),
    store.list({ limit: LATELY }),
    countDays(userId, dependencies),
    dependencies.unseenRules(),
    access.whyNot({ to: 'sends' }, { userId, teamId }),
  ]);
  const seen = ({ origin }: Send) => whyNotOthers === undefined || origin.userId === userId;
  const open = allOpen.filter(seen);
  const latest = allLatest.filter(seen);
  const bulk = open.filter(({ audience }) => audience !== undefined);
  const asked = bulk.filter(({ state, origin }) => state === 'awaiting_approval' && origin.userId !== userId);
  const mayApprove = asked.length > 0 && (await directory.whyNot(userId, teamId)) === undefined;
  const own = ['awaiting_approval', 'approved', 'scheduled'];
  const listed = (sends: readonly Send[]) => Promise.all(sends.map((send) => linked(send, linkTo)));
  const ended = latest.filter(({ id, state }) => state !== 'draft' && !open.some((one) => one.id === id));
  return {
    toDecide: mayApprove ? await listed(asked) : [],
    waiting: await listed(
      bulk.filter(({ state, origin }) => own.includes(state) && origin.userId === userId),
    ),
    running: await listed(bulk.filter(({ state }) => state === 'sending' || state === 'paused')),
    ended: await listed(ended.slice(0, SHOWN_SENDS)),
    days,
    templates: await templatesIn(latest, dependencies),
    unseenRules: whyNotOthers === undefined ? unseenRules : [],
    at: clock.now(),
  };
}

async function countDays(
  userId: string,
  { store, clock, client, timeZone, logger }: HomeDependencies,
): Promise<HomeFacts['days']> {
  const zone = await client.users.info({ user: userId }).then(
    ({ user }) => user?.tz ?? timeZone,
    (error: unknown) => {
      logger.warn({ failure: classifyApiError(error) }, 'Slack did not say which time zone a person is in');
      return timeZone;
    },
  );
  const days = lastDays(CHART_DAYS, clock.now(), zone);
  return Promise.all(
    days.map(async ({ label, from, to }) => ({ label, counts: await store.outcomesSince(from, to) })),
  );
}

/** Where a send's message stands: the progress message once it has begun, the approval card before. */
async function linked(send: Send, linkTo: LinkTo): Promise<ListedSend> {
  const link = await linkTo(send.announcement ?? send.approval?.card);
  return link === undefined ? { send } : { send, link };
}

async function templatesIn(
  sends: readonly Send[],
  { catalogue, logger }: HomeDependencies,
): Promise<HomeFacts['templates']> {
  const used = new Map<string, { count: number; send: Send }>();
  for (const send of sends) {
    const name = kindOf(send.message).templateName(send.message);
    if (name === undefined) continue;
    const key = `${send.kind}/${name}`;
    used.set(key, { count: (used.get(key)?.count ?? 0) + 1, send });
  }
  const most = [...used].sort(([, a], [, b]) => b.count - a.count).slice(0, TEMPLATES_SHOWN);
  return Promise.all(
    most.map(async ([key, { count, send }]) => {
      const template = await templateOf(send, catalogue, logger);
      return { label: template?.label ?? key.slice(key.indexOf('/') + 1), sends: count };
    }),
  );
}
