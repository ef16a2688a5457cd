import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../core/clock.ts';
import { asOutage } from '../../core/outage.ts';
import { ok, type Result } from '../../core/result.ts';
import { allClaimedFrom } from '../rows.ts';
import type { HotPath } from '../send-statements.ts';
import { ALONE, type Memory, type Observed, UNOBSERVED, UNSHARED } from '../stores.ts';

/**
 * Opens, or makes, Herald's database file in a thread of its own, so that neither SQL nor the wait for the disk
 * holds up a request or an answer to Slack. Calls are done one after the other, in their order. A thread that dies takes
 * Herald with it: what was promised to be on disk could not be trusted any more.
 *
 * @param path a file path, or `:memory:`
 * @param upgraded receives where the copy is of a file that an earlier version wrote, and this one has changed
 * @param pseudonymKey of the names that stand for numbers that were removed
 * @returns every store, or one sentence that says what is wrong with the path and what to do
 */
export async function openSqliteStores(
  path: string,
  upgraded = (_copy: string) => {},
  observed: Observed = { observer: UNOBSERVED, clock: systemClock },
  pseudonymKey?: string,
): Promise<Result<Memory, string>> {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { path, pseudonymKey } satisfies ThreadData,
    // What it reads and writes is over at once: with more room for young garbage a long list took 25 MB more, and no less time.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  const [opened] = (await once(thread, 'message')) as [Opened];
  if (!opened.ok) return opened;
  const { copy, stores } = opened.value;
  if (copy !== undefined) upgraded(copy);
  return ok({ ...remoteStores(stores, callsTo(thread, observed)), lease: ALONE, sharing: UNSHARED });
}

type CallMethod = (store: string, method: string, args: readonly unknown[]) => Promise<unknown>;

function callsTo(thread: Worker, { observer, clock }: Observed): CallMethod {
  const waiting = new Map<number, PromiseWithResolvers<unknown> & { readonly since: number }>();
  let lastId = 0;
  thread.on('message', (answer: CallResult) => {
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (caller) observer.statementEnded((clock.monotonic() - caller.since) / 1_000, !('error' in answer));
    if ('error' in answer) caller?.reject(answer.isOutage ? asOutage(answer.error) : answer.error);
    else caller?.resolve(unpack(answer));
  });
  thread.on('exit', () => {
    for (const { reject } of waiting.values()) reject(asOutage(new Error('The database is closed.')));
    waiting.clear();
  });
  return async (store, method, args) => {
    if (thread.threadId === -1) throw asOutage(new Error('The database is closed.'));
    lastId += 1;
    const call = Promise.withResolvers<unknown>();
    waiting.set(lastId, { ...call, since: clock.monotonic() });
    thread.postMessage({ id: lastId, store, method, args: args.map(pack) } satisfies Call);
    return call.promise;
  };
}

/** Stores whose every method is a call to the thread; the ports' own types say which there are. */
function remoteStores(stores: readonly string[], call: CallMethod): Memory {
  const claim: HotPath['claim'] = async (sendId, limit, at) =>
    allClaimedFrom(sendId, at, String(await call('sends', 'claimLists', [sendId, limit, at])));
  const remote = (store: string) =>
    new Proxy(Object.assign(Object.create(null), store === 'sends' && { claim }), {
      // A promise that resolves to this must not take it for another promise.
      get: (own, method) =>
        typeof method === 'string' && method !== 'then'
          ? (own[method] ?? ((...args: readonly unknown[]) => call(store, method, args)))
          : undefined,
    });
  return Object.fromEntries(stores.map((store) => [store, remote(store)])) as unknown as Memory;
}

/*
 * What the two threads say to each other. Arguments and results are plain values: they cross by structured clone, but
 * for batches, which cross as JSON text in half of the time.
 */

export interface ThreadData {
  readonly path: string;
  readonly pseudonymKey: string | undefined;
}

/** The thread says once which stores the open file has, and where its copy of before an upgrade is, or why it is not open. */
export type Opened = Result<
  { readonly copy: string | undefined; readonly stores: readonly string[] },
  string
>;

/** A value crosses as it is, or as one of a batch. */
export type Crossing = { readonly value: unknown } | { readonly batch: string };

export interface Call {
  readonly id: number;
  readonly store: string;
  readonly method: string;
  readonly args: readonly Crossing[];
}

/** How a call ended; answers come in the order of the calls. */
export type CallResult = { readonly id: number } & (
  | Crossing
  | { readonly error: unknown; readonly isOutage: boolean }
);

/** From this many elements an array is a batch; below, either way costs the same. */
const BATCH = 16;

/** Batches are rows, numbers and outcomes: nothing in them that JSON does not know. */
export function pack(value: unknown): Crossing {
  return Array.isArray(value) && value.length >= BATCH ? { batch: JSON.stringify(value) } : { value };
}

export function unpack(crossing: Crossing): unknown {
  return 'batch' in crossing ? JSON.parse(crossing.batch) : crossing.value;
}
