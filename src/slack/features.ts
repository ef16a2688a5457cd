import { alertsFeature } from './alerts/feature.ts';
import { audiencesFeature } from './audiences/feature.ts';
import { composeFeature } from './compose/feature.ts';
import { heraldFeature } from './herald-command.ts';
import { homeFeature } from './home/feature.ts';
import { entrancesOf, type Feature } from './kit/feature/feature.ts';
import type { Entrance } from './kit/feature/rights.ts';
import { repliesFeature } from './replies/feature.ts';
import { resultsFeature } from './results/feature.ts';
import { sendsFeature } from './sends/feature.ts';
import { templatesFeature } from './templates/feature.ts';
import { workflowsFeature } from './workflows/feature.ts';

/*
 * All that Slack must know of Herald, and all that people can do with it there, gathered from the features. A test
 * compares it with `manifest.yml` and with what is registered.
 */

/** The scopes that the kit needs for all of them. */
const KIT: Feature<never> = {
  scopes: {
    commands: 'to offer the slash commands and receive what is typed after them',
    'chat:write':
      'to post a result where the send was asked for, or to the person directly, and to update it in place',
    'files:read': 'to read the file that a person gives in a form, or posts and chooses as an audience',
    'files:write':
      'to give people directly the report of a send, the rows that were left out of a list, and what else is asked for as a file',
    'users:read': 'to know whether somebody who does something is a guest or from another workspace',
    'usergroups:read':
      'to know who is in a user group that herald.yml gives a right to, and to name one that is mentioned in a message that is sent on',
    'channels:read':
      'to name the channels in which herald.yml allows something, and to know whether somebody is in one that they choose in a form',
    'groups:read': 'the same for private channels',
    'channels:history':
      'to find its own message again when Slack’s answer to posting it was lost, so that it is not posted twice',
    'groups:history': 'the same in private channels',
  },
};

export const FEATURES: readonly Feature<never>[] = [
  KIT,
  composeFeature,
  sendsFeature,
  templatesFeature,
  audiencesFeature,
  heraldFeature,
  resultsFeature,
  repliesFeature,
  alertsFeature,
  homeFeature,
  workflowsFeature,
];

/** Every entrance with its right, e.g. `action:send_pause`. What is not among them is refused. */
export const ENTRANCES: Readonly<Record<string, Entrance>> = Object.fromEntries(
  FEATURES.flatMap(entrancesOf),
);

export const COMMANDS = FEATURES.flatMap(({ commands = {} }) =>
  Object.entries(commands).map(([command, { description, usageHint, examples, subcommands = {} }]) => ({
    command,
    description,
    usageHint,
    examples: [...examples, ...Object.values(subcommands).flatMap(({ example }) => example ?? [])],
  })),
);

/** The scopes of the bot token, and why it needs each. */
export const SCOPES = Object.entries(
  Object.groupBy(
    FEATURES.flatMap(({ scopes = {} }) => Object.entries(scopes)),
    ([scope]) => scope,
  ),
).map(([scope, reasons = []]) => ({ scope, why: reasons.map(([, why]) => why).join(', and ') }));

/** Herald starts without it: an installation of before does not have it. */
const DISPENSABLE = 'reactions:write';

/** Without these Herald does not start. */
export const NEEDED_SCOPES = SCOPES.map(({ scope }) => scope).filter((scope) => scope !== DISPENSABLE);
