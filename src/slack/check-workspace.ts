import { webApi } from '@slack/bolt';
import { advice, type Finding, wrong } from '../core/finding.ts';
import type { Surroundings } from '../core/surroundings.ts';
import { type ApprovalPolicy, approvalsNeeded } from '../sends/bulk/policy.ts';
import { classifyApiError } from './connection/api-error.ts';
import type { SlackClient } from './connection/client.ts';
import { appTokenRefused, askIdentity, type Identity, unreachable } from './connection/identity.ts';
import { NEEDED_SCOPES, SCOPES } from './features.ts';
import { createPeople, type Standings } from './kit/people/people.ts';

/** An id of Slack's in herald.yml. */
export interface Mention {
  readonly id: string;
  /** Where it stands, e.g. `approvals.channel`. */
  readonly key: string;
  /** Herald posts or reads there, so it must be a member. */
  readonly mustBeIn?: boolean;
}

interface CheckDependencies extends Surroundings {
  readonly slack: Pick<SlackClient, 'client' | 'aheadOfSlack'>;
  readonly mentions: readonly Mention[];
  readonly policy: ApprovalPolicy;
}

/** Slack refuses requests whose time stamp is five minutes off, and people see wrong times long before. */
const CLOCK_OFF_MS = 60_000;

/** What Slack says of the tokens: whom they belong to, or why that is not known. */
export async function checkTokens(
  { client, clientOptions }: Pick<SlackClient, 'client' | 'clientOptions'>,
  appToken: string | undefined,
): Promise<{ readonly identity?: Identity; readonly findings: readonly Finding[] }> {
  const answer = await askIdentity(client, NEEDED_SCOPES);
  if (!answer.ok) return { findings: [wrong('Slack does not let Herald in.', answer.error.sentence)] };
  const identity = answer.value;
  if (appToken === undefined) return { identity, findings: [] };
  try {
    await new webApi.WebClient(appToken, clientOptions()).apps.connections.open({});
    return { identity, findings: [] };
  } catch (error) {
    const failure = classifyApiError(error);
    const fix = failure.kind === 'refused' ? appTokenRefused(failure.code) : unreachable(failure).sentence;
    return { identity, findings: [wrong('Slack opens no Socket Mode connection.', fix)] };
  }
}

/** Whether what herald.yml names is there and can do what it is named for. Asks one thing at a time, within Slack's limits. */
export async function checkWorkspace(
  dependencies: CheckDependencies,
  identity: Identity,
): Promise<readonly Finding[]> {
  const { slack, mentions, policy, clock, logger } = dependencies;
  const { standings } = createPeople({ client: slack.client, identity: () => identity, clock, logger });
  const groups = new Map<string, readonly string[]>();
  const findings = [...(await checkScopes(slack.client)), ...(await checkClock(slack))];
  for (const [id, same] of Object.entries(Object.groupBy(mentions, ({ id }) => id))) {
    const about = {
      id,
      keys: (same ?? []).map(({ key }) => key),
      mustBeIn: same?.some((one) => one.mustBeIn),
    };
    findings.push(...(await checkMention(about, slack.client, standings, groups, policy)));
  }
  return [...findings, ...checkApprovals(policy, groups)];
}

interface About {
  readonly id: string;
  readonly keys: readonly string[];
  readonly mustBeIn: boolean | undefined;
}

