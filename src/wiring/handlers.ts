import { audiencesFeature } from '../slack/audiences/feature.ts';
import { createCompose } from '../slack/compose/compose.ts';
import { composeFeature } from '../slack/compose/feature.ts';
import { openForEditing } from '../slack/compose/start/again.ts';
import { openKindChoice } from '../slack/compose/start/kind-choice.ts';
import type { SlackClient } from '../slack/connection/client.ts';
import { homeFeature } from '../slack/home/feature.ts';
import type { AddFeature } from '../slack/kit/feature/register.ts';
import { createViewUpdates } from '../slack/kit/views/view-updates.ts';
import { repliesFeature } from '../slack/replies/feature.ts';
import { createTestNumbers } from '../slack/results/approve/dependencies.ts';
import { resultsFeature } from '../slack/results/feature.ts';
import { oneSend } from '../slack/results/one-send.ts';
import { sendsFeature } from '../slack/sends/feature.ts';
import { templatesFeature } from '../slack/templates/feature.ts';
import { workflowsFeature } from '../slack/workflows/feature.ts';
import { onCallGroups } from './alerts.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** Adds everything that people can do in Slack. */
export function registerHandlers(
  add: AddFeature,
  client: SlackClient['client'],
  services: Services,
  { configuration, stores, clock, logger, stopping }: Foundation,
): void {
  const { team } = configuration;
  const { sends: store, notes, conversations } = stores;
  const shared = {
    ...services,
    store,
    conversations,
    defaults: team.defaults,
    timeZone: team.defaults.timezone,
    clock,
    logger,
  };
  const sending = {
    ...shared,
    senders: team.senders,
    terms: team.wire.terms,
    drafts: stores.drafts,
    notes,
    groups: onCallGroups(services.alertSettings, stores.alerts, clock),
    approvals: team.approvals,
  };
  const compose = createCompose(sending);
  add(composeFeature, compose);
  add(repliesFeature, shared);
  add(workflowsFeature, { ...sending, stopping });
  add(audiencesFeature, shared);
  add(templatesFeature, { ...shared, views: createViewUpdates(clock, logger) });
  add(resultsFeature, {
    ...shared,
    testNumbers: createTestNumbers(clock),
    onEdit: (send, triggerId) => openForEditing(send, triggerId, client, compose),
  });
  add(homeFeature, {
    ...shared,
    client,
    openKindChoice: (click, slack) => openKindChoice(click, slack, compose),
  });
  add(sendsFeature, {
    ...shared,
    client,
    optOuts: stores.audiences,
    oneSend: (sendId, userId) => oneSend(sendId, userId, shared),
  });
}
