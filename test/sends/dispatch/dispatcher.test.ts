import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/core/clock.ts';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { Recipient } from '../../../src/messages/submission.ts';
import type { Dispatcher } from '../../../src/sends/dispatch/dispatcher.ts';
import type { DispatcherDependencies } from '../../../src/sends/dispatch/run.ts';
import type {
  Failure,
  NotSentRetry,
  Outcome,
  RequestOutcome,
  Settlement,
} from '../../../src/sends/outcome.ts';
import type { SendStore } from '../../../src/sends/ports.ts';
import type { Send } from '../../../src/sends/send.ts';
import { ALONE } from '../../../src/store/stores.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { createTestDispatcher, pacingOf } from '../../fakes/sends.ts';
import { openMemoryStores } from '../../fakes/stores.ts';
import { bulkSend } from '../../store/steps.ts';

const HELLO: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'TRANS', unicode: false };
const PERSONAL: Message = { ...HELLO, text: 'Hello {{name}}' };
const accepted: Outcome = { state: 'accepted', status: 200 };

const failure: Failure = { what: 'No.', next: 'Look.', scope: 'recipient' };
const notSent = (retry: NotSentRetry): Outcome => ({ state: 'not_sent', failure, retry });
const NOT_STARTED = notSent({ kind: 'never' });
const BUSY = notSent({ kind: 'after', delayMs: 500 });
const failed = (state: 'rejected' | 'unknown', over: Partial<Failure>): Outcome => ({
  state,
  failure: { ...failure, ...over },
});
/** The canaries are held to fail for this. */
const WRONG = failed('rejected', { code: '131009' });

type Answer = (recipients: readonly Recipient[], message: Message) => RequestOutcome;

interface Options extends Partial<DispatcherDependencies> {
  readonly recipients: number;
  /** Not a bulk send, but to one recipient. */
  readonly single?: boolean;
  readonly message?: Message;
  readonly answer?: Answer;
  readonly perRequest?: number;
  readonly latencyMs?: number;
  /** How long a request waits for a connection. */
  readonly connectMs?: number;
  /** The canaries were judged before. */
  readonly judged?: boolean;
}

function openSince(dispatcher: Dispatcher): number | undefined {
  return dispatcher.channels().find(({ channel }) => channel === 'sms')?.openSince;
}

/** A bulk send in state `sending` over a real store, with a service that answers after `latencyMs`. */
async function bulk(options: Options) {
  const {
    recipients,
    single = false,
    message = HELLO,
    answer = () => accepted,
    perRequest = 1,
    latencyMs = 10,
    connectMs = 0,
    judged = false,
    ...rest
  } = options;
  const store = openMemoryStores().sends;
  const clock = createManualClock();
  const requests: { at: number; numbers: readonly string[]; message: Message }[] = [];
  const begunAt = clock.now();
  let inFlight = 0;
  let mostInFlight = 0;
  const gateway = {
    deliver: async (
      sent: Message,
      to: readonly Recipient[],
      mayStart = () => true,
    ): Promise<RequestOutcome> => {
      if (connectMs > 0) await clock.sleep(connectMs);
      if (!mayStart()) return NOT_STARTED;
      const rows = await store.recipients('S-1');
      for (const { number } of to)
        expect(rows.find((row) => row.number === number)?.state).toBe('attempting');
      requests.push({ at: clock.now() - begunAt, numbers: to.map(({ number }) => number), message: sent });
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      await clock.sleep(latencyMs);
      inFlight -= 1;
      return answer(to, sent);
    },
  };
  const stop = new AbortController();
  const dispatcher = createTestDispatcher({
    ...{ store, gateway, clock, stopping: stop.signal },
    pacing: pacingOf({ perSecond: 1_000, concurrency: 20, recipientsPerRequest: perRequest }),
    ...rest,
  });
  await (single ? beginToOne(store, message) : begin(store, recipients, message));
  if (judged) await store.markCanaryJudged('S-1');
  const find = async () => (await store.find('S-1')) as Send;
  /** Runs until `act`, and for so long afterwards; returns the send as it is then. */
  const run = async (ms = 600_000, afterMs = 0, act: () => unknown = () => {}) => {
    const running = dispatcher.run(await find());
    await clock.advance(afterMs);
    await act();
    await clock.advance(ms);
    await running;
    return find();
  };
  const pause = () =>
    store.moveSend({ sendId: 'S-1', from: 'sending', to: 'paused', at: 5, actor: 'U0ASHA' });
  const resume = async () => {
    const { activeAt } = await find();
    await store.moveSend({ sendId: 'S-1', from: 'paused', to: 'sending', at: 9, actor: 'U0ASHA', activeAt });
  };
  return { store, clock, requests, dispatcher, find, run, pause, resume, stop, most: () => mostInFlight };
}

