import { describe, expect, it, vi } from 'vitest';
import { templateSchema } from '../../src/messages/templates/template.ts';
import { TAKEN_MEANWHILE } from '../../src/sends/bulk/sentences.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import type { SubmitResult } from '../../src/sends/service.ts';
import { recordWebhook } from '../store/steps.ts';
import {
  ACCEPTED,
  createSendsHarness,
  idOf,
  NOT_SENT,
  OTP,
  REFUSED,
  request,
  TO,
  UNKNOWN,
} from './harness.ts';

const refusedFor = (cause: string, words: RegExp) => ({
  state: 'refused',
  cause,
  what: expect.stringMatching(words),
});
const NIGHT = { what: 'It is night.', next: 'Wait.', scope: 'send' } as const;
const wait = (delayMs: number) => ({ ...NOT_SENT, retry: { kind: 'after', delayMs } }) as const;
const ofAlert = (urgent: boolean) => ({ ...request().origin, alert: { id: 'L-1', threadTs: '1.2', urgent } });

describe('sending to one person', () => {
  it('writes attempting before the request, and the outcome after it', async () => {
    const { service, begin, store, clock, deliveries, announced } = createSendsHarness();
    const { result, id } = await begin();
    expect(result.state).toBe('started');
    expect(deliveries).toMatchObject([{ message: request().message, recipients: [{ number: TO }] }]);
    expect((await store.recipients(id))[0]?.state).toBe('attempting');
    deliveries[0]?.answer(ACCEPTED);
    await clock.advance(0);
    expect(await service.report(id)).toMatchObject({
      send: { state: 'done', announcement: { channelId: 'C0TEAM', ts: '1.0' } },
      recipient: { state: 'accepted', messageId: 'm-1', status: 200 },
    });
    expect(announced.map(({ recipient }) => recipient.state)).toEqual(['accepted']);
  });

  it('keeps the words of the template as the catalogue has them at that moment', async () => {
    const template = templateSchema.parse({ name: 'login_code', channel: 'chatapp', variant: 'otp' });
    const catalogue = { find: async () => template };
    const { service, store } = createSendsHarness([], undefined, { catalogue });
    await service.submit(request({ message: OTP }));
    await service.submit(request({ requestKey: 'view-2' }));
    const sends = await store.list({ limit: 9 });
    expect(sends.map(({ kind, template: kept }) => [kind, kept]).toSorted()).toEqual([
      ['chatapp', template],
      ['sms', undefined],
    ]);
  });

  it('shows a slow send as sending first, and then its result in the same message', async () => {
    const { service, clock, deliveries, announced } = createSendsHarness();
    await service.submit(request());
    await clock.advance(1_199);
    expect(announced).toEqual([]);
    await clock.advance(1);
    const shown = () => announced.map(({ send, recipient }) => [recipient.state, send.announcement?.ts]);
    expect(shown()).toEqual([['attempting', undefined]]);
    deliveries[0]?.answer(REFUSED);
    await clock.advance(0);
    expect(shown().slice(1)).toEqual([['rejected', '1.0']]);
  });

  describe('sending again', () => {
    async function ended(outcome: Outcome) {
      const harness = createSendsHarness([outcome, ACCEPTED]);
      const { id: retryOf } = await harness.begin();
      const origin = { ...request().origin, userId: 'U0RAVI' };
      const again = (requestKey: string) => harness.service.submit(request({ requestKey, origin, retryOf }));
      return { ...harness, first: retryOf, again };
    }

    it.each([
      ['unknown', UNKNOWN],
      ['failed', REFUSED],
    ] as const)('what is %s, once, whoever asks at the same moment', async (retryGroup, outcome) => {
      const { first, again, clock, deliveries, store, announced } = await ended(outcome);
      const before = announced.length;
      const results = await Promise.all(['a', 'b', 'c'].map((key) => again(key)));
      await clock.advance(0);
      const [one, ...others] = results.toSorted((a, b) => (a.state < b.state ? 1 : -1));
      expect(one).toMatchObject({ state: 'started', send: { retryOf: first, retryGroup } });
      const id = idOf(one as SubmitResult);
      expect(others.map((other) => [other.state, idOf(other)])).toEqual(Array(2).fill(['repeated', id]));
      expect(deliveries).toHaveLength(2);
      expect(await store.retriesOf(first)).toMatchObject([{ id }]);
      // The first one's card is brought up to date.
      expect(announced.slice(before).map(({ send }) => send.id)).toContain(first);
    });

    it('what was unknown and sent again is not sent by who had the form open, although it has failed since', async () => {
      const { first, again, clock, deliveries, store, stores } = await ended(UNKNOWN);
      await again('a');
      await clock.advance(0);
      const failed = { sendId: first, row: 0, status: 'failed', at: 9, failure: NIGHT } as const;
      await recordWebhook(stores.replies, 'd', { deliveries: [failed] });
      const late = await again('b');
      await clock.advance(100);
      expect(late).toMatchObject({ state: 'started', send: { retryGroup: 'failed' } });
      expect(deliveries).toHaveLength(2);
      expect(await store.recipients(idOf(late))).toMatchObject([
        { state: 'rejected', failure: TAKEN_MEANWHILE },
      ]);
    });

    it('what was reached, or is still on its way, not', async () => {
      const { again, deliveries } = await ended(ACCEPTED);
      expect(await again('a')).toMatchObject({ state: 'refused', cause: 'reached' });
      const { begin } = createSendsHarness();
      const { id: retryOf } = await begin();
      const { result } = await begin({ requestKey: 'b', retryOf });
      expect(result).toMatchObject(refusedFor('reached', /It was not sent again\./));
      expect(deliveries).toHaveLength(1);
    });
  });

  it('never stores a one-time password, and still sends it', async () => {
    const { begin, store, deliveries, logger, announced } = createSendsHarness([ACCEPTED]);
    const { id } = await begin({ message: OTP });
    expect(deliveries[0]?.message).toEqual(OTP);
    const everything = JSON.stringify([await store.find(id), announced, logger.lines]);
    expect(everything).not.toContain('481516');
  });

  it('refuses while stopping, and says that nothing was sent', async () => {
    const { service, stop, deliveries } = createSendsHarness();
    stop.abort();
    await service.drain(1_000);
    expect(await service.submit(request())).toMatchObject(
      refusedFor('stopping', /is being restarted.* Nothing was sent\.$/),
    );
    expect(deliveries).toEqual([]);
  });

  it('refuses in quiet hours, but for an alert that must not wait', async () => {
    const quietHours = () => () => ({ until: 9, reason: NIGHT });
    const { service, begin, deliveries } = createSendsHarness([ACCEPTED], undefined, { quietHours });
    const refused = refusedFor('quiet_hours', /^It is night\. Nothing was sent\.$/);
    expect(await service.submit(request())).toMatchObject({ ...refused, next: 'Send it after that.' });
    const calm = await begin({ origin: ofAlert(false), requestKey: 'calm' });
    const urgent = await begin({ origin: ofAlert(true), requestKey: 'urgent' });
    expect([calm.result.state, urgent.result.state]).toEqual(['refused', 'started']);
    expect(deliveries).toHaveLength(1);
  });

  it('does not try again in quiet hours that have begun meanwhile', async () => {
    for (const urgent of [false, true]) {
      let isNight = false;
      const quietHours = () => (isNight ? () => ({ until: 9, reason: NIGHT }) : undefined);
      const outcomes = [NOT_SENT, ACCEPTED];
      const { begin, deliveries, store, clock } = createSendsHarness(outcomes, undefined, { quietHours });
      const { id } = await begin({ origin: ofAlert(urgent) });
      await clock.advance(20);
      isNight = true;
      await clock.advance(60_000);
      expect(deliveries).toHaveLength(urgent ? 2 : 1);
      const refused = { state: 'rejected', failure: { what: 'It is night.', next: 'Send it after that.' } };
      expect((await store.recipients(id))[0]).toMatchObject(urgent ? { state: 'accepted' } : refused);
    }
  });

  it('does not try again to reach a number that has opted out meanwhile', async () => {
    const { begin, optedOut, deliveries, latest, clock } = createSendsHarness([NOT_SENT]);
    await begin();
    await clock.advance(20);
    expect(deliveries).toHaveLength(1);
    optedOut.add(TO);
    await clock.advance(60_000);
    expect(deliveries).toHaveLength(1);
    const failure = { what: 'This number has opted out.' };
    expect(latest()).toMatchObject({ send: { state: 'done' }, recipient: { state: 'rejected', failure } });
  });

  it('refuses a number that has opted out, until it is taken off the list', async () => {
    const { service, begin, optedOut, deliveries } = createSendsHarness([ACCEPTED]);
    optedOut.add(TO);
    const refused = refusedFor('opted_out', /has opted out of messages\. Nothing was sent\.$/);
    expect(await service.submit(request())).toMatchObject(refused);
    optedOut.delete(TO);
    expect((await begin()).result.state).toBe('started');
    expect(deliveries).toHaveLength(1);
  });

  it('sends, once, what the store has taken without saying so', async () => {
    const { service, store, clock, deliveries, latest } = createSendsHarness([ACCEPTED]);
    const { create } = store;
    let lost = 2;
    store.create = async (send) => {
      const result = await create(send);
      lost -= 1;
      if (lost >= 0) throw new Error('Connection terminated unexpectedly');
      return result;
    };
    const submitted = service.submit(request());
    await clock.advance(10_000);
    expect(await submitted).toMatchObject({ state: 'started' });
    expect(deliveries).toHaveLength(1);
    expect(latest()?.recipient.state).toBe('accepted');
    lost = 1;
    const again = service.submit(request());
    await clock.advance(10_000);
    expect((await again).state).toBe('repeated');
    expect(deliveries).toHaveLength(1);
  });

  describe('when nobody can say whether the store has it', () => {
    /** Asked for while every answer of the store is lost, and written or not all the same. */
    async function asked({ isWritten }: { isWritten: boolean }) {
      const harness = createSendsHarness([ACCEPTED]);
      const { service, store, clock } = harness;
      const { create, find } = store;
      const broken = new Error('connect ECONNREFUSED');
      store.create = async (send) => {
        if (isWritten) await create(send);
        throw broken;
      };
      store.find = () => Promise.reject(broken);
      const submitted = service.submit(request());
      await clock.advance(30_000);
      const next = expect.stringMatching(/Look at \/sends/);
      expect(await submitted).toMatchObject({ ...refusedFor('unsure', /it may be sent/), next });
      return { ...harness, recover: () => Object.assign(store, { create, find }) };
    }

    it('says that it may be sent, and sends it once when the store has it', async () => {
      const { clock, deliveries, latest, recover } = await asked({ isWritten: true });
      expect(deliveries).toEqual([]);
      recover();
      await clock.advance(5_000);
      expect(deliveries).toHaveLength(1);
      expect(latest()?.recipient.state).toBe('accepted');
    });

    it('does not send it when that is found out too late', async () => {
      const { clock, deliveries, latest, recover } = await asked({ isWritten: true });
      await clock.advance(10 * 60_000);
      recover();
      await clock.advance(5_000);
      expect(deliveries).toEqual([]);
      expect(latest()).toMatchObject({ send: { state: 'done' }, recipient: { state: 'not_sent' } });
    });

    it('sends nothing when the store has not', async () => {
      const { clock, deliveries, announced, recover } = await asked({ isWritten: false });
      recover();
      await clock.advance(60_000);
      expect([deliveries, announced]).toEqual([[], []]);
    });
  });

  it.each([
    ['what the store does not say is allowed', 'the store did not say whether a send is allowed', 1],
    ['what it cannot store', 'the store refused a new send', 2],
  ])('refuses %s', async (_, message, tries) => {
    const gone = () => Promise.reject(new Error('gone'));
    const { service, store, clock, deliveries, logger } = createSendsHarness(
      [ACCEPTED],
      undefined,
      tries === 1 ? { optOuts: { findOptOut: gone } } : {},
    );
    store.create = gone;
    const submitted = service.submit(request());
    await clock.advance(1_000);
    expect(await submitted).toMatchObject(refusedFor('store', /could not write.* Nothing was sent\.$/));
    expect(deliveries).toEqual([]);
    expect(logger.lines).toMatchObject(Array(tries).fill({ level: 'error', message }));
  });
});

