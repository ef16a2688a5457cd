import { expect, it, vi } from 'vitest';
import { PATIENT } from '../patience.ts';
import { describeWithPostgres, directly, preparedDatabase } from '../postgres/database.ts';
import { closing } from './postgres-stores.ts';
import { bulkSend } from './steps.ts';

await describeWithPostgres('what replicas agree on', () => {
  const { toClose, stores } = closing();

  async function replica(url: string) {
    const { sharing, lease, sends } = await stores(url);
    if (sharing.channels === undefined) throw new Error('Replicas share their channels.');
    return { sharing, channels: sharing.channels, lease, sends };
  }

  it('is one for each task, until it is gone', async () => {
    const url = await preparedDatabase();
    const [first, second] = [await replica(url), await replica(url)];
    const asked = await Promise.all([first, second].map(({ sharing }) => sharing.isLeader('show_posts')));
    expect(asked.toSorted()).toEqual([false, true]);
    const [holder, other] = asked[0] ? [first, second] : [second, first];
    expect(await holder.sharing.isLeader('show_posts')).toBe(true);
    expect(await other.sharing.isLeader('show_posts')).toBe(false);
    await holder.sends.close();
    toClose.splice(0, 2, ...toClose.filter(({ sends }) => sends !== holder.sends));
    expect(await other.sharing.isLeader('show_posts')).toBe(true);
  });

  it('is that who cannot tell people anything leaves it to others, and has it back later', async () => {
    const url = await preparedDatabase();
    const [first, second] = [await replica(url), await replica(url)];
    await first.sends.begin(bulkSend('S-1'));
    const task = async () => [
      await first.sharing.isLeader('show_posts'),
      await second.sharing.isLeader('show_posts'),
    ];
    expect(await task()).toEqual([true, false]);
    await first.sharing.canAnnounce(false);
    // Asked in this order: the second takes the task once it is asked.
    await task();
    expect(await task()).toEqual([false, true]);
    // It still looks after the send: only what is told is told by another.
    expect([await first.sends.owns('S-1'), await second.sends.owns('S-1')]).toEqual([true, false]);
    await second.sharing.canAnnounce(false);
    await first.sharing.canAnnounce(true);
    expect(await task()).toEqual([true, false]);
  });

  it('is how long a channel must be quiet', async () => {
    const url = await preparedDatabase();
    const [first, second] = [await replica(url), await replica(url)];
    expect(await second.channels.read()).toEqual(new Map());
    expect(await first.channels.slowDown('sms', 60_000)).toBe(1);
    expect(await second.channels.slowDown('sms', 1_000)).toBe(2);
    const sms = (await second.channels.read()).get('sms');
    expect(sms).toEqual({ slowDowns: 2, pausedMs: expect.any(Number) });
    expect(sms?.pausedMs).toBeGreaterThan(50_000);
    expect(sms?.pausedMs).toBeLessThanOrEqual(60_000);
  });

  it('is who tries whether the service works again', async () => {
    const url = await preparedDatabase();
    const replicas = [await replica(url), await replica(url), await replica(url)];
    const [first, second] = replicas;
    await first?.channels.broke('rcs', 60_000);
    expect(await second?.channels.takeProbe('rcs')).toBe(false);
    await first?.channels.broke('rcs', 0);
    expect((await second?.channels.read())?.get('rcs')).toEqual({
      slowDowns: 0,
      pausedMs: 0,
      broken: { probeInMs: 0 },
    });
    const took = await Promise.all(replicas.map(({ channels }) => channels.takeProbe('rcs')));
    expect(took.filter(Boolean)).toHaveLength(1);
    const prober = replicas[took.indexOf(true)];
    const others = replicas.filter((one) => one !== prober);
    await prober?.channels.giveProbeBack('rcs');
    expect(await others[0]?.channels.takeProbe('rcs')).toBe(true);
    await directly(
      url,
      `UPDATE replicas SET lease_until = '-infinity' WHERE id = (SELECT prober FROM channels)`,
    );
    expect(await others[1]?.channels.takeProbe('rcs')).toBe(true);
    await others[1]?.channels.mended('rcs');
    expect((await first?.channels.read())?.get('rcs')).toEqual({ slowDowns: 0, pausedMs: 0 });
    expect(await first?.channels.takeProbe('rcs')).toBe(false);
  });

  it('is the pace: who joins starts nothing before the others have made room, and each has a place', async () => {
    const url = await preparedDatabase();
    const first = await replica(url);
    expect(first.lease.epoch().isValid()).toBe(true);
    const second = await replica(url);
    expect([first.lease.replicas(), second.lease.epoch().isValid()]).toEqual([1, false]);
    await vi.waitFor(() => expect(second.lease.epoch().isValid()).toBe(true), PATIENT);
    expect([first.lease.replicas(), second.lease.replicas()]).toEqual([2, 2]);
    await vi.waitFor(
      () => expect([first.lease.rank(), second.lease.rank()].toSorted()).toEqual([0, 1]),
      PATIENT,
    );
  });
});