async function begin(store: SendStore, count: number, message: Message): Promise<void> {
  await store.begin({ ...bulkSend('S-1'), message, audience: { id: 'A-1', columns: ['name'] } });
  const recipients = Array.from({ length: count }, (_, n) => ({
    row: n + 2,
    number: `${'senders' in message && n % 3 === 2 ? '+65' : '+91'}98${String(n).padStart(8, '0')}` as Msisdn,
    values: [`Person ${n}`],
  }));
  await store.addRecipients('S-1', recipients);
  await store.seal({ sendId: 'S-1', digest: 'd', to: 'approved', at: 2, actor: 'U0ASHA' });
  await store.moveSend({ sendId: 'S-1', from: 'approved', to: 'sending', at: 3, actor: 'U0RAVI' });
}

async function beginToOne(store: SendStore, message: Message): Promise<void> {
  const { audience: _, limit: __, ...send } = bulkSend('S-1');
  await store.create({
    ...send,
    message,
    state: 'sending',
    recipients: [{ number: '+919812345678' as Msisdn }],
  });
}

type Requests = readonly { readonly numbers: readonly string[] }[];
const numbersOf = (requests: Requests) => requests.flatMap(({ numbers }) => numbers);
const sizesOf = (requests: Requests) => requests.map(({ numbers }) => numbers.length);
const isOdd = (number: string) => Number(number.at(-1)) % 2 === 1;

/** Refuses whom it sees for the first time. */
function onceEach(first: Outcome, later: Outcome) {
  const tried = new Set<string>();
  const answer: Answer = (to) => {
    const isFirst = to.some(({ number }) => !tried.has(number));
    for (const { number } of to) tried.add(number);
    return isFirst ? first : later;
  };
  return { tried, answer };
}

/** What was settled, by transaction. */
function watchSettling(store: SendStore) {
  const groups: (readonly Settlement[])[] = [];
  const { settle } = store;
  store.settle = (settlements) => {
    groups.push(settlements);
    return settle(settlements);
  };
  return groups;
}

