import type { z } from 'zod';
import type { FieldMeta } from '../../../messages/form/field.ts';
import { joinPath, valueAt } from './path.ts';

/** One value a form asks for: everything an input block needs to know of it. */
export interface Leaf {
  readonly path: string;
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'choices';
  readonly meta: FieldMeta;
  readonly required: boolean;
  /** The values to choose from, for `choice` and `choices`. */
  readonly options: readonly string[];
  /** Most characters, where the schema or its meta says so. */
  readonly maxLength?: number;
  /** What it holds before anybody typed: the meta's `initial` or the schema's default. */
  readonly initial?: unknown;
  /** True when other fields come and go with this one's value (the discriminator of a union, or said so by its meta). */
  readonly reshapes: boolean;
}

/** Where the walk stands, and what the schemas around this one said about it. */
interface Position {
  readonly path: string;
  /** Of the wrappers around this schema at the same path; the outermost wins. */
  readonly meta: Partial<FieldMeta>;
  /** Of the array this is an item of: speaks where the item has no words of its own. */
  readonly itemMeta: Partial<FieldMeta>;
  readonly optional: boolean;
  readonly initial?: unknown;
}

type Definition<Type extends z.core.$ZodTypeDef['type']> = Extract<
  z.core.$ZodTypes['_zod']['def'],
  { type: Type }
>;

/**
 * The fields of a zod schema in its own order, through any nesting of objects, tuples, arrays, unions with a
 * discriminator, and wrappers (optional, default, pipe, transform, refine). `values` is what is known so far:
 * it decides which option of a union is asked for and how many items an array without a fixed length shows.
 *
 * @throws Error for schemas no input can stand for (records, maps): a form that holds one is a bug.
 */
export function leavesOf(schema: z.ZodType, values: unknown = {}): readonly Leaf[] {
  return [...walk(schema, { path: '', meta: {}, itemMeta: {}, optional: false }, values)];
}

function* walk(schema: z.core.$ZodType, position: Position, values: unknown): Generator<Leaf> {
  const here: Position = { ...position, meta: { ...metaOf(schema), ...position.meta } };
  const def = definitionOf(schema);
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return yield* walk(def.innerType, { ...here, optional: true }, values);
    case 'default':
    case 'prefault':
      return yield* walk(def.innerType, { ...here, optional: true, initial: def.defaultValue }, values);
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return yield* walk(def.innerType, here, values);
    case 'lazy':
      return yield* walk(def.getter(), here, values);
    case 'pipe': {
      const inner = definitionOf(def.in).type === 'transform' ? def.out : def.in;
      return yield* walk(inner, { ...here, optional: here.optional || acceptsNothing(schema) }, values);
    }
    case 'object':
      for (const [key, child] of Object.entries(def.shape)) yield* walk(child, below(here, key), values);
      return;
    case 'tuple':
      for (const [index, item] of def.items.entries()) yield* walk(item, itemOf(here, index), values);
      return;
    case 'array':
      return yield* walkArray(schema, def, here, values);
    case 'union':
      return yield* walkUnion(schema, def, here, values);
    default:
      yield leafOf(schema, here);
  }
}

function* walkArray(
  schema: z.core.$ZodType,
  def: Definition<'array'>,
  here: Position,
  values: unknown,
): Generator<Leaf> {
  const options = optionsOf(def.element);
  if (options.length > 0) {
    yield leaf(schema, here, 'choices', options);
    return;
  }
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = boundsOf(schema);
  const given = valueAt(values, here.path);
  const length = Math.min(Math.max(Array.isArray(given) ? given.length : 0, minimum), maximum);
  for (let index = 0; index < length; index += 1) yield* walk(def.element, itemOf(here, index), values);
}

function* walkUnion(
  schema: z.core.$ZodType,
  def: Definition<'union'>,
  here: Position,
  values: unknown,
): Generator<Leaf> {
  const discriminator = 'discriminator' in def ? String(def.discriminator) : undefined;
  if (discriminator === undefined) {
    yield leafOf(schema, here);
    return;
  }
  const path = joinPath(here.path, discriminator);
  const cases = def.options.map((option) => ({ option, names: optionsOf(shapeOf(option)[discriminator]) }));
  const names = cases.flatMap((entry) => entry.names);
  const given = valueAt(values, path);
  const initial = names.find((name) => name === given) ?? here.meta.initial ?? names[0];
  yield {
    path,
    kind: 'choice',
    meta: { ...here.meta, label: here.meta.label ?? labelFrom(path) },
    required: !here.optional,
    options: names,
    initial,
    reshapes: true,
  };
  const chosen = cases.find((entry) => initial !== undefined && entry.names.includes(String(initial)));
  for (const [key, child] of Object.entries(shapeOf(chosen?.option))) {
    if (key !== discriminator) yield* walk(child, below(here, key), values);
  }
}

