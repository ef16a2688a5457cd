import { numbersOnFile, onCallAt } from '../sends/alerts/plan.ts';
import type { AlertSettings } from '../sends/alerts/rules.ts';
import { createAlerts } from '../sends/alerts/service.ts';
import { createAudiences } from '../sends/audiences/service.ts';
import { createFinalCheck } from '../sends/bulk/final-check.ts';
import { createBulkSends } from '../sends/bulk/service.ts';
import { createDispatcher } from '../sends/dispatch/dispatcher.ts';
import { createMediaCheck, type LookAtMedia } from '../sends/media.ts';
import type { Gateway } from '../sends/ports.ts';
import { createQuietHours } from '../sends/quiet-hours.ts';
import type { RefusedPosts } from '../sends/refused-posts.ts';
import { createSendService } from '../sends/service.ts';
import { createStoredCatalogue } from '../sends/templates/catalogue.ts';
import { createTemplateLife } from '../sends/templates/life.ts';
import { createTemplates } from '../sends/templates/service.ts';
import { renderAlerts } from '../slack/alerts/posts.ts';
import { createAskUserGroups, createSight, unseenRules } from '../slack/alerts/sight.ts';
import { createEntrances } from '../slack/ask-at-entrance.ts';
import type { SlackClient } from '../slack/connection/client.ts';
import { createAnswers } from '../slack/kit/cards/answers.ts';
import { createSpeeds } from '../slack/kit/cards/speed.ts';
import { createSlackFiles } from '../slack/kit/files/files.ts';
import { createAccess, createApproverDirectory } from '../slack/kit/people/access.ts';
import { createBotApps } from '../slack/kit/people/bot-apps.ts';
import { createChannelMembers, createMembers, createPeople } from '../slack/kit/people/people.ts';
import { createLinks } from '../slack/kit/posting/links.ts';
import { renderNotices } from '../slack/kit/posting/notice.ts';
import { createOutbox } from '../slack/kit/posting/outbox.ts';
import type { SlackServices } from '../slack/kit/services.ts';
import { renderReplies } from '../slack/replies/posts.ts';
import { renderResultOfOne, renderSendsToMany } from '../slack/results/posts.ts';
import type { Foundation } from './connections.ts';

interface Connected extends Foundation {
  readonly slackClient: SlackClient;
  readonly gateway: Gateway;
  readonly lookAtMedia: LookAtMedia | undefined;
  readonly refusedPosts: RefusedPosts;
}

export type Services = ReturnType<typeof wireServices>;

/** Makes everything that handlers may ask of, and what starts and ends it. */
export function wireServices(connected: Connected) {
  const { configuration, stores, clock, logger } = connected;
  const { team } = configuration;
  const shared = sharedBy(connected);
  const people = wirePeople(shared);
  const sending = wireSending(shared, people);
  const { bulkSends, audiences } = sending;
  const settings = alertSettings(configuration);
  const botApps = createBotApps(shared);
  const sight = createSight({ ...shared, botApps });
  return {
    ...shared,
    ...people,
    ...sending,
    ...wireAlerts(shared, settings, sending),
    botApps,
    entrances: createEntrances(people.access, { store: shared.store, audiences }, { clock, logger }),
    templates: createTemplates({ ...shared, templateStore: stores.templates, bulkSends }),
    sight,
    unseenRules: () => unseenRules(settings, sight),
    alertSettings: settings,
    checkMedia: createMediaCheck(connected.lookAtMedia),
    groups: {
      names: Object.keys(settings.groups),
      approvalOver: settings.approvalOver,
      numbersOf: async (group: string) => {
        const numbers = await numbersOnFile(stores.alerts);
        const { people: onCall } = onCallAt([group], settings, numbers, clock.now());
        return onCall.map(({ number }) => number);
      },
    },
    defaults: { ...team.defaults, ...team.sms, answerButton: team.answers.button },
    senders: team.senders,
    terms: team.wire.terms,
    approvals: team.approvals,
  };
}

/** Under the names that those who use it have for it. */
function sharedBy(connected: Connected) {
  const { stores, slackClient } = connected;
  const { client, slackClock, identity, latestUrls } = slackClient;
  const { sends: store, inputs, lease, sharing, tasks, notes, drafts, conversations } = stores;
  return {
    ...connected,
    ...{ client, slackClock, identity, latestUrls },
    ...{ store, inputs, lease, sharing, tasks, notes, drafts, conversations },
    alertStore: stores.alerts,
    optOuts: stores.audiences,
    life: createTemplateLife({ ...connected, templates: stores.templates, notices: stores.notices }),
    files: createSlackFiles({ ...slackClient, logger: connected.logger }),
    catalogue: createStoredCatalogue(stores.templates),
    answers: createAnswers(stores.replies, connected.logger),
    linkTo: createLinks({ ...connected, client }),
    speedOf: createSpeeds(connected),
  };
}