describe('recipients who share a request', () => {
  const own = (n: number): Outcome => ({ state: 'accepted', status: 200, messageId: `m-${n}` });
  /** Of each request to several: the third is refused, of the fourth nobody knows, the others have ids of their own. */
  const eachTo = (to: readonly Recipient[]): RequestOutcome => {
    const each = to.map((_, n) => {
      if (n === 2) return failed('rejected', { code: '100' });
      return n === 3 ? failed('unknown', { status: 200 }) : own(n);
    });
    return to.length === 1 ? accepted : { ...accepted, each };
  };

  it('come to what the answer says of each, in one transaction and without a second attempt', async () => {
    const { store, run, requests } = await bulk({ recipients: 15, perRequest: 10, answer: eachTo });
    const groups = watchSettling(store);
    expect(await run()).toMatchObject({
      state: 'done',
      counts: { accepted: 13, rejected: 1, unknown: 1, attempting: 0 },
    });
    const rows = await store.recipients('S-1');
    const shared = rows.slice(5).map(({ row }) => row);
    const together = groups.map((settled) => settled.map(({ row }) => row));
    expect(together.filter((settled) => shared.every((row) => settled.includes(row)))).toHaveLength(1);
    expect(rows.slice(5).map(({ state, messageId }) => messageId ?? state)).toEqual([
      ...['m-0', 'm-1', 'rejected', 'unknown', 'm-4'],
      ...['m-5', 'm-6', 'm-7', 'm-8', 'm-9'],
    ]);
    expect(numbersOf(requests)).toHaveLength(15);
  });

  it('stop the send when it is at fault for one of them, and open the breaker only for all', async () => {
    const stops = failed('rejected', { code: '132000', scope: 'send' });
    const answer = (to: readonly Recipient[]) =>
      to.length === 1 ? accepted : { ...accepted, each: to.map((_, n) => (n === 1 ? stops : own(n))) };
    const one = await bulk({ recipients: 405, perRequest: 10, answer });
    expect(await one.run()).toMatchObject({ state: 'stopped', reason: { code: '132000' } });

    const trouble = failed('unknown', { code: '131016', scope: 'service' });
    const failing = (healthy: number) => (to: readonly Recipient[]) =>
      to.length === 1 ? accepted : { ...accepted, each: to.map((_, n) => (n < healthy ? own(n) : trouble)) };
    for (const healthy of [1, 0]) {
      const sent = await bulk({ recipients: 205, perRequest: 10, answer: failing(healthy) });
      await sent.run(1_000);
      expect([healthy, openSince(sent.dispatcher) !== undefined]).toEqual([healthy, healthy === 0]);
    }
  });

  it('are settled, without those in between whom another request or nobody has', async () => {
    const unwanted = 9;
    const reasons = new Map([[unwanted, failure]]);
    const { store, run, requests } = await bulk({
      recipients: 35,
      perRequest: 10,
      beforeAttempt: async (_send, rows) => (rows.some(({ row }) => row === unwanted) ? reasons : new Map()),
    });
    const groups = watchSettling(store);
    expect(await run()).toMatchObject({ state: 'done', counts: { accepted: 34, skipped: 1 } });
    const settled = groups.flat();
    const taken = settled
      .filter(({ outcome }) => outcome.state === 'accepted')
      .flatMap(({ row, last = row }) => Array.from({ length: last - row + 1 }, (_, n) => row + n));
    expect(settled.length).toBeLessThan(12);
    // The first is row 2.
    const all = Array.from({ length: 35 }, (_, n) => n + 2);
    expect(taken.toSorted((a, b) => a - b)).toEqual(all.filter((row) => row !== unwanted));
    expect(sizesOf(requests).toSorted((a, b) => a - b)).toEqual([1, 1, 1, 1, 1, 9, 10, 10]);
  });
});

it('a request that the service has no time for is tried again whole, as one retry', async () => {
  let busy = 8;
  const { run, requests } = await bulk({
    recipients: 405,
    perRequest: 100,
    answer: (to) => (to.length > 1 && busy-- > 0 ? BUSY : accepted),
  });
  expect(await run()).toMatchObject({ state: 'done', counts: { accepted: 405, not_sent: 0 } });
  expect(sizesOf(requests)).toEqual([...Array(5).fill(1), ...Array(12).fill(100)]);
});

describe('the clock of the machine, set back in the middle of a send', () => {
  it('changes nothing of its pace', async () => {
    const pacing = pacingOf({ perSecond: 100, concurrency: 20 });
    const { run, clock, requests } = await bulk({ recipients: 500, pacing });
    const send = await run(10_000, 2_000, async () => {
      const before = requests.length;
      clock.set(-7_200_000);
      await clock.advance(2_000);
      expect(requests.length - before).toBeGreaterThan(150);
    });
    expect(send.state).toBe('done');
  });

  it('does not make a failing service be left alone for longer', async () => {
    let failures = 8;
    const { run, dispatcher, clock } = await bulk({
      ...{ recipients: 40, judged: true },
      answer: () => (failures-- > 0 ? failed('unknown', { scope: 'service', status: 503 }) : accepted),
      pacing: pacingOf({ perSecond: 100, concurrency: 1 }),
    });
    const send = await run(120_000, 500, () => {
      expect(openSince(dispatcher)).toBeDefined();
      clock.set(-7_200_000);
    });
    expect(send.state).toBe('done');
  });
});

