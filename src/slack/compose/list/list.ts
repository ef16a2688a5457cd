import { LATE, within } from '../../../core/within.ts';
import type { Audience } from '../../../sends/audience.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { CATALOGUE_MS } from '../../kit/templates/find-template.ts';
import type { ComposeDependencies } from '../dependencies.ts';

/** Rows whose SMS parts are counted, and that can be looked at, while somebody looks at the form; of the others, too. */
const SAMPLE_ROWS = 1000;

/** The list that a form names, and the row of it that its preview shows. */
interface Named {
  readonly audienceId?: string | undefined;
  readonly place?: number | undefined;
}

/** The list that a form is about. */
export async function loadList(
  { audienceId, place }: Named,
  dependencies: ComposeDependencies,
): Promise<List | undefined | typeof LATE> {
  const { audiences, clock } = dependencies;
  if (audienceId === undefined) return undefined;
  const loading = audiences
    .find(audienceId)
    .then((audience) => audience && listOf(audience, dependencies, place));
  return within(loading, CATALOGUE_MS, clock);
}

/** The same; none where it does not come in time. */
export async function listInTime(named: Named, dependencies: ComposeDependencies): Promise<List | undefined> {
  const list = await loadList(named, dependencies);
  return list === LATE ? undefined : list;
}

export async function listOf(
  audience: Audience,
  { audiences }: ComposeDependencies,
  place?: number,
): Promise<List> {
  const [sample, leftOut] = await Promise.all([
    audiences.sample(audience.id, SAMPLE_ROWS),
    audiences.leftOut(audience.id, SAMPLE_ROWS),
  ]);
  return { audience, sample, leftOut, place };
}
