import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import type { Send } from '../../src/sends/send.ts';
import { LEASE_TIMES } from '../../src/store/postgres/membership.ts';
import { describeWithPostgres, freshDatabase } from '../postgres/database.ts';
import { howMany, isFull } from '../trust/how-many.ts';
import { startCountingService } from './counting-service.ts';
import { openStores } from './dispatching.ts';
import { judge } from './judging.ts';
import { prepareSend, SENDS, SMS_ID, SMS_PACE } from './plan.ts';

const RECIPIENTS = isFull ? 50_000 : 12_000;
/** Beside them, in requests of a hundred. */
const BY_SMS = isFull ? 30_000 : 8_000;
const REPLICAS = 3;
const { count: DISTURBANCES, said: DISTURBANCES_SAID } = howMany(12, 50);
/** Of all together. Most of it is unused: those that were killed count as replicas until their lease runs out. */
const PER_SECOND = 1_000;
const CONCURRENCY = 100;
/** How many are reached before the next disturbance: on a machine of any speed the last one comes before the end. */
const APART = (RECIPIENTS * 0.85) / DISTURBANCES;
/** Long enough that a stopped replica loses its lease and is taken over before it wakes. */
const STOPPED_MS = LEASE_TIMES.leaseMs + 2_000;
const MOST_UNKNOWN_A_DISTURBANCE = CONCURRENCY + (PER_SECOND * 50) / 1_000;
/** Every slot of the victim, with one request to spare. */
const MOST_UNKNOWN_BY_SMS =
  (SMS_PACE.concurrency / REPLICAS + 1) * SMS_PACE.recipientsPerRequest * DISTURBANCES;
/**
 * Each so many disturbances one waits for a replica with a request of a hundred on its way: those that were killed count until
 * their lease runs out, so that the others start such a request every few seconds only, and chance alone may miss them all.
 */
const EACH_IN_A_REQUEST = 3;
/** So many disturbances at least come while both sends are under way. */
const FEWEST_DURING_BOTH = isFull ? 15 : 4;
const REPLICA = fileURLToPath(new URL('./replica.ts', import.meta.url));

await describeWithPostgres('three replicas on PostgreSQL', () => {
  it('keep the promise through many kills and stops in the middle of a send', async ({ task }) => {
    const service = await startCountingService();
    const url = await freshDatabase();
    const stores = await openStores(url);
    await prepareSend(stores.sends, RECIPIENTS);
    await prepareSend(stores.sends, BY_SMS, SMS_ID);
    /** With the address below the service's that each one uses. */
    const replicas = new Map<ChildProcess, string>();
    let started = 0;
    const exits: Promise<unknown>[] = [];
    async function start(): Promise<void> {
      const own = `replica-${started++}`;
      const replica = fork(REPLICA, [url, `${service.url}/${own}`, String(PER_SECOND), String(CONCURRENCY)]);
      replicas.set(replica, own);
      exits.push(once(replica, 'exit').then(() => replicas.delete(replica)));
      await once(replica, 'message');
    }
    await Promise.all(Array.from({ length: REPLICAS }, start));

    const counts = { kills: 0, stops: 0, duringBoth: 0, doneEarly: 0 };
    const stopped = new Set<ChildProcess>();
    const wakings: Promise<unknown>[] = [];
    while (counts.kills + counts.stops < DISTURBANCES) {
      const due = (counts.kills + counts.stops + Math.random()) * APART;
      await vi.waitFor(() => expect(service.received.size).toBeGreaterThan(due), { timeout: 120_000 });
      const all = () => [...replicas.keys()].filter((replica) => !stopped.has(replica));
      const inRequest = () => all().filter((replica) => service.answering.has(replicas.get(replica) ?? ''));
      if ((counts.kills + counts.stops) % EACH_IN_A_REQUEST === 0)
        await vi
          .waitFor(() => expect(inRequest()).not.toEqual([]), { timeout: 10_000, interval: 5 })
          .catch(() => {});
      const awake = all();
      const [busy] = inRequest();
      const victim = busy ?? awake[Math.floor(Math.random() * awake.length)];
      if (victim === undefined) break;
      // Somebody is always awake, as it would be with replicas on machines of their own.
      if (awake.length > 1 && Math.random() < 0.5) {
        counts.stops += 1;
        victim.kill('SIGSTOP');
        stopped.add(victim);
        wakings.push(
          delay(STOPPED_MS).then(() => {
            stopped.delete(victim);
            victim.kill('SIGCONT');
          }),
        );
      } else {
        counts.kills += 1;
        victim.kill('SIGKILL');
        await once(victim, 'exit');
        await start();
      }
      const sends = await Promise.all(SENDS.map((id) => stores.sends.find(id)));
      if (sends.every((send) => send?.state === 'sending')) counts.duringBoth += 1;
      if (sends.some(saysDoneEarly)) counts.doneEarly += 1;
    }
    await Promise.all(wakings);
    await Promise.all(exits);

    const one = await judge(stores, service);
    const several = await judge(stores, { received: service.together }, SMS_ID);
    const [end, endBySms] = await Promise.all(SENDS.map((id) => stores.sends.find(id)));
    await stores.sends.close();
    service.close();
    const said = ({ reached, twice, late, unknown }: typeof one) =>
      `${reached} numbers reached, ${twice} twice, ${late} after others had taken over, ${unknown} unknown`;
    task.meta.figure =
      `${counts.kills} kills, ${counts.stops} stops${DISTURBANCES_SAID}: ${said(one)}; ${counts.duringBoth} during requests of a hundred: ` +
      `${said(several)} (${service.doubted.size} by the service’s answers); ${counts.doneEarly} times done early`;
    expect(counts.kills + counts.stops).toBe(DISTURBANCES);
    expect(counts.duringBoth).toBeGreaterThanOrEqual(FEWEST_DURING_BOTH);
    expect(counts.doneEarly).toBe(0);
    for (const found of [one, several]) expect(found).toMatchObject({ twice: 0, late: 0, untrue: 0 });
    expect(end).toMatchObject({
      state: 'done',
      counts: { pending: 0, attempting: 0, accepted: RECIPIENTS - one.unknown, unknown: one.unknown },
    });
    expect(endBySms).toMatchObject({
      state: 'done',
      counts: { pending: 0, attempting: 0, not_sent: 0, unknown: several.unknown },
    });
    expect(one.unknown).toBeLessThanOrEqual(DISTURBANCES * MOST_UNKNOWN_A_DISTURBANCE);
    // What the answers left in doubt is not of the disturbances.
    expect(several.unknown - service.doubted.size).toBeGreaterThan(0);
    expect(several.unknown - service.doubted.size).toBeLessThanOrEqual(MOST_UNKNOWN_BY_SMS);
    // Whoever was not reached is among the unknown, or was refused; some of the unknown were reached all the same.
    expect(RECIPIENTS - one.reached).toBeLessThanOrEqual(one.unknown);
    expect(BY_SMS - several.reached).toBeLessThanOrEqual(several.unknown + (endBySms?.counts.rejected ?? 0));
  }, 1_200_000);
});

function saysDoneEarly(send: Send | undefined): boolean {
  return send?.state === 'done' && send.counts.pending + send.counts.attempting > 0;
}
