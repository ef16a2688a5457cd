import { given } from '../../src/core/given.ts';
import type { SmsMessage } from '../../src/messages/kinds/sms.ts';
import { CHANNELS, type Message } from '../../src/messages/kinds.ts';
import { type Msisdn, parsePhoneNumber } from '../../src/messages/numbers/phone-number.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import type { Audience } from '../../src/sends/audience.ts';
import type { Audiences } from '../../src/sends/audiences/service.ts';
import type { BulkSends } from '../../src/sends/bulk/service.ts';
import type { BulkResult, Refusal } from '../../src/sends/bulk.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import type { ApprovalResult, SendStore } from '../../src/sends/ports.ts';
import type { Send, SendState, Survey } from '../../src/sends/send.ts';
import type { CardSettings } from '../../src/slack/kit/services.ts';
import type { ShownProgress } from '../../src/slack/results/progress/card.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import type { Memory } from '../../src/store/stores.ts';
import { only } from '../fakes/only.ts';

export const ASKED_AT = Date.UTC(2026, 0, 5, 8, 0);
export const SEND_ID = 'S-7K2M9QX4TB';
export const DIGEST = 'd'.repeat(64);

/** What cards go by where a test says nothing else. */
export const CARD_SETTINGS: CardSettings = {
  prices: undefined,
  pacing: CHANNELS,
  quietHours: () => undefined,
  approvers: [],
};

