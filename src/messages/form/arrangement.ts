/*
 * Parts of a form that people add, remove and move: buttons, sections, rows, saved addresses. Pure functions over the
 * form's values.
 */

/** `add` appends to a list, `open` shows a group of fields; the others change one entry or group. */
export const ARRANGEMENTS = ['add', 'open', 'remove', 'up', 'down'] as const;
type Arrangement = (typeof ARRANGEMENTS)[number];

/** A button. */
export interface Control {
  readonly does: Arrangement;
  /** What it is done to. */
  readonly path: string;
  readonly label: string;
}

/** Controls shown together below the last field within `after`. */
export interface ControlGroup {
  readonly after: string;
  readonly controls: readonly Control[];
}

/** What can be arranged in a kind's form. */
export interface Arrangeable {
  /** Said once, above all fields. */
  readonly help: string;
  /** Paths below which fields come and go; inputs there must not keep the value of another one. */
  readonly roots: readonly string[];
  /** The controls for the form's current values, in order. */
  controls(entered: unknown): readonly ControlGroup[];
  /** The initial values of a new entry of the list, or of the group, at `path`. */
  blank(path: string): Readonly<Record<string, unknown>>;
}

type Container = Record<string, unknown> | unknown[];

/** The values after a control was pressed; unchanged when its target no longer exists. */
export function arrange(
  entered: Readonly<Record<string, unknown>>,
  { does, path }: Pick<Control, 'does' | 'path'>,
  { blank }: Arrangeable,
): Readonly<Record<string, unknown>> {
  const copy = structuredClone(entered);
  const segments = path.split('.');
  const last = segments.pop() ?? '';
  const opens = does === 'add' || does === 'open';
  const parent = containerAt(copy, segments, opens);
  if (parent === undefined) return entered;
  if (Array.isArray(parent)) {
    if (!opens) move(parent, Number(last), does);
  } else if (does === 'add') {
    const list = parent[last];
    parent[last] = [...(Array.isArray(list) ? list : []), blank(path)];
  } else if (does === 'open') {
    parent[last] = blank(path);
  } else if (does === 'remove') {
    delete parent[last];
  }
  return copy;
}

function move(list: unknown[], index: number, does: Exclude<Arrangement, 'add' | 'open'>): void {
  if (!(index in list)) return;
  const [entry] = list.splice(index, 1);
  if (does === 'remove') return;
  list.splice(does === 'up' ? Math.max(index - 1, 0) : index + 1, 0, entry);
}

function containerAt(root: Container, segments: readonly string[], create: boolean): Container | undefined {
  let current: Container = root;
  for (const segment of segments) {
    const parent = current as Record<string, unknown>;
    if (create && (parent[segment] === undefined || parent[segment] === null)) parent[segment] = {};
    const next = Object.hasOwn(parent, segment) ? parent[segment] : undefined;
    if (typeof next !== 'object' || next === null) return undefined;
    current = next as Container;
  }
  return current;
}

/** The controls of each entry of a list, by its own name; see {@link entryControls}. */
export function controlsOfEntries(
  list: string,
  count: number,
  nameOf: (number: number) => string,
  fewest: number,
): readonly ControlGroup[] {
  return Array.from({ length: count }, (_none, index) => ({
    after: `${list}.${index}`,
    controls: entryControls(list, index, count, nameOf(index + 1), fewest),
  }));
}

/** The possible ones of `Move up`, `Move down` and `Remove` for the entry of a list. */
export function entryControls(
  list: string,
  index: number,
  count: number,
  name: string,
  fewest: number,
): readonly Control[] {
  const path = `${list}.${index}`;
  return [
    ...(index > 0 ? [{ does: 'up' as const, path, label: `Move ${name} up` }] : []),
    ...(index < count - 1 ? [{ does: 'down' as const, path, label: `Move ${name} down` }] : []),
    ...(count > fewest ? [{ does: 'remove' as const, path, label: `Remove ${name}` }] : []),
  ];
}
