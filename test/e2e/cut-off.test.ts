import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CuttableProxy, startProxy } from '../chaos/proxy.ts';
import { describeWithPostgres } from '../postgres/database.ts';
import { numbers, type ReplicaSteps, replicaSteps } from './replica-steps.ts';
import { type Replicas, startReplicas } from './replicas.ts';
import { APPROVALS, RAVI, TEAM, WITH_APPROVALS } from './team.ts';

const PER_SECOND = 10;
const CONCURRENCY = 4;
const CONFIG = `${WITH_APPROVALS}pacing: { sms: { perSecond: ${PER_SECOND}, concurrency: ${CONCURRENCY}, recipientsPerRequest: 1 } }
`;
/** The one that is asked, and so looks after the send, and the other. */
const [KEEPER, OTHER] = [0, 1];

await describeWithPostgres('of two Heralds, the one that looks after a send', () => {
  describe('stays alive', () => {
    let stack: Replicas;
    let steps: ReplicaSteps;
    let keepersWay: CuttableProxy | undefined;
    beforeAll(async () => {
      stack = await startReplicas('http', CONFIG, 2, {
        wayToSlack: async (direct, replica) => {
          if (replica !== KEEPER) return direct;
          keepersWay = await startProxy(direct);
          return keepersWay.url;
        },
      });
      steps = replicaSteps(stack);
    });
    afterAll(async () => {
      keepersWay?.restore();
      await stack?.stop();
      keepersWay?.close();
    });

    /** Asked for at the keeper, approved at the other, and well under way. */
    async function inFlight(text: string, to: readonly string[]): Promise<void> {
      stack.carrier.reset();
      await steps.ask(text, to);
      stack.balancer.sendTo(OTHER);
      await steps.press(RAVI, APPROVALS, text, 'approval_approve');
      await stack.watch.until('some', () => stack.reached().length > 20);
    }

    const ofThis = (text: string) => stack.texts(TEAM).filter((one) => one.includes(text));
    const reports = (text: string) => {
      const [id] = /S-[0-9A-Z]{10}/.exec(JSON.stringify(steps.message(TEAM, text)?.blocks)) ?? [];
      const { messages } = stack.workspace.snapshot();
      return messages.filter(
        (one) => one.channel === 'D0ASHA' && one.files?.[0]?.name.endsWith(`-${id}.csv`),
      );
    };

    test('but is cut off from Slack: the other tells of it, to its end, once', async () => {
      const to = numbers(200, 40_000_000);
      await inFlight('Nobody hears me.', to);
      await steps.shows('Nobody hears me.', 'sending');
      keepersWay?.cut();
      await steps.shows('Nobody hears me.', 'done');
      await stack.watch.until('the report', () => reports('Nobody hears me.').length > 0, 60_000);
      expect(stack.replicas[KEEPER]?.process.running).toBe(true);
      expect(stack.replicas[KEEPER]?.lines.join('\n')).toMatch(/"reached":false/);
      expect(stack.reached().toSorted()).toEqual(to);

      keepersWay?.restore();
      await stack.watch.until(
        'the keeper to be back',
        () => /"reached":true/.test(stack.replicas[KEEPER]?.lines.join('\n') ?? ''),
        60_000,
        200,
      );
      const next = numbers(30, 50_000_000);
      await inFlight('I am back.', next);
      await steps.shows('I am back.', 'done');
      expect(stack.reached().toSorted()).toEqual(next);
      // Whatever the keeper still had in hand has found that all of it was told.
      expect(ofThis('Nobody hears me.')).toHaveLength(1);
      expect(reports('Nobody hears me.')).toHaveLength(1);
    }, 240_000);

    test('but stands still for longer than its lease: the other goes on, and the one that wakes sends nothing of it', async () => {
      const to = numbers(200, 60_000_000);
      await inFlight('Asleep at the wheel.', to);
      const pid = stack.replicas[KEEPER]?.process.pid ?? 0;
      process.kill(pid, 'SIGSTOP');
      await steps.shows('Asleep at the wheel.', 'done');
      const reached = stack.reached();
      process.kill(pid, 'SIGCONT');
      const next = numbers(30, 70_000_000);
      await inFlight('Awake again.', next);
      await steps.shows('Awake again.', 'done');

      expect(new Set(reached).size).toBe(reached.length);
      // What it had on its way is unknown, and is not sent again.
      expect(reached.length).toBeGreaterThanOrEqual(to.length - CONCURRENCY - PER_SECOND);
      expect(stack.reached().toSorted()).toEqual(next);
      expect(ofThis('Asleep at the wheel.')).toHaveLength(1);
    }, 240_000);
  });
});
