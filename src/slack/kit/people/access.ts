import type { Clock } from '../../../core/clock.ts';
import { LATE, within } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { ApproverDirectory } from '../../../sends/bulk.ts';
import type { AccessSettings } from '../../../sends/settings.ts';
import type { SlackClient } from '../../connection/client.ts';
import type { ChannelMembers, Members, Names, Standings } from './people.ts';

/*
 * Decides who may do what. Every right is decided here, at the moment somebody does something; each feature declares
 * which one its entrances ask for.
 */

export type Right =
  /** Send a kind of message. `orApprover`: who may approve sends may do this with one that somebody else asked for. */
  | { readonly to: 'send'; readonly kind: MessageKind; readonly orApprover?: true }
  /** Change the catalogue of templates. */
  | { readonly to: 'templates' }
  /** See and change audiences and opt-outs; take the catalogue out and in as a file. */
  | { readonly to: 'lists' }
  /** See, with masked numbers, what others have sent. */
  | { readonly to: 'sends' }
  /** Have whole numbers of the sends of others. */
  | { readonly to: 'reports' }
  /** Have the record of everybody's sends. */
  | { readonly to: 'audit' };

export interface Place {
  /** Absent while no channel is known yet: the place is then not judged, and asked about again once it is. */
  readonly channelId?: string | undefined;
  /** The channel was chosen in a form or by a workflow's author: it counts only for those who are in it. */
  readonly chosen?: boolean;
}

export interface Asking extends Place {
  readonly userId: string;
  /** The workspace that Slack says they act from; needed where approvers may, too. */
  readonly teamId?: string;
}

export type Access = ReturnType<typeof createAccess>;

interface AccessDependencies {
  readonly members: Members;
  readonly channelMembers: ChannelMembers;
  readonly standings: Standings;
  readonly names: Names;
  readonly directory: Pick<ApproverDirectory, 'whyNot'>;
  /** `approvals.approvers` of herald.yml, to name those who can help. */
  readonly approvers: readonly string[];
}

/**
 * Asks Slack who may approve: listed by name or through a user group, and a full member (`Standings`). When Slack does not say, the
 * answer is `unknown`, never a guess.
 */
export function createApproverDirectory({
  identity,
  members,
  standings,
  approvers,
}: Pick<AccessDependencies, 'members' | 'standings' | 'approvers'> &
  Pick<SlackClient, 'identity'>): ApproverDirectory {
  return {
    whyNot: async (userId, teamId, { fresh } = { fresh: false }) => {
      const home = identity();
      if (home === undefined) return 'unknown';
      if (teamId !== home.teamId && home.enterpriseId === undefined) return 'other_workspace';
      const person = await standings.of(userId, { fresh });
      if (person === 'gone') return 'not_listed';
      if (person !== 'member') return person;
      const membership = await members.includes(approvers, userId, { fresh });
      if (membership === 'member') return undefined;
      return membership === 'unknown' ? 'unknown' : 'not_listed';
    },
  };
}

/** The rule by which a right is given, and its words in refusals. */
interface Rule {
  /** Ids that have it; absent: every member. Users and groups say who, channels from where. */
  readonly listed?: readonly string[] | undefined;
  /** Ids of guests and strangers that have it, where these are not `listed`. */
  readonly besides?: readonly string[];
  /** Approvers have it, wherever they are. */
  readonly approvers?: boolean;
  readonly may: string;
  readonly place?: string;
}

function ruleOf(right: Right, { send, templates, lists, reports, audit }: AccessSettings): Rule {
  switch (right.to) {
    case 'send':
      return {
        listed: send[right.kind] ?? send[KINDS[right.kind].channel],
        approvers: right.orApprover === true,
        may: 'send this kind of message',
        place: 'This kind of message is sent from',
      };
    case 'templates':
      return { listed: templates, may: 'change templates', place: 'Templates are changed from' };
    case 'lists':
      return { listed: lists, may: 'change or export audiences, opt-outs and the catalogue' };
    case 'sends':
      return { besides: reports, may: 'see what others send' };
    case 'reports':
      return { listed: reports, approvers: true, may: 'see the full numbers of other people’s sends' };
    case 'audit':
      return { listed: audit, approvers: true, may: 'see the record of everybody’s sends' };
  }
}

const UNSURE = 'Slack did not say whether you may; try again in a minute.';

