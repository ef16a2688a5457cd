import { z } from 'zod';
import type { KeyMeta } from '../messages/setting-values.ts';

export function metaOf(schema: z.ZodType): Partial<KeyMeta> {
  return (schema.meta() ?? {}) as Partial<KeyMeta>;
}

/*
 * Where in a schema a path leads: what a key's documentation is, whether it is secret, which keys stand beside it.
 */

/** The schema inside optional, default and prefault, and at the entrance of a transformation. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unwrapped(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) {
    const entrance = schema.in as z.ZodType;
    return unwrapped(entrance instanceof z.ZodTransform ? (schema.out as z.ZodType) : entrance);
  }
  return schema;
}

/** Whether the value at a path may not be shown. */
export function isSecret(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  const inner = schemaAt(schema, path);
  return inner !== undefined && metaOf(inner).secret === true;
}

/** The keys that an object at this path may have; none when they are free or it is no object. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const found = schemaAt(schema, path);
  const inner = found && unwrapped(found);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  if (inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum)
    return inner.keyType.options.map(String);
  return [];
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((outer, key) => {
    const inner = outer && unwrapped(outer);
    if (inner instanceof z.ZodObject) {
      const { shape } = inner;
      return Object.hasOwn(shape, key) ? (shape[String(key)] as z.ZodType) : undefined;
    }
    if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
    if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
    return undefined;
  }, schema);
}
