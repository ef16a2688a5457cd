import type { Clock } from '../../src/core/clock.ts';
import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Recipient } from '../../src/messages/submission.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import type { RecipientRow, RecipientState, Send, SendState } from '../../src/sends/send.ts';
import { CAME_TO_NOTHING, SEND_CHANGES } from '../../src/sends/states.ts';

/** What became of a request at the service. */
export type Fate = 'taken' | 'lost' | 'refused' | 'none';

export const BEGAN = Date.UTC(2026, 0, 5, 8, 0);
const TIER = { over: 6, approvals: 2 };
/** One approval over two recipients, two over six; requests expire after six minutes. */
export const POLICY = {
  ...{ approvers: ['S0MANAGERS'], over: 2, tiers: [TIER] },
  ...{ expireHours: 0.1, lateAfterMinutes: 3 },
};
/** Promotions wait from three to six minutes after a world began. */
export const QUIET_HOURS = [{ country: 'IN', types: ['PROMO'], from: '08:03', to: '08:06', timezone: 'UTC' }];
const isQuietAt = (at: number) => at >= BEGAN + 180_000 && at < BEGAN + 360_000;

const MOST_SENDS = 1_000;
const CANARIES = 5;
/** Said of those whom the only process would not have found by itself. Of several one may keep them to try them again. */
const LEFT_LYING = 'nobody attempted';
const FINAL: ReadonlySet<RecipientState> = new Set([
  'accepted',
  'rejected',
  'not_sent',
  'unknown',
  'skipped',
]);

/** How many people must approve, reckoned here once more. */
function neededFor(recipients: number): number {
  if (recipients <= POLICY.over) return 0;
  return recipients <= TIER.over ? 1 : TIER.approvals;
}

/**
 * What must hold whatever happens. The rules look at the store without the steps of a process, and keep a record of their
 * own of what the service got and of who clicked with the right to.
 */
