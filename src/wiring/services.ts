import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/random.ts';
import type { Alerts } from '../sends/alerts/service.ts';
import { createAudiences } from '../sends/audiences/service.ts';
import { createFinalCheck } from '../sends/bulk/final-check.ts';
import { createBulkSends } from '../sends/bulk/service.ts';
import { createDispatcher } from '../sends/dispatch/dispatcher.ts';
import type { Gateway } from '../sends/ports.ts';
import { createQuietHours } from '../sends/quiet-hours.ts';
import type { RefusedPosts } from '../sends/refused-posts.ts';
import { createSendService } from '../sends/service.ts';
import type { StoreTrouble } from '../sends/store-trouble.ts';
import { createStoredCatalogue } from '../sends/templates/catalogue.ts';
import { createTemplates } from '../sends/templates/service.ts';
import { createBotApps } from '../slack/alerts/bot-apps.ts';
import type { SlackApp } from '../slack/app.ts';
import { SLACK_API_URL } from '../slack/connection/web-client.ts';
import { createAnswers } from '../slack/kit/cards/answers.ts';
import { createSlackFiles } from '../slack/kit/files/files.ts';
import { createMembers } from '../slack/kit/people/membership.ts';
import { createNames } from '../slack/kit/people/names.ts';
import { createStandings } from '../slack/kit/people/standing.ts';
import { createPlacing } from '../slack/kit/posting/placing.ts';
import { createAnnouncer } from '../slack/results/announcer.ts';
import { createApproverDirectory } from '../slack/results/approve/directory.ts';
import { createBulkAnnouncer } from '../slack/results/progress/bulk-announcer.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { wireAccess } from './access.ts';
import { announcerFor, wireAlerts } from './alerts.ts';
import type { Foundation } from './foundation.ts';

export type Services = ReturnType<typeof wireServices>;

export interface ServiceDependencies extends Foundation {
  readonly client: SlackApp['client'];
  readonly identity: SlackApp['identity'];
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly stopping: AbortSignal;
  readonly storeTrouble: StoreTrouble;
  readonly refusedPosts: RefusedPosts;
}

/** By then whoever takes over a send knows by its age that it may have been told. */
const POSTS_REMEMBERED_MS = 24 * 60 * 60_000;

/** Everything that handlers may ask of. */
export function wireServices(dependencies: ServiceDependencies) {
  const { configuration, store, audienceStore, templateStore, client, clock, logger } = dependencies;
  const answers = createAnswers(dependencies.replyStore, logger);
  const { environment, team } = configuration;
  const catalogue = createStoredCatalogue(templateStore);
  const audiences = createAudiences({
    ...dependencies,
    store: audienceStore,
    defaultCountry: team.defaults.country,
  });
  const members = createMembers(dependencies);
  const standings = createStandings(dependencies);
  const slackApiUrl = environment.SLACK_API_URL ?? SLACK_API_URL;
  const files = createSlackFiles({ client, botToken: environment.SLACK_BOT_TOKEN, slackApiUrl, logger });
  const directory = createApproverDirectory({
    ...dependencies,
    members,
    approvers: team.approvals.approvers,
  });
  const holds = createQuietHours(team.quietHours);
  const { sms } = team.pacing;
  // A body of the team's own may name one recipient only.
  const together = Math.min(sms.recipientsPerRequest, team.wire.rows.sms.recipientsPerRequest);
  const dispatcher = createDispatcher({
    ...dependencies,
    channels: dependencies.sharing.channels,
    pacing: { ...team.pacing, sms: { ...sms, recipientsPerRequest: together } },
    beforeAttempt: createFinalCheck({
      store,
      audiences: audienceStore,
      clock,
      frequencyCap: team.frequencyCap,
    }),
    holds,
  });
  const claimPost = (mark: string) => dependencies.notes.claim(`post:${mark}`, POSTS_REMEMBERED_MS);
  const announcer = createBulkAnnouncer({
    ...dependencies,
    placing: createPlacing({ ...dependencies, claimPost }),
    answers,
    audiences,
    catalogue,
    files,
    approvalChannel: team.approvals.channel,
    prices: team.prices,
  });
  const bulkSends = createBulkSends({
    ...dependencies,
    audiences: audienceStore,
    catalogue,
    dispatcher,
    announcer,
    directory,
    policy: team.approvals,
  });
  const sends = createSendService({
    ...dependencies,
    optOuts: audienceStore,
    catalogue,
    holds,
    dispatcher,
    announcer: announcerFor(
      () => alerts,
      createAnnouncer({ ...dependencies, claimPost, catalogue, answers }),
    ),
  });
  const alerts: Alerts = wireAlerts({ ...dependencies, sends, bulkSends, audiences });
  const templates = createTemplates({ ...dependencies, bulkSends });
  const names = createNames(dependencies);
  const botApps = createBotApps(dependencies);
  return {
    catalogue,
    answers,
    templates,
    audiences,
    ...wireAccess({ ...dependencies, members, standings, names, directory, audiences }),
    names,
    botApps,
    standings,
    files,
    directory,
    announcer,
    bulkSends,
    sends,
    alerts,
  };
}
