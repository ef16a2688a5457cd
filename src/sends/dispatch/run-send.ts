import type { Message } from '../../messages/kinds.ts';
import type { Send } from '../send.ts';
import type { DispatchContext, Lane } from './context.ts';
import { type Ending, endingOfCanary } from './ending.ts';
import { retryUntilStored } from './retry-until-stored.ts';
import { createRun, type Run } from './run.ts';
import { startSome } from './start-some.ts';

/** Runs one send to where nothing is left to do for this process; see `Dispatcher.run`. */
export async function runSend(
  context: DispatchContext,
  lane: Lane,
  send: Send,
  message: Message,
): Promise<void> {
  const run = createRun(context, lane, send, message);
  if (await startCanaries(run)) await startEverybody(run);
  await run.inFlight.none();
  // Paused, ended or stopping before they were due: whoever goes on with the send finds them.
  if (run.retries.size > 0) await retryUntilStored(() => context.store.rewind(send.id), context);
  run.throwBug();
  const ending = run.ending() ?? endingAtTheEdge(run);
  if (ending !== undefined) await halt(context, send, ending);
}

/** Starts the first recipients, if they must go alone, and waits for what becomes of them; false when that was enough. */
async function startCanaries(run: Run): Promise<boolean> {
  const { canary, context, send, inFlight, halted } = run;
  if (canary.left === 0) return true;
  while (canary.left > 0) if (!(await startNext(run))) return false;
  while (inFlight.count > 0 && canary.verdict().state === 'waiting') await inFlight.next();
  if (halted.aborted) return false;
  const verdict = canary.verdict();
  await retryUntilStored(() => context.store.markCanaryJudged(send.id), context);
  if (verdict.state === 'failed') run.end(endingOfCanary(verdict.failure));
  return !halted.aborted;
}

async function startEverybody(run: Run): Promise<void> {
  while (await startNext(run));
}

/** One step: starts what may start, or waits until something may. False when there is nothing left to do. */
async function startNext(run: Run): Promise<boolean> {
  const { claims, retries, inFlight, halted } = run;
  if (halted.aborted) return false;
  if (claims.left > 0 || retries.countDue() > 0) return startSome(run);
  if (inFlight.count === 0 && retries.size === 0) return false;
  await (retries.size === 0 ? inFlight.next() : Promise.race([inFlight.next(), retries.nextDue()]));
  return true;
}

/** Once nothing else is left to do, it waits for the end of the quiet hours that held somebody. */
function endingAtTheEdge({ edge, halted }: Run): Ending | undefined {
  const hold = halted.aborted ? undefined : edge.firstEnd();
  return hold && { to: 'paused', reason: hold.reason, resumeAt: hold.until };
}

async function halt(context: DispatchContext, send: Send, { to, reason, resumeAt }: Ending): Promise<void> {
  const { store, clock } = context;
  const transition = {
    sendId: send.id,
    from: 'sending',
    to,
    at: clock.now(),
    actor: 'herald',
    reason,
    ...(resumeAt !== undefined && { resumeAt }),
  } as const;
  await retryUntilStored(() => store.moveSend(transition), context);
  context.onProgress?.(send.id);
}
