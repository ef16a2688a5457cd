import { KINDS } from '../../messages/kinds.ts';
import type { MessageKind } from '../../messages/message.ts';
import { mention } from '../blocks/mrkdwn.ts';
import type { SendAccess } from '../compose/dependencies.ts';
import type { Members } from './membership.ts';

/**
 * `access.send` of herald.yml: who may send, by kind. A kind that is absent follows its channel, and is open to everyone
 * where that is absent too.
 */
export type SendRights = Readonly<Partial<Record<MessageKind, readonly string[]>>>;

/** Answers from `access.send`; a refusal names who may, because they can help. */
export function createSendAccess(rights: SendRights, members: Members): SendAccess {
  return {
    whyNot: async (kind, userId) => {
      const allowed = rights[kind] ?? rights[KINDS[kind].channel];
      if (allowed === undefined) return undefined;
      const membership = await members.includes(allowed, userId);
      if (membership === 'member') return undefined;
      if (membership === 'unknown') return 'Slack did not say whether you may; try again in a minute.';
      return `Only ${allowed.map(nameOf).join(', ')} may send this kind of message; ask one of them.`;
    },
  };
}

function nameOf(id: string): string {
  return id.startsWith('S') ? `<!subteam^${id}>` : mention(id);
}
