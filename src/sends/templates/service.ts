import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/clock.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { LATE, within } from '../../core/within.ts';
import { templateKeyOf } from '../../messages/kinds.ts';
import { sameTemplate } from '../../messages/templates/differences.ts';
import type { Template } from '../../messages/templates/template.ts';
import { templateChanged } from '../bulk/sentences.ts';
import type { RunningBulkSends } from '../bulk/service.ts';
import type { SendReader } from '../ports.ts';
import { isUnsent, type Send } from '../send.ts';
import { createStoredCatalogue, type StoredCatalogue } from './catalogue.ts';
import {
  keyOf,
  type StoredTemplate,
  type TemplateAuthor,
  type TemplateChange,
  type TemplateKey,
  type TemplateSource,
  type TemplateStore,
  type TemplateWrite,
} from './store.ts';
import { type readTemplateFile, type TemplateFileProblem, writeTemplateFile } from './yaml.ts';

/** More sends than ever wait at once. */
const WAITING_SENDS = 10_000;
const READ_WITHIN_MS = 60_000;
const TOO_SLOW = 'The file takes longer than a minute to read. Make it smaller, without aliases.';
const UNSENT = ['awaiting_approval', 'approved', 'scheduled', 'paused'] as const;

/** A request to change one template. */
interface TemplateRequest {
  readonly template: Template;
  readonly archived: boolean;
  /** The revision that the person saw; 0 for a new one. */
  readonly expected: number;
  readonly userId: string;
  /** Sends whose approvals the person has agreed to void. */
  readonly agreed: readonly string[];
}

export type TemplateResult =
  /** `voided`: the sends that ended because of it. */
  | { readonly state: 'saved'; readonly stored: StoredTemplate; readonly voided: readonly Send[] }
  /** Nothing differs, so nothing was written. */
  | { readonly state: 'unchanged'; readonly stored: StoredTemplate }
  /** Somebody else changed it first: `current` is the stored state. */
  | { readonly state: 'stale'; readonly current: StoredTemplate | undefined }
  /** The change would void these sends, to which nobody has agreed; nothing was written. */
  | { readonly state: 'in_use'; readonly sends: readonly Send[] };

/** What an import does. */
export interface ImportPlan {
  readonly added: readonly Template[];
  readonly edited: readonly { readonly before: Template; readonly after: Template }[];
  /** Archived templates that come back, possibly changed. */
  readonly restored: readonly Template[];
  readonly unchanged: number;
  /** Sends whose approvals it voids. */
  readonly sends: readonly Send[];
  /** A hash of file, catalogue and sends: if one of them changes, so does the mark. */
  readonly mark: string;
}

type ImportResult =
  | { readonly state: 'imported'; readonly plan: ImportPlan; readonly voided: readonly Send[] }
  /** The plan is out of date, so nothing was written. */
  | { readonly state: 'changed'; readonly plan: ImportPlan };

/** The team's catalogue, with its changes. */
export interface Templates extends StoredCatalogue {
  look(key: TemplateKey): Promise<StoredTemplate | undefined>;
  history(key: TemplateKey, limit: number, before?: number): Promise<readonly TemplateChange[]>;
  /** Sends of this template of which nothing was attempted, oldest first. */
  unsentSends(key: TemplateKey): Promise<readonly Send[]>;
  change(request: TemplateRequest): Promise<TemplateResult>;
  planImport(source: string): Promise<Result<ImportPlan, readonly TemplateFileProblem[]>>;
  /** Carries out the plan with this mark, completely or not at all. */
  runImport(
    source: string,
    mark: string,
    userId: string,
  ): Promise<Result<ImportResult, readonly TemplateFileProblem[]>>;
  /** All that are not archived, as a YAML file. */
  export(): Promise<string>;
}

interface TemplatesDependencies {
  readonly templateStore: TemplateStore;
  readonly store: Pick<SendReader, 'findByState'>;
  readonly bulkSends: Pick<RunningBulkSends, 'void'>;
  readonly clock: Clock;
}

/**
 * The catalogue over its store. A change is a compare-and-set on the revision it was made from. It voids the sends of the
 * template that have not begun, to which the person must agree first; a send that is requested meanwhile is caught by the
 * check of its digest at the start.
 */