async function checkMention(
  about: About,
  client: webApi.WebClient,
  standings: Standings,
  groups: Map<string, readonly string[]>,
  { approvers }: ApprovalPolicy,
): Promise<readonly Finding[]> {
  const { id, keys } = about;
  const where = `${id} (${keys.join(', ')})`;
  const isGroup = id.startsWith('S');
  if (/^[UW]/.test(id)) {
    const standing = await standings.of(id);
    if (standing === 'unknown') return [unsaid(where)];
    const isFine = standing === 'member' || (standing !== 'gone' && !approvers.includes(id));
    return isFine
      ? []
      : [wrong(`${where} ${WHY_NOT[standing]}.`, 'Put the id of a member there, or take it out.')];
  }
  try {
    if (!isGroup)
      return channelFindings(where, about, (await client.conversations.info({ channel: id })).channel);
    const { users = [] } = await client.usergroups.users.list({ usergroup: id });
    groups.set(id, users);
    if (users.length > 0) return [];
    return [advice(`The user group ${where} has nobody in it.`, 'Put people into it in Slack.')];
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind !== 'refused') return [unsaid(where)];
    if (failure.code === 'plan_upgrade_required')
      return [
        wrong(
          `This workspace’s plan has no user groups, so nobody has a right by ${where}.`,
          'List user ids there instead.',
        ),
      ];
    return [
      wrong(
        `Slack shows Herald no ${isGroup ? 'user group' : 'channel'} ${where}: ${failure.code}.`,
        isGroup ? 'Check the id.' : 'Check the id; of a private channel, invite Herald there.',
      ),
    ];
  }
}

type Channel = webApi.ConversationsInfoResponse['channel'];

function channelFindings(where: string, { mustBeIn }: About, channel: Channel): readonly Finding[] {
  if (channel?.is_archived)
    return [wrong(`The channel ${where} is archived.`, 'Unarchive it, or name another in herald.yml.')];
  return mustBeIn && channel?.is_member === false
    ? [wrong(`Herald is not in the channel ${where}.`, 'Invite it there: /invite @Herald.')]
    : [];
}

const WHY_NOT = {
  gone: 'has left the workspace, or is a bot',
  guest: 'is a guest, and guests cannot approve',
  other_workspace: 'is nobody that this workspace knows as its member',
};

function unsaid(where: string): Finding {
  return advice(`Slack did not say anything about ${where}.`, 'Run doctor again in a minute.');
}

/** As many as are listed or in a listed group can approve at most; of a group that Slack did not tell, nobody knows. */
export function checkApprovals(
  policy: ApprovalPolicy,
  groups: ReadonlyMap<string, readonly string[]>,
): readonly Finding[] {
  const { approvers, over } = policy;
  if (approvers.length === 0)
    return [
      advice(
        `Nobody may approve, so a send to more than ${over} cannot start.`,
        'List users or user groups under approvals.approvers.',
      ),
    ];
  const listed = approvers.map((id) => (id.startsWith('S') ? groups.get(id) : [id]));
  if (listed.includes(undefined)) return [];
  const people = new Set(listed.flat()).size;
  const needed = approvalsNeeded(policy, Number.POSITIVE_INFINITY);
  // Whoever asked does not approve.
  if (needed < people || (needed === people && needed === 1)) return [];
  const fix = 'List more approvers, or ask for fewer approvals in approvals.tiers.';
  return needed > people
    ? [wrong(`The largest sends need ${needed} approvals, and ${people} may approve.`, fix)]
    : [
        advice(
          `The largest sends need ${needed} approvals, and ${people} may approve: none of them can ask for one.`,
          fix,
        ),
      ];
}

async function checkScopes(client: webApi.WebClient): Promise<readonly Finding[]> {
  const answer = await client.auth.test().catch(() => undefined);
  const granted = answer?.response_metadata?.scopes;
  return SCOPES.filter(({ scope }) => granted?.includes(scope) === false).map(({ scope, why }) =>
    advice(`The Slack app lacks ${scope}: ${why}.`, 'Update the app from manifest.yml and reinstall it.'),
  );
}

async function checkClock({ aheadOfSlack }: CheckDependencies['slack']): Promise<readonly Finding[]> {
  const offMs = await aheadOfSlack();
  if (offMs === undefined || Math.abs(offMs) <= CLOCK_OFF_MS) return [];
  const seconds = Math.round(Math.abs(offMs) / 1_000);
  return [
    wrong(
      `The clock of this machine is ${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} Slack’s: starts and quiet hours are off by that.`,
      'Let the machine set its clock by NTP.',
    ),
  ];
}
