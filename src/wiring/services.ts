import { createAlertTelling } from '../sends/alerts/announcing.ts';
import type { AlertSettings } from '../sends/alerts/rules.ts';
import { createAlerts } from '../sends/alerts/service.ts';
import { askForOne } from '../sends/ask-for-one.ts';
import { createAudiences } from '../sends/audiences/service.ts';
import { createFinalCheck } from '../sends/bulk/final-check.ts';
import { createBulkSends } from '../sends/bulk/service.ts';
import { createDispatcher } from '../sends/dispatch/dispatcher.ts';
import type { Gateway } from '../sends/ports.ts';
import { createQuietHours } from '../sends/quiet-hours.ts';
import type { RefusedPosts } from '../sends/refused-posts.ts';
import { createSendService } from '../sends/service.ts';
import { createStoredCatalogue } from '../sends/templates/catalogue.ts';
import { createTemplates } from '../sends/templates/service.ts';
import { createAlertAnnouncer } from '../slack/alerts/announcer.ts';
import { createBotApps } from '../slack/alerts/bot-apps.ts';
import { createUnseenRules } from '../slack/alerts/sight.ts';
import { createEntrances } from '../slack/ask-at-entrance.ts';
import type { SlackClient } from '../slack/connection/client.ts';
import { createAnswers } from '../slack/kit/cards/answers.ts';
import { createSlackFiles } from '../slack/kit/files/files.ts';
import { createAccess } from '../slack/kit/people/access.ts';
import { createChannelMembers } from '../slack/kit/people/channel-members.ts';
import { createMembers } from '../slack/kit/people/membership.ts';
import { createNames } from '../slack/kit/people/names.ts';
import { createStandings } from '../slack/kit/people/standing.ts';
import { createLinks } from '../slack/kit/posting/links.ts';
import { createOutbox } from '../slack/kit/posting/outbox.ts';
import { createPlacing } from '../slack/kit/posting/placing.ts';
import { createApproverDirectory } from '../slack/results/approve/directory.ts';
import { renderSendsToMany } from '../slack/results/posts-of-many.ts';
import { createSpeeds } from '../slack/results/progress/speed.ts';
import { renderResultOfOne } from '../slack/results/result-of-one.ts';
import type { Foundation } from './foundation.ts';

export type Services = ReturnType<typeof wireServices>;

interface ServiceDependencies extends Foundation {
  readonly slack: SlackClient;
  readonly gateway: Gateway;
  readonly refusedPosts: RefusedPosts;
}

/** By then whoever takes over a send knows by its age that it may have been told. */
const POSTS_REMEMBERED_MS = 24 * 60 * 60_000;

/** Everything that handlers may ask of. */
export function wireServices(dependencies: ServiceDependencies) {
  const { configuration, stores, slack, clock, logger } = dependencies;
  const { team } = configuration;
  const { approvers, channel: approvalChannel, singlesPerHour } = team.approvals;
  const { sends: store, audiences: audienceStore, inputs, lease, sharing, tasks, notes } = stores;
  const { client, slackClock, identity, latestUrls } = slack;
  const shared = {
    ...dependencies,
    ...{ client, slackClock, identity, latestUrls, store, inputs, lease, sharing, tasks },
  };

  const people = {
    members: createMembers(shared),
    channelMembers: createChannelMembers(shared),
    standings: createStandings(shared),
    names: createNames(shared),
  };
  const directory = createApproverDirectory({ ...shared, ...people, approvers });
  const access = createAccess(team.access, { ...people, directory, approvers });
  const files = createSlackFiles({ ...slack, logger });
  const catalogue = createStoredCatalogue(stores.templates);
  const answers = createAnswers(stores.replies, logger);
  const audiences = createAudiences({
    ...shared,
    store: audienceStore,
    defaultCountry: team.defaults.country,
  });
  const placing = createPlacing({
    ...shared,
    claimPost: (mark) => notes.claim(`post:${mark}`, POSTS_REMEMBERED_MS),
  });
  const linkTo = createLinks(shared);
  const speedOf = createSpeeds(shared);
  const telling = { ...shared, placing, catalogue, answers };

  const quietHours = createQuietHours(team.quietHours);
  const { sms } = team.pacing;
  // A body of the team's own may name one recipient only.
  const together = Math.min(sms.recipientsPerRequest, team.wire.rows.sms.recipientsPerRequest);
  const pacing = { ...team.pacing, sms: { ...sms, recipientsPerRequest: together } };
  const checked = { ...shared, audiences: audienceStore, quietHours, frequencyCap: team.frequencyCap };
  const dispatcher = createDispatcher({
    ...checked,
    channels: sharing.channels,
    pacing,
    beforeAttempt: createFinalCheck(checked),
  });
  const cardSettings = {
    prices: team.prices,
    pacing,
    approvers,
    // One of its own: it is asked about times to come, and remembers one at a time.
    quietHours: createQuietHours(team.quietHours),
  };
  const bulkSends = createBulkSends({
    ...checked,
    catalogue,
    dispatcher,
    directory,
    policy: team.approvals,
  });

  const settings = alertSettings(configuration);
  const botApps = createBotApps(shared);
  const ofAlerts = { ...shared, store: stores.alerts, sendStore: store, settings };
  const alertTelling = createAlertTelling({ ...ofAlerts, announcer: createAlertAnnouncer(telling) });
  const showInAlert = alertTelling.announcer.announce;
  const outbox = createOutbox({
    ...shared,
    posts: stores.posts,
    renderers: {
      send: renderResultOfOne({ ...telling, showInAlert }),
      ...renderSendsToMany({ ...telling, linkTo, audiences, files, approvalChannel, cardSettings, speedOf }),
    },
  });
  const sends = createSendService({
    ...shared,
    optOuts: audienceStore,
    catalogue,
    quietHours,
    dispatcher,
    singlesPerHour,
    askForOne: (request, found) => askForOne(request, found, { audiences, bulkSends }),
  });
  const alerts = createAlerts({
    ...ofAlerts,
    telling: alertTelling,
    sends,
    bulkSends,
    audiences,
    herald: () => {
      const known = identity();
      return known && { teamId: known.teamId, userId: known.botUserId };
    },
  });
  return {
    ...people,
    access,
    entrances: createEntrances(access, { store, audiences }, { clock, logger }),
    catalogue,
    answers,
    templates: createTemplates({ ...shared, templateStore: stores.templates, bulkSends }),
    audiences,
    linkTo,
    speedOf,
    botApps,
    unseenRules: createUnseenRules({ ...shared, settings, botApps }),
    files,
    directory,
    cardSettings,
    bulkSends,
    dispatcher,
    outbox,
    sends,
    alertSettings: settings,
    alerts,
  };
}

/** `alerts` of herald.yml, with what it leaves to other sections. */
function alertSettings({ team }: Foundation['configuration']): AlertSettings {
  const { alerts, defaults, senders } = team;
  const { timezone = defaults.timezone, sender: wanted } = alerts;
  return {
    ...alerts,
    timezone,
    sender: wanted === undefined ? senders.sms[0] : senders.sms.find(({ id }) => id === wanted),
  };
}