function leafOf(schema: z.core.$ZodType, here: Position): Leaf {
  const options = optionsOf(schema);
  return leaf(schema, here, kindOf(schema, options), options);
}

function leaf(schema: z.core.$ZodType, here: Position, kind: Leaf['kind'], options: readonly string[]): Leaf {
  const meta = { label: labelFrom(here.path), ...here.itemMeta, ...here.meta };
  const maxLength =
    meta.maxLength ?? (definitionOf(schema).type === 'string' ? boundsOf(schema).maximum : undefined);
  const initial = meta.initial ?? here.initial;
  return {
    path: here.path,
    kind,
    meta,
    required: !here.optional && !acceptsNothing(schema),
    options,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(initial === undefined ? {} : { initial }),
    reshapes: meta.reshapes === true,
  };
}

function kindOf(schema: z.core.$ZodType, options: readonly string[]): Leaf['kind'] {
  if (options.length > 0) return 'choice';
  const { type } = definitionOf(schema);
  switch (type) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'flag';
    case 'string':
    case 'unknown':
    case 'any':
    case 'custom':
    case 'union':
    case 'template_literal':
      return 'text';
    default:
      throw new Error(`A form cannot ask for a value of type ${type}.`);
  }
}

/** The strings a schema allows, when they can be counted: of an enum, of literals, of a union of these. */
function optionsOf(schema: z.core.$ZodType | undefined): readonly string[] {
  if (schema === undefined) return [];
  const def = definitionOf(schema);
  switch (def.type) {
    case 'enum':
      return Object.values(def.entries).map(String);
    case 'literal':
      return def.values.map(String);
    case 'union': {
      const each = def.options.map(optionsOf);
      return each.every((options) => options.length > 0) ? each.flat() : [];
    }
    case 'pipe':
      return optionsOf(definitionOf(def.in).type === 'transform' ? def.out : def.in);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return optionsOf(def.innerType);
    default:
      return [];
  }
}

function shapeOf(schema: z.core.$ZodType | undefined): Readonly<Record<string, z.core.$ZodType>> {
  if (schema === undefined) return {};
  const def = definitionOf(schema);
  if (def.type === 'object') return def.shape;
  if (def.type === 'pipe') return shapeOf(definitionOf(def.in).type === 'transform' ? def.out : def.in);
  return {};
}

function boundsOf(schema: z.core.$ZodType): { minimum?: number; maximum?: number } {
  const bounds: { minimum?: number; maximum?: number } = {};
  for (const check of definitionOf(schema).checks ?? []) {
    const def = (check as z.core.$ZodChecks)._zod.def;
    if (def.check === 'length_equals') return { minimum: def.length, maximum: def.length };
    if (def.check === 'min_length') bounds.minimum = Math.max(bounds.minimum ?? 0, def.minimum);
    if (def.check === 'max_length') bounds.maximum = Math.min(bounds.maximum ?? def.maximum, def.maximum);
  }
  return bounds;
}

function below(parent: Position, key: string): Position {
  return { path: joinPath(parent.path, key), meta: {}, itemMeta: {}, optional: parent.optional };
}

function itemOf(array: Position, index: number): Position {
  const { label, ...rest } = array.meta;
  const itemMeta = label === undefined ? {} : { ...rest, label: `${label} ${index + 1}` };
  return { path: joinPath(array.path, index), meta: {}, itemMeta, optional: array.optional };
}

function definitionOf(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def;
}

function metaOf(schema: z.core.$ZodType): Partial<FieldMeta> {
  return ((schema as z.ZodType).meta() ?? {}) as Partial<FieldMeta>;
}

function acceptsNothing(schema: z.core.$ZodType): boolean {
  return (schema as z.ZodType).safeParse(undefined).success;
}

/** `campaignName` → "Campaign name": words for a field whose schema brings none. */
function labelFrom(path: string): string {
  const words = (
    path
      .split('.')
      .filter((segment) => !/^\d+$/.test(segment))
      .at(-1) ?? path
  ).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
