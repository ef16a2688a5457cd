import { KINDS } from '../../messages/kinds.ts';
import type { MessageKind } from '../../messages/message.ts';
import type { ApproverDirectory } from '../../sends/bulk.ts';
import type { SendAccess } from '../compose/dependencies.ts';
import type { Members } from './membership.ts';
import type { Names } from './names.ts';

/**
 * `access.send` of herald.yml: who may send and where, by kind. A kind that is absent follows its channel, and is open
 * to everyone everywhere where that is absent too.
 */
export type SendRights = Readonly<Partial<Record<MessageKind, readonly string[]>>>;

interface AccessDependencies {
  readonly members: Members;
  readonly names: Names;
}

/** Who may change the catalogue. Answers from memory or within about a second. */
export interface TemplateAccess {
  /** A sentence that says why this person may not, here, and who can help; undefined when they may. */
  whyNot(userId: string, channelId: string | undefined): Promise<string | undefined>;
}

/** Answers from `access.send`; a refusal names who may, because they can help. */
export function createSendAccess(rights: SendRights, dependencies: AccessDependencies): SendAccess {
  return {
    whyNot: async (kind, userId, channelId) =>
      whyNot(rights[kind] ?? rights[KINDS[kind].channel], { userId, channelId }, SEND_WORDS, dependencies),
  };
}

/** Answers from `access.templates`. */
export function createTemplateAccess(
  rights: readonly string[] | undefined,
  dependencies: AccessDependencies,
): TemplateAccess {
  return {
    whyNot: async (userId, channelId) => whyNot(rights, { userId, channelId }, TEMPLATE_WORDS, dependencies),
  };
}

/** Who may have the record of everybody's sends. */
export interface AuditAccess {
  /** A sentence that says why this person may not, and who can help; undefined when they may. */
  whyNot(userId: string, teamId: string): Promise<string | undefined>;
}

/** Approvers may, as they are judged when they approve, and whoever `access.audit` lists. */
export function createAuditAccess(
  listed: readonly string[],
  {
    approvers,
    directory,
    ...dependencies
  }: AccessDependencies & {
    readonly approvers: readonly string[];
    readonly directory: Pick<ApproverDirectory, 'whyNot'>;
  },
): AuditAccess {
  const all = [...new Set([...approvers, ...listed])];
  return {
    whyNot: async (userId, teamId) => {
      if ((await dependencies.members.includes(listed, userId)) === 'member') return undefined;
      const approver = await directory.whyNot(userId, teamId);
      if (approver === undefined) return undefined;
      if (approver === 'unknown') return UNSURE;
      const outsider = approver === 'guest' || approver === 'other_workspace';
      const asked = { userId, channelId: undefined };
      return whyNot(outsider ? listed : all, asked, AUDIT_WORDS, dependencies);
    },
  };
}

/** How a right is called in its refusals. */
interface RightWords {
  readonly may: string;
  readonly place: string;
}

const SEND_WORDS: RightWords = {
  may: 'may send this kind of message',
  place: 'This kind of message is sent from',
};
const AUDIT_WORDS: RightWords = {
  may: 'may have the record of everybody’s sends',
  place: 'The record is asked for in',
};
const TEMPLATE_WORDS: RightWords = { may: 'may change templates', place: 'Templates are changed from' };

const UNSURE = 'Slack did not say whether you may; try again in a minute.';

/**
 * A list of ids as a right: users and user groups say who, channels say where, and what is not listed is not
 * asked for. Where no channel is known yet, the place is not judged.
 */
async function whyNot(
  allowed: readonly string[] | undefined,
  { userId, channelId }: { readonly userId: string; readonly channelId: string | undefined },
  words: RightWords,
  { members, names }: AccessDependencies,
): Promise<string | undefined> {
  if (allowed === undefined) return undefined;
  const places = allowed.filter(isChannel);
  const people = allowed.filter((id) => !isChannel(id));
  const named = async (ids: readonly string[]) => (await Promise.all(ids.map(names.nameOf))).join(', ');
  if (people.length > 0 || places.length === 0) {
    const membership = await members.includes(people, userId);
    if (membership === 'unknown') return UNSURE;
    if (membership === 'stranger')
      return people.length === 0
        ? `Nobody ${words.may}: whoever runs Herald can change that in herald.yml.`
        : `Only ${await named(people)} ${words.may}; ask one of them.`;
  }
  if (places.length === 0 || channelId === undefined || places.includes(channelId)) return undefined;
  return `${words.place} ${await named(places)} only; do it there, or ask whoever runs Herald.`;
}

function isChannel(id: string): boolean {
  return id.startsWith('C') || id.startsWith('G');
}
