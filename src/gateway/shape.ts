import { fail, ok } from '../core/result.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/**
 * Body shapes: JSON with `{{name}}` placeholders, checked once and filled once a request.
 *
 * - A string that is exactly one placeholder becomes the value with its own type: an array stays an array.
 * - A placeholder inside a longer string is written into it; the items of a list are joined by commas.
 * - A value that is not there drops the key it would have stood under. An object or array that is left empty
 *   because everything in it was dropped is dropped too, so that `language: {code}` goes as a whole.
 */

/** Values by placeholder name; `undefined` means that this message has none. */
export type ShapeValues = Readonly<Record<string, JsonValue | undefined>>;

interface ShapeProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The names a shape may use, and those it must use. An entry with several names asks for one of them. */
export interface ShapeRules {
  readonly allowed: readonly string[];
  readonly required: readonly (string | readonly string[])[];
}

export type CompiledShape = Extract<ReturnType<typeof compileShape>, { readonly ok: true }>['value'];

/** The documented bodies need 5; a YAML alias may lead in circles. */
const MOST_DEPTH = 16;

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}/g;
const ONE_PLACEHOLDER = /^\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}$/;
/** Keys through which a merge or an assignment would change what every object inherits. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type Path = readonly (string | number)[];

/** @param shape parsed JSON or YAML; its top level must be an object or a list */
export function compileShape(shape: unknown, rules: ShapeRules) {
  if (!isJsonObject(shape) && !Array.isArray(shape)) {
    const message = 'A body must be an object of field names and values, or a list; write one.';
    return fail([{ path: [], message }]);
  }
  const { names, keys, problems } = readShape(shape, rules.allowed);
  for (const entry of rules.required) {
    const choices = typeof entry === 'string' ? [entry] : entry;
    if (choices.some((name) => names.has(name))) continue;
    const message = `The body must carry ${choices.map(written).join(' or ')}; add it as a value.`;
    problems.push({ path: [], message });
  }
  if (problems.length > 0) return fail(problems);
  const required = rules.required.flat().filter((name) => names.has(name));
  return ok({
    /** Placeholders that the shape uses. */
    names,
    /** Every key at any depth: the field names that an answer may blame. */
    keys,
    /** Required placeholders that have no value: a body without them must not be sent. */
    missing: (values: ShapeValues) => required.filter((name) => own(values, name) === undefined),
    fill: (values: ShapeValues) => filled(shape as JsonValue, values) ?? (Array.isArray(shape) ? [] : {}),
  });
}

/** The placeholders and the keys of a shape, and whatever no body can hold. */
function readShape(shape: unknown, allowed: readonly string[]) {
  const names = new Set<string>();
  const keys = new Set<string>();
  const problems: ShapeProblem[] = [];
  const known = allowed.map(written).join(', ');

  function readText(text: string, path: Path): void {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) {
      if (allowed.includes(name)) names.add(name);
      else
        problems.push({ path, message: `{{${name}}} is no placeholder of this body; use one of ${known}.` });
    }
    if (text.replaceAll(PLACEHOLDER, ' ').includes('{{'))
      problems.push({
        path,
        message: `"{{" opens a placeholder that is not complete; write one of ${known}.`,
      });
  }

  function readNode(node: unknown, path: Path): void {
    if (typeof node === 'string') readText(node, path);
    else if (!['boolean', 'object'].includes(typeof node) && !Number.isFinite(node)) {
      const message = 'This is no JSON value; use text, a number, true, false, null, a list or an object.';
      problems.push({ path, message });
    }
    if (typeof node !== 'object' || node === null) return;
    if (path.length > MOST_DEPTH) {
      const message = `A body may be nested ${MOST_DEPTH} levels deep at most; make it flatter.`;
      problems.push({ path, message });
      return;
    }
    for (const [key, child] of Object.entries(node)) {
      const at = [...path, Array.isArray(node) ? Number(key) : key];
      if (FORBIDDEN_KEYS.has(key))
        problems.push({ path: at, message: `"${key}" cannot be a field name; rename or remove it.` });
      else if (key.includes('{{'))
        problems.push({
          path: at,
          message: 'A placeholder can stand for a value only; write the field name out.',
        });
      else {
        if (!Array.isArray(node)) keys.add(key);
        readNode(child, at);
      }
    }
  }

  readNode(shape, []);
  return { names, keys, problems };
}

/** A node with its values, or `undefined` when it is to be dropped. Every request is filled here: nothing is copied twice. */
function filled(node: JsonValue, values: ShapeValues): JsonValue | undefined {
  if (typeof node === 'string') return node.includes('{{') ? filledText(node, values) : node;
  if (typeof node !== 'object' || node === null) return node;
  const list: JsonValue[] = [];
  const object: Record<string, JsonValue> = {};
  const children = Object.entries(node as JsonObject);
  for (const [key, child] of children) {
    const value = filled(child, values);
    if (value === undefined) continue;
    list.push(value);
    object[key] = value;
  }
  if (list.length === 0 && children.length > 0) return undefined;
  return Array.isArray(node) ? list : object;
}

function filledText(text: string, values: ShapeValues): JsonValue | undefined {
  const only = ONE_PLACEHOLDER.exec(text)?.[1];
  if (only !== undefined) return own(values, only);
  const used = Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => own(values, name));
  if (used.includes(undefined)) return undefined;
  return text.replaceAll(PLACEHOLDER, (_whole, name: string) => asText(own(values, name) ?? ''));
}

function asText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(asText).join(',') : JSON.stringify(value);
}

/** Never what `values` inherits: a placeholder cannot reach `constructor` or `toString`. */
function own(values: ShapeValues, name: string): JsonValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function written(name: string): string {
  return `{{${name}}}`;
}
