import type { Payload } from '../../connection/payload.ts';

/** A list in what Slack delivered; empty when it is none. */
export function listAt(node: Payload, key: string): readonly unknown[] {
  const value = node[key];
  return Array.isArray(value) ? value : [];
}

/** A text in what Slack delivered; empty when it is none. */
export function stringAt(node: Payload, key: string): string {
  const value = node[key];
  return typeof value === 'string' ? value : '';
}
