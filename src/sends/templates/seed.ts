import type { Clock } from '../../core/clock.ts';
import { sameTemplate } from '../../messages/templates/differences.ts';
import type { Template } from '../../messages/templates/template.ts';
import { HERALD_YML, keyOf, type TemplateStore, type TemplateWrite } from './store.ts';

/**
 * Brings the catalogue up to date with `herald.yml` at a start: adds new templates, and updates those that nobody changed
 * in Slack. Templates that were changed or archived in Slack stay, and so do those that left the file.
 *
 * @returns how many templates were added or changed
 */
export async function seedTemplates(
  store: TemplateStore,
  templates: readonly Template[],
  clock: Clock,
): Promise<number> {
  const stored = new Map((await store.all()).map((one) => [keyOf(one.template), one]));
  const writes = templates.flatMap((template): TemplateWrite[] => {
    const known = stored.get(keyOf(template));
    if (known === undefined) return [{ template, archived: false, action: 'added', expected: 0 }];
    const follows = known.changedBy === HERALD_YML && !sameTemplate(known.template, template);
    return follows ? [{ template, archived: false, action: 'edited', expected: known.revision }] : [];
  });
  if (writes.length === 0) return 0;
  const stale = await store.write(writes, { actor: HERALD_YML, at: clock.now(), source: HERALD_YML });
  // Another replica that starts at the same time was first.
  return stale.length === 0 ? writes.length : seedTemplates(store, templates, clock);
}
