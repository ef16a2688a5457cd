import { alertsFeature } from '../slack/alerts/feature.ts';
import { audiencesFeature } from '../slack/audiences/feature.ts';
import { createCompose } from '../slack/compose/compose.ts';
import { composeFeature } from '../slack/compose/feature.ts';
import { openForEditing } from '../slack/compose/start/again.ts';
import { handleSendShortcut } from '../slack/compose/start/kind-choice.ts';
import { COMMANDS } from '../slack/features.ts';
import { commandList, heraldFeature, type OfHerald } from '../slack/herald-command.ts';
import { homeFeature } from '../slack/home/feature.ts';
import type { AddFeature } from '../slack/kit/feature/register.ts';
import type { SlackServices } from '../slack/kit/services.ts';
import { createViewUpdates } from '../slack/kit/views/view-updates.ts';
import { repliesFeature } from '../slack/replies/feature.ts';
import { createTestNumbers } from '../slack/results/approve/actions.ts';
import { resultsFeature } from '../slack/results/feature.ts';
import { oneSend } from '../slack/results/one-send.ts';
import { sendsFeature } from '../slack/sends/feature.ts';
import { templatesFeature } from '../slack/templates/feature.ts';
import { workflowsFeature } from '../slack/workflows/feature.ts';

/** Adds everything that people can do in Slack. Where one feature leads to another, it is handed the way here. */
export function registerHandlers(add: AddFeature, services: SlackServices, status: OfHerald['status']): void {
  const { client, clock, logger } = services;
  const compose = createCompose(services);
  add(composeFeature, compose);
  add(repliesFeature, services);
  add(workflowsFeature, services);
  add(audiencesFeature, services);
  add(alertsFeature, services);
  add(heraldFeature, { ...services, status, commands: commandList(COMMANDS) });
  add(templatesFeature, { ...services, views: createViewUpdates(clock, logger) });
  add(resultsFeature, {
    ...services,
    testNumbers: createTestNumbers(clock),
    onEdit: (send, triggerId) => openForEditing(send, triggerId, client, compose),
  });
  add(homeFeature, {
    ...services,
    openKindChoice: (shortcut, slack) => handleSendShortcut({ shortcut, client: slack }, compose),
  });
  add(sendsFeature, { ...services, oneSend: (sendId, userId) => oneSend(sendId, userId, services) });
}
