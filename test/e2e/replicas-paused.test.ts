import { expect, test } from 'vitest';
import { describeWithPostgres } from '../postgres/database.ts';
import { CONFIG, numbers, replicaSteps } from './replica-steps.ts';
import { startReplicas } from './replicas.ts';
import { running, TRANSPORT } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM } from './team.ts';

await describeWithPostgres('a send of several Heralds that is paused', () => {
  const stack = running(() => startReplicas(TRANSPORT, CONFIG, 2));
  const steps = replicaSteps(stack);

  /** How many requests a replica has made of the messaging service, by its own count. */
  async function requestsOf({ process }: (typeof stack.replicas)[number]): Promise<number> {
    const metrics = await (await fetch(`${process.url}/metrics`)).text();
    expect(metrics).toMatch(/^herald_replicas 2$/m);
    for (const name of ['database_connections_in_use', 'database_waiting', 'lease_age_seconds'])
      expect(metrics).toMatch(new RegExp(`^herald_${name} \\d`, 'm'));
    expect(metrics).toMatch(/^herald_database_seconds_count\{result="done"\} \d+$/m);
    expect(metrics).toMatch(/^herald_takeovers_total \d+$/m);
    const counts = metrics.matchAll(/^herald_request_seconds_count.* (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  test('paused at one, the other starts nothing more within a second; resumed at the other, it ends', async () => {
    stack.carrier.reset();
    const to = numbers(120, 20_000_000);
    await steps.ask('Sale on Sunday.', to);
    stack.balancer.sendTo(0);
    await steps.press(RAVI, APPROVALS, 'Sale on Sunday.', 'approval_approve');
    await stack.watch.until('some', () => stack.reached().length > 25, 20_000);
    await steps.shows('Sale on Sunday.', 'sending');
    stack.balancer.sendTo(1);
    await steps.press(ASHA, TEAM, 'Sale on Sunday.', 'send_pause');
    const pausedAt = Date.now();
    await steps.shows('Sale on Sunday.', 'paused');
    expect(stack.reached().length).toBeLessThan(to.length);
    const startedLast = Math.max(...stack.carrier.state().requests.map(({ at }) => at));
    expect(startedLast).toBeLessThan(pausedAt + 1_000);
    expect(await Promise.all(stack.replicas.map(requestsOf))).not.toContain(0);
    stack.balancer.sendTo(0);
    await steps.press(ASHA, TEAM, 'Sale on Sunday.', 'send_resume');
    await stack.watch.until('everybody', () => stack.reached().length >= to.length, 40_000);
    expect(stack.reached().toSorted()).toEqual(to);
  });

  test('who asked is notified of each change once, whichever of them was clicked', async () => {
    stack.carrier.reset();
    const text = 'Told by one of us.';
    await steps.ask(text, numbers(121, 25_000_000));
    /** How often Asha was notified of it in a message of its own. */
    const notified = (what: string) =>
      stack.workspace
        .snapshot()
        .messages.filter((one) => one.text.includes(`<@${ASHA}> *SMS to 121 people*: ${what}`)).length;
    const click = async (replica: number, channel: string, action: string) => {
      stack.balancer.sendTo(replica);
      await steps.press(RAVI, channel, text, action);
    };
    await click(1, APPROVALS, 'approval_approve');
    await steps.shows(text, 'sending');
    await stack.watch.until('the approval', () => notified('approved by') > 0, 60_000);
    await click(1, TEAM, 'send_pause');
    await steps.shows(text, 'paused');
    await stack.watch.until('the pause', () => notified('paused by') > 0, 60_000);
    await click(1, TEAM, 'send_stop');
    await steps.shows(text, 'stopped');
    await stack.watch.until('the end', () => notified('stopped by') > 0, 60_000);
    // Both have looked for what is left to tell by the time that another send has ended.
    await steps.ask('Another.', numbers(2, 26_000_000));
    await steps.press(RAVI, APPROVALS, 'Another.', 'approval_approve');
    await steps.shows('Another.', 'done');
    expect(['approved by', 'paused by', 'stopped by'].map(notified)).toEqual([1, 1, 1]);
  }, 240_000);
});
