import { read } from '../../../messages/form/partial-values.ts';

/**
 * A field's path as text (`to`, `params.0`, `header.link`) and a block's id, which is that path, optionally
 * followed by `:` and a suffix. Slack keeps what was typed as long as a block's id stays the same, so a
 * changed suffix is how a form makes Slack forget a value that belonged to something else.
 */

const SUFFIX_MARK = ':';

export function blockIdOf(path: string, suffix?: string): string {
  return suffix === undefined ? path : `${path}${SUFFIX_MARK}${suffix}`;
}

export function parseBlockId(blockId: string): { readonly path: string; readonly suffix?: string } {
  const mark = blockId.indexOf(SUFFIX_MARK);
  return mark < 0 ? { path: blockId } : { path: blockId.slice(0, mark), suffix: blockId.slice(mark + 1) };
}

export function joinPath(parent: string, segment: string | number): string {
  return parent === '' ? String(segment) : `${parent}.${segment}`;
}

/** Empty for a path without a parent. */
export function parentOf(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

/** True for the path itself and for everything below it. */
export function isWithin(path: string, ancestor: string): boolean {
  return ancestor === '' || path === ancestor || path.startsWith(`${ancestor}.`);
}

/** The value at `path` of a nested value, or undefined where the way ends early. */
export function valueAt(root: unknown, path: string): unknown {
  return read(root, ...path.split('.'));
}

/** Puts `value` at `path`, making objects, and arrays for numeric segments, on the way. */
export function putAt(root: Record<string, unknown>, path: string, value: unknown): void {
  const segments = path.split('.');
  let current = root;
  segments.forEach((segment, depth) => {
    const next = segments[depth + 1];
    let child: unknown = next === undefined ? value : undefined;
    if (next !== undefined) {
      const existing = Object.hasOwn(current, segment) ? current[segment] : undefined;
      const isContainer = typeof existing === 'object' && existing !== null;
      child = isContainer ? existing : /^\d{1,4}$/.test(next) ? [] : {};
    }
    // defineProperty, because a plain assignment to `__proto__` would change the object's nature.
    Object.defineProperty(current, segment, {
      value: child,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    current = child as Record<string, unknown>;
  });
}
