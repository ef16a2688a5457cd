import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeWithPostgres } from '../postgres/database.ts';
import { startReplicas } from './replicas.ts';
import { ASHA, RAVI, TEAM } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

const APPROVALS = 'C0APPROVALS';
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }
pacing: { sms: { perSecond: 20, concurrency: 10, recipientsPerRequest: 1 } }
`;
const numbers = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) => `+9198${String(from + n).padStart(8, '0')}`);

await describeWithPostgres('several Heralds', () => {
  describe.each(['http', 'socket'] as const)('on one database and one workspace (%s)', (mode) => {
    let stack: Awaited<ReturnType<typeof startReplicas>>;
    beforeAll(async () => {
      stack = await startReplicas(mode, CONFIG, 2);
    }, 60_000);
    afterAll(() => stack?.stop());

    const message = (channel: string, text: string) =>
      stack.workspace
        .snapshot()
        .messages.findLast((one) => one.channel === channel && JSON.stringify(one).includes(text));

    /** Waits until the progress message of the send with this text says `state`. */
    const shows = (text: string, state: string) =>
      stack.watch.until(
        `“${text}” to be ${state}`,
        () => message(TEAM, text)?.text?.includes(`: ${state}`),
        60_000,
      );

    /** Presses the button whose action starts with `action` on the message that holds `text`. */
    async function press(person: string, channel: string, text: string, action: string): Promise<void> {
      const found = message(channel, text);
      for (const block of found?.blocks ?? []) {
        const { type, block_id, elements } = block as {
          type: string;
          block_id: string;
          elements: { action_id: string; value?: string }[];
        };
        const button = type === 'actions' && elements.find(({ action_id }) => action_id.startsWith(action));
        if (found === undefined || !button) continue;
        await stack.workspace.act({
          type: 'block_action',
          as: person,
          container: { type: 'message', channel, ts: found.ts },
          blockId: block_id,
          actionId: button.action_id,
          value: { type: 'button', value: button.value },
        });
        return;
      }
      throw new Error(`There is no button ${action} on “${text}”: ${JSON.stringify(found)}`);
    }

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

    /** Asha opens the form at one replica and submits it, and its review, at the other. */
    async function ask(text: string, to: readonly string[]): Promise<void> {
      const asha = stack.person(ASHA);
      stack.balancer.sendTo(0);
      const form = await asha.openForm(TEAM, '/sms');
      stack.balancer.sendTo(1);
      await form.choose('recipients', 'numbers');
      stack.balancer.sendTo(0);
      form.fill('numbers', to.join('\n')).fill('text', text);
      stack.balancer.sendTo(1);
      await form.submit();
      await stack.watch.until('the review', () => /Ask for approval/.test(JSON.stringify(asha.views())));
      stack.balancer.sendTo(0);
      await form.submit();
      await stack.watch.until('the approval card', () => message(APPROVALS, text));
      stack.balancer.sendTo(undefined);
    }

    test('asked for at one, approved at the other: everybody once, told once', async () => {
      const to = numbers(12, 10_000_000);
      await ask('We open at nine.', to);
      expect(stack.reached()).toEqual([]);
      await Promise.all(
        Array.from({ length: 6 }, () => press(RAVI, APPROVALS, 'We open at nine.', 'approval_approve')),
      );
      await stack.watch.until('everybody', () => stack.reached().length >= to.length, 20_000);
      await shows('We open at nine.', 'done');
      expect(stack.reached().toSorted()).toEqual(to);
      expect(stack.texts(APPROVALS).filter((text) => text.includes('We open at nine.'))).toHaveLength(1);
      expect(stack.texts(TEAM).filter((text) => text.includes('We open at nine.'))).toHaveLength(1);
    }, 60_000);

    test('paused at one, the other starts nothing more within a second; resumed at the other, it ends', async () => {
      stack.carrier.reset();
      const to = numbers(120, 20_000_000);
      await ask('Sale on Sunday.', to);
      stack.balancer.sendTo(0);
      await press(RAVI, APPROVALS, 'Sale on Sunday.', 'approval_approve');
      await stack.watch.until('some', () => stack.reached().length > 25, 20_000);
      await shows('Sale on Sunday.', 'sending');
      stack.balancer.sendTo(1);
      await press(ASHA, TEAM, 'Sale on Sunday.', 'send_pause');
      const pausedAt = Date.now();
      await shows('Sale on Sunday.', 'paused');
      expect(stack.reached().length).toBeLessThan(to.length);
      const startedLast = Math.max(...stack.carrier.state().requests.map(({ at }) => at));
      expect(startedLast).toBeLessThan(pausedAt + 1_000);
      expect(await Promise.all(stack.replicas.map(requestsOf))).not.toContain(0);
      stack.balancer.sendTo(0);
      await press(ASHA, TEAM, 'Sale on Sunday.', 'send_resume');
      await stack.watch.until('everybody', () => stack.reached().length >= to.length, 40_000);
      expect(stack.reached().toSorted()).toEqual(to);
    }, 90_000);

    test('goes on, and is told to its end, when the one that began it is killed', async () => {
      stack.carrier.reset();
      const to = numbers(150, 30_000_000);
      await ask('Closing early today.', to);
      await press(RAVI, APPROVALS, 'Closing early today.', 'approval_approve');
      await stack.watch.until('some', () => stack.reached().length > 20, 20_000);
      await stack.replicas[0]?.process.kill();
      stack.balancer.sendTo(1);
      await shows('Closing early today.', 'done');
      expect(new Set(stack.reached()).size).toBe(stack.reached().length);
      // What the dead one had on its way is unknown, and is not sent again.
      expect(stack.reached().length).toBeGreaterThanOrEqual(to.length - 10);
      const told = stack.texts(TEAM).filter((text) => text.includes('Closing early today.'));
      expect(told).toHaveLength(1);
    }, 120_000);
  });
});
