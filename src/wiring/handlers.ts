import type { Clock } from '../core/clock.ts';
import type { SlackApp } from '../slack/app.ts';
import { audiencesFeature } from '../slack/audiences/feature.ts';
import { createCompose } from '../slack/compose/compose.ts';
import { composeFeature } from '../slack/compose/feature.ts';
import { openForEditing } from '../slack/compose/start/edit.ts';
import { openKindChoice } from '../slack/compose/start/shortcuts.ts';
import { createLinks, homeFeature } from '../slack/home/feature.ts';
import type { AddFeature } from '../slack/kit/feature/register.ts';
import { sendAccess, templateAccess } from '../slack/kit/people/access.ts';
import { createViewUpdates } from '../slack/kit/views/view-updates.ts';
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
  client: SlackApp['client'],
  services: Services,
  { configuration, store, audienceStore, draftStore, alertStore, notes, logger }: Foundation,
  clock: Clock,
  stopping: AbortSignal,
): void {
  const {
    catalogue,
    answers,
    templates,
    audiences,
    access,
    names,
    standings,
    files,
    directory,
    announcer,
    bulkSends,
    sends,
  } = services;
  const { team } = configuration;
  const shared = {
    store,
    catalogue,
    answers,
    audiences,
    sends,
    bulkSends,
    files,
    defaults: team.defaults,
    clock,
    logger,
  };
  const { over, channel } = team.approvals;
  const sending = {
    ...shared,
    senders: team.senders,
    drafts: draftStore,
    notes,
    groups: onCallGroups(configuration, alertStore, clock),
    access: sendAccess(access),
    bulk: { audiences, bulkSends, files, approvals: { over, ...(channel !== undefined && { channel }) } },
  };
  const compose = createCompose(sending);
  add(composeFeature, compose);
  add(workflowsFeature, { ...sending, standings, stopping });
  add(audiencesFeature, shared);
  add(templatesFeature, {
    ...shared,
    templates,
    names,
    views: createViewUpdates(clock, logger),
    access: templateAccess(access),
  });
  add(resultsFeature, {
    ...shared,
    announcer,
    directory,
    testNumbers: createTestNumbers(clock),
    onEdit: (send, triggerId) => openForEditing(send, triggerId, client, compose),
  });
  add(homeFeature, {
    ...shared,
    client,
    directory,
    access,
    links: createLinks(clock),
    openKindChoice: (click, slack) => openKindChoice(click, slack, compose),
    timeZone: team.defaults.timezone,
  });
  add(sendsFeature, {
    ...shared,
    optOuts: audienceStore,
    oneSend: (sendId, userId) => oneSend(sendId, userId, { ...shared, prices: team.prices }),
  });
}