type Shared = ReturnType<typeof sharedBy>;

/** Makes what knows people and their rights. */
function wirePeople(shared: Shared) {
  const { access, approvals, defaults } = shared.configuration.team;
  const { approvers } = approvals;
  const { names, standings, timeZoneOf } = createPeople(shared);
  const people = {
    ...{ names, standings },
    timeZoneOf: async (userId: string) => (await timeZoneOf(userId)) ?? defaults.timezone,
    members: createMembers(shared),
    channelMembers: createChannelMembers(shared),
  };
  const directory = createApproverDirectory({ ...shared, ...people, approvers });
  return { ...people, directory, access: createAccess(access, { ...people, directory, approvers }) };
}

/** Sends to many. */
function wireSending(shared: Shared, { directory }: Pick<SlackServices, 'directory'>) {
  const { sharing, stores, configuration } = shared;
  const { team } = configuration;
  const { approvers } = team.approvals;
  const quietHours = createQuietHours(team.quietHours);
  const { sms } = team.pacing;
  // A body of the team's own may name one recipient only.
  const together = Math.min(sms.recipientsPerRequest, team.wire.rows.sms.recipientsPerRequest);
  const pacing = { ...team.pacing, sms: { ...sms, recipientsPerRequest: together } };
  const checked = { ...shared, audiences: stores.audiences, quietHours, frequencyCap: team.frequencyCap };
  const dispatcher = createDispatcher({
    ...checked,
    channels: sharing.channels,
    pacing,
    beforeAttempt: createFinalCheck(checked),
    refused: shared.life.refused,
  });
  const audiences = createAudiences({
    ...shared,
    store: stores.audiences,
    defaultCountry: team.defaults.country,
  });
  const cardSettings = {
    prices: team.prices,
    freeText: team.sms.freeText,
    pacing,
    approvers,
    // One of its own: it is asked about times to come, and remembers one at a time.
    quietHours: createQuietHours(team.quietHours),
  };
  const bulkSends = createBulkSends({ ...checked, dispatcher, directory, policy: team.approvals });
  return { quietHours, dispatcher, audiences, cardSettings, bulkSends };
}

/** Sends to one person, and alerts, which are announced where their alert is. */
function wireAlerts(
  shared: Shared,
  settings: AlertSettings,
  { quietHours, dispatcher, audiences, cardSettings, bulkSends }: ReturnType<typeof wireSending>,
) {
  const { stores, store, identity, configuration } = shared;
  const { approvals, webhooks, operators, wire } = configuration.team;
  const ofAlerts = { ...shared, store: stores.alerts, sendStore: store, settings };
  const outbox = createOutbox({
    ...shared,
    posts: stores.posts,
    renderers: {
      send: renderResultOfOne(shared),
      ...renderSendsToMany({ ...shared, audiences, cardSettings, approvalChannel: approvals.channel }),
      ...renderAlerts({ ...shared, alertSettings: settings }),
      reply: renderReplies({
        ...shared,
        replyStore: stores.replies,
        channel: webhooks.channel,
        addressFields: wire.terms.addressFields,
      }),
      ...renderNotices(stores.notices, operators),
    },
  });
  const sending = { quietHours, dispatcher, audiences, bulkSends, policy: approvals };
  const sends = createSendService({ ...shared, ...sending });
  const alerts = createAlerts({
    ...ofAlerts,
    ...{ sends, bulkSends, audiences, userGroups: createAskUserGroups(shared) },
    herald: () => {
      const known = identity();
      return known && { teamId: known.teamId, userId: known.botUserId };
    },
  });
  return { outbox, sends, alerts };
}

/** `alerts` of herald.yml, with what it leaves to other sections. */
function alertSettings({ team }: Foundation['configuration']): AlertSettings {
  const { alerts, defaults, senders } = team;
  const { timezone = defaults.timezone, sender: wanted } = alerts;
  return {
    ...alerts,
    timezone,
    senders: senders.sms.filter(({ id }) => wanted === undefined || id === wanted),
  };
}
