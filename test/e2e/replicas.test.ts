import { expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { describeWithPostgres } from '../postgres/database.ts';
import { CONFIG, numbers, replicaSteps } from './replica-steps.ts';
import { startReplicas } from './replicas.ts';
import { running, TRANSPORT } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM } from './team.ts';

await describeWithPostgres('several Heralds on one database and one workspace', () => {
  const stack = running(() => startReplicas(TRANSPORT, CONFIG, 2));
  const steps = replicaSteps(stack);

  test('asked for at one, approved at the other: everybody once, told once', async () => {
    const to = numbers(12, 10_000_000);
    await steps.ask('We open at nine.', to);
    expect(stack.reached()).toEqual([]);
    await Promise.all(
      Array.from({ length: 6 }, () => steps.press(RAVI, APPROVALS, 'We open at nine.', 'approval_approve')),
    );
    await stack.watch.until('everybody', () => stack.reached().length >= to.length, 20_000);
    await steps.shows('We open at nine.', 'done');
    expect(stack.reached().toSorted()).toEqual(to);
    expect(stack.texts(APPROVALS).filter((text) => text.includes('We open at nine.'))).toHaveLength(1);
    expect(stack.texts(TEAM).filter((text) => text.includes('We open at nine.'))).toHaveLength(1);
  });

  test('of a person’s messages at once at both no more go out than within an hour may', async () => {
    stack.carrier.reset();
    stack.balancer.sendTo(undefined);
    const to = numbers(10, 28_000_000);
    const asha = stack.person(ASHA);
    await Promise.all(to.map((number) => asha.command(TEAM, `/sms ${number} Quick lines`)));
    const waiting = () =>
      stack.workspace
        .snapshot()
        .messages.filter((one) => one.ephemeralFor === ASHA && /waits for approval/.test(messageText(one)));
    await stack.watch.until(
      'each to be sent or to wait',
      () => stack.reached().length + waiting().length >= to.length,
      60_000,
    );
    expect([stack.reached().length, waiting().length]).toEqual([3, 7]);
  });

  test('a send goes on, and is told to its end, when the one that began it is killed', async () => {
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
