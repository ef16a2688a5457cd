import type { z } from 'zod';
import type { FieldMeta } from '../../../messages/form/form.ts';
import { joinPath } from './path.ts';

/** One value a form asks for: everything an input block needs to know of it. */
export interface Leaf {
  readonly path: string;
  readonly kind: 'text' | 'number' | 'choice' | 'choices';
  readonly meta: FieldMeta;
  readonly required: boolean;
  /** The values to choose from, for `choice` and `choices`. */
  readonly options: readonly string[];
}

/**
 * The fields of a form in its own order. A schema with a `FieldMeta` is a field; objects, tuples, pipes and optionals
 * lead on.
 *
 * @throws Error for anything else, and for a field that no input can stand for: both are bugs of the form
 */
export function leavesOf(schema: z.core.$ZodType, path = ''): readonly Leaf[] {
  const meta = (schema as z.ZodType).meta() as FieldMeta | undefined;
  if (meta?.label !== undefined) {
    const required = !(schema as z.ZodType).safeParse(undefined).success;
    return [{ path, meta, required, ...kindOf(schema) }];
  }
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, child]) => leavesOf(child, joinPath(path, key)));
    case 'tuple':
      return def.items.flatMap((item, index) => leavesOf(item, joinPath(path, index)));
    case 'optional':
      return leavesOf(def.innerType, path).map((leaf) => ({ ...leaf, required: false }));
    case 'pipe':
      return leavesOf(innerOf(def), path);
    default:
      throw new Error(`A form asks for “${path}” without words for it (${def.type}).`);
  }
}

function kindOf(schema: z.core.$ZodType): Pick<Leaf, 'kind' | 'options'> {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'optional':
      return kindOf(def.innerType);
    case 'pipe':
      return kindOf(innerOf(def));
    case 'enum':
      return { kind: 'choice', options: Object.values(def.entries).map(String) };
    case 'array':
      return { ...kindOf(def.element), kind: 'choices' };
    case 'number':
      return { kind: 'number', options: [] };
    case 'string':
      return { kind: 'text', options: [] };
    default:
      throw new Error(`A form cannot ask for a value of type ${def.type}.`);
  }
}

/** What a pipe is given: its input, or its output where the input only prepares it. */
function innerOf(pipe: z.core.$ZodPipeDef): z.core.$ZodType {
  return definitionOf(pipe.in).type === 'transform' ? pipe.out : pipe.in;
}

function definitionOf(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def;
}
