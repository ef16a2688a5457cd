import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithPostgres } from '../postgres/database.ts';
import { CONFIG, numbers, type ReplicaSteps, replicaSteps } from './replica-steps.ts';
import { type Replicas, startReplicas } from './replicas.ts';
import { RAVI, TEAM, TRANSPORT } from './stack.ts';
import { APPROVALS } from './team.ts';

await describeWithPostgres('a send of several Heralds', () => {
  let stack: Replicas;
  let steps: ReplicaSteps;
  beforeAll(async () => {
    stack = await startReplicas(TRANSPORT, CONFIG, 2);
    steps = replicaSteps(stack);
  });
  afterAll(() => stack?.stop());

  test('goes on, and is told to its end, when the one that began it is killed', async () => {
    stack.carrier.reset();
    const to = numbers(150, 30_000_000);
    await steps.ask('Closing early today.', to);
    await steps.press(RAVI, APPROVALS, 'Closing early today.', 'approval_approve');
    await stack.watch.until('some', () => stack.reached().length > 20, 20_000);
    await stack.replicas[0]?.process.kill();
    stack.balancer.sendTo(1);
    await steps.shows('Closing early today.', 'done');
    expect(new Set(stack.reached()).size).toBe(stack.reached().length);
    // What the dead one had on its way is unknown, and is not sent again.
    expect(stack.reached().length).toBeGreaterThanOrEqual(to.length - 10);
    const told = stack.texts(TEAM).filter((text) => text.includes('Closing early today.'));
    expect(told).toHaveLength(1);
  });
});