export function createRules(store: () => SendStore, clock: Clock, replicas: number) {
  const broken: string[] = [];
  /** By send and row: every request that the service may have read. */
  const reached = new Map<string, Fate[]>();
  const claimedFor = new Map<string, RecipientRow>();
  const permitted = new Map<string, Set<string>>();
  /** Who was said to be an approver, since somebody's role changed last. */
  const confirmed = new Set<string>();
  /** With the claim that was there already: it may be on its way. */
  const optedOut = new Map<string, RecipientRow | undefined>();
  const states = new Map<string, SendState>();
  const settled = new Map<string, RecipientState>();
  /** How often each send was started or gone on with, after a pause for example. */
  const starts = new Map<string, number>();
  let kills = 0;
  let requests = 0;

  const wrong = (what: string) => void broken.push(what);
  const sends = async () => (await store().list({ limit: MOST_SENDS })).toReversed();
  const keyOf = ({ sendId, row }: Pick<RecipientRow, 'sendId' | 'row'>) => `${sendId}/${row}`;

  async function chainOf(id: string): Promise<readonly Send[]> {
    const send = await store().find(id);
    if (send === undefined) return [];
    return [send, ...(send.retryOf === undefined ? [] : await chainOf(send.retryOf))];
  }

  /** Right before the first byte. */
  async function requested(message: Message, recipients: readonly Recipient[], fate: Fate): Promise<void> {
    requests += 1;
    // Now: while the database is asked, time may pass.
    const at = clock.now();
    for (const { number } of recipients) {
      const claimed = claimedFor.get(number);
      if (claimed === undefined) return wrong(`${number} got a request that nobody had claimed`);
      const of = `${keyOf(claimed)} to ${number}`;
      const before = reached.get(keyOf(claimed)) ?? [];
      if (before.length > 0) wrong(`${of} was asked for again after “${before.join()}”`);
      if (fate !== 'none') reached.set(keyOf(claimed), [...before, fate]);
      const send = await store().find(claimed.sendId);
      if (send === undefined) return wrong(`${of} is of no send`);
      const [row] = await store().recipients(send.id, claimed.row - 1, 1);
      if (row?.state !== 'attempting') wrong(`${of} was ${row?.state} on disk when its request began`);
      if (JSON.stringify(send.message) !== JSON.stringify(message)) wrong(`${of} got another message`);
      if (optedOut.has(number) && optedOut.get(number) !== claimed) wrong(`${of} had opted out`);
      if (send.audience !== undefined && (send.startAt ?? 0) > at) wrong(`${of} was before its start`);
      if (message.kind === 'sms' && message.type === 'PROMO' && isQuietAt(at))
        wrong(`${of} was in quiet hours`);
      if (send.audience !== undefined) await mustBeApproved(send, of);
      if (send.audience !== undefined && send.recipientCount > CANARIES) await mustBePassed(send, of);
    }
  }

  /** Whoever goes on after a pause or a crash starts with canaries of its own. */
  async function mustBePassed({ id }: Send, of: string): Promise<void> {
    if (kills > 0 || starts.get(id) !== 1) return;
    const tried = (await store().recipients(id)).filter(
      ({ state }) => FINAL.has(state) && state !== 'skipped',
    );
    if (tried.length >= CANARIES && tried.every(({ state }) => state === 'rejected'))
      wrong(`${of} was asked for after ${tried.length} others were all rejected`);
  }

  async function mustBeApproved(send: Send, of: string): Promise<void> {
    // Whoever was left out before it was sealed did not count.
    const leftOut = send.survey?.recipients ?? send.recipientCount;
    const rightly = permitted.get(send.id) ?? new Set();
    const noted = (await store().approvals(send.id)).filter(({ userId }) => rightly.has(userId));
    if (noted.length < neededFor(leftOut))
      wrong(`${of} had ${noted.length} of ${neededFor(leftOut)} approvals`);
  }

  /** The store, with what the rules learn from: whom a claim is for, and who was asked before a start. */
  function watched(real: SendStore): SendStore {
    const noted = async (rows: Promise<readonly RecipientRow[]>) => {
      const claimed = await rows;
      for (const row of claimed) claimedFor.set(row.number, row);
      return claimed;
    };
    return {
      ...real,
      claim: (...given) => noted(real.claim(...given)),
      claimAgain: (...given) => noted(real.claimAgain(...given)),
      moveSend: async (change) => {
        const before = await real.find(change.sendId);
        const moved = await real.moveSend(change);
        if (moved && change.to === 'sending') starts.set(change.sendId, (starts.get(change.sendId) ?? 0) + 1);
        if (moved && change.to === 'sending' && before?.audience !== undefined) await started(before);
        return moved;
      },
    };
  }

  async function started(send: Send): Promise<void> {
    const touched = send.recipientCount - send.counts.pending - send.counts.skipped;
    if (touched > 0) return;
    const standing = (await store().approvals(send.id)).filter(({ userId }) => confirmed.has(userId));
    const needed = neededFor(send.survey?.recipients ?? send.recipientCount);
    if (standing.length < needed)
      wrong(`${send.id} started with ${standing.length} of ${needed} who are approvers still`);
  }

  /** States move as the tables say, the counts add up, and what is settled stays so. */
  async function observe(): Promise<void> {
    for (const send of await sends()) {
      const { id, state, counts, recipientCount } = send;
      const before = states.get(id) ?? 'draft';
      if (!reachable(SEND_CHANGES, before).has(state)) wrong(`${id} went from ${before} to ${state}`);
      states.set(id, state);
      const rows = await store().recipients(id);
      for (const [name, count] of Object.entries(counts)) {
        const found = rows.filter((row) => row.state === name).length;
        if (found !== count) wrong(`${id} counts ${count} ${name}, and has ${found}`);
      }
      if (state !== 'draft' && rows.length !== recipientCount)
        wrong(`${id} has ${rows.length} recipients of ${recipientCount}`);
      if (state === 'done' && counts.pending + counts.attempting > 0) wrong(`${id} is done, and is not`);
      for (const row of rows) {
        const was = settled.get(keyOf(row));
        if (was !== undefined && was !== row.state) wrong(`${keyOf(row)} was ${was}, and is ${row.state}`);
        if (FINAL.has(row.state)) settled.set(keyOf(row), row.state);
        if (CAME_TO_NOTHING.includes(state) && reached.has(keyOf(row)))
          wrong(`${keyOf(row)} was sent to, and ${id} is ${state}`);
      }
      const rightly = permitted.get(id) ?? new Set();
      for (const { userId } of await store().approvals(id))
        if (!rightly.has(userId)) wrong(`${userId} approved ${id} without the right`);
    }
    check();
  }

  /** At the end nobody is lost or was left lying, and what is said of everybody is true. */
  async function judge(logged: readonly string[]): Promise<void> {
    if (kills === 0 && replicas === 1 && logged.some((line) => line.includes(LEFT_LYING)))
      wrong('some were left lying');
    const all = await sends();
    const arrived = new Map<string, number>();
    const allowed = new Map<string, number>();
    for (const { id, retryGroup } of all)
      for (const row of await store().recipients(id)) {
        const { number, state } = row;
        const [fate = 'none'] = reached.get(keyOf(row)) ?? [];
        const isRefusedHere = state === 'rejected' && fate === 'none' && optedOut.has(number);
        if (!TRUE_OF[fate].has(state) && !isRefusedHere)
          wrong(`${keyOf(row)} is ${state}, and at the service ${fate}`);
        if (fate === 'taken' || fate === 'lost') arrived.set(number, (arrived.get(number) ?? 0) + 1);
        const more = retryGroup === undefined || retryGroup === 'unknown' ? 1 : 0;
        allowed.set(number, (allowed.get(number) ?? 0) + more);
      }
    for (const [number, times] of arrived)
      if (times > (allowed.get(number) ?? 0)) wrong(`${number} got ${times} messages`);
    const retries = Map.groupBy(
      all.filter(({ retryOf, state }) => retryOf !== undefined && !CAME_TO_NOTHING.includes(state)),
      ({ retryOf, retryGroup }) => `${retryOf} ${retryGroup}`,
    );
    for (const [of, some] of retries) if (some.length > 1) wrong(`${of} has ${some.length} retries`);
    check();
  }

  function check(): void {
    if (broken.length > 0) throw new Error([...new Set(broken)].join('\n'));
  }

  return {
    watched,
    requested,
    observe,
    judge,
    check,
    wrong,
    sends,
    permit: (id: string, userId: string) => permitted.set(id, (permitted.get(id) ?? new Set()).add(userId)),
    confirmed: (userId: string, is: boolean) => void (is ? confirmed.add(userId) : confirmed.delete(userId)),
    forget: (userId: string) => confirmed.delete(userId),
    killed: () => {
      kills += 1;
    },
    optedOut: (number: Msisdn) => optedOut.set(number, claimedFor.get(number)),
    requesters: async (id: string) => (await chainOf(id)).map(({ origin }) => origin.userId),
    /** Sends to which something can happen still without a person, or because nobody did anything in time. */
    unfinished: async (mayExpire: boolean) =>
      (await sends()).filter(
        ({ state, resumeAt }) =>
          SEND_CHANGES[state].length > 0 &&
          !(state === 'paused' && resumeAt === undefined) &&
          !(state === 'awaiting_approval' && !mayExpire),
      ),
    requests: () => requests,
  };
}

/** What may be said of somebody, by what the service knows. */
const TRUE_OF: Readonly<Record<Fate, ReadonlySet<RecipientState>>> = {
  taken: new Set(['accepted', 'unknown']),
  lost: new Set(['unknown']),
  refused: new Set(['rejected', 'unknown']),
  none: new Set(['pending', 'not_sent', 'unknown', 'skipped']),
};

function reachable(changes: typeof SEND_CHANGES, from: SendState): ReadonlySet<SendState> {
  const found = new Set([from]);
  for (const state of found) for (const next of changes[state]) found.add(next);
  return found;
}
