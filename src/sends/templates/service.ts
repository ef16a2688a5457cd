import { hash } from 'node:crypto';
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
import { createStoredCatalogue } from './catalogue.ts';
import type { TemplateLife } from './life.ts';
import {
  keyOf,
  type StoredTemplate,
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
interface TemplateRequest extends Omit<TemplateWrite, 'action'> {
  readonly userId: string;
  /** Sends whose approvals the person has agreed to void. */
  readonly agreed: readonly string[];
}

export type TemplateResult = Awaited<ReturnType<Templates['change']>>;

/** The changes that an import makes. */
export type ImportPlan = ReturnType<typeof planOf> & {
  readonly unchanged: number;
  /** Sends whose approvals it voids. */
  readonly sends: readonly Send[];
  /** A hash of file, catalogue and sends: if one of them changes, so does the mark. */
  readonly mark: string;
};

type Problems = readonly TemplateFileProblem[];
/** `changed`: the plan is out of date, so nothing was written and nothing voided. */
interface Imported {
  readonly state: 'imported' | 'changed';
  readonly plan: ImportPlan;
  readonly voided: readonly Send[];
}

/** The team's catalogue, with its changes. */
export type Templates = ReturnType<typeof createTemplates>;

interface TemplatesDependencies {
  readonly templateStore: TemplateStore;
  readonly store: Pick<SendReader, 'findByState'>;
  readonly bulkSends: Pick<RunningBulkSends, 'void'>;
  readonly life: Pick<TemplateLife, 'approvedAgain'>;
  readonly clock: Clock;
}

/**
 * The catalogue over its store. A change is a compare-and-set on the revision it was made from. It voids the sends of the
 * template that have not begun, to which the person must agree first; a send that is requested meanwhile is caught by the
 * check of its digest at the start.
 */
export function createTemplates(dependencies: TemplatesDependencies) {
  const { templateStore, store, bulkSends, clock } = dependencies;
  const catalogue = createStoredCatalogue(templateStore);

  const author = (actor: string, source: TemplateSource) => ({ actor, source, at: clock.now() });

  async function change(request: TemplateRequest) {
    const { template, archived, expected, userId, agreed } = request;
    const before = await templateStore.find(template);
    // Somebody else changed it first.
    if ((before?.revision ?? 0) !== expected) return { state: 'stale', current: before } as const;
    if (before?.archived === archived && sameTemplate(before.template, template))
      return { state: 'unchanged', stored: before, voided: [] } as const;
    const sends = await unsentSends([template], store);
    if (sends.some(({ id }) => !agreed.includes(id))) return { state: 'in_use', sends } as const;
    const stale = await templateStore.write([writeOf(request, before)], author(userId, 'form'));
    const current = await templateStore.find(template);
    if (stale.length > 0 || current === undefined) return { state: 'stale', current } as const;
    const voided = await voidAll(sends, [template], userId, bulkSends);
    return { state: 'saved', stored: current, voided } as const;
  }

  async function plan(source: string) {
    const read = await readInThread(source, clock);
    if (!read.ok) return read;
    const stored = new Map((await templateStore.all()).map((one) => [keyOf(one.template), one]));
    const writes = read.value.flatMap((template) => {
      const known = stored.get(keyOf(template));
      if (known && !known.archived && sameTemplate(known.template, template)) return [];
      return [writeOf({ template, archived: false, expected: known?.revision ?? 0 }, known)];
    });
    const changed = writes.map(({ template }) => template);
    const sends = await unsentSends(changed, store);
    const seen = [source, writes.map(({ expected }) => expected), sends.map(({ id }) => id)];
    const what: ImportPlan = {
      ...planOf(writes, stored),
      unchanged: read.value.length - writes.length,
      sends,
      mark: hash('sha256', JSON.stringify(seen)).slice(0, 16),
    };
    return ok({ what, writes, changed });
  }

  /** Carries out the plan with this mark, completely or not at all. */
  async function runImport(
    source: string,
    mark: string,
    userId: string,
  ): Promise<Result<Imported, Problems>> {
    const planned = await plan(source);
    if (!planned.ok) return planned;
    const { what, writes, changed } = planned.value;
    if (what.mark !== mark) return ok({ state: 'changed', plan: what, voided: [] });
    const stale = await templateStore.write(writes, author(userId, 'import'));
    // Somebody was quicker, so that by now the mark is another.
    if (stale.length > 0) return runImport(source, '', userId);
    const voided = await voidAll(what.sends, changed, userId, bulkSends);
    return ok({ state: 'imported', plan: what, voided });
  }

  return {
    ...catalogue,
    look: (key: TemplateKey) => templateStore.find(key),
    history: (...asked: Parameters<TemplateStore['history']>) => templateStore.history(...asked),
    /** Sends of this template of which nothing was attempted, oldest first. */
    unsentSends: (key: TemplateKey) => unsentSends([key], store),
    /** Writes nothing where it would void sends to which the person has not agreed. `voided` are those that it ended. */
    change,
    planImport: async (source: string): Promise<Result<ImportPlan, Problems>> => {
      const planned = await plan(source);
      return planned.ok ? ok(planned.value.what) : planned;
    },
    runImport,
    /** Somebody who may change templates says that the service takes this one again. */
    approvedAgain: dependencies.life.approvedAgain,
    /** All that are not archived, as a YAML file. */
    export: async () => {
      const all = await templateStore.all();
      return writeTemplateFile(all.filter(({ archived }) => !archived).map(({ template }) => template));
    },
  };
}

async function voidAll(
  sends: readonly Send[],
  changed: readonly Template[],
  userId: string,
  bulkSends: TemplatesDependencies['bulkSends'],
) {
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

function writeOf(
  { template, archived, expected }: Omit<TemplateWrite, 'action'>,
  before: StoredTemplate | undefined,
): TemplateWrite {
  const restores = before?.archived === true && !archived;
  const archives = before?.archived === false && archived;
  const action = before === undefined ? 'added' : restores ? 'restored' : archives ? 'archived' : 'edited';
  return { template, archived, expected, action };
}

/** The templates of a file that it changes, by how. */
function planOf(writes: readonly TemplateWrite[], stored: ReadonlyMap<string, StoredTemplate>) {
  const by = (action: TemplateWrite['action']) =>
    writes.flatMap((write) => (write.action === action ? [write.template] : []));
  const edited = by('edited').flatMap((after) => {
    const before = stored.get(keyOf(after))?.template;
    return before === undefined ? [] : [{ before, after }];
  });
  /** `restored`: archived templates that come back, possibly changed. */
  return { added: by('added'), edited, restored: by('restored') };
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
