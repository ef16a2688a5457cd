import { fail, ok, type Result } from '../core/result.ts';
import { isJsonObject, type JsonValue } from './json.ts';

/**
 * Body shapes: JSON with `{{name}}` placeholders, compiled once and filled once a request.
 *
 * - A string that is exactly one placeholder becomes the value with its own type: an array stays an array.
 * - A placeholder inside a longer string is written into it; the items of a list are joined by commas.
 * - A value that is not there drops the key it would have stood under. An object or array that is left empty
 *   because everything in it was dropped is dropped too, so that `language: {code}` goes as a whole.
 */

/** Values by placeholder name; `undefined` means that this message has none. */
export type ShapeValues = Readonly<Record<string, JsonValue | undefined>>;

/** What is wrong with a shape: where, and one sentence that names the fix. */
export interface ShapeProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The names a shape may use, and those it must use. An entry with several names asks for one of them. */
export interface ShapeRules {
  readonly allowed: readonly string[];
  readonly required: readonly (string | readonly string[])[];
}

export interface CompiledShape {
  /** Placeholders that the shape uses. */
  readonly names: ReadonlySet<string>;
  /** Every key at any depth: the field names that an answer may blame. */
  readonly keys: ReadonlySet<string>;
  /** Required placeholders that have no value: a body without them must not be sent. */
  missing(values: ShapeValues): readonly string[];
  fill(values: ShapeValues): JsonValue;
}

/** Bounds of an operator's shape; the documented ones need a depth of 5 and 20 values. */
const MOST_DEPTH = 16;
const MOST_VALUES = 500;
const MOST_CHARACTERS = 10_000;

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}/g;
const ONE_PLACEHOLDER = /^\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}$/;
/** Keys through which a merge or an assignment would change what every object inherits. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Makes the value of one node, or `undefined` when the node is to be dropped. */
type Filler = (values: ShapeValues) => JsonValue | undefined;

interface Compilation {
  readonly rules: ShapeRules;
  readonly names: Set<string>;
  readonly keys: Set<string>;
  readonly problems: ShapeProblem[];
  valueCount: number;
}

type Path = readonly (string | number)[];

/**
 * Checks a shape against its rules and compiles it.
 *
 * @param shape parsed JSON or YAML; its top level must be an object
 * @returns all problems at once, each with its path inside the shape
 */
export function compileShape(
  shape: unknown,
  rules: ShapeRules,
): Result<CompiledShape, readonly ShapeProblem[]> {
  const compilation: Compilation = { rules, names: new Set(), keys: new Set(), problems: [], valueCount: 0 };
  if (!isJsonObject(shape)) {
    return fail([{ path: [], message: 'A body must be an object of field names and values; write one.' }]);
  }
  const fill = compileNode(compilation, shape, []);
  reportUnused(compilation);
  if (compilation.problems.length > 0) return fail(compilation.problems);
  const { names, keys } = compilation;
  const required = rules.required.flat().filter((name) => names.has(name));
  return ok({
    names,
    keys,
    missing: (values) => required.filter((name) => own(values, name) === undefined),
    fill: (values) => fill(values) ?? {},
  });
}

function compileNode(compilation: Compilation, node: unknown, path: Path): Filler {
  compilation.valueCount += 1;
  if (compilation.valueCount === MOST_VALUES + 1) {
    report(compilation, path, `A body may hold ${MOST_VALUES} values at most; make it smaller.`);
  }
  if (compilation.valueCount > MOST_VALUES) return dropped;
  if (path.length > MOST_DEPTH) {
    report(compilation, path, `A body may be nested ${MOST_DEPTH} levels deep at most; make it flatter.`);
    return dropped;
  }
  if (typeof node === 'string') return compileString(compilation, node, path);
  if (node === null || typeof node === 'boolean') return () => node;
  if (typeof node === 'number' && Number.isFinite(node)) return () => node;
  if (Array.isArray(node)) return compileArray(compilation, node, path);
  if (isJsonObject(node)) return compileObject(compilation, node, path);
  report(
    compilation,
    path,
    'This is no JSON value; use text, a number, true, false, null, a list or an object.',
  );
  return dropped;
}

