import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../../src/sends/dispatch/breaker.ts';
import { createManualClock } from '../../fakes/clock.ts';

const never = new AbortController().signal;
const random = { fraction: () => 1, bytes: (length: number) => new Uint8Array(length) };

/** What a breaker tells the other processes and whoever watches it, in order. */
function watched({ fraction = 1 } = {}) {
  const clock = createManualClock();
  const told: string[] = [];
  const peers = {
    broke: (probeInMs: number) => void told.push(`broke, probe in ${probeInMs}`),
    mended: () => void told.push('mended'),
    takeProbe: async () => true,
    giveProbeBack: () => void told.push('probe given back'),
  };
  const turned = (isOpen: boolean) => void told.push(isOpen ? 'open' : 'closed');
  const breaker = createBreaker(clock, { ...random, fraction: () => fraction }, peers, turned);
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) breaker.failed();
  };
  /** What has been admitted so far of a request for a hundred. */
  function ask(signal = never) {
    const admitted: number[] = [];
    void breaker.admit(100, signal).then((count) => admitted.push(count));
    return admitted;
  }
  return { clock, told, peers, breaker, fail, ask };
}

describe('the breaker', () => {
  it('lets everything pass until five failures in a row', async () => {
    const { breaker, clock, fail } = watched();
    fail(4);
    breaker.succeeded();
    fail(4);
    expect(await breaker.admit(100, never)).toBe(100);
    expect(breaker.openSince()).toBeUndefined();
    fail(1);
    expect(breaker.openSince()).toBe(clock.now());
  });

  it('admits one probe when its time has come, and nothing besides', async () => {
    const { fail, ask, clock } = watched();
    fail(5);
    const asked = [ask(), ask()];
    await clock.advance(4_999);
    expect(asked).toEqual([[], []]);
    await clock.advance(1);
    expect(asked).toEqual([[1], []]);
    await clock.advance(60_000);
    expect(asked).toEqual([[1], []]);
  });

  it('waits longer after each failed probe, up to a cap', async () => {
    const { fail, ask, clock } = watched();
    fail(5);
    for (const waitMs of [5_000, 7_500, 12_500, 22_500, 32_500, 32_500]) {
      const asked = ask();
      await clock.advance(waitMs - 1);
      expect(asked).toEqual([]);
      await clock.advance(1);
      expect(asked).toEqual([1]);
      fail(1);
    }
  });
});

describe('a breaker that opens and closes', () => {
  it('tells so once, whatever comes back late, and that it was mended by whoever found it', () => {
    const { told, breaker, fail, clock } = watched();
    breaker.succeeded();
    fail(7);
    expect(told).toEqual(['open', 'broke, probe in 5000']);
    expect(breaker.openSince()).toBe(clock.now());
    breaker.succeeded();
    breaker.succeeded();
    expect(told.slice(2)).toEqual(['closed', 'mended']);
    fail(4);
    expect(breaker.openSince()).toBeUndefined();
  });

  it('waits at least half as long, and as long again after it was closed', async () => {
    const { told, fail, ask, breaker, clock } = watched({ fraction: 0 });
    fail(5);
    const probe = ask();
    await clock.advance(2_500);
    expect(probe).toEqual([1]);
    breaker.succeeded();
    fail(5);
    expect(told.filter((what) => what.startsWith('broke'))).toEqual([
      'broke, probe in 2500',
      'broke, probe in 2500',
    ]);
  });

  it('lets everybody go on at once, and leaves nobody asleep', async () => {
    const { fail, ask, breaker, clock } = watched();
    fail(5);
    const [first, second] = [ask(), ask()];
    await clock.advance(5_000);
    expect([first, second]).toEqual([[1], []]);
    breaker.succeeded();
    await clock.advance(0);
    expect([second, clock.sleeping]).toEqual([[100], 0]);
  });

  it('lets nobody start who has stopped waiting', async () => {
    const { fail, ask, clock } = watched();
    const stop = new AbortController();
    fail(5);
    const admitted = ask(stop.signal);
    await clock.advance(1_000);
    stop.abort();
    await clock.advance(0);
    expect([admitted, clock.sleeping]).toEqual([[0], 0]);
  });

  it('lets somebody else probe at once when there was nothing to probe with', async () => {
    const { told, fail, ask, breaker, clock } = watched();
    breaker.cancelled();
    fail(5);
    const [first, second] = [ask(), ask()];
    await clock.advance(5_000);
    breaker.cancelled();
    await clock.advance(0);
    expect([first, second]).toEqual([[1], [1]]);
    expect(told.slice(2)).toEqual(['probe given back']);
  });
});

describe('a breaker among those of other processes', () => {
  it('looks every second while another one probes', async () => {
    const { peers, fail, ask, clock } = watched();
    let asked = 0;
    peers.takeProbe = async () => {
      asked += 1;
      return asked === 3;
    };
    fail(5);
    const admitted = ask();
    await clock.advance(6_999);
    expect([asked, admitted]).toEqual([2, []]);
    await clock.advance(1);
    expect([asked, admitted]).toEqual([3, [1]]);
  });

  it('gives the probe back when the service works by the time it has it', async () => {
    const { told, peers, breaker, fail, ask, clock } = watched();
    peers.takeProbe = async () => {
      breaker.learn(undefined);
      return true;
    };
    fail(5);
    const admitted = ask();
    await clock.advance(5_000);
    expect([admitted, told.slice(2)]).toEqual([[100], ['closed', 'probe given back']]);
  });

  it('learns from them that the service fails, when to probe, and that it works again', async () => {
    const { told, breaker, fail, ask, clock } = watched();
    fail(4);
    breaker.learn(undefined);
    const waiting = ask();
    await clock.advance(0);
    expect([waiting, told]).toEqual([[100], []]);
    breaker.learn({ probeInMs: 3_000 });
    expect([breaker.openSince(), told]).toEqual([clock.now(), ['open']]);
    const admitted = ask();
    await clock.advance(2_000);
    breaker.learn({ probeInMs: 4_000 });
    breaker.learn({ probeInMs: 1_000 });
    await clock.advance(3_999);
    expect(admitted).toEqual([]);
    await clock.advance(1);
    expect(admitted).toEqual([1]);
    // What others say does not matter to a probe that is on its way.
    breaker.learn({ probeInMs: 9_000 });
    breaker.learn(undefined);
    breaker.learn(undefined);
    expect(told).toEqual(['open', 'closed']);
    // The failures before count no more.
    fail(4);
    expect(breaker.openSince()).toBeUndefined();
  });
});