export function createTemplates(dependencies: TemplatesDependencies): Templates {
  const { templateStore, store, bulkSends, clock } = dependencies;
  const catalogue = createStoredCatalogue(templateStore);

  function author(actor: string, source: TemplateSource): TemplateAuthor {
    return { actor, source, at: clock.now() };
  }

  async function voidAll(sends: readonly Send[], changed: readonly Template[], userId: string) {
    const labels = new Map(changed.map((template) => [keyOf(template), template.label]));
    const voided: Send[] = [];
    for (const send of sends) {
      const key = templateOf(send) ?? '';
      const reason = templateChanged(labels.get(key) ?? key);
      const result = await bulkSends.void({ sendId: send.id, userId, reason });
      if (result.state !== 'refused') voided.push(result);
    }
    return voided;
  }

  async function change(request: TemplateRequest): Promise<TemplateResult> {
    const { template, archived, expected, userId, agreed } = request;
    const before = await templateStore.find(template);
    if ((before?.revision ?? 0) !== expected) return { state: 'stale', current: before };
    if (before?.archived === archived && sameTemplate(before.template, template))
      return { state: 'unchanged', stored: before };
    const sends = await unsentSends([template], store);
    if (sends.some(({ id }) => !agreed.includes(id))) return { state: 'in_use', sends };
    const stale = await templateStore.write([writeOf(request, before)], author(userId, 'form'));
    const current = await templateStore.find(template);
    if (stale.length > 0 || current === undefined) return { state: 'stale', current };
    const voided = await voidAll(sends, [template], userId);
    return { state: 'saved', stored: current, voided };
  }

  async function plan(source: string) {
    const read = await readInThread(source, clock);
    if (!read.ok) return read;
    const stored = new Map((await templateStore.all()).map((one) => [keyOf(one.template), one]));
    const writes = writesOf(read.value, stored);
    const changed = writes.map(({ template }) => template);
    const sends = await unsentSends(changed, store);
    const unchanged = read.value.length - writes.length;
    return ok({ what: { ...planOf(source, writes, sends, stored), unchanged }, writes, changed });
  }

  const runImport: Templates['runImport'] = async (source, mark, userId) => {
    const planned = await plan(source);
    if (!planned.ok) return planned;
    const { what, writes, changed } = planned.value;
    if (what.mark !== mark) return ok({ state: 'changed', plan: what });
    const stale = await templateStore.write(writes, author(userId, 'import'));
    // Somebody was quicker, so that by now the mark is another.
    if (stale.length > 0) return runImport(source, '', userId);
    const voided = await voidAll(what.sends, changed, userId);
    return ok({ state: 'imported', plan: what, voided });
  };

  return {
    ...catalogue,
    look: (key) => templateStore.find(key),
    history: (key, limit, before) => templateStore.history(key, limit, before),
    unsentSends: (key) => unsentSends([key], store),
    change,
    planImport: async (source) => {
      const planned = await plan(source);
      return planned.ok ? ok(planned.value.what) : planned;
    },
    runImport,
    export: async () => {
      const all = await templateStore.all();
      return writeTemplateFile(all.filter(({ archived }) => !archived).map(({ template }) => template));
    },
  };
}

function writeOf(
  { template, archived, expected }: Pick<TemplateRequest, 'template' | 'archived' | 'expected'>,
  before: StoredTemplate | undefined,
): TemplateWrite {
  const restores = before?.archived === true && !archived;
  const archives = before?.archived === false && archived;
  const action = before === undefined ? 'added' : restores ? 'restored' : archives ? 'archived' : 'edited';
  return { template, archived, expected, action };
}

/** What the templates of a file change. */
function writesOf(
  templates: readonly Template[],
  stored: ReadonlyMap<string, StoredTemplate>,
): readonly TemplateWrite[] {
  return templates.flatMap((template) => {
    const known = stored.get(keyOf(template));
    if (known && !known.archived && sameTemplate(known.template, template)) return [];
    return [writeOf({ template, archived: false, expected: known?.revision ?? 0 }, known)];
  });
}

function planOf(
  source: string,
  writes: readonly TemplateWrite[],
  sends: readonly Send[],
  stored: ReadonlyMap<string, StoredTemplate>,
): Omit<ImportPlan, 'unchanged'> {
  const mark = createHash('sha256')
    .update(JSON.stringify([source, writes.map(({ expected }) => expected), sends.map(({ id }) => id)]))
    .digest('hex')
    .slice(0, 16);
  const by = (action: TemplateWrite['action']) =>
    writes.flatMap((write) => (write.action === action ? [write.template] : []));
  const edited = by('edited').flatMap((after) => {
    const before = stored.get(keyOf(after))?.template;
    return before === undefined ? [] : [{ before, after }];
  });
  return { added: by('added'), edited, restored: by('restored'), sends, mark };
}

/** Bulk sends of these templates of which nothing was attempted. */
async function unsentSends(
  keys: readonly TemplateKey[],
  store: Pick<SendReader, 'findByState'>,
): Promise<readonly Send[]> {
  if (keys.length === 0) return [];
  const wanted = new Set(keys.map(keyOf));
  const waiting = await store.findByState(UNSENT, WAITING_SENDS);
  return waiting.filter((send) => {
    const key = templateOf(send);
    return send.audience !== undefined && isUnsent(send) && key !== undefined && wanted.has(key);
  });
}

/** The key of a send's template. */
function templateOf({ message }: Send): string | undefined {
  const key = templateKeyOf(message);
  return key && keyOf(key);
}

/** A large file takes seconds, in which Herald goes on, and one with many keys or aliases in one place hours. */
async function readInThread(source: string, clock: Clock): Promise<ReturnType<typeof readTemplateFile>> {
  const thread = new Worker(new URL('./yaml-thread.ts', import.meta.url), { workerData: source });
  const read = await within(once(thread, 'message'), READ_WITHIN_MS, clock);
  if (read !== LATE) return read[0];
  await thread.terminate();
  return fail([{ line: 1, message: TOO_SLOW }]);
}
