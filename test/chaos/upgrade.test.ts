import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { APPROVALS, numbers, replicaSteps } from '../e2e/replica-steps.ts';
import { type Replica, startReplicas } from '../e2e/replicas.ts';
import { RAVI } from '../e2e/stack.ts';
import { TEAM_CONFIGURATION } from '../e2e/team.ts';
import { unpackEarlier } from '../earlier.ts';
import { PATIENT } from '../patience.ts';
import { directly } from '../postgres/database.ts';

/*
 * Two versions side by side: Herald as it was at an earlier commit begins a send, this version joins it on the same
 * database and brings that up to date in the middle, and the earlier one is stopped, as in a rolling upgrade.
 */
/** Of 22 November 2026, three changes of the schema ago. */
const EARLIER = '74f338a';
const RECIPIENTS = 400;
/** The earlier version is slow, so that on a machine of any speed this one comes before the end. */
const paced = (perSecond: number) => `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }
pacing: { sms: { perSecond: ${perSecond}, concurrency: 20, recipientsPerRequest: 1 } }
`;
const VERSION = 'SELECT max(version) AS version FROM schema_versions';

const folder = mkdtempSync(join(tmpdir(), 'herald-earlier-'));
afterAll(() => rmSync(folder, { recursive: true }));
const missing = unpackEarlier(EARLIER, folder);
if (missing !== undefined) console.log(`Two versions side by side: NOT TESTED, because ${missing}`);

it.skipIf(missing !== undefined)(
  'an upgrade in the middle of a send: nobody twice, nobody left out',
  async () => {
    const stack = await startReplicas('socket', paced(5), 2, { project: folder, later: 1 });
    const [earlier] = stack.replicas as [Replica];
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
      const now = await stack.join(paced(40));
      const joinedAt = stack.reached().length;
      const after = await versionOf();
      // Both send.
      await vi.waitFor(async () => expect(await requestsOf(now)).toBeGreaterThan(5), PATIENT);
      await reached(joinedAt + 10);
      const shares = await Promise.all([earlier, now].map(requestsOf));
      earlier.process.signal('SIGTERM');
      const stopped = await earlier.process.exited;
      const alone = stack.reached().length;
      const again = await stack.startAgain(0);
      const refused = await again.process.exited;
      await steps.shows('We have moved.', 'done');
      console.log(
        `schema ${before} → ${after} after ${joinedAt}; requests by the earlier and by this version: ${shares.join(', ')}; alone from ${alone} on; ${stack.reached().length} of ${RECIPIENTS} reached, ${stack.reached().length - new Set(stack.reached()).size} twice`,
      );
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
  },
);

/** How many requests a replica has made of the messaging service, by its own count. */
async function requestsOf({ process }: Replica): Promise<number> {
  const metrics = await (await fetch(`${process.url}/metrics`)).text();
  return [...metrics.matchAll(/^herald_request_seconds_count.* (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}
