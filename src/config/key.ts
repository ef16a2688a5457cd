import type { z } from 'zod';

/** What the documents and a start-up message say of a key. */
export interface KeyMeta {
  /** One line. */
  readonly doc: string;
  /** Its value is shown nowhere. */
  readonly secret?: boolean;
  /** Said instead of the schema's default, e.g. "where the send was asked for". */
  readonly absent?: string;
}

/** Documents a key: every key of the environment and of `herald.yml` carries this. */
export function documented<Schema extends z.ZodType>(schema: Schema, meta: KeyMeta): Schema {
  return schema.meta({ ...meta });
}

export function metaOf(schema: z.ZodType): Partial<KeyMeta> {
  return (schema.meta() ?? {}) as Partial<KeyMeta>;
}