describe('trying again', () => {
  it('does not make a person wait for minutes', async () => {
    const hurried = createSendsHarness([wait(120_000)]);
    await hurried.service.submit(request());
    await hurried.clock.advance(300_000);
    expect(hurried.deliveries).toHaveLength(1);
    expect(hurried.latest()?.recipient.state).toBe('not_sent');
  });

  it.each([
    ['claim', [ACCEPTED]],
    ['claimAgain', [NOT_SENT, ACCEPTED]],
  ] as const)('is done when %s gave nothing, as without a lease at that moment', async (method, answers) => {
    const { service, store, clock, deliveries, latest } = createSendsHarness([...answers]);
    vi.spyOn(store, method).mockResolvedValueOnce([]);
    await service.submit(request());
    await clock.advance(5_000);
    expect(deliveries).toHaveLength(answers.length);
    expect(latest()).toMatchObject({ send: { state: 'done' }, recipient: { state: 'accepted' } });
  });

  it('stops when the retry budget is spent', async () => {
    const { service, clock, deliveries } = createSendsHarness(Array.from({ length: 200 }, () => NOT_SENT));
    for (let n = 0; n < 40; n += 1) await service.submit(request({ requestKey: `view-${n}` }));
    await clock.advance(120_000);
    expect(deliveries.length).toBeGreaterThanOrEqual(40 + 20);
    expect(deliveries.length).toBeLessThanOrEqual(40 + 24);
  });

  it('keeps an outcome until the store takes it', async () => {
    const { service, store, clock, latest, deliveries } = createSendsHarness([ACCEPTED]);
    const settle = vi.spyOn(store, 'settle');
    for (let n = 0; n < 3; n += 1) settle.mockRejectedValueOnce(new Error('database or disk is full'));
    await service.submit(request());
    await clock.advance(10_000);
    expect(latest()?.recipient.state).toBe('accepted');
    expect(deliveries).toHaveLength(1);
  });
});

