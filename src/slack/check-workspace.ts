import { webApi } from '@slack/bolt';
import { advice, type Finding, wrong } from '../core/finding.ts';
import type { Surroundings } from '../core/surroundings.ts';
import { approvalsNeeded } from '../sends/bulk/policy.ts';
import type { ApprovalPolicy } from '../sends/settings.ts';
import { classifyApiError } from './connection/api-error.ts';
import type { SlackClient } from './connection/client.ts';
import { appTokenRefused, askIdentity, type Identity, unreachable } from './connection/identity.ts';
import { LIMITS } from './connection/limits.ts';
import { NEEDED_SCOPES, SCOPES } from './features.ts';
import { modal, warnings } from './kit/blocks/blocks.ts';
import { pictures } from './kit/cards/message-blocks.ts';
import { createPeople, type Standings } from './kit/people/people.ts';
import { causeBlocks } from './results/progress/card.ts';
import { chartOf, MOST_BARS } from './results/progress/ended-card.ts';

/** An id of Slack's in herald.yml. */
export interface Mention {
  readonly id: string;
  /** The key it stands under, e.g. `approvals.channel`. */
  readonly key: string;
  /** Herald posts or reads there, so it must be a member. */
  readonly mustBeIn?: boolean | undefined;
}

/** Slack refuses requests whose time stamp is five minutes off, and people see wrong times long before. */
const CLOCK_OFF_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Asks Slack about the tokens: whom they belong to, or why that is not known. */
export async function checkTokens(
  { client, clientOptions, teamId }: Pick<SlackClient, 'client' | 'clientOptions' | 'teamId'>,
  appToken: string | undefined,
): Promise<{ readonly identity?: Identity; readonly findings: readonly Finding[] }> {
  const answer = await askIdentity(client, NEEDED_SCOPES, teamId);
  if (!answer.ok) return { findings: [wrong('Slack does not let Herald in.', answer.error.sentence)] };
  const identity = answer.value;
  if (appToken === undefined) return { identity, findings: [] };
  const { apps } = new webApi.WebClient(appToken, clientOptions());
  const failure = await apps.connections.open({}).then(() => undefined, classifyApiError);
  if (failure === undefined) return { identity, findings: [] };
  const fix = failure.kind === 'refused' ? appTokenRefused(failure.code) : unreachable(failure).sentence;
  // Asked about it often, Slack makes the asker wait: then the token is not wrong.
  const weigh = failure.kind === 'rate_limited' ? advice : wrong;
  return { identity, findings: [weigh('Slack opens no Socket Mode connection.', fix)] };
}

/** Whether what herald.yml names is there and can do what it is named for. Asks one thing at a time, within Slack's limits. */
export async function checkWorkspace(
  slack: Pick<SlackClient, 'client' | 'aheadOfSlack'>,
  mentions: readonly Mention[],
  policy: ApprovalPolicy,
  identity: Identity,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const { standings } = createPeople({ client: slack.client, identity: () => identity, ...surroundings });
  const groups = new Map<string, readonly string[]>();
  const { client } = slack;
  const findings = [await checkScopes(client), await checkClock(slack), await checkBlocks(client)].flat();
  for (const [id, same = []] of Object.entries(Object.groupBy(mentions, ({ id }) => id))) {
    const where = `${id} (${same.map(({ key }) => key).join(', ')})`;
    const about = { id, where, mustBeIn: same.some((one) => one.mustBeIn) };
    findings.push(...(await checkMention(about, client, standings, groups, policy)));
  }
  return [...findings, ...checkApprovals(policy, groups)];
}

async function checkMention(
  { id, where, mustBeIn }: Pick<Mention, 'id' | 'mustBeIn'> & { readonly where: string },
  client: webApi.WebClient,
  standings: Standings,
  groups: Map<string, readonly string[]>,
  { approvers }: ApprovalPolicy,
): Promise<readonly Finding[]> {
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
    if (!isGroup) {
      const { channel } = await client.conversations.info({ channel: id });
      if (channel?.is_archived)
        return [wrong(`The channel ${where} is archived.`, 'Unarchive it, or name another in herald.yml.')];
      return mustBeIn && channel?.is_member === false
        ? [wrong(`Herald is not in the channel ${where}.`, 'Invite it there: /invite @Herald.')]
        : [];
    }
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

const WHY_NOT = {
  gone: 'has left the workspace, or is a bot',
  guest: 'is a guest, and guests cannot approve',
  other_workspace: 'is nobody that this workspace knows as its member',
};

function unsaid(where: string): Finding {
  return advice(`Slack did not say anything about ${where}.`, 'Run doctor again in a minute.');
}

/** Only those who are listed or in a listed group can approve; nobody knows who is in a group that Slack did not show. */
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

/** The largest of each block that a workspace may not take, by its name for people. */
function largestBlocks() {
  const text = 'x'.repeat(LIMITS.sectionText);
  const failure = { what: text, next: text, code: text, scope: 'recipient' } as const;
  const causes = Array.from({ length: LIMITS.tableRows }, (_none, count) => ({ failure, count }));
  const card = {
    label: 'Image',
    value: 'https://example.com/a.png',
    media: { type: 'card', path: '' },
  } as const;
  const course = Array.from({ length: MOST_BARS }, () => ({ accepted: 1, unknown: 1, failed: 1 }));
  return {
    tables: { message: { blocks: causeBlocks(causes) } },
    charts: { message: { blocks: [chartOf(course, DAY_MS)] } },
    carousels: { message: { blocks: pictures(Array.from({ length: LIMITS.carouselCards }, () => card)) } },
    warnings: { view: modal({ title: 'Herald', blocks: warnings(['x'.repeat(LIMITS.alertText)]) }) },
  };
}

/** Whether Slack takes these blocks, asked without showing them to anybody. */
async function checkBlocks(client: webApi.WebClient): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [name, asked] of Object.entries(largestBlocks())) {
    const refusal = await client.blocks.validate(asked).then(() => undefined, classifyApiError);
    if (refusal === undefined) continue;
    if (refusal.kind !== 'refused') return [...findings, unsaid(`Herald’s ${name}`)];
    if (refusal.code === 'unknown_method') return [advice(NO_VALIDATION, OLDER_SHOWN)];
    findings.push(advice(`Slack does not take Herald’s ${name} here (${refusal.code}).`, OLDER_SHOWN));
  }
  return findings;
}

const NO_VALIDATION =
  'Slack has no blocks.validate here, so whether it takes Herald’s tables, charts, carousels and warnings shows when one is posted.';
const OLDER_SHOWN = 'Nothing need be done: where it takes none, Herald shows lines, pictures and words.';

async function checkClock({ aheadOfSlack }: Pick<SlackClient, 'aheadOfSlack'>): Promise<readonly Finding[]> {
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
