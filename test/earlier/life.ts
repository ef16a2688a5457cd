import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import type { Alert, AlertEvent } from '../../src/sends/alerts/alert.ts';
import type { Failure, Settlement } from '../../src/sends/outcome.ts';
import { kindOfMark } from '../../src/sends/posts.ts';
import type { SendState } from '../../src/sends/send.ts';
import type { Stores } from '../../src/store/stores.ts';
import { showAll, showAnswers } from '../store/shown.ts';
import { bulkSend, listed, oneSend } from '../store/steps.ts';

/*
 * What a version leaves: a send in each state, recipients in each state, and a row in every other table. It is packed
 * once (pack.ts), and what later versions make of it is looked at (upgrade.test.ts).
 */
export const AT = Date.UTC(2026, 0, 1);
/** The moves by which a send comes to each state after it was sealed; one that has no list is never sealed. */
export const WAYS: Readonly<Record<SendState, readonly SendState[] | undefined>> = {
  draft: undefined,
  awaiting_approval: ['awaiting_approval'],
  rejected: ['awaiting_approval', 'rejected'],
  expired: ['awaiting_approval', 'expired'],
  cancelled: ['awaiting_approval', 'cancelled'],
  approved: ['approved'],
  scheduled: ['approved', 'scheduled'],
  sending: ['approved', 'sending'],
  paused: ['approved', 'sending', 'paused'],
  stopped: ['approved', 'sending', 'stopped'],
  done: ['approved', 'sending'],
};
/** Of each send; one more is left out from the start. */
export const ROWS = 6;
export const CUSTOMER = '+919812300000' as Msisdn;
export const WORDS = 'Asha “the first” 🛵';
export const TEMPLATE: Template = {
  name: 'order_update',
  channel: 'chatapp',
  variant: 'text',
  label: 'Order “update” 🛵',
  languages: ['en', 'hi'],
  placeholders: [{ name: 'customer', example: 'Asha' }],
  text: 'Hello {{1}}.',
  cards: 0,
};
export const FAILURE: Failure = { what: 'It was refused.', next: 'Look at it.', scope: 'recipient' };

export const sendIn = (state: SendState) => `S-${state}`;
export const numberOf = (row: number) => `+9198123${String(row).padStart(5, '0')}` as Msisdn;

export async function leaveEverything(stores: Stores): Promise<void> {
  await stores.sends.stopRestored(FAILURE, AT);
  for (const state of Object.keys(WAYS) as SendState[]) {
    await leaveSend(stores, state);
    // Of some the ids are in the index, of those that follow not.
    if (state === 'sending') await stores.replies.indexIds();
  }
  await leaveOneSend(stores);
  await leaveLists(stores);
  await leaveReplies(stores);
  await leaveAlerts(stores);
  await leaveNotes(stores);
  const place = { channelId: 'C', ts: '2' };
  const isAnswer = (mark: string) => kindOfMark(mark) === 'reply';
  await showAll(stores.posts, AT, (mark) => (isAnswer(mark) ? undefined : { place, digest: 'd' }));
}

async function leaveSend({ sends }: Stores, state: SendState): Promise<void> {
  const sendId = sendIn(state);
  const [by, digest] = [{ at: AT, actor: 'U' }, `digest of ${sendId}`];
  await sends.begin({
    ...bulkSend(sendId),
    createdAt: AT,
    audience: { id: `A-${state}`, columns: ['name'] },
  });
  const recipients = Array.from({ length: ROWS }, (_, row) => ({
    row,
    number: numberOf(row),
    values: [WORDS],
  }));
  const leftOut = { row: ROWS, number: numberOf(ROWS), values: [''], skipped: FAILURE };
  await sends.addRecipients(sendId, [...recipients, leftOut]);
  const [sealed, ...moves] = WAYS[state] ?? [];
  if (sealed === undefined) return;
  const to = sealed === 'approved' ? sealed : 'awaiting_approval';
  const approval = { needed: 2, expiresAt: AT + 1 };
  await sends.seal({ sendId, digest, to, ...by, ...(to === 'awaiting_approval' && { approval }) });
  if (to === 'awaiting_approval') {
    await sends.approve({ sendId, userId: 'V', digest, at: AT });
  }
  for (const [n, move] of moves.entries()) {
    const from = moves[n - 1] ?? to;
    if (from === 'sending') await settleSome(sends, sendId);
    await sends.moveSend({ sendId, from, to: move, ...by, reason: FAILURE });
  }
  if (state === 'sending') await settleSome(sends, sendId);
  if (state === 'done') await settleAll(sends, sendId);
}

/** Leaves one recipient `attempting`, and one to be claimed. */
async function settleSome(sends: Stores['sends'], sendId: string): Promise<void> {
  await sends.claim(sendId, 5, AT);
  const failure = { ...FAILURE, explanation: 'No route.' };
  const settled = { sendId, settledAt: AT };
  await sends.settle([
    accepted(sendId, 0),
    { ...settled, row: 1, outcome: { state: 'rejected', failure } },
    { ...settled, row: 2, outcome: { state: 'not_sent', failure, retry: { kind: 'never' } } },
    { ...settled, row: 3, outcome: { state: 'unknown', failure } },
  ]);
}

