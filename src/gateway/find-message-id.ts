import type { AnswerMember } from './answer-members.ts';
import { leadsTo, type Path } from './answer-path.ts';
import type { Answer } from './read-answer.ts';
import { COVER } from './secrets.ts';

/** Kept as long as a button's id may be (interface document, "reply.id"); longer ones are no ids. */
const LONGEST_MESSAGE_ID = 256;

export const MESSAGE_IDS: ReadonlySet<string> = new Set(['messageid', 'msgid', 'messageuuid', 'smsid']);
/** Best first: what names a message, then what names the thing answered about, then what names the request. */
const KEYS_BY_RANK: readonly ReadonlySet<string>[] = [
  MESSAGE_IDS,
  new Set(['id', 'uuid']),
  new Set(['requestid', 'transactionid', 'trackingid', 'referenceid', 'jobid']),
];

/** Where a plain `id` is the message's: at the top and in these. `template: {id}` is not. */
const MESSAGE_CONTAINERS: ReadonlySet<string> = new Set([
  'body',
  'data',
  'message',
  'messages',
  'payload',
  'response',
  'responses',
  'result',
  'results',
]);

/**
 * The id by which the service knows the message, where the answer has one: the documented answer is "not shown",
 * so the usual names are looked for, best first and outermost first.
 *
 * @param paths `wire.messageId`: where this account's answers have it, and nowhere else
 */
export function findMessageId(answer: Answer, paths?: readonly Path[]): string | undefined {
  if (answer.kind !== 'json') return undefined;
  if (paths !== undefined) {
    const placed = paths.flatMap((path) => answer.members.filter(({ way }) => leadsTo(path, way)));
    return placed.map(({ value }) => asId(value)).find((id) => id !== undefined);
  }
  for (const keys of KEYS_BY_RANK) {
    for (const member of answer.members) {
      const id = keys.has(member.key) && isOfMessage(member) ? asId(member.value) : undefined;
      if (id !== undefined) return id;
    }
  }
  return undefined;
}

export function isOfMessage({ parents }: Pick<AnswerMember, 'parents'>): boolean {
  return parents.every((parent) => MESSAGE_CONTAINERS.has(parent));
}

/** Text without blanks, control or invisible characters and covered secrets, or a whole number; anything else is no id. */
export function asId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const id = value.trim();
  return id.length <= LONGEST_MESSAGE_ID && /^[^\p{C}\s]+$/u.test(id) && !id.includes(COVER) ? id : undefined;
}
