import { isBlank } from '../text.ts';

/** The value at a path of a form's unchecked values; undefined when there is none. */
export function read(value: unknown, ...path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** What was typed, without outer spaces; undefined for what is empty or no text. */
export function typed(value: unknown): string | undefined {
  return typeof value === 'string' && !isBlank(value) ? value.trim() : undefined;
}

/** The list at a path; empty where there is none. */
export function readList(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = read(value, ...path);
  return Array.isArray(found) ? found : [];
}
