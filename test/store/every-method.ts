import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { createPseudonym } from '../../src/messages/numbers/pseudonym.ts';
import type { Alert, AlertEvent } from '../../src/sends/alerts/alert.ts';
import type { Settlement } from '../../src/sends/outcome.ts';
import type { NewCustomerEvent } from '../../src/sends/replies/ports.ts';
import { UNENDED } from '../../src/sends/states.ts';
import { erase, exportOf } from '../../src/store/person.ts';
import type { Database } from '../../src/store/sql.ts';
import type { Memory, Stores } from '../../src/store/stores.ts';
import { showAll, showAnswers } from './shown.ts';
import { accepted, bulkSend, FAILURE, listed, oneSend, sealSend, startSending } from './steps.ts';

/** Of these nothing is asked of the database, or it ends with them. */
/** `claimLists` is what `claim` is made of. */
const NOT_CALLED = ['sends.close', 'sends.claimLists', 'lease', 'tasks', 'figures', 'bytes', 'replica'];
const KEY = 'a-key-that-nobody-guesses';

type Opened = Memory & Partial<Pick<Stores, 'notes'>>;

/**
 * Calls every method of every store in the order of a life, so that every statement runs at least once. Throws when one was
 * not called: a new method needs its line here.
 *
 * @param life names what is made, so that the same stores can be lived in again
 * @param pseudonymKey of the stores is KEY
 */
export async function callEveryMethod(opened: Opened, database: Database, life: string): Promise<void> {
  const called = new Set<string>();
  const stores = recording(opened, called);
  const at = 1_000;
  const [first, second] = [numberIn(life, 1), numberIn(life, 2)];
  await prepare(stores, life, at);
  await liveSends(stores, life, at, [first, second]);
  await liveAlerts(stores, life);
  await liveReplies(stores, life, at, first);
  await remember(stores, life);
  await remove(stores, life);
  await exportOf(database, first);
  await erase(database, first, createPseudonym(KEY), at);
  const missing = methodsOf(opened).filter((name) => !called.has(name));
  if (missing.length > 0) throw new Error(`Nobody has called ${missing.join(', ')}.`);
}

/** The key that stores need for `callEveryMethod`. */
export const LIFE_KEY = KEY;

function numberIn(life: string, which: number): Msisdn {
  const digits = [...life].reduce((sum, letter) => sum * 7 + letter.charCodeAt(0), 0) % 100_000;
  return `+9198${String(digits).padStart(5, '0')}${String(which).padStart(3, '0')}` as Msisdn;
}

function methodsOf(stores: Opened): readonly string[] {
  return Object.entries(stores).flatMap(([store, methods]) => {
    if (NOT_CALLED.includes(store)) return [];
    return Object.entries(methods as object)
      .flatMap(([method, value]) =>
        typeof value === 'function' ? [method] : Object.keys(value).map((inner) => `${method}.${inner}`),
      )
      .map((method) => `${store}.${method}`)
      .filter((name) => !NOT_CALLED.includes(name));
  });
}

/** The same, and `called` holds the names of what was called. */
function recording<Methods extends object>(methods: Methods, called: Set<string>, path = ''): Methods {
  return new Proxy(methods, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== 'string') return value;
      const place = path === '' ? name : `${path}.${name}`;
      if (typeof value === 'object' && value !== null) return recording(value, called, place);
      if (typeof value === 'function') called.add(place);
      return value;
    },
  });
}

async function prepare({ audiences, templates, drafts, sends }: Opened, life: string, at: number) {
  const template = { channel: 'rcs', name: life, label: life, placeholders: [] } as never;
  const key = { channel: 'rcs', name: life } as const;
  const author = { actor: 'U', at, source: 'form' } as const;
  await templates.write([{ template, archived: false, action: 'added', expected: 0 }], author);
  await templates.find(key);
  await templates.all();
  await templates.mark(key, { status: 'paused', words: '', at });
  await templates.history(key, 9);
  await templates.version();
  const draft = { owner: 'U', kind: 'sms', name: life } as const;
  await drafts.save({ ...draft, values: {}, savedAt: at });
  await drafts.find(draft);
  await drafts.names('U', 'sms');
  await drafts.remove(draft);
  for (const id of [`A-${life}`, `A-${life}-left`]) {
    const columns = { source: 'file', columns: ['name'], createdBy: 'U', createdAt: at } as const;
    await audiences.begin({ id, ...columns });
    const excluded = { row: 3, value: 'x', cause: 'invalid', reason: 'No number.' } as const;
    await audiences.append(id, listed({ row: 2, number: numberIn(life, 1), values: ['Asha'] }), [excluded]);
  }
  await audiences.abandon(`A-${life}-left`);
  await audiences.finish(`A-${life}`, { read: 1, valid: 1, invalid: 0, duplicate: 0, opted_out: 0 }, 'd');
  await audiences.save(`A-${life}`, life);
  await audiences.find(`A-${life}`);
  await audiences.findByName(life);
  await audiences.list(9);
  await audiences.rows(`A-${life}`, 0, 9);
  await audiences.exclusions(`A-${life}`, 0, 9);
  await audiences.forget(life);
  const number = numberIn(life, 3);
  await audiences.optOut([{ number, at, actor: 'U', source: 'command' }]);
  await audiences.findOptOut(number);
  await audiences.optedOut([number]);
  await audiences.countOptOuts();
  await audiences.listOptOuts('', 9);
  await audiences.optIn(number, { at, actor: 'U', number: '…3' });
  await audiences.optOutRemovals(0, 9);
  await sends.stopRestored(FAILURE, at);
  await sends.recoverInterrupted(FAILURE, at);
}