describe('a bulk send', () => {
  it('reaches everybody once, each in their own words, and is done', async () => {
    const { run, requests, most } = await bulk({ recipients: 300, message: PERSONAL });
    expect(await run()).toMatchObject({
      state: 'done',
      counts: { accepted: 300, pending: 0, attempting: 0 },
    });
    expect(new Set(numbersOf(requests)).size).toBe(300);
    expect(requests).toHaveLength(300);
    expect(requests[7]?.message).toEqual({ ...HELLO, text: 'Hello Person 7' });
    expect(most()).toBeLessThanOrEqual(20 + 20);
  });

  it('puts many into one request when the words are the same, and not when they differ', async () => {
    const same = await bulk({ recipients: 105, perRequest: 100 });
    await same.run();
    expect(sizesOf(same.requests)).toEqual([1, 1, 1, 1, 1, 100]);
    const different = await bulk({ recipients: 30, perRequest: 100, message: PERSONAL });
    await different.run();
    expect(different.requests).toHaveLength(30);
  });
});

describe('the canary', () => {
  const HELD_BACK = { state: 'paused', counts: { rejected: 5, pending: 95, attempting: 0 } };

  it('holds the rest back when the first ones all fail alike', async () => {
    const { run, requests } = await bulk({ recipients: 100, answer: () => WRONG });
    const reason = { code: '131009', what: expect.stringMatching(/^The first recipients all failed/) };
    expect(await run()).toMatchObject({ ...HELD_BACK, reason });
    expect(requests).toHaveLength(5);
  });

  it.each([
    ['paused', WRONG],
    ['sending', accepted],
  ])('is judged for others, who send the rest then, once the send is %s', async (state, answer) => {
    const { run, store } = await bulk({ recipients: 10, answer: () => answer });
    const mark = store.markCanaryJudged.bind(store);
    const states: unknown[] = [];
    store.markCanaryJudged = async (sendId) => {
      states.push((await store.find(sendId))?.state);
      return mark(sendId);
    };
    await run();
    expect(states).toEqual([state]);
  });

  it.each([
    ['the service has no time for them at first', 200],
    ['the connection fails', undefined],
  ])('goes alone until it is judged, also where %s', async (_, status) => {
    const busy = { ...BUSY, failure: { ...failure, ...(status && { status }) } } as Outcome;
    const { tried, answer } = onceEach(busy, WRONG);
    const { run, requests } = await bulk({ recipients: 100, perRequest: 10, answer });
    expect(await run()).toMatchObject(HELD_BACK);
    expect(tried.size).toBe(5);
    expect(requests.length).toBeLessThanOrEqual(10);
  });

  it('is asked for again when somebody paused before it was judged', async () => {
    const { answer } = onceEach(BUSY, WRONG);
    const { run, pause, resume } = await bulk({ recipients: 100, answer });
    await run(5_000, 100, pause);
    await resume();
    expect(await run()).toMatchObject(HELD_BACK);
  });

  it('is not asked for again when somebody resumes', async () => {
    const { run, resume, requests } = await bulk({ recipients: 20, answer: () => WRONG });
    await run();
    await resume();
    expect((await run()).state).toBe('done');
    expect(requests).toHaveLength(20);
  });
});

