import { LATE, within } from '../../../core/within.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { CATALOGUE_MS } from '../../kit/templates/find-template.ts';
import type { ComposeDependencies } from '../dependencies.ts';

/** Rows whose SMS parts are counted while somebody looks at the form. */
export const SAMPLE_ROWS = 1000;

export async function loadList(
  audienceId: string | undefined,
  { audiences, clock }: ComposeDependencies,
): Promise<List | undefined | typeof LATE> {
  if (audienceId === undefined) return undefined;
  const loading = Promise.all([audiences.find(audienceId), audiences.sample(audienceId, SAMPLE_ROWS)]);
  const loaded = await within(loading, CATALOGUE_MS, clock);
  if (loaded === LATE) return LATE;
  const [audience, sample] = loaded;
  return audience && { audience, sample };
}
