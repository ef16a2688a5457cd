import type { Clock } from '../../core/clock.ts';
import { sameTemplate } from '../../messages/templates/differences.ts';
import { createTemplateSearch, type TemplateSearch } from '../../messages/templates/search.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { TemplateCatalogue } from '../ports.ts';
import { HERALD_YML, keyOf, type StoredTemplate, type TemplateStore, type TemplateWrite } from './store.ts';

/** A request for one page of the catalogue. */
interface TemplateQuery {
  /** Absent: every channel. */
  readonly channel?: Template['channel'];
  /** What was typed; empty: all. */
  readonly query: string;
  readonly archived: boolean;
  /** How many matches to skip. */
  readonly skip: number;
  readonly limit: number;
}

interface TemplatePage {
  readonly found: readonly StoredTemplate[];
  /** Matches on all pages. */
  readonly total: number;
}

/** The stored catalogue. */
export interface StoredCatalogue extends TemplateCatalogue {
  page(query: TemplateQuery): Promise<TemplatePage>;
}

interface Index {
  readonly version: number;
  readonly byKey: ReadonlyMap<string, StoredTemplate>;
  readonly listed: (channel: Template['channel'] | undefined, archived: boolean) => TemplateSearch;
}

/**
 * Finding by name always reads the store, so that edits count at once. Searching uses an index in memory, which is built
 * anew after every write to the store.
 */
export function createStoredCatalogue(store: TemplateStore): StoredCatalogue {
  let index: Promise<Index> | undefined;

  async function current(): Promise<Index> {
    const version = await store.version();
    const known = await index?.catch(() => undefined);
    if (known?.version === version) return known;
    index = store.all().then((all) => indexOf(all, version));
    return index;
  }

  return {
    find: async (channel, name) => {
      const stored = await store.find({ channel, name });
      return stored === undefined || stored.archived ? undefined : stored.template;
    },
    search: async (channel, query, limit) => (await current()).listed(channel, false)(query).slice(0, limit),
    page: async ({ channel, query, archived, skip, limit }) => {
      const { listed, byKey } = await current();
      const fitting = listed(channel, archived)(query);
      const found = fitting.slice(skip, skip + limit).flatMap((template) => byKey.get(keyOf(template)) ?? []);
      return { found, total: fitting.length };
    },
  };
}

/** Builds each search on first use: mostly only one or two are needed. */
function indexOf(all: readonly StoredTemplate[], version: number): Index {
  const made = new Map<string, TemplateSearch>();
  const listed: Index['listed'] = (channel, archived) => {
    const key = `${channel ?? ''} ${archived}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const search = createTemplateSearch(
      all
        .filter(
          (one) => one.archived === archived && (channel ?? one.template.channel) === one.template.channel,
        )
        .map(({ template }) => template),
    );
    made.set(key, search);
    return search;
  };
  return {
    version,
    byKey: new Map(all.map((stored) => [keyOf(stored.template), stored])),
    listed,
  };
}

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
