import type { z } from 'zod';
import { LIMITS } from './limits.ts';
import { NothingSent } from './notify-person.ts';

const UNREADABLE =
  'Herald cannot read what this button or form carries: another version of it made them. Nothing was sent or changed. Open it again.';

/**
 * Reads what a button, a menu or a form carries as JSON. Do so before anything is changed.
 *
 * @throws {NothingSent} for what another version of Herald wrote
 */
export function readCarried<Schema extends z.ZodType>(schema: Schema, written: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(written));
  } catch (cause) {
    throw new NothingSent(UNREADABLE, { cause });
  }
}

/** The same; undefined for what another version of Herald wrote. */
export function readIfCarried<Schema extends z.ZodType>(
  schema: Schema,
  written: string,
): z.output<Schema> | undefined {
  try {
    return readCarried(schema, written);
  } catch {
    return undefined;
  }
}

export function canCarry(carried: object): boolean {
  return JSON.stringify(carried).length <= LIMITS.privateMetadata;
}