describe('when it cannot go on', () => {
  it('throws what is a bug, and starts nothing more', async () => {
    const asked: string[] = [];
    const gateway = {
      deliver: async (_: Message, [to]: readonly Recipient[]) => {
        asked.push(to?.number ?? '');
        throw new TypeError('a bug');
      },
    };
    const { dispatcher, find, clock } = await bulk({ recipients: 50, gateway });
    const ended = expect(dispatcher.run(await find())).rejects.toEqual(new TypeError('a bug'));
    await clock.advance(60_000);
    await ended;
    expect(asked).toHaveLength(5);
  });

  it('says of each channel whether it is broken or pauses, and logs each turn once', async () => {
    const logger = createRecordingLogger();
    let answers = 0;
    const { dispatcher, run, clock } = await bulk({
      ...{ recipients: 40, judged: true },
      logger,
      pacing: pacingOf({ perSecond: 100, concurrency: 1 }),
      answer: () => {
        answers += 1;
        if (answers <= 8) return failed('unknown', { scope: 'service', status: 503, code: String(answers) });
        return answers <= 10 ? BUSY : accepted;
      },
    });
    const calm = { openSince: undefined, pausedMs: 0 };
    const others = (['chatapp', 'rcs', 'flash'] as const).map((channel) => ({ channel, ...calm }));
    const standing = () => dispatcher.channels().filter(({ channel }) => channel !== 'sms');
    const sms = () => dispatcher.channels().find(({ channel }) => channel === 'sms');
    expect(sms()).toEqual({ channel: 'sms', ...calm });
    await run(120_000, 500, () => {
      expect(sms()?.openSince).toBeLessThanOrEqual(clock.now());
      expect(standing()).toEqual(others);
    });
    expect(sms()).toEqual({ channel: 'sms', ...calm });
    const lines = logger.lines.map(({ level, fields }) => [level, fields]);
    expect(lines).toEqual([
      ['warn', { channel: 'sms' }],
      ['info', { channel: 'sms' }],
      ['warn', { channel: 'sms', pauseMs: 500 }],
      ...lines.slice(3),
    ]);
  });

  it('pauses when the key is refused, and goes on where it was', async () => {
    let refuse = true;
    let answers = 0;
    const answer = () => {
      answers += 1;
      return refuse && answers > 10 ? failed('rejected', { status: 401, scope: 'send' }) : accepted;
    };
    const { run, resume, requests } = await bulk({ recipients: 200, answer });
    expect(await run()).toMatchObject({ state: 'paused', reason: { status: 401 } });
    refuse = false;
    await resume();
    expect((await run()).state).toBe('done');
    expect(new Set(numbersOf(requests)).size).toBe(200);
    expect(requests).toHaveLength(200);
  });

  it('keeps what comes back as “too many” while Herald stops, though the retry budget is spent', async () => {
    const { run, stop, requests } = await bulk({
      ...{ recipients: 100, judged: true, latencyMs: 500 },
      answer: () => (stop.signal.aborted ? BUSY : accepted),
      pacing: pacingOf({ perSecond: 1_000, concurrency: 60 }),
    });
    const { counts } = await run(2_000, 100, () => stop.abort());
    expect(requests.length).toBeGreaterThan(50);
    expect(counts).toMatchObject({ pending: 100, not_sent: 0, attempting: 0 });
  });
});

it('starts nothing when Herald stops before the store has said who opted out', async () => {
  const beforeAttempt = () => Promise.reject(new Error('The database is gone.'));
  const { run, stop, requests } = await bulk({ recipients: 3, beforeAttempt });
  await run(10_000, 100, () => stop.abort());
  expect(requests).toEqual([]);
});

describe('senders by country', () => {
  const message: Message = { ...HELLO, senders: { IN: 'ACMEIN' } };
  const sendersIn = (numbers: readonly string[]) => new Set(numbers.map((number) => number.slice(0, 3)));

  it.each([1, 2, 20])(
    'are never in one request, and nobody is left out or twice, %s at a time',
    async (concurrency) => {
      const failedOnce = new Set<string>();
      const answer: Answer = (to) => {
        const isFirst = to.every(({ number }) => !failedOnce.has(number));
        for (const { number } of to) failedOnce.add(number);
        return isFirst && to[0]?.number.endsWith('0') ? notSent({ kind: 'backoff' }) : accepted;
      };
      const { run, requests } = await bulk({
        ...{ recipients: 300, message, answer },
        pacing: pacingOf({ perSecond: 1_000, concurrency, recipientsPerRequest: 20 }),
      });
      expect(await run()).toMatchObject({ state: 'done', counts: { accepted: 300, pending: 0 } });
      for (const { numbers } of requests) expect(sendersIn(numbers).size).toBe(1);
      const taken = requests.flatMap(({ numbers }, at) =>
        numbers.filter((number) => !requests.slice(at + 1).some((later) => later.numbers.includes(number))),
      );
      expect(new Set(taken).size).toBe(300);
      expect(requests.filter(({ numbers }) => numbers.length > 5).length).toBeLessThan(40);
    },
  );

  it('of whom Herald stops before are left to whoever goes on', async () => {
    const { clock, run, store, stop, requests } = await bulk({
      ...{ recipients: 300, message, latencyMs: 500, judged: true },
      pacing: pacingOf({ perSecond: 1_000, concurrency: 1, recipientsPerRequest: 20 }),
    });
    await run(2_000, 100, () => stop.abort());
    const sent = requests.flatMap(({ numbers }) => numbers).length;
    expect([requests.length, sent < 20]).toEqual([1, true]);
    expect((await store.find('S-1'))?.counts).toMatchObject({ pending: 300 - sent, attempting: 0 });
    expect(await store.claim('S-1', 300, clock.now())).toHaveLength(300 - sent);
  });
});

