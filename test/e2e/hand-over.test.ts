import { afterEach, expect, test } from 'vitest';
import { describeWithPostgres } from '../postgres/database.ts';
import { numbers } from './replica-steps.ts';
import { type Replicas, startReplicas } from './replicas.ts';
import { TRANSPORT } from './stack.ts';
import { ASHA, TEAM, TEAM_CONFIGURATION } from './team.ts';

let stack: Replicas | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

await describeWithPostgres('a replica that is stopped while another goes on', () => {
  test('is not ready at once, turns nobody away, and ends in good order', async () => {
    const replicas = await startReplicas(TRANSPORT, TEAM_CONFIGURATION, 2);
    stack = replicas;
    const [leaving] = replicas.replicas;
    if (leaving === undefined) throw new Error('There is no replica.');
    const metrics = async () => (await fetch(`${leaving.process.url}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^herald_replicas 2$/m);
    // Everything goes to the one that leaves, as long as it takes it.
    replicas.balancer.sendTo(0);
    leaving.process.signal('SIGTERM');
    await expect.poll(() => leaving.lines.join('\n')).toContain('Herald is stopping');
    if (TRANSPORT === 'http') {
      const readiness = await fetch(`${leaving.process.url}/readyz`);
      expect([readiness.status, await readiness.text()]).toEqual([
        503,
        expect.stringContaining('Herald is stopping.'),
      ]);
    }
    const to = numbers(8, 15_000_000);
    for (const number of to) await replicas.person(ASHA).command(TEAM, `/sms ${number} We close at five.`);
    await replicas.watch.until('everybody', () => replicas.reached().length >= to.length, 20_000);
    replicas.balancer.sendTo(1);
    expect(await leaving.process.exited).toEqual({ code: 0, signal: null });
    expect(replicas.reached().toSorted()).toEqual(to);
    expect(JSON.stringify(replicas.workspace.snapshot())).not.toContain('being restarted');
  });
});
