import { createHash } from 'node:crypto';
import { pages } from '../../core/pages.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
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