it('trying again repeats what never left, each recipient at most three times, and never anything else', async () => {
  const tries = new Map<string, number>();
  const answer: Answer = ([to]) => {
    const count = (tries.get(to?.number ?? '') ?? 0) + 1;
    tries.set(to?.number ?? '', count);
    if (to?.number.endsWith('3')) return notSent({ kind: 'backoff' });
    return to?.number.endsWith('4') ? failed('unknown', {}) : accepted;
  };
  const { run } = await bulk({ recipients: 50, answer });
  expect(await run()).toMatchObject({ state: 'done', counts: { accepted: 40, not_sent: 5, unknown: 5 } });
  for (const [number, count] of tries) expect(count).toBe(number.endsWith('3') ? 4 : 1);
});

it('leaves out whom the last look before each attempt says it must not reach, with the reason, once', async () => {
  const { run, requests, store } = await bulk({
    recipients: 60,
    beforeAttempt: async (send, rows) => {
      // The store has left these out itself.
      const over = rows.filter(({ row }) => row % 10 === 0);
      const cap = { sendId: send.id, most: 0, since: 0, failure, at: 9 };
      if (over.length > 0) await store.skipOverCap({ ...cap, recipients: over });
      const left = rows.filter(({ row }) => row % 3 === 0 || row % 10 === 0);
      return new Map(left.map(({ row }) => [row, row % 10 === 0 ? undefined : failure]));
    },
  });
  const groups = watchSettling(store);
  expect(await run()).toMatchObject({ state: 'done', counts: { accepted: 36, skipped: 24 } });
  expect(requests).toHaveLength(36);
  expect(groups.flat()).toHaveLength(54);
  expect(await store.failures('S-1')).toEqual([{ state: 'skipped', failure, count: 24 }]);
});

const NIGHT: Failure = { what: 'It is night.', next: 'It goes on by itself.', scope: 'send' };

describe('at the edge of quiet hours', () => {
  const EDGE_MS = 3_000;

  /** From `EDGE_MS` after the start on everybody waits until an hour after it, or all whose number ends in an odd digit. */
  async function atTheEdge(over: Partial<Options>, odd = false) {
    const setup: Awaited<ReturnType<typeof bulk>> = await bulk({
      recipients: 200,
      ...over,
      quietHours: (_message, at) => {
        const edge = begunAt + EDGE_MS;
        if (at < edge) return undefined;
        return (number) => (odd && !isOdd(number) ? undefined : { until: edge + 3_600_000, reason: NIGHT });
      },
    });
    const begunAt = setup.clock.now();
    return { ...setup, until: begunAt + EDGE_MS + 3_600_000 };
  }

  it.each([
    ['a look at the list takes long', { looksLong: true, connectMs: 0 }],
    ['a connection is long in coming', { looksLong: false, connectMs: 700 }],
  ])('nobody is passed over it while %s', async (_, { looksLong, connectMs }) => {
    const slow = { sleep: async (_ms: number): Promise<void> => undefined };
    const { run, requests, clock, until } = await atTheEdge({
      connectMs,
      ...(looksLong && {
        beforeAttempt: async () => {
          await slow.sleep(700);
          return new Map();
        },
      }),
      pacing: pacingOf({ perSecond: 50, concurrency: 20 }),
    });
    slow.sleep = (ms) => clock.sleep(ms);
    const send = await run();
    expect(requests.filter(({ at }) => at >= EDGE_MS)).toEqual([]);
    expect(requests.length).toBeGreaterThan(2);
    expect(send).toMatchObject({
      state: 'paused',
      reason: NIGHT,
      resumeAt: until,
      counts: { accepted: requests.length, pending: 200 - requests.length, attempting: 0, not_sent: 0 },
    });
  });

  it('the others of a request go on without those who must wait', async () => {
    const { run, requests } = await atTheEdge({ perRequest: 10, connectMs: 2_000 }, true);
    expect(await run()).toMatchObject({ state: 'paused', counts: { attempting: 0, not_sent: 0 } });
    const late = numbersOf(requests.filter(({ at }) => at >= EDGE_MS));
    expect(late.filter(isOdd)).toEqual([]);
    expect(new Set(numbersOf(requests)).size).toBe(numbersOf(requests).length);
    expect(numbersOf(requests).filter((number) => !isOdd(number))).toHaveLength(100);
  });
});