async function liveSends({ sends, posts }: Opened, life: string, at: number, to: readonly Msisdn[]) {
  const limit = { userId: 'U', since: 0, more: 1, most: 1_000 };
  const one = { ...oneSend(`S-${life}-1`), recipients: to.map((number) => ({ number })), createdAt: at };
  await sends.create({ ...one, limit, origin: { ...one.origin, channelId: 'C', threadTs: '7' } });
  await startSending(sends, one.id, at);
  const [sendId, digest] = [`S-${life}`, 'd'];
  await sends.begin({ ...bulkSend(sendId), createdAt: at, audience: { id: `A-${life}`, columns: [] } });
  await sends.addRecipients(sendId, [
    ...to.map((number, row) => ({ row, number, values: ['Asha'] })),
    { row: 9, number: to[0] as Msisdn, values: [], skipped: FAILURE },
  ]);
  const actor = 'U';
  await sealSend(sends, sendId, { digest, at, limit });
  const asked = { needed: 1, expiresAt: at, reason: FAILURE, at, actor };
  await sends.askForMore({ sendId, from: 'approved', ...asked });
  await sends.showAgain(sendId);
  await sends.approve({ sendId, userId: 'V', digest, at });
  await sends.approvals(sendId);
  await startSending(sends, sendId, at);
  await sends.recordOnce({ sendId, action: 'reminded', at, actor, reason: FAILURE });
  for (const id of [one.id, sendId]) {
    const claimed = await sends.claim(id, 9, at);
    await sends.release(id, [1]);
    await sends.rewind(id);
    await sends.claimAgain(id, [1], at);
    const asked = { sendId: id, recipients: claimed, failure: FAILURE, at };
    await sends.skipOverCap({ ...asked, most: 99, since: 0 });
    await sends.skipTaken({ ...asked, state: 'skipped' });
    const settled = { sendId: id, settledAt: at };
    await sends.settle([
      { ...settled, row: 0, outcome: accepted(`m-${life}-${id}`), ...(id === sendId && { last: 0 }) },
      { ...settled, row: 1, outcome: LOST },
    ]);
    await sends.failures(id);
    await sends.recipients(id);
    await sends.events(id);
    await sends.outcomesOverTime(id, 0, 1_000);
    await sends.retriesOf(id);
    await sends.find(id);
  }
  await sends.markCanaryJudged(sendId);
  await sends.owns(sendId);
  await sends.adopt(UNENDED, 9);
  await sends.findByState(['done'], 9);
  await sends.list({ limit: 9 });
  await sends.list({ limit: 9, userId: 'U', template: life, states: ['done'], outcomes: ['unknown'] });
  await sends.sentTo(to[0] as Msisdn, { limit: 9 });
  await sends.sentTo(to[0] as Msisdn, { limit: 9, userId: 'U' });
  await sends.gotSince([{ number: to[0] as Msisdn, reading: { seen: 'a', at: 0 } }], 0);
  await sends.gotBefore(sendId, 0, -1, 9);
  await sends.hadEnough(to, 1, 0);
  await sends.workload(0);
  await sends.tryWrite();
  await sends.allEvents(0, 99);
  await sends.outcomesSince(0);
  await showAll(posts, at, () => ({ place: { channelId: 'C', ts: life }, digest: 'd' }));
  await posts.waiting();
}

const LOST: Settlement['outcome'] = { state: 'unknown', failure: { ...FAILURE, explanation: 'No route.' } };

async function liveAlerts({ alerts }: Opened, life: string) {
  const place = { channelId: 'C', ts: life, threadTs: life };
  const told = { text: 'Down', receivedAt: 1 };
  const event: AlertEvent = { ...place, ...told, eventId: life, kind: 'posted', eventTs: life, author: {} };
  await alerts.keep([event]);
  const { version } = await alerts.state({ recent: 0, openSince: 0, ids: [life] });
  const alert: Alert = {
    ...{ ...place, ...told, id: life, rule: life, fingerprint: life, title: life, postedAt: 1 },
    ...{ state: 'open', repeats: 0 },
    steps: [{ kind: 'alert', state: 'waiting', groups: [], dueAt: 1, people: [] }],
  };
  const decisions = [{ rule: life, what: 'sent' }] as const;
  const events = (await alerts.waiting(9)).map(({ id }) => ({ id, decisions }));
  await alerts.commit(version, { events, alerts: [alert], rules: [{ rule: life }] }, 1);
  await alerts.nextDue();
  await alerts.due(1, 9);
  await alerts.find(life);
  await alerts.rules();
  await alerts.lastOfEach('C', 'H0.');
  await alerts.signals('C', 0);
  await alerts.message('C', life);
  await alerts.decisionsSince(0);
  await alerts.putNumber({ userId: life, number: numberIn(life, 4), at: 1, by: 'U' });
  await alerts.numbers();
  await alerts.removeNumber(life);
}

