import { registerAudiences } from '../slack/audiences/register.ts';
import { registerCompose } from '../slack/compose/register.ts';
import type { SlackClient } from '../slack/connection/client.ts';
import { registerHome } from '../slack/home/register.ts';
import { sendAccess, templateAccess } from '../slack/kit/people/access.ts';
import { registerApproval } from '../slack/results/approve/actions.ts';
import { oneSend } from '../slack/results/one-send.ts';
import { registerProgress } from '../slack/results/progress/actions.ts';
import { registerSendsCommand } from '../slack/sends/sends-command.ts';
import { registerTemplates } from '../slack/templates/register.ts';
import { registerWorkflowSteps } from '../slack/workflows/register.ts';
import { onCallGroups } from './alerts.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** Adds everything that people can do in Slack. */
export function registerHandlers(
  app: Parameters<typeof registerCompose>[0],
  client: SlackClient['client'],
  services: Services,
  { configuration, stores, clock, logger, stopping }: Foundation,
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
  const { sends: store, notes } = stores;
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
  const sending = {
    ...shared,
    senders: team.senders,
    drafts: stores.drafts,
    notes,
    groups: onCallGroups(services.alertSettings, stores.alerts, clock),
    access: sendAccess(access),
    approvals: team.approvals,
  };
  const composing = registerCompose(app, sending);
  registerWorkflowSteps(app, { ...sending, standings, stopping });
  registerAudiences(app, shared);
  registerTemplates(app, {
    ...shared,
    templates,
    names,
    access: templateAccess(access),
  });
  registerApproval(app, {
    ...shared,
    announcer,
    directory,
    onEdit: (send, triggerId) => composing.openForEditing(send, triggerId, client),
  });
  registerHome(app, { ...shared, ...composing, client, directory, access, timeZone: team.defaults.timezone });
  registerProgress(app, shared);
  registerSendsCommand(app, {
    ...shared,
    optOuts: stores.audiences,
    oneSend: (sendId, userId) => oneSend(sendId, userId, { ...shared, prices: team.prices }),
  });
}
