import type { Template } from '../../messages/templates/template.ts';
import type { TemplateCatalogue } from '../ports.ts';
import { createTemplateSearch, type TemplateSearch } from './search.ts';
import type { StoredTemplate, TemplateStore } from './store.ts';

/** What a page of the catalogue shows. */
interface TemplateQuery {
  /** Absent: every channel. */
  readonly channel?: Template['channel'];
  /** What was typed; empty: all. */
  readonly query: string;
  readonly archived: boolean;
  /** How many fitting ones come before the page. */
  readonly skip: number;
  readonly limit: number;
}

interface TemplatePage {
  readonly found: readonly StoredTemplate[];
  /** How many fit, on all pages. */
  readonly total: number;
}

/** The catalogue as the store has it. */
export interface StoredCatalogue extends TemplateCatalogue {
  page(query: TemplateQuery): Promise<TemplatePage>;
}

interface Index {
  readonly version: number;
  readonly byKey: ReadonlyMap<string, StoredTemplate>;
  readonly offered: (channel: Template['channel']) => TemplateSearch;
  readonly listed: (channel: Template['channel'] | undefined, archived: boolean) => TemplateSearch;
}

/**
 * Templates by name come from the store each time, so that an edit counts from the moment it is made.
 * Searching goes over an index in memory, made anew whenever anybody has written to the store.
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
    search: async (channel, query, limit) => (await current()).offered(channel)(query).slice(0, limit),
    page: async ({ channel, query, archived, skip, limit }) => {
      const { listed, byKey } = await current();
      const fitting = listed(channel, archived)(query);
      const found = fitting.slice(skip, skip + limit).flatMap((template) => byKey.get(keyOf(template)) ?? []);
      return { found, total: fitting.length };
    },
  };
}

/** Searches are made when they are first asked for: most of the time only one or two are. */
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
    offered: (channel) => listed(channel, false),
    listed,
  };
}

function keyOf({ channel, name }: Template): string {
  return `${channel}/${name}`;
}
