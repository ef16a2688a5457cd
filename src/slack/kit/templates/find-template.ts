import type { Clock } from '../../../core/clock.ts';
import { type LATE, within } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { TemplateCatalogue } from '../../../sends/ports.ts';

/** The catalogue is Herald's own store: longer than this is trouble, and Slack waits three seconds at most. */
export const CATALOGUE_MS = 1000;

interface CatalogueSources {
  readonly catalogue: TemplateCatalogue;
  readonly clock: Clock;
}

/** A template of the kind's channel; undefined when it is not there or the name is none, `LATE` when nobody answers. */
export async function findTemplate(
  kind: MessageKind,
  name: unknown,
  { catalogue, clock }: CatalogueSources,
): Promise<Template | undefined | typeof LATE> {
  const { templateChannel } = KINDS[kind];
  if (templateChannel === undefined || typeof name !== 'string' || name === '') return undefined;
  return within(catalogue.find(templateChannel, name), CATALOGUE_MS, clock);
}

/** Templates for a query, best first; `LATE` when nobody answers. */
export async function searchTemplates(
  kind: MessageKind,
  query: string,
  limit: number,
  { catalogue, clock }: CatalogueSources,
): Promise<readonly Template[] | typeof LATE> {
  const { templateChannel } = KINDS[kind];
  if (templateChannel === undefined) return [];
  return within(catalogue.search(templateChannel, query, limit), CATALOGUE_MS, clock);
}
