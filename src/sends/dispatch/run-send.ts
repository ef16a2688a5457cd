import { retryUntilStored } from '../store-trouble.ts';
import { type Ending, endingOfCanary } from './canary.ts';
import type { Run } from './run.ts';
import { startSome } from './start-some.ts';

/** See `Dispatcher.run`. */
export async function runSend(run: Run): Promise<void> {
  const { context, send } = run;
  const mayGoOn = await startCanaries(run);
  if (mayGoOn) await startWhile(run, () => true);
  await run.inFlight.none();
  // Of retries that are not due yet, and of whom quiet hours deferred: whoever continues the send must find them.
  if (run.retries.size > 0 || run.gate.firstEnd() !== undefined)
    await retryUntilStored(() => context.store.rewind(send.id), context);
  run.throwBug();
  const ending = run.ending() ?? endingForQuietHours(run);
  if (ending !== undefined) await halt(run, ending);
  if (ending?.ofCanaries) await retryUntilStored(() => context.store.markCanaryJudged(send.id), context);
}

/** Starts the canaries, if needed, and waits for the verdict; false when the run ends there. */
async function startCanaries(run: Run): Promise<boolean> {
  const { canary, context, send, halted } = run;
  if (canary.toStart === 0) return true;
  const areStarted = await startWhile(run, () => canary.toStart > 0);
  if (!areStarted) return false;
  // Those who must be tried again are waited for: until then nobody knows what the service says to this message.
  await startWhile(run, () => canary.isAlone, 'retries');
  const verdict = canary.verdict();
  // Paused meanwhile, for example: whoever goes on starts with canaries.
  if (halted.aborted || verdict.state === 'waiting') return false;
  // Marked when the pause stands: from then on whoever continues the send, or has it, too, sends to the rest.
  if (verdict.state === 'failed') run.end(endingOfCanary(verdict.failure));
  else await retryUntilStored(() => context.store.markCanaryJudged(send.id), context);
  return !halted.aborted;
}

/** Starts one after the other as long as `isWanted`. False when nothing was left to do before that was over. */
async function startWhile(
  run: Run,
  isWanted: () => boolean,
  whom: 'all' | 'retries' = 'all',
): Promise<boolean> {
  while (isWanted()) {
    const goesOn = await startNext(run, whom === 'all' ? run.claims.left : 0);
    if (!goesOn) return false;
  }
  return true;
}

/** Starts what may start, or waits for it. False when nothing is left to do. */
async function startNext(run: Run, unclaimed: number): Promise<boolean> {
  const { retries, inFlight, halted } = run;
  if (halted.aborted) return false;
  if (unclaimed > 0 || retries.countDue() > 0) return startSome(run);
  if (inFlight.count === 0 && retries.size === 0) return false;
  await (retries.size === 0 ? inFlight.next() : Promise.race([inFlight.next(), retries.nextDue()]));
  return true;
}

/** When only deferred recipients are left, the send pauses until their quiet hours end. */
function endingForQuietHours({ claims, gate, halted }: Run): Ending | undefined {
  const deferral = halted.aborted || !claims.isThrough ? undefined : gate.firstEnd();
  return deferral && { to: 'paused', reason: deferral.reason, resumeAt: deferral.until };
}

async function halt({ context, send, progressed }: Run, { to, reason, resumeAt }: Ending): Promise<void> {
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
  progressed();
}