const dropped: Filler = () => undefined;

function compileString(compilation: Compilation, text: string, path: Path): Filler {
  if (text.length > MOST_CHARACTERS) {
    report(compilation, path, `A text in a body may have ${MOST_CHARACTERS} characters at most; shorten it.`);
    return dropped;
  }
  const only = ONE_PLACEHOLDER.exec(text)?.[1];
  if (only !== undefined) {
    use(compilation, only, path);
    return (values) => own(values, only);
  }
  const parts = text.split(PLACEHOLDER);
  // Splitting by a pattern with one group gives text and name by turns: names stand at the odd places.
  parts.forEach((part, index) => {
    if (index % 2 === 1) use(compilation, part, path);
    else if (part.includes('{{')) reportBroken(compilation, path);
  });
  return parts.length === 1 ? () => text : (values) => interpolate(parts, values);
}

function interpolate(parts: readonly string[], values: ShapeValues): string | undefined {
  let text = '';
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) {
      text += part;
      continue;
    }
    const value = own(values, part);
    if (value === undefined) return undefined;
    text += asText(value);
  }
  return text;
}

function asText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(asText).join(',') : JSON.stringify(value);
}

function compileArray(compilation: Compilation, nodes: readonly unknown[], path: Path): Filler {
  const fillers = nodes.map((node, index) => compileNode(compilation, node, [...path, index]));
  return (values) => {
    const filled: JsonValue[] = [];
    for (const fill of fillers) {
      const value = fill(values);
      if (value !== undefined) filled.push(value);
    }
    return filled.length === 0 && fillers.length > 0 ? undefined : filled;
  };
}

function compileObject(
  compilation: Compilation,
  node: Readonly<Record<string, unknown>>,
  path: Path,
): Filler {
  const entries: (readonly [key: string, fill: Filler])[] = [];
  for (const [key, child] of Object.entries(node)) {
    if (FORBIDDEN_KEYS.has(key)) {
      report(compilation, [...path, key], `"${key}" cannot be a field name; rename or remove it.`);
      continue;
    }
    if (key.includes('{{')) {
      report(
        compilation,
        [...path, key],
        'A placeholder can stand for a value only; write the field name out.',
      );
      continue;
    }
    compilation.keys.add(key);
    entries.push([key, compileNode(compilation, child, [...path, key])]);
  }
  return (values) => {
    const filled: Record<string, JsonValue> = {};
    let empty = true;
    for (const [key, fill] of entries) {
      const value = fill(values);
      if (value === undefined) continue;
      filled[key] = value;
      empty = false;
    }
    return empty && entries.length > 0 ? undefined : filled;
  };
}

/** Never what `values` inherits: a placeholder cannot reach `constructor` or `toString`. */
function own(values: ShapeValues, name: string): JsonValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function use(compilation: Compilation, name: string, path: Path): void {
  if (compilation.rules.allowed.includes(name)) {
    compilation.names.add(name);
    return;
  }
  const known = listed(compilation.rules.allowed);
  report(compilation, path, `{{${name}}} is no placeholder of this body; use one of ${known}.`);
}

function reportBroken(compilation: Compilation, path: Path): void {
  const known = listed(compilation.rules.allowed);
  report(compilation, path, `"{{" opens a placeholder that is not complete; write one of ${known}.`);
}

function reportUnused(compilation: Compilation): void {
  for (const entry of compilation.rules.required) {
    const choices = typeof entry === 'string' ? [entry] : entry;
    if (choices.some((name) => compilation.names.has(name))) continue;
    report(compilation, [], `The body must carry ${choices.map(written).join(' or ')}; add it as a value.`);
  }
}

function report(compilation: Compilation, path: Path, message: string): void {
  compilation.problems.push({ path, message });
}

function listed(names: readonly string[]): string {
  return names.map(written).join(', ');
}

function written(name: string): string {
  return `{{${name}}}`;
}
