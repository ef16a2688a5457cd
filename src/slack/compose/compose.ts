import { createExpiringMap, type ExpiringMap } from '../../core/expiring-map.ts';
import { createViewUpdates, type ViewUpdates } from '../kit/views/view-updates.ts';
import { createSetAside, type SetAside } from './changes/set-aside.ts';
import type { ComposeDependencies } from './dependencies.ts';
import type { ComposeForm } from './form/form-view.ts';
import { type Counting, createCounting } from './list/counting.ts';

/** What the handlers of forms work with. */
export interface Compose extends ComposeDependencies {
  readonly views: ViewUpdates;
  readonly counting: Counting;
  /** Views whose list is being read: a second press waits for the same reading. */
  readonly reading: Set<string>;
  /** Forms whose list was ready only after they were closed, by the id of the closed view. */
  readonly closedForms: ExpiringMap<ComposeForm>;
  /** What was typed into parts of a form that are not shown now, by the view's id. */
  readonly setAside: SetAside;
}

const CLOSED_FORMS_KEPT_MS = 60 * 60_000;
const CLOSED_FORMS_KEPT = 200;

export function createCompose(dependencies: ComposeDependencies): Compose {
  const { bulkSends, clock, logger, notes } = dependencies;
  return {
    ...dependencies,
    counting: createCounting(bulkSends, clock, logger),
    reading: new Set(),
    views: createViewUpdates(clock, logger),
    closedForms: createExpiringMap(CLOSED_FORMS_KEPT_MS, CLOSED_FORMS_KEPT, clock),
    setAside: createSetAside(notes),
  };
}