/** All whose number ends in an odd digit wait, until long after the test. */
const oddWait: DispatcherDependencies['quietHours'] = () => (number) =>
  isOdd(number) ? { until: 9e12, reason: NIGHT } : undefined;

it('quiet hours hold back nobody on call', async () => {
  const { dispatcher, find, clock, requests } = await bulk({ recipients: 4, quietHours: oddWait });
  const send = await find();
  const alert = { id: 'L-1', threadTs: '1.2', urgent: true };
  const running = dispatcher.run({ ...send, origin: { ...send.origin, alert } });
  await clock.advance(10_000);
  await running;
  expect(requests).toHaveLength(4);
});

it('whoever goes on with a send finds those whom quiet hours deferred before Herald stopped', async () => {
  const { run, store, stop } = await bulk({
    ...{ recipients: 20, judged: true, quietHours: oddWait },
    pacing: pacingOf({ perSecond: 20, concurrency: 2 }),
  });
  await run(10_000, 500, () => stop.abort());
  const claimed = await store.claim('S-1', 20, 5);
  expect(claimed.filter(({ number }) => isOdd(number))).toHaveLength(10);
});

/** The first claims of retries find nobody. */
function missing(store: SendStore, claims: number, missed = () => {}): void {
  const claimAgain = store.claimAgain.bind(store);
  let asked = 0;
  store.claimAgain = async (...which) => {
    asked += 1;
    if (asked > claims) return claimAgain(...which);
    missed();
    return [];
  };
}

it.each([
  ['nothing else is on its way', 2],
  ['others are on their way', 1],
])(
  'in quiet hours of some a send goes on with those whom it could not claim, where %s',
  async (_, missed) => {
    const { run, store, requests } = await bulk({
      ...{ recipients: 20, judged: true, latencyMs: 2_000 },
      quietHours: oddWait,
      pacing: pacingOf({ perSecond: 20, concurrency: 2 }),
    });
    missing(store, missed);
    expect(await run()).toMatchObject({ state: 'sending' });
    for (let again = 0; again < 3; again += 1) await run();
    expect(requests).toHaveLength(10);
    const counts = { accepted: 10, pending: 10 };
    expect(await store.find('S-1')).toMatchObject({ state: 'paused', reason: NIGHT, counts });
  },
);

/** A lease that a test takes away, and that comes back a while later as another one. */
function fragileLease(awayMs = 1_000) {
  let tenure = { isHeld: true };
  const epoch = () => {
    const mine = tenure;
    return { isValid: () => mine.isHeld };
  };
  const lose = (clock: Clock) => {
    tenure.isHeld = false;
    void clock.sleep(awayMs).then(() => {
      tenure = { isHeld: true };
    });
  };
  return { lease: { ...ALONE, exclusive: false, epoch }, lose };
}