export function numberOf(text: string): Msisdn {
  const parsed = parsePhoneNumber(text, undefined);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

const INVITATION: SmsMessage = {
  kind: 'sms',
  sender: 'ACMEIN',
  text: 'Hello {{name}}, we <open> at 8 & you are invited.',
  type: 'PROMO',
  unicode: false,
  campaignName: 'Spring',
};

export const AUDIENCE: Audience = {
  id: 'A-1',
  name: 'Newsletter',
  source: 'file',
  fileName: 'list.csv',
  columns: ['name'],
  numberColumn: 'phone',
  counts: { read: 9, valid: 4, duplicate: 2, opted_out: 2, invalid: 1 },
  digest: 'a',
  createdBy: 'U0ASHA',
  createdAt: ASKED_AT,
};
/** The lists there are: this one. */
export const LISTS = only<Audiences>({ find: async () => AUDIENCE });

/** Why one recipient got nothing, or perhaps did. */
function failureOf(what: string, next: string, code?: string): Failure {
  return { ...given({ code }), what, next, scope: 'recipient' };
}

const OPTED_OUT = failureOf('This number has opted out since.', 'There is nothing to do.');
const REJECTED = failureOf('The service refused a parameter.', 'Check the values.', '131009');
const UNKNOWN = failureOf('The connection broke off.', 'Ask the recipient.');

export function openStore(): SendStore {
  return openStores().sends;
}

export function openStores(): Memory {
  const database = openDatabase(':memory:');
  if (!database.ok) throw new Error(database.error);
  return createSqliteStores(database.value);
}

const PEOPLE: NonNullable<Prepared['people']> = [
  { number: '+919812345670', values: ['Gone'], skipped: OPTED_OUT },
  { number: '+919812345671', values: ['Asha'] },
  { number: '+919812345672', values: ['=HYPERLINK("x")'] },
  { number: '+6591234567', values: ['Mei'] },
];

export interface Prepared {
  readonly retry?: Required<Pick<Send, 'retryOf' | 'retryGroup'>>;
  readonly id?: string;
  readonly needed?: number;
  readonly to?: 'awaiting_approval' | 'approved';
  readonly at?: number;
  readonly startAt?: number;
  readonly userId?: string;
  readonly message?: Message;
  readonly template?: Template;
  readonly columns?: readonly string[];
  /** In rows from 2. */
  readonly people?: readonly {
    readonly number: string;
    readonly values: readonly string[];
    readonly skipped?: Failure;
  }[];
  readonly survey?: Survey;
  readonly approvalOver?: number;
  readonly note?: string;
  readonly replaces?: string;
}

/** A send to four people, one of whom has opted out meanwhile, sealed and waiting for approval. */
export async function prepare(
  store: SendStore,
  {
    id = SEND_ID,
    needed = 1,
    to = 'awaiting_approval',
    at = ASKED_AT,
    userId = 'U0ASHA',
    retry,
    message = INVITATION,
    columns = AUDIENCE.columns,
    people = PEOPLE,
    survey,
    ...kept
  }: Prepared = {},
): Promise<Send> {
  await store.begin({
    id,
    kind: message.kind,
    message,
    origin: { teamId: 'T0ACME', userId, channelId: 'C0TEAM' },
    createdAt: at,
    requestKey: id,
    audience: { id: AUDIENCE.id, label: 'Newsletter', columns },
    ...given(kept),
    ...retry,
  });
  await store.addRecipients(
    id,
    people.map(({ number, values, skipped }, index) => ({
      row: index + 2,
      number: numberOf(number),
      values,
      ...(skipped && { skipped }),
    })),
  );
  const approval = { needed, expiresAt: at + 24 * 3_600_000 };
  await store.seal({
    sendId: id,
    digest: DIGEST,
    ...(survey && { survey }),
    to,
    at,
    actor: userId,
    ...(to === 'approved' ? {} : { approval }),
  });
  return found(store, id);
}

export async function found(store: SendStore, id = SEND_ID): Promise<Send> {
  const send = await store.find(id);
  if (send === undefined) throw new Error(`There is no send ${id}.`);
  return send;
}

interface Move {
  readonly id?: string;
  readonly actor?: string;
  readonly at?: number;
  readonly reason?: Failure;
  readonly resumeAt?: number;
}

/** Moves a send along, as the domain would. */
export async function move(
  store: SendStore,
  to: SendState,
  { id = SEND_ID, actor = 'U0RAVI', at = ASKED_AT + 60_000, ...why }: Move = {},
): Promise<Send> {
  const { state, activeAt } = await found(store, id);
  const moved = await store.moveSend({ sendId: id, from: state, activeAt, to, at, actor, ...given(why) });
  if (!moved) throw new Error(`${id} could not move from ${state} to ${to}.`);
  return found(store, id);
}

/** Sends to the three that are left: accepted, rejected, and one of whom nobody knows. The send is done then. */
export async function finish(store: SendStore, id = SEND_ID): Promise<Send> {
  await store.claim(id, 10, ASKED_AT + 61_000);
  const settledAt = ASKED_AT + 62_000;
  await store.settle([
    { sendId: id, row: 3, outcome: { state: 'accepted', status: 200, messageId: 'm-1' }, settledAt },
    { sendId: id, row: 4, outcome: { state: 'rejected', failure: REJECTED }, settledAt },
    { sendId: id, row: 5, outcome: { state: 'unknown', failure: UNKNOWN }, settledAt },
  ]);
  return found(store, id);
}

export async function progressOf(store: SendStore, id = SEND_ID): Promise<ShownProgress> {
  return { send: await found(store, id), perSecond: 0, failures: await store.failures(id) };
}

type Click = Readonly<Record<'sendId' | 'userId', string>>;

/** Decides as plainly as can be, and remembers what it was asked. */
export class FakeBulkSends implements Omit<BulkSends, 'request' | 'review' | 'leftOut'> {
  readonly calls: (readonly [string, object])[] = [];
  /** The next answers, instead of what is right. */
  readonly refusals: Refusal[] = [];
  store: SendStore;
  retries: BulkResult[] = [];

  constructor(store: SendStore) {
    this.store = store;
  }

  async approve(by: Parameters<BulkSends['approve']>[0]): Promise<ApprovalResult | Refusal> {
    this.calls.push(['approve', by]);
    const { sendId, userId, digest } = by;
    return this.refusals.shift() ?? this.store.approve({ sendId, userId, digest, at: ASKED_AT + 30_000 });
  }
  reject = (by: Parameters<BulkSends['reject']>[0]) =>
    this.#change('reject', by, 'rejected', { what: by.reason, next: 'Change it.', scope: 'send' });
  withdraw = (by: Click) => this.#change('withdraw', by, 'cancelled');
  pause = (by: Click) => this.#change('pause', by, 'paused');
  resume = (by: Click) => this.#change('resume', by, 'sending');
  stop = (by: Click) => this.#change('stop', by, 'stopped');

  async retry(by: Parameters<BulkSends['retry']>[0]): Promise<BulkResult> {
    this.calls.push(['retry', by]);
    const answer = this.retries.shift();
    if (answer === undefined) throw new Error('No answer was prepared.');
    return answer;
  }
  async #change(name: string, by: Click, to: SendState, reason?: Failure): Promise<Send | Refusal> {
    this.calls.push([name, by]);
    const refusal = this.refusals.shift();
    if (refusal) return refusal;
    return move(this.store, to, given({ id: by.sendId, actor: by.userId, reason }));
  }
}
