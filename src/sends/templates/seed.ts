import type { Clock } from '../../core/clock.ts';
import { sameTemplate } from '../../messages/templates/differences.ts';
import type { Template } from '../../messages/templates/template.ts';
import { HERALD_YML, type TemplateStore, type TemplateWrite } from './store.ts';

/**
 * Brings the catalogue up to `herald.yml` at a start: what is new there is added, and what nobody ever
 * changed in Slack follows the file. What somebody did in Slack stays, archived ones included, and what left
 * the file stays too.
 *
 * @returns how many templates were added or changed
 */
export async function seedTemplates(
  store: TemplateStore,
  templates: readonly Template[],
  clock: Clock,
): Promise<number> {
  const stored = new Map(
    (await store.all()).map((one) => [`${one.template.channel}/${one.template.name}`, one]),
  );
  const writes = templates.flatMap((template): TemplateWrite[] => {
    const known = stored.get(`${template.channel}/${template.name}`);
    if (known === undefined) return [{ template, archived: false, action: 'added', expected: 0 }];
    const follows = known.changedBy === HERALD_YML && !sameTemplate(known.template, template);
    return follows ? [{ template, archived: false, action: 'edited', expected: known.revision }] : [];
  });
  if (writes.length === 0) return 0;
  const stale = await store.write(writes, { actor: HERALD_YML, at: clock.now(), source: HERALD_YML });
  // Another Herald that starts at the same moment has written the same file's templates.
  return stale.length === 0 ? writes.length : seedTemplates(store, templates, clock);
}