describe('a process that may lose its lease', () => {
  it('starts nothing of what it had claimed, and goes on once it has a lease again', async () => {
    const { lease, lose } = fragileLease(5_000);
    const { store, clock, run, requests } = await bulk({ recipients: 40, lease });
    const claim = store.claim.bind(store);
    let claimed = 0;
    store.claim = async (...which) => {
      const rows = await claim(...which);
      const before = claimed;
      claimed += rows.length;
      if (before < 10 && claimed >= 10) lose(clock);
      return rows;
    };
    expect(await run()).toMatchObject({ state: 'done', counts: { accepted: 40, pending: 0, attempting: 0 } });
    // The canaries; the claim after them was the one under which the lease was lost.
    expect(requests.filter(({ at }) => at < 5_000)).toHaveLength(5);
    expect(new Set(numbersOf(requests)).size).toBe(40);
    expect(requests).toHaveLength(40);
  });

  it.each(['claim', 'claimAgain', 'release', 'rewind'] as const)(
    'loses nobody when the store refuses each other “%s”',
    async (name) => {
      const { lease, lose } = fragileLease();
      const answers = [BUSY, BUSY];
      const { store, clock, run } = await bulk({
        recipients: 9,
        lease,
        answer: () => answers.pop() ?? accepted,
      });
      missing(store, 1, () => lose(clock));
      const ask: (...asked: never[]) => Promise<unknown> = store[name].bind(store);
      let calls = 0;
      const refusing = async (...asked: never[]) => {
        calls += 1;
        if (calls % 2 === 1) throw new Error('The disk is full.');
        return ask(...asked);
      };
      const claim = store.claim.bind(store);
      // What was claimed first is released, because nothing may start any more.
      store.claim = async (...which) => {
        const rows = await claim(...which);
        if (name === 'release' && calls === 0) lose(clock);
        return rows;
      };
      Object.assign(store, { [name]: refusing });
      for (let again = 0; again < 3; again += 1) await run();
      expect(await store.find('S-1')).toMatchObject({ state: 'done', counts: { accepted: 9 } });
      expect(calls).toBeGreaterThan(1);
    },
  );

  it.each([
    { recipients: 6, single: false },
    { recipients: 1, single: true },
  ])('claims a retry again later for which it had no lease: %o', async (whom) => {
    const { lease, lose } = fragileLease();
    const answers = [BUSY];
    const { store, clock, run } = await bulk({ ...whom, lease, answer: () => answers.pop() ?? accepted });
    missing(store, 1, () => lose(clock));
    const send = await run();
    // A retry of a bulk send is for the next run; a message to one person has no other.
    const ended = whom.single ? send : await run();
    expect(ended).toMatchObject({ state: 'done', counts: { accepted: whom.recipients } });
  });

  it('counts no retry of whom it released, or could not claim, before a request was made', async () => {
    // The lease is lost at each of the first claims, and is there again a second later.
    for (const single of [true, false]) {
      const { lease, lose } = fragileLease();
      const answers = [BUSY, BUSY, BUSY];
      const { store, clock, run, requests } = await bulk({
        ...{ recipients: 1, single, lease },
        answer: () => answers.pop() ?? accepted,
      });
      let losses = 0;
      function losing<Asked extends unknown[], Answer>(
        ask: (...asked: Asked) => Promise<readonly Answer[]>,
      ): (...asked: Asked) => Promise<readonly Answer[]> {
        return async (...asked) => {
          const isLost = losses < 8;
          losses += 1;
          // A message to one person is at times not claimed at all.
          const rows = isLost && single && losses % 2 === 0 ? [] : await ask(...asked);
          if (isLost) lose(clock);
          return rows;
        };
      }
      store.claim = losing(store.claim.bind(store));
      store.claimAgain = losing(store.claimAgain.bind(store));
      expect(await run()).toMatchObject({ state: 'done', counts: { accepted: 1 } });
      expect(requests).toHaveLength(4);
    }
  });

  it('counts a request as made whose answer came when the lease was lost', async () => {
    const { lease, lose } = fragileLease();
    const { run, clock, requests } = await bulk({
      ...{ recipients: 1, single: true, lease },
      answer: () => {
        lose(clock);
        return BUSY;
      },
    });
    expect(await run()).toMatchObject({ state: 'done', counts: { not_sent: 1 } });
    expect(requests).toHaveLength(4);
  });
});
