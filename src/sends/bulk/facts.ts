import { createHash } from 'node:crypto';
import { pages } from '../../core/pages.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Audience } from '../audience.ts';
import type { ApproverProblem } from '../bulk.ts';
import type { RecipientRow, Send } from '../send.ts';
import { markFor } from '../templates/mark.ts';
import type { BulkDependencies } from './dependencies.ts';
import type { Answers } from './next.ts';
import { findTemplate } from './recipients.ts';

type Asked = Pick<BulkDependencies, 'store' | 'audiences' | 'catalogue' | 'directory'>;

/** Looks up what decides over a send and is not stored with it. */
export const LOOK_UP: {
  readonly [Name in keyof Answers]: (asked: Asked, send: Send) => Promise<Answers[Name]>;
} = {
  owner: ({ store }, { id }) => store.owns(id),
  template: async (asked, send) => {
    const audience = send.audience && (await asked.audiences.find(send.audience.id));
    const template = await findTemplate(asked, send.message);
    return audience !== undefined && digestFor(send, audience, template) === send.digest;
  },
  approvers: async (asked, send) => {
    const { teamId } = send.origin;
    const approvals = await asked.store.approvals(send.id);
    const problems = await Promise.all(
      approvals.map(({ userId }) => problemOf(asked, send, { userId, teamId })),
    );
    return {
      standing: problems.filter((problem) => problem === undefined).length,
      isUnsure: problems.includes('unknown'),
      lastAt: Math.max(0, ...approvals.map(({ at }) => at)),
    };
  },
  mark: async (asked, { message }) => (await markFor(asked, message)) ?? 'none',
  list: ({ store }, send) => hasSameRecipients(send, store),
};

/** Why this person may not decide now: they requested the send or one that it retries, or are no approver. */
export async function problemOf(
  asked: Asked,
  send: Send,
  { userId, teamId }: { readonly userId: string; readonly teamId: string },
): Promise<ApproverProblem | undefined> {
  if (userId === send.origin.userId) return 'requester';
  if (await askedBefore(asked, send, userId)) return 'requester_before';
  return asked.directory.whyNot(userId, teamId, { fresh: true });
}

/** True for the requester of a send that this one retries, directly or over other retries. */
async function askedBefore(asked: Asked, { retryOf }: Send, userId: string): Promise<boolean> {
  const before = retryOf === undefined ? undefined : await asked.store.find(retryOf);
  return before !== undefined && (before.origin.userId === userId || askedBefore(asked, before, userId));
}

const PAGE = 5_000;

type Line = readonly [row: number, number: Msisdn, values: readonly string[], leftOut: boolean];

/** SHA-256, in hexadecimal, over all recipients in row order, and over who is left out from the start. */
export function createListDigest() {
  const hash = createHash('sha256');
  return {
    add: (lines: readonly Line[]) => hash.update(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    result: () => hash.digest('hex'),
  };
}

/** False when the recipients of a send of which nothing was sent are others than when it was sealed. */
async function hasSameRecipients({ id, survey }: Send, store: Asked['store']): Promise<boolean> {
  if (survey?.list === undefined) return true;
  const digest = createListDigest();
  for await (const rows of pages((last?: RecipientRow) => store.recipients(id, last?.row ?? -1, PAGE)))
    digest.add(rows.map(lineOf));
  return digest.result() === survey.list;
}

/** Whoever has opted out since then was claimed before they were left out. */
function lineOf({ row, number, values = [], state, attemptedAt }: RecipientRow): Line {
  return [row, number, values, state === 'skipped' && attemptedAt === undefined];
}

/**
 * An approval is for this digest: SHA-256, in hexadecimal, over the message with its sender, template, audience, columns,
 * recipients, schedule and note. At the start it must still be the one that was approved.
 */
export function digestFor(send: Send, audience: Audience, template: Template | undefined): string {
  const { message, recipientCount, startAt, survey, note } = send;
  const { digest: audienceDigest, columns } = audience;
  const list = survey?.list;
  const approved = { message, audienceDigest, columns, recipientCount, list, startAt, template, note };
  return createHash('sha256').update(canonical(approved)).digest('hex');
}

/** JSON with sorted keys, without keys that are undefined. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
