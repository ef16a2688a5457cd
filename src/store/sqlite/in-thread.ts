import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../core/clock.ts';
import { asOutage } from '../../core/outage.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { ALONE, UNSHARED } from '../alone.ts';
import { type DatabaseObserver, UNOBSERVED } from '../observer.ts';
import type { Memory } from '../stores.ts';
import { type Call, type CallResult, type Opened, pack, type ThreadData, unpack } from './thread-messages.ts';

/** Whom calls are told to, and by which clock. */
interface Observed {
  readonly observer: Pick<DatabaseObserver, 'statementEnded'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface Waiting {
  readonly since: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens, or makes, Herald's database file in a thread of its own, so that neither SQL nor the wait for the disk
 * holds up a request or an answer to Slack. Calls are done one after the other, in their order. A thread that dies takes
 * Herald with it: what was promised to be on disk could not be trusted any more.
 *
 * @param path a file path, or `:memory:`
 * @param upgraded is told where the copy is of a file that an earlier version wrote, and this one has changed
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
  });
  const [opened] = (await once(thread, 'message')) as [Opened];
  if (opened.state === 'failed') return fail(opened.sentence);
  if (opened.copy !== undefined) upgraded(opened.copy);
  const call = callsTo(thread, observed);
  return ok({
    sends: remote('sends', call),
    audiences: remote('audiences', call),
    templates: remote('templates', call),
    drafts: remote('drafts', call),
    replies: remote('replies', call),
    conversations: remote('conversations', call),
    alerts: remote('alerts', call),
    inputs: remote('inputs', call),
    retention: remote('retention', call),
    notices: remote('notices', call),
    posts: remote('posts', call),
    lease: ALONE,
    sharing: UNSHARED,
  });
}

type CallMethod = (store: Call['store'], method: string, args: readonly unknown[]) => Promise<unknown>;

function callsTo(thread: Worker, { observer, clock }: Observed): CallMethod {
  const waiting = new Map<number, Waiting>();
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
  return (store, method, args) =>
    new Promise((resolve, reject) => {
      if (thread.threadId === -1) {
        reject(asOutage(new Error('The database is closed.')));
        return;
      }
      lastId += 1;
      waiting.set(lastId, { resolve, reject, since: clock.monotonic() });
      thread.postMessage({ id: lastId, store, method, args: args.map(pack) } satisfies Call);
    });
}

/** A store whose every method is a call to the thread; the port's own type says which there are. */
function remote<Name extends Call['store']>(store: Name, call: CallMethod): Memory[Name] {
  return new Proxy(Object.create(null), {
    // A promise that resolves to this must not take it for another promise.
    get: (_target, method) =>
      typeof method === 'string' && method !== 'then'
        ? (...args: readonly unknown[]) => call(store, method, args)
        : undefined,
  }) as Memory[Name];
}
