import { createHash } from 'node:crypto';
import type { Message } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';

/** What an approval names: change any of it, and it is another send. */
export interface Approved {
  readonly message: Message;
  /** Over every valid row of the audience. */
  readonly audienceDigest: string;
  readonly columns: readonly string[];
  readonly recipientCount: number;
  readonly startAt?: number;
  /** As the catalogue had it: what approvers read is its sample text. */
  readonly template?: Template;
}

/** SHA-256, in hexadecimal, over message (with its sender), template, audience, columns and schedule. The order of keys does not matter. */
export function digestOf(approved: Approved): string {
  return createHash('sha256').update(canonical(approved)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
