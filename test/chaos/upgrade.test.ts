import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { numbers, replicaSteps } from '../e2e/replica-steps.ts';
import { type Replica, startReplicas } from '../e2e/replicas.ts';
import { APPROVALS, RAVI, WITH_APPROVALS } from '../e2e/team.ts';
import { PATIENT } from '../patience.ts';
import { directly } from '../postgres/database.ts';
import { unpackNext } from './next-version.ts';

/*
 * Two versions side by side: this version begins a send, the next one, which has one more change of the schema, joins it on
 * the same database and brings that up to date in the middle, and this one is stopped, as in a rolling upgrade. What an
 * earlier version has left is brought up to date in test/earlier.
 */
const RECIPIENTS = 400;
/** This version is slow, so that on a machine of any speed the next one comes before the end. */
const paced = (
  perSecond: number,
) => `${WITH_APPROVALS}pacing: { sms: { perSecond: ${perSecond}, concurrency: 20, recipientsPerRequest: 1 } }
`;
const VERSION = 'SELECT max(version) AS version FROM schema_versions';

const folder = mkdtempSync(join(tmpdir(), 'herald-next-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('an upgrade in the middle of a send: nobody twice, nobody left out', async ({ task }) => {
  unpackNext(folder);
  const stack = await startReplicas('socket', paced(5), 2, { next: folder, later: 1 });
  const [first] = stack.replicas as [Replica];
  try {
    const steps = replicaSteps(stack);
    const versionOf = async () => Number((await directly(stack.database, VERSION))[0]?.version);
    const before = await versionOf();
    const to = numbers(RECIPIENTS, 10_000_000);
    const reached = (count: number) =>
      stack.watch.until(`${count} reached`, () => stack.reached().length >= count, 60_000);
    await steps.ask('We have moved.', to);
    await steps.press(RAVI, APPROVALS, 'We have moved.', 'approval_approve');
    await reached(20);
    const next = await stack.join(paced(40));
    const joinedAt = stack.reached().length;
    const after = await versionOf();
    // Both send.
    await vi.waitFor(async () => expect(await requestsOf(next)).toBeGreaterThan(5), PATIENT);
    await reached(joinedAt + 10);
    const shares = await Promise.all([first, next].map(requestsOf));
    first.process.signal('SIGTERM');
    const stopped = await first.process.exited;
    const alone = stack.reached().length;
    const again = await stack.startAgain(0);
    const refused = await again.process.exited;
    await steps.shows('We have moved.', 'done');
    const twice = stack.reached().length - new Set(stack.reached()).size;
    task.meta.figure = `requests by this and by the next version: ${shares.join(', ')}; ${stack.reached().length} of ${RECIPIENTS} reached, ${twice} twice`;
    expect(after).toBeGreaterThan(before);
    expect(stopped.code).toBe(0);
    expect(alone).toBeLessThan(RECIPIENTS);
    expect(shares).not.toContain(0);
    expect(stack.reached().toSorted()).toEqual(to);
    expect(refused.code).toBe(1);
    expect(again.lines.join('\n')).toContain('was written by a newer Herald. Start that version');
  } finally {
    await stack.stop();
  }
});

/** How many requests a replica has made of the messaging service, by its own count. */
async function requestsOf({ process }: Replica): Promise<number> {
  const metrics = await (await fetch(`${process.url}/metrics`)).text();
  return [...metrics.matchAll(/^herald_request_seconds_count.* (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}