describe('after a crash', () => {
  it('calls what was on its way unknown, says so in the channel, and does not send it again', async () => {
    const before = createSendsHarness();
    await before.begin();
    expect(before.deliveries).toHaveLength(1);

    const after = createSendsHarness([], before.database);
    await after.service.start();
    await after.clock.advance(3_600_000);
    expect(after.deliveries).toEqual([]);
    const what =
      'Herald was stopped while this message was on its way to the service, so its answer was lost.';
    const recipient = { state: 'unknown', failure: { what } };
    expect(after.latest()).toMatchObject({ send: { state: 'done' }, recipient });
  });

  it('sends and ends what was left although the store refuses for a moment, once it is adopted', async () => {
    const before = createSendsHarness();
    await before.store.create(stored({ createdAt: before.clock.now() - 10 * 60_000 - 1 }));
    await before.store.create({ ...stored({ createdAt: before.clock.now() }), id: 'S-2', requestKey: 'k2' });
    const { service, store, clock, announced } = createSendsHarness([ACCEPTED], before.database);
    vi.spyOn(store, 'settle').mockRejectedValueOnce(new Error('database is locked'));
    await service.start().catch(() => undefined);
    await clock.advance(60_000);
    expect((await store.recipients('S-1'))[0]?.state).toBe('not_sent');
    expect((await store.recipients('S-2'))[0]?.state).toBe('accepted');
    expect(announced.map(({ send }) => send.id).toSorted()).toEqual(['S-1', 'S-2']);
  });

  it('does not send what is too old, or what has lost its password', async () => {
    const { store, clock: clockBefore, database } = createSendsHarness();
    await store.create(stored({ createdAt: clockBefore.now() - 10 * 60_000 - 1 }));
    const { otp: _, ...withoutPassword } = OTP as typeof OTP & { otp: string };
    const other = { id: 'S-2', requestKey: 'k2', kind: 'chatapp', message: withoutPassword } as const;
    await store.create({ ...stored({ createdAt: clockBefore.now() }), ...other });
    const { service, clock, deliveries, announced } = createSendsHarness([], database);
    await service.start();
    await clock.advance(0);
    expect(deliveries).toEqual([]);
    const late =
      'Herald was not running when this message should have gone out, and it is too late to send it by itself.';
    const lost =
      'Herald was restarted before it could send this message, and one-time passwords are never stored.';
    expect(announced).toMatchObject([
      { send: { id: 'S-1' }, recipient: { state: 'not_sent', failure: { what: late } } },
      { send: { id: 'S-2' }, recipient: { state: 'not_sent', failure: { what: lost } } },
    ]);
  });
});

describe('stopping', () => {
  it('keeps for the restart what the service had no room for', async () => {
    const first = createSendsHarness();
    await first.begin();
    first.stop.abort();
    const drained = first.service.drain(10_000);
    first.deliveries[0]?.answer(wait(1_000));
    await first.clock.advance(5_000);
    expect(await drained).toBe(0);
    const next = createSendsHarness([ACCEPTED], first.database);
    await next.service.start();
    await next.clock.advance(2_000);
    expect(next.deliveries).toHaveLength(1);
    expect(next.latest()).toMatchObject({ send: { state: 'done' }, recipient: { state: 'accepted' } });
  });
});

function stored({ createdAt }: { createdAt: number }) {
  const { message, origin } = request();
  const named = { id: 'S-1', kind: 'sms', requestKey: 'k1', state: 'approved' } as const;
  return { ...named, message, origin, recipients: [{ number: TO }], createdAt };
}