async function liveReplies(
  { replies, posts, conversations }: Opened,
  life: string,
  at: number,
  from: Msisdn,
) {
  const sendId = `S-${life}`;
  const thread = { channelId: 'C', threadTs: `T-${life}` };
  await replies.keep([{ digest: life, receivedAt: at, body: 'aGVsbG8=', sender: from }], 1);
  await replies.nextDue();
  const [kept] = await replies.waiting(at, 9);
  const webhookId = kept?.id ?? -1;
  await replies.record([{ webhookId, events: [], deliveries: [], again: at }]);
  await replies.waiting(at, 9);
  await replies.isUnderWay();
  const tap = (key: string, label: string): NewCustomerEvent => {
    const event = { kind: 'reply', replyId: label, title: label, from } as const;
    return { key, event, sendId, label, optedOut: false };
  };
  const events: readonly NewCustomerEvent[] = [
    ...[tap(`${life}-1`, 'Yes'), tap(`${life}-2`, 'No')],
    { key: life, event: { kind: 'text', text: 'Hello', from }, sendId, optedOut: false, askedAt: at },
  ];
  const deliveries = [
    { sendId, row: 0, status: 'sent', at },
    { sendId, row: 1, status: 'failed', at, failure: FAILURE },
  ] as const;
  await replies.record([{ webhookId, events, deliveries }]);
  await replies.indexIds();
  await replies.findByMessageId(`m-${life}-${sendId}`, from);
  await replies.newestTo(from);
  await replies.findDoubt(from, 0, at);
  const { channelId, threadTs } = thread;
  const shown = await showAnswers({ posts, replies }, at, { place: { channelId, ts: '8' }, threadTs });
  const ids = shown.flatMap(({ events }) => events.map(({ id }) => id));
  await replies.leaveOut([]);
  await replies.summary(sendId);
  await replies.reached([sendId]);
  await replies.answersOf(from, { limit: 9 });
  await replies.answersOf(from, { limit: 9, userId: 'U' });
  await replies.deliveries(sendId, 0, 9);
  await conversations.findEvent(ids[0] ?? -1);
  await conversations.inThread(thread, 9);
  await conversations.newestAnswer({ channelId: 'C', threadTs: '7' }, from);
  await conversations.openQuestions({ since: 0, limit: 9 });
  await conversations.closeQuestions(ids, 'U');
  await conversations.claimHint(thread, 'U');
}

async function remember({ inputs, notices, notes, sharing }: Opened, life: string) {
  await inputs.begin('webhook', [life]);
  await inputs.counts('webhook', [life]);
  await inputs.failed('webhook', [life], true);
  await inputs.setAside('webhook', life, 1);
  await inputs.setAsideCounts();
  await inputs.end('webhook', [life]);
  const notice = { name: life, what: 'The disk is full.', since: 1 };
  await notices.begin(notice);
  await notices.end(life, 2);
  await notices.begin(notice);
  await notices.find('1-1');
  await notes?.put(life, 1, 1_000);
  await notes?.find(life);
  // One write in so many forgets what is old.
  for (let writes = 0; writes < 5; writes += 1) await notes?.claim(`${life}-${writes}`, 1_000);
  await sharing.isLeader('remove_old');
  await sharing.canAnnounce(true);
  const { channels } = sharing;
  await channels?.slowDown('sms', 1);
  await channels?.broke('sms', 1);
  await channels?.takeProbe('sms');
  await channels?.giveProbeBack('sms');
  await channels?.mended('sms');
  await channels?.read();
}

async function remove({ retention, audiences }: Opened, life: string) {
  const at = 2_000;
  while ((await retention.removeNumbers(at, at)) > 0);
  while ((await retention.removeTexts(at, at)) > 0);
  while ((await retention.removeBodies(at)) > 0);
  while ((await retention.removeAnswers(at)) > 0);
  while ((await retention.giveBack()) > 0);
  await audiences.sweepUnused(at);
  const id = `A-${life}-old`;
  await audiences.begin({ id, source: 'file', columns: [], createdBy: 'U', createdAt: 1 });
  await audiences.finish(id, { read: 0, valid: 0, invalid: 0, duplicate: 0, opted_out: 0 }, 'd');
  await audiences.sweepOld(at);
}
