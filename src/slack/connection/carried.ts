import type { z } from 'zod';

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
