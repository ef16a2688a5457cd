import type { Clock } from '../../core/clock.ts';
import { sameTemplate } from '../../messages/templates/differences.ts';
import { createTemplateSearch } from '../../messages/templates/search.ts';
import type { Template } from '../../messages/templates/template.ts';
import {
  HERALD_YML,
  keyOf,
  type StoredTemplate,
  type TemplateKey,
  type TemplateStore,
  type TemplateWrite,
} from './store.ts';

/** One page of what fits a query, of which an empty one fits all; of every channel or of one. */
interface Paged extends Pick<StoredTemplate, 'archived'> {
  readonly channel?: Template['channel'];
  readonly query: string;
  readonly skip: number;
  readonly limit: number;
}

/**
 * Finding by name always reads the store, so that edits count at once. Searching uses an index in memory, which is built
 * anew after every write to the store.
 */
export function createStoredCatalogue(store: TemplateStore) {
  let index: Promise<ReturnType<typeof indexOf>> | undefined;

  async function current() {
    const version = await store.version();
    const known = await index?.catch(() => undefined);
    if (known?.version === version) return known;
    index = store.all().then((all) => indexOf(all, version));
    return index;
  }

  return {
    find: async (channel: Template['channel'], name: string) => {
      const stored = await store.find({ channel, name });
      return stored === undefined || stored.archived ? undefined : stored.template;
    },
    /** The latest mark of a template at the service. */
    mark: async (key: TemplateKey) => (await store.find(key))?.mark,
    /** Type-ahead over name, label and sample text; best first, at most `limit`. */
    search: async (channel: Template['channel'], query: string, limit: number) =>
      (await current()).listed(channel, false)(query).slice(0, limit),
    /** `total` is of all pages. */
    page: async ({ channel, query, archived, skip, limit }: Paged) => {
      const { listed, byKey } = await current();
      const fitting = listed(channel, archived)(query);
      const found = fitting.slice(skip, skip + limit).flatMap((template) => byKey.get(keyOf(template)) ?? []);
      return { found, total: fitting.length };
    },
  };
}

function indexOf(all: readonly StoredTemplate[], version: number) {
  const made = new Map<string, ReturnType<typeof createTemplateSearch>>();
  return {
    version,
    byKey: new Map(all.map((stored) => [keyOf(stored.template), stored])),
    /** Built on first use: mostly only one or two are needed. */
    listed: (channel: Template['channel'] | undefined, archived: boolean) =>
      made.getOrInsertComputed(`${channel ?? ''} ${archived}`, () => {
        const listed = all.filter((one) => one.archived === archived).map(({ template }) => template);
        return createTemplateSearch(listed.filter((one) => (channel ?? one.channel) === one.channel));
      }),
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
