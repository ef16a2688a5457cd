import type { ExpiringMap } from '../../core/expiring-map.ts';
import type { ViewUpdates } from '../kit/views/view-updates.ts';
import type { SetAside } from './changes/set-aside.ts';
import type { ComposeDependencies } from './dependencies.ts';
import type { ComposeForm } from './form/form-view.ts';

/** What a handler works with; `registerCompose` makes it once. */
export interface Compose extends ComposeDependencies {
  readonly views: ViewUpdates;
  /** Views whose list is being read: a second press waits for the same reading. */
  readonly reading: Set<string>;
  /** Forms whose list was ready only after they were closed, by the id of the closed view. */
  readonly closedForms: ExpiringMap<ComposeForm>;
  /** What was typed into parts of a form that are not shown now, by the view's id. */
  readonly setAside: SetAside;
}
