import { ARRANGEMENTS, arrange } from '../../../messages/form/arrangement.ts';
import { KINDS } from '../../../messages/kinds.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { leavesOf } from '../../kit/forms/leaves.ts';
import { joinPath, valueAt } from '../../kit/forms/path.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import type { Compose } from '../compose.ts';
import type { ComposeForm } from '../form/form-view.ts';
import { drawnAnew, inForm, type OpenForm } from '../form/open-view.ts';
import { redrawForm } from '../list/counted.ts';
import { arrangementIn, revisionIn } from './part-controls.ts';

/*
 * Forms whose fields come and go: parts are added, removed and moved, or a choice asks for other ones. What was typed is
 * never lost: what is not shown any more is set aside, and is there again when it is shown again.
 */

/** A button that adds, removes or moves a part was pressed. */
export const handleArrange = inForm(async (form, { action, client }, compose) => {
  const { parts } = KINDS[form.kind];
  const does = ARRANGEMENTS.find((one) => one === arrangementIn(action.action_id));
  if (parts === undefined || does === undefined) return;
  const path = action.value ?? '';
  const next = await formWithOtherParts(form, (values) => arrange(values, { does, path }, parts), compose);
  const focus = does === 'add' ? newestIn(next.values, path) : does === 'open' && path;
  await redrawForm(client, form.event, { ...next, focus }, compose);
});

function newestIn(values: unknown, path: string): string {
  const list = valueAt(values, path);
  return joinPath(path, Array.isArray(list) ? list.length - 1 : 0);
}

/** True when other fields come and go with the one that was changed. */
export function reshapes({ kind, values }: OpenForm, path: string, compose: Compose): boolean {
  if (KINDS[kind].parts === undefined) return false;
  const leaves = leavesOf(KINDS[kind].form({ ...formContext(compose), entered: values }));
  return leaves.some((leaf) => leaf.path === path && leaf.meta.reshapes);
}

/** The form after a change of its parts, in a new revision, with everything that was typed. */
export async function formWithOtherParts(
  open: OpenForm,
  change: (values: FormValues) => FormValues,
  compose: Compose,
): Promise<ComposeForm> {
  const { view, values: shown } = open;
  const values = change(withSetAside(await compose.setAside.get(view.id), shown));
  await compose.setAside.set(view.id, values);
  return { ...(await drawnAnew({ ...open, values }, compose)), revision: nextRevision(open) };
}

/** A form in another revision forgets what its inputs held. */
export function nextRevision({ metadata }: OpenForm): number {
  return (revisionIn(metadata.shown) ?? 1) + 1;
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