/** Answers from `access` of herald.yml. Guests and people of other workspaces have no right unless listed themselves. */
export function createAccess(settings: AccessSettings, dependencies: AccessDependencies) {
  return {
    /**
     * A sentence that says why this person may not, and who can help; undefined when they may. Answers from memory or
     * within about a second. What Slack said about a person or a group may be a minute old.
     */
    whyNot: async (right: Right, asking: Asking): Promise<string | undefined> => {
      const rule = ruleOf(right, settings);
      const person = await judgePerson(rule, asking, dependencies);
      if (person === 'approver') return undefined;
      return person === 'may' ? whyNotHere(rule, asking, dependencies) : person.refusal;
    },
  };
}

type Judgement = 'may' | 'approver' | { readonly refusal: string };

async function judgePerson(
  { listed, besides = [], approvers = false, may }: Rule,
  { userId, teamId = '' }: Asking,
  { members, standings, names, directory, approvers: approving }: AccessDependencies,
): Promise<Judgement> {
  if (listed?.includes(userId) || besides.includes(userId)) return 'may';
  const people = listed?.filter((id) => !isChannel(id)) ?? [];
  // A list of channels alone says from where, not who; an empty one says nobody.
  const isOpen = listed === undefined || (people.length === 0 && listed.length > 0);
  const [standing, membership] = await Promise.all([
    standings.of(userId),
    isOpen ? 'member' : members.includes(people, userId),
  ]);
  if (standing === 'unknown') return { refusal: UNSURE };
  if (standing !== 'member') return { refusal: outsider(may) };
  if (membership === 'member') return 'may';
  const problem = approvers ? await directory.whyNot(userId, teamId) : 'not_listed';
  if (problem === undefined) return 'approver';
  if (problem === 'unknown' || membership === 'unknown') return { refusal: UNSURE };
  const who = [...new Set([...(approvers ? approving : []), ...people])];
  return {
    refusal:
      who.length === 0
        ? `Nobody may ${may}: whoever runs Herald can change that in herald.yml.`
        : `Only ${await named(who, names)} may ${may}; ask one of them.`,
  };
}

async function whyNotHere(
  { listed = [], place = '' }: Rule,
  { userId, channelId, chosen = false }: Asking,
  { channelMembers, names }: AccessDependencies,
): Promise<string | undefined> {
  const places = listed.filter(isChannel);
  if (places.length === 0 || channelId === undefined) return undefined;
  const isThere =
    places.includes(channelId) && (chosen ? await channelMembers.includes(channelId, userId) : 'member');
  if (isThere === 'member') return undefined;
  if (isThere === 'unknown') return UNSURE;
  return `${place} ${await named(places, names)} only; do it there, or ask whoever runs Herald.`;
}

function outsider(may: string): string {
  return `Guests and people of other workspaces may not ${may}, unless herald.yml names them: ask a member of this workspace.`;
}

async function named(ids: readonly string[], names: Names): Promise<string> {
  return (await Promise.all(ids.map(names.nameOf))).join(', ');
}

function isChannel(id: string): boolean {
  return id.startsWith('C') || id.startsWith('G');
}

/** Slack gives an acknowledgement three seconds; the handler takes some of them. */
const RIGHTS_MS = 800;

/** Puts the answer of `whyNot` as a refusal that ends with what was not done; `unsure` where that is not known in time. */
export async function refusalOf(
  right: Right,
  asking: Asking,
  { access, clock }: { readonly access: Access; readonly clock: Clock },
  { unsure, undone }: { readonly unsure: string; readonly undone: string },
): Promise<string | undefined> {
  const why = await within(access.whyNot(right, asking), RIGHTS_MS, clock);
  return why === LATE ? unsure : why && `${why} ${undone}`;
}

/**
 * The refusal to show a person who may not send this kind, or not from this channel, or of whom it is not
 * known; undefined when they may.
 */
export function refusalFor(
  kind: MessageKind,
  userId: string,
  sources: Parameters<typeof refusalOf>[2],
  place?: Place,
): Promise<string | undefined> {
  const words = { unsure: RIGHTS_UNKNOWN, undone: NOTHING_SENT };
  return refusalOf({ to: 'send', kind }, { userId, ...place }, sources, words);
}

const NOTHING_SENT = 'Nothing was sent.';

export const RIGHTS_UNKNOWN =
  'Herald could not find out in time whether you may send this. Nothing was sent. Try again in a minute.';

export function notAllowed(why: string): string {
  return `${why} ${NOTHING_SENT}`;
}
