/**
 * Parts of a form that people add, remove and reorder: buttons, sections, rows, saved addresses. Pure: what a form
 * holds goes in, what it holds afterwards comes out, with everything that was typed.
 */

/** `add` appends to a list, `open` makes a group of fields appear; the others are about one entry, or a group. */
export const ARRANGEMENTS = ['add', 'open', 'remove', 'up', 'down'] as const;
type Arrangement = (typeof ARRANGEMENTS)[number];

/** One thing to press. */
export interface Control {
  readonly does: Arrangement;
  /** What it is done to. */
  readonly path: string;
  readonly label: string;
}

/** Controls that stand together, below the last field within `after`. */
export interface ControlGroup {
  readonly after: string;
  readonly controls: readonly Control[];
}

/** What can be arranged in a kind's form. */
export interface Arrangeable {
  /** Paths below which fields come and go, so that an input there must not keep what another one held. */
  readonly roots: readonly string[];
  /** For the form as it is now, in order. */
  controls(held: unknown): readonly ControlGroup[];
  /** What a new entry of the list at `path`, or the group there, begins with. */
  blank(path: string): Readonly<Record<string, unknown>>;
}

type Container = Record<string, unknown> | unknown[];

/** The values after somebody pressed a control; unchanged when what it names is no longer there. */
export function arrange(
  held: Readonly<Record<string, unknown>>,
  { does, path }: Pick<Control, 'does' | 'path'>,
  { blank }: Arrangeable,
): Readonly<Record<string, unknown>> {
  const copy = structuredClone(held);
  const segments = path.split('.');
  const last = segments.pop() ?? '';
  const opens = does === 'add' || does === 'open';
  const parent = containerAt(copy, segments, opens);
  if (parent === undefined) return held;
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
    const holder = current as Record<string, unknown>;
    if (create && (holder[segment] === undefined || holder[segment] === null)) holder[segment] = {};
    const next = Object.hasOwn(holder, segment) ? holder[segment] : undefined;
    if (typeof next !== 'object' || next === null) return undefined;
    current = next as Container;
  }
  return current;
}

/** `Move up`, `Move down` and `Remove` for the entry of a list, as far as they are possible. */
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
