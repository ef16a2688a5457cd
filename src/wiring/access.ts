import type { Configuration } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { ApproverDirectory } from '../sends/bulk.ts';
import type { SlackApp } from '../slack/app.ts';
import { createEntrances } from '../slack/ask-at-entrance.ts';
import type { EntranceSources } from '../slack/entrances.ts';
import { createAccess } from '../slack/kit/people/access.ts';
import { createChannelMembers } from '../slack/kit/people/channel-members.ts';
import type { Members } from '../slack/kit/people/membership.ts';
import type { Names } from '../slack/kit/people/names.ts';
import type { Standings } from '../slack/kit/people/standing.ts';

interface AccessWiring extends EntranceSources {
  readonly configuration: Configuration;
  readonly client: SlackApp['client'];
  readonly members: Members;
  readonly standings: Standings;
  readonly names: Names;
  readonly directory: ApproverDirectory;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Who may do what, and what asks for it at every entrance. */
export function wireAccess(dependencies: AccessWiring) {
  const { access: settings, approvals } = dependencies.configuration.team;
  const channelMembers = createChannelMembers(dependencies);
  const access = createAccess(settings, { ...dependencies, channelMembers, approvers: approvals.approvers });
  return { access, entrances: createEntrances(access, dependencies, dependencies) };
}
