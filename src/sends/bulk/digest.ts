import { createHash } from 'node:crypto';
import { pages } from '../../core/pages.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Audience } from '../audience.ts';
import type { SendReader } from '../ports.ts';
import type { RecipientRow, Send } from '../send.ts';

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
export async function hasSameRecipients(
  { id, survey }: Send,
  store: Pick<SendReader, 'recipients'>,
): Promise<boolean> {
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
 * What an approval is for: SHA-256, in hexadecimal, over the message with its sender, template, audience, columns,
 * recipients and schedule. At the start it must still be the one that was approved.
 */
export function digestFor(send: Send, audience: Audience, template: Template | undefined): string {
  const { message, recipientCount, startAt, survey } = send;
  const { digest: audienceDigest, columns } = audience;
  const list = survey?.list;
  const approved = { message, audienceDigest, columns, recipientCount, list, startAt, template };
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
