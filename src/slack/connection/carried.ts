import type { z } from 'zod';
import { LIMITS } from './limits.ts';

/** What a button, a menu or a form carries was not written by this Herald: `guarded` says so to the person. */
export class Unreadable extends Error {}

/**
 * What a button, a menu or a form carries as JSON. Read it before anything is changed.
 *
 * @throws {Unreadable}
 */
export function readCarried<Schema extends z.ZodType>(schema: Schema, written: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(written));
  } catch (cause) {
    throw new Unreadable('carried values cannot be read', { cause });
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

/** True for what fits into what a form carries. */
export function canCarry(carried: object): boolean {
  return JSON.stringify(carried).length <= LIMITS.privateMetadata;
}
