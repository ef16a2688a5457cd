import { beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Alert, AlertDecision, AlertEvent, AlertStep } from '../../src/sends/alerts/alert.ts';
import type { AlertStore } from '../../src/sends/alerts/ports.ts';
import { eventOfSignal, type Signal, threadOfKey } from '../../src/sends/alerts/signal.ts';
import type { PostStore } from '../../src/sends/posts.ts';

const event = (over: Partial<AlertEvent> = {}): AlertEvent => ({
  eventId: `Ev-${over.kind ?? 'posted'}-${over.ts ?? '1700.000100'}-${over.eventTs ?? ''}`,
  kind: 'posted',
  channelId: 'C0ALERTS',
  ts: '1700.000100',
  eventTs: over.ts ?? '1700.000100',
  author: { appId: 'A0GRAFANA' },
  text: 'Down \u0000 <!channel>',
  receivedAt: 1_700_500,
  ...over,
});

const step = (over: Partial<AlertStep> = {}): AlertStep => ({
  kind: 'alert',
  state: 'sent',
  groups: ['oncall'],
  dueAt: 10,
  people: [],
  ...over,
});

const alert = (id: string, over: Partial<Alert> = {}): Alert => ({
  id,
  rule: 'critical',
  channelId: 'C0ALERTS',
  ts: '1700.000100',
  threadTs: '1700.000100',
  fingerprint: 'text:down \u0000',
  title: 'Down',
  text: 'Down',
  postedAt: 1,
  receivedAt: 100,
  state: 'open',
  repeats: 0,
  steps: [step()],
  ...over,
});

/**
 * Says what every store must do with alerts.
 *
 * @param open a fresh, empty store, and a way to another over the same data
 */
