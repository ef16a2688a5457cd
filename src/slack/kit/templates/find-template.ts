import { LATE, within } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import { templateSaying } from '../../../messages/sms/free-text.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { TemplateMark } from '../../../sends/templates/mark.ts';
import type { SlackServices } from '../services.ts';

/** The catalogue is Herald's own store: longer than this is trouble, and Slack waits three seconds at most. */
export const CATALOGUE_MS = 1000;

type CatalogueSources = Pick<SlackServices, 'catalogue' | 'clock'>;

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

/** The latest mark of a template at the service, if the catalogue says so in time. */
export async function markOf(
  template: Template,
  { catalogue, clock }: CatalogueSources,
): Promise<TemplateMark | undefined> {
  const mark = await within(catalogue.mark(template), CATALOGUE_MS, clock);
  return mark === LATE ? undefined : mark;
}

/** The template that says a text, with its values, where a text of one's own is not simply allowed. */
export async function templateSaid(kind: MessageKind, text: unknown, sources: SlackServices) {
  const { freeText = 'allowed' } = sources.defaults;
  if (freeText === 'allowed' || typeof text !== 'string') return undefined;
  const all = await searchTemplates(kind, '', Number.POSITIVE_INFINITY, sources);
  return all === LATE ? undefined : templateSaying(text, all);
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
