import { LATE } from '../../../core/within.ts';
import { ARRANGEMENTS, arrange } from '../../../messages/form/arrangement.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { ClickHandler, OpenView } from '../../kit/clicks/arguments.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { leavesOf } from '../../kit/forms/leaves.ts';
import { joinPath, parseBlockId, valueAt } from '../../kit/forms/path.ts';
import { type FormValues, readState } from '../../kit/forms/read-state.ts';
import { eventIn } from '../../kit/views/view-updates.ts';
import type { Compose } from '../compose.ts';
import { readMetadata } from '../form/form-metadata.ts';
import type { ComposeForm } from '../form/form-view.ts';
import { carriedOn, kindOf } from '../form/open-view.ts';
import { redrawForm } from '../list/counted.ts';
import { loadList } from '../list/list.ts';
import { arrangementIn, revisionIn } from './part-controls.ts';

/*
 * Forms whose fields come and go: parts are added, removed and moved, or a choice asks for other ones. What was typed is
 * never lost: what is not shown any more is set aside, and is there again when it is shown again.
 */

/** A button that adds, removes or moves a part was pressed. */
export const handleArrange: ClickHandler<Compose> = async ({ body, action, client }, compose) => {
  const { view } = body;
  const kind = kindOf(view);
  const parts = kind && KINDS[kind].parts;
  const does = ARRANGEMENTS.find((one) => one === arrangementIn(action.action_id));
  if (view === undefined || kind === undefined || parts === undefined || does === undefined) return;
  const path = action.value ?? '';
  const next = await formWithOtherParts(
    kind,
    view,
    (values) => arrange(values, { does, path }, parts),
    compose,
  );
  const focus = does === 'add' ? newestIn(next.values, path) : does === 'open' && path;
  await redrawForm(client, eventIn(view, action), { ...next, focus }, compose);
};

function newestIn(values: unknown, path: string): string {
  const list = valueAt(values, path);
  return joinPath(path, Array.isArray(list) ? list.length - 1 : 0);
}

/** True when other fields come and go with the one that was changed. */
export function reshapes(
  kind: MessageKind,
  view: OpenView,
  blockId: string | undefined,
  compose: Compose,
): boolean {
  if (KINDS[kind].parts === undefined || blockId === undefined) return false;
  const held = readState(view.state.values, readMetadata(view.private_metadata)?.shown);
  const { path } = parseBlockId(blockId);
  const leaves = leavesOf(KINDS[kind].form({ ...formContext(compose), entered: held }));
  return leaves.some((leaf) => leaf.path === path && leaf.meta.reshapes);
}

/** The form after a change of its parts, in a new revision, with everything that was typed. */
export async function formWithOtherParts(
  kind: MessageKind,
  view: OpenView,
  change: (values: FormValues) => FormValues,
  compose: Compose,
): Promise<ComposeForm> {
  const metadata = readMetadata(view.private_metadata);
  const shown = readState(view.state.values, metadata?.shown);
  const values = change(withSetAside(await compose.setAside.get(view.id), shown));
  await compose.setAside.set(view.id, values);
  const list = await loadList(metadata ?? {}, compose);
  const revision = (revisionIn(metadata?.shown) ?? 1) + 1;
  return { kind, ...carriedOn(metadata), values, revision, list: list === LATE ? undefined : list };
}

/** What is shown, over what was set aside; of a list, what is shown is all of it. */
function withSetAside(aside: unknown, shown: FormValues): Record<string, unknown> {
  if (!isGroup(aside)) return { ...shown };
  const merged: Record<string, unknown> = { ...aside };
  for (const [key, value] of Object.entries(shown)) {
    merged[key] = isGroup(value) && isGroup(aside[key]) ? withSetAside(aside[key], value) : value;
  }
  return merged;
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