export function describeAlertStore(
  name: string,
  open: () => Promise<{ alerts: AlertStore; posts: PostStore; another: () => Promise<AlertStore> }>,
): void {
  describe(`${name} keeps alerts`, () => {
    let store: AlertStore;
    let posts: PostStore;
    let another: () => Promise<AlertStore>;
    beforeEach(async () => {
      ({ alerts: store, posts, another } = await open());
    });

    const everything = () => store.state({ recent: 0, openSince: 0, ids: [] });
    async function commit(...alerts: Alert[]): Promise<void> {
      const { version } = await everything();
      expect(await store.commit(version, { alerts }, 5)).toBe(true);
    }

    it('keeps an event once, under its id and as what it tells of a message', async () => {
      const again = { ...event(), eventId: 'Ev-other' };
      const repeated = (await store.keep([event(), event(), again])).map((one) => one.repeated);
      expect(repeated).toEqual([false, true, true]);
      const [kept, ...others] = await store.waiting(9);
      expect(others).toEqual([]);
      expect(kept).toEqual({ ...event(), id: kept?.id, superseded: false });
    });

    it('keeps what a signal says once, wants its message, and finds the last of its key', async () => {
      const source = { name: 'prometheus', channel: 'C0ALERTS' };
      const signal = { key: 'db-1', start: 7, status: 'firing', text: 'Down \u0000' } as const;
      const made = (given: Partial<Signal>) => eventOfSignal({ ...signal, ...given }, source, undefined, 9);
      const [fires, over] = [made({}), made({ status: 'resolved' })];
      const [next, other] = [made({ start: 8 }), made({ key: 'db-10' })];
      const kept = await store.keep([fires, fires, over, made({ text: 'Otherwise' }), next, other]);
      expect(kept.map(({ repeated }) => repeated)).toEqual([false, true, false, true, false, false]);
      const superseded = (await store.waiting(9)).map((one) => one.superseded);
      expect(superseded).toEqual([true, false, false, false]);
      expect(await store.lastOfEach('C0ALERTS', threadOfKey(source, 'db-1'))).toEqual([next, over]);
      expect(await store.lastOfEach('C0ALERTS', threadOfKey(source, 'db-2'))).toEqual([]);
      expect(await store.signals('C0ALERTS', fires.receivedAt)).toEqual([fires, over, next, other]);
      expect(await store.signals('C0ALERTS', fires.receivedAt + 1)).toEqual([]);
      expect(await store.signals('C0TEAM', 0)).toEqual([]);
      const waiting = { events: [fires, over], place: 'waiting' };
      expect(await store.message('C0ALERTS', fires.ts)).toEqual(waiting);
      const mark = `signal:C0ALERTS:${fires.ts}`;
      const claim = { limit: 9, restingChannels: [], inFlight: [], how: 'post' } as const;
      const [post] = (await posts.claim({ ...claim, now: 10 })).filter((one) => one.mark === mark);
      const place = { channelId: 'C0ALERTS', ts: '1700.5' };
      await posts.note({ mark, shown: post?.wanted ?? 0, place, restMs: 0 }, 11);
      expect(await store.message('C0ALERTS', fires.ts)).toMatchObject({ place });
      expect(await store.message('C0ALERTS', '1700.5')).toEqual({ events: [], place: 'nowhere' });
    });

    it('looks at a signal again that came while a rule was muted, and shows none that is hidden', async () => {
      const source = { name: 'prometheus', channel: 'C0ALERTS' };
      const made = (key: string, at: number) =>
        eventOfSignal({ key, start: 7, status: 'firing', text: 'Down' }, source, undefined, at);
      await store.keep([made('db-1', 9), made('db-2', 9), { ...made('db-3', 9), isHidden: true }, event()]);
      const [muted, other, hidden, posted] = (await store.waiting(9)).map(({ id }) => id);
      const decided = (what: AlertDecision['what'], rule = 'critical') => [{ rule, what }];
      const events = [
        { id: muted ?? 0, decisions: [...decided('sent', 'other'), ...decided('muted')] },
        { id: other ?? 0, decisions: decided('sent', '"what":"muted"') },
        { id: hidden ?? 0, decisions: decided('held') },
        { id: posted ?? 0, decisions: decided('muted') },
      ];
      expect(await store.commit((await everything()).version, { events }, 5)).toBe(true);
      expect(await store.waiting(9)).toEqual([]);
      const again = [made('db-1', 99), made('db-2', 99), made('db-3', 99), event()];
      expect((await store.keep(again)).map(({ repeated }) => repeated)).toEqual([true, true, true, true]);
      expect(await store.waiting(9)).toEqual([{ ...made('db-1', 99), id: muted, superseded: false }]);
      const places = again.map(({ channelId, ts }) => store.message(channelId, ts));
      expect((await Promise.all(places)).map(({ place }) => place)).toEqual([
        ...['waiting', 'waiting', 'nowhere', 'nowhere'],
      ]);
    });

    it('says of an event whether something later is known of its message, in whatever order they came', async () => {
      const edited = event({ kind: 'changed', eventTs: '1700.000300', text: 'Up' });
      const other = event({ ts: '1700.000200' });
      await store.keep([edited, other, event()]);
      expect((await store.waiting(9)).map(({ eventId, superseded }) => ({ eventId, superseded }))).toEqual([
        { eventId: edited.eventId, superseded: false },
        { eventId: other.eventId, superseded: false },
        { eventId: event().eventId, superseded: true },
      ]);
      expect(await store.waiting(1)).toHaveLength(1);
    });

    it('says of an event what was last looked at of its message, and what came of it', async () => {
      const decide = async (...decided: (readonly AlertDecision[] | undefined)[]) => {
        const waiting = await store.waiting(9);
        const { version } = await everything();
        const events = waiting.map(({ id }, index) => ({ id, decisions: decided[index] }));
        expect(await store.commit(version, { events }, 5)).toBe(true);
      };
      const edit = (second: number, text: string) =>
        event({ kind: 'changed', eventTs: `1700.000${second}00`, text });
      const lookedAt = async () => (await store.waiting(9)).map((one) => one.before);
      const sent = [{ rule: 'critical', what: 'sent', alertId: 'L-1' }] as const;
      await store.keep([event(), event({ ts: '1700.000200', text: 'Other' })]);
      expect(await lookedAt()).toEqual([undefined, undefined]);
      await decide(sent, []);
      // Of two edits the first is put away.
      await store.keep([edit(3, 'Put away'), edit(4, 'Fine')]);
      const first = { text: event().text, decisions: sent };
      expect(await lookedAt()).toEqual([first, first]);
      await decide(undefined, []);
      await store.keep([edit(2, 'Delivered late'), edit(5, 'Again')]);
      expect(await lookedAt()).toEqual([first, { text: 'Fine', decisions: [] }]);
      expect(await store.decisionsSince(0)).toEqual([{ rule: 'critical', what: 'sent', count: 1 }]);
    });

    it('writes what came of events all or nothing, and only on the state that it was decided on', async () => {
      await store.keep([event()]);
      const [waiting] = await store.waiting(9);
      const { version } = await everything();
      const changes = {
        events: [{ id: waiting?.id ?? 0, decisions: [{ rule: 'critical', what: 'sent' as const }] }],
        alerts: [alert('L-1')],
        rules: [{ rule: 'critical', muted: { until: 9, by: 'U0ASHA' } }],
      };
      expect(await store.commit(version, changes, 50)).toBe(true);
      expect(await (await another()).commit(version, { alerts: [alert('L-2')] }, 51)).toBe(false);
      expect(await store.waiting(9)).toEqual([]);
      const { alerts, rules } = changes;
      expect(await everything()).toEqual({ version: version + 1, alerts, rules });
      expect(await store.decisionsSince(50)).toEqual([{ rule: 'critical', what: 'sent', count: 1 }]);
      expect(await store.decisionsSince(51)).toEqual([]);
    });

    it('lets one of many that commit on the same state win', async () => {
      const { version } = await everything();
      const stores = await Promise.all([another(), another(), another(), another()]);
      const won = await Promise.all(
        stores.map((one, index) => one.commit(version, { alerts: [alert(`L-${index}`)] }, 1)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await everything()).alerts).toHaveLength(1);
    });

    it('gives recent, open, due and named alerts, and no others', async () => {
      await commit(
        alert('L-OLD', { receivedAt: 1, state: 'resolved' }),
        alert('L-OPEN', { receivedAt: 2, state: 'acknowledged' }),
        alert('L-DUE', { receivedAt: 3, state: 'resolved', steps: [step({ state: 'planned' })] }),
        alert('L-NEW', { receivedAt: 40, state: 'deleted' }),
      );
      const ids = async (asked: Parameters<AlertStore['state']>[0]) =>
        (await store.state(asked)).alerts.map(({ id }) => id);
      expect(await ids({ recent: 40, openSince: 2, ids: [] })).toEqual(['L-OPEN', 'L-DUE', 'L-NEW']);
      expect(await ids({ recent: 41, openSince: 3, ids: [] })).toEqual(['L-DUE']);
      const never = { recent: 1e15, openSince: 1e15 };
      expect(await ids({ ...never, ids: ['L-OLD', 'L-none'] })).toEqual(['L-OLD', 'L-DUE']);
      expect(await store.find('L-OLD')).toEqual(alert('L-OLD', { receivedAt: 1, state: 'resolved' }));
      expect(await store.find('L-none')).toBeUndefined();
    });

    it('knows what is due, and when something next is', async () => {
      expect(await store.nextDue()).toBeUndefined();
      const waits = alert('L-1', { steps: [step(), step({ state: 'waiting', dueAt: 700 })] });
      await commit(waits, alert('L-2', { steps: [step({ state: 'planned', dueAt: 900 })] }));
      expect(await store.nextDue()).toBe(700);
      expect(await store.due(699, 9)).toEqual([]);
      expect((await store.due(900, 9)).map(({ id }) => id)).toEqual(['L-1', 'L-2']);
      expect(await store.due(900, 1)).toHaveLength(1);
      await commit({ ...waits, steps: [step(), step({ state: 'cancelled', dueAt: 700 })] });
      expect(await store.nextDue()).toBe(900);
    });

    it('keeps one number for each person', async () => {
      const number = '+6591234567' as Msisdn;
      await store.putNumber({ userId: 'U0MEI', number: '+919812345678' as Msisdn, at: 1, by: 'U0MEI' });
      await store.putNumber({ userId: 'U0MEI', number, at: 2, by: 'U0RAVI' });
      await store.putNumber({ userId: 'U0ASHA', number, at: 3, by: 'U0ASHA' });
      expect(await store.numbers()).toEqual([
        { userId: 'U0ASHA', number, at: 3, by: 'U0ASHA' },
        { userId: 'U0MEI', number, at: 2, by: 'U0RAVI' },
      ]);
      expect(await store.removeNumber('U0MEI')).toBe(true);
      expect(await store.removeNumber('U0MEI')).toBe(false);
      expect(await store.numbers()).toHaveLength(1);
    });
  });
}