async function settleAll(sends: Stores['sends'], sendId: string): Promise<void> {
  const claimed = await sends.claim(sendId, ROWS, AT);
  const [shared, ...own] = claimed.filter(({ row }) => row !== 1).map(({ row }) => accepted(sendId, row));
  await sends.settle(shared === undefined ? [] : [{ ...shared, last: 1 }, ...own]);
}

function accepted(sendId: string, row: number): Settlement {
  const messageId = `m-${sendId}-${row}`;
  return { sendId, row, settledAt: AT, outcome: { state: 'accepted', status: 200, messageId } };
}

async function leaveOneSend({ sends }: Stores): Promise<void> {
  const one = oneSend('S-ONE');
  await sends.create({ ...one, createdAt: AT, origin: { ...one.origin, threadTs: '7' } });
}

async function leaveLists({ audiences, templates, drafts }: Stores): Promise<void> {
  await audiences.begin({ id: 'A-KEPT', source: 'file', columns: ['name'], createdBy: 'U', createdAt: AT });
  const excluded = { row: 2, value: 'nobody', cause: 'invalid', reason: 'It is no number.' } as const;
  await audiences.append('A-KEPT', listed({ row: 1, number: CUSTOMER, values: [WORDS] }), [excluded]);
  await audiences.finish('A-KEPT', { read: 2, valid: 1, invalid: 1, duplicate: 0, opted_out: 0 }, 'd');
  await audiences.save('A-KEPT', 'Regulars');
  const optOut = { at: AT, actor: 'U', source: 'command' } as const;
  await audiences.optOut([1, 2].map((row) => ({ number: numberOf(ROWS + row), ...optOut })));
  await audiences.optIn(numberOf(ROWS + 2), { at: AT, actor: 'U', number: '…10' });
  await templates.write([{ template: TEMPLATE, archived: false, action: 'added', expected: 0 }], {
    ...{ at: AT, actor: 'U', source: 'form' },
  });
  await drafts.save({ owner: 'U', kind: 'sms', name: 'Monday', values: { text: WORDS }, savedAt: AT });
}

async function leaveReplies({ replies, posts, conversations, inputs }: Stores): Promise<void> {
  const webhook = { receivedAt: AT, body: 'e30=', sender: CUSTOMER };
  await replies.keep([{ ...webhook, digest: 'read' }], 0);
  const [read] = await replies.waiting(AT, 1);
  const sendId = sendIn('done');
  const from = { from: CUSTOMER };
  const [tap, words] = [
    {
      ...{ key: 'tap', sendId, label: 'Yes', optedOut: false },
      event: { kind: 'reply', replyId: 'yes', title: 'Yes', ...from },
    },
    { key: 'words', sendId, optedOut: false, askedAt: AT, event: { kind: 'text', text: WORDS, ...from } },
  ] as const;
  const reported = { sendId, at: AT } as const;
  const deliveries = [
    { ...reported, row: 0, status: 'delivered' },
    { ...reported, row: 1, status: 'failed', failure: { ...FAILURE, explanation: 'No route.' } },
  ] as const;
  const webhookId = read?.id ?? -1;
  await replies.record([{ webhookId, events: [tap], deliveries: [], again: AT }]);
  await showAnswers({ posts, replies }, AT, { place: { channelId: 'C', ts: '8' }, threadTs: '2' });
  await replies.record([{ webhookId, events: [words], deliveries }]);
  await conversations.claimHint({ channelId: 'C', threadTs: '2' }, 'U');
  await replies.keep([{ ...webhook, digest: 'waiting' }], 0);
  await inputs.begin('webhook', ['5']);
}

async function leaveAlerts({ alerts }: Stores): Promise<void> {
  const place = { channelId: 'C', ts: '1', threadTs: '1' };
  const told = { text: WORDS, receivedAt: AT };
  const event: AlertEvent = { ...place, ...told, eventId: 'E', kind: 'posted', eventTs: '1', author: {} };
  await alerts.keep([event]);
  const alert: Alert = {
    ...{ ...place, ...told, id: 'L-1', rule: 'disk', fingerprint: 'f', title: 'Disk', postedAt: AT },
    ...{ state: 'open', repeats: 0 },
    steps: [{ kind: 'alert', state: 'waiting', groups: [], dueAt: AT, people: [] }],
  };
  const { version } = await alerts.state({ recent: 0, openSince: 0, ids: [] });
  const events = (await alerts.waiting(1)).map(({ id }) => ({
    id,
    decisions: [{ rule: 'disk', what: 'sent' }] as const,
  }));
  await alerts.commit(version, { events, alerts: [alert], rules: [{ rule: 'disk' }] }, AT);
  await alerts.keep([{ ...event, eventId: 'E-2', ts: '2' }]);
  await alerts.putNumber({ userId: 'U', number: CUSTOMER, at: AT, by: 'U' });
}

async function leaveNotes({ notices, notes, sharing }: Stores): Promise<void> {
  await notices.begin({ name: 'disk', what: 'The disk is full.', since: AT });
  await notes.put('key', 1, 1_000);
  await sharing.isLeader('remove_old');
  await sharing.channels?.slowDown('sms', 1);
}
