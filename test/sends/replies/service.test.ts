import { describe, expect, test, vi } from 'vitest';
import { decodeWebhook } from '../../../src/gateway/webhooks/decode.ts';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { CUSTOMER, createRepliesSetting, SEND_ID, startedReplies } from './setting.ts';

const ORIGIN = { teamId: 'T', userId: 'U', channelId: 'C' };
const text = (body: string, id = 'in-1') => ({ from: CUSTOMER, id, text: { body } });
type Setting = ReturnType<typeof createRepliesSetting>;
const saidIn = ({ told }: Setting) => told.flatMap(({ events }) => events);

/** These come one after the other; five seconds later whatever is due is done. */
async function posted(setting: Setting, ...bodies: readonly unknown[]): Promise<void> {
  for (const body of bodies) await setting.post(body);
  await setting.clock.advance(5_000);
}

const wordsOf = ({ told }: Setting) =>
  told.map(({ sendId, events }) => [
    sendId,
    ...events.map(({ event }) => ('text' in event ? event.text : event.kind)),
  ]);

test('what is kept is told once, also by the process after a crash', async () => {
  const setting = createRepliesSetting();
  await setting.sent('m-1');
  await setting.post(text('Hello'));
  expect(wordsOf(setting)).toEqual([]);
  setting.stop.abort();
  const second = setting.again();
  second.replies.start();
  await setting.clock.advance(5_000);
  expect(wordsOf(setting)).toEqual([[SEND_ID, 'Hello']]);
  second.stop.abort();
  await second.replies.drained();
  const third = setting.again();
  third.replies.start();
  await setting.clock.advance(60_000);
  expect(wordsOf(setting)).toHaveLength(1);
});

test('repetitions of a body, and of an event in another body, are one', async () => {
  const setting = await startedReplies('m-1');
  await posted(setting, text('Hello'), text('Hello'));
  await posted(setting, { messages: [text('Hello'), text('Hello again', 'in-2')] });
  expect(wordsOf(setting)).toEqual([
    [SEND_ID, 'Hello'],
    [SEND_ID, 'Hello again'],
  ]);
  expect(setting.counted.toSorted()).toEqual([
    ...['kept', 'kept', 'repeated', 'text matched', 'text matched', 'text matched'],
  ]);
});

test('a tap finds its send by the reference, by the message, or by the number', async () => {
  const setting = await startedReplies('m-1');
  const other = '+6591234567';
  await posted(
    setting,
    { from: other, id: '1', reply: { id: `yes~${SEND_ID}`, title: 'Yes' } },
    { from: other, id: '2', context: { id: 'm-1' }, reply: { id: 'yes', title: 'Yes' } },
    { from: CUSTOMER, id: '3', reply: { id: 'no', title: 'No' } },
    { from: other, id: '4', reply: { id: 'yes~S-0000000000', title: 'Yes' } },
  );
  await setting.clock.advance(5_000);
  const matched = setting.told.flatMap(({ sendId, events }) =>
    events.map(({ event }) => [event.eventId, sendId]),
  );
  expect(matched).toEqual([
    ['1', SEND_ID],
    ['2', SEND_ID],
    ['3', SEND_ID],
    ['4', undefined],
  ]);
  expect((await setting.store.summary(SEND_ID)).tally).toEqual([
    { label: 'No', count: 1 },
    { label: 'Yes', count: 1 },
  ]);
});

function withButtons(...buttons: { id: string; proposed: boolean; title: string }[]): Message {
  const action = { type: 'button', buttons } as const;
  return { kind: 'interactive', from: CUSTOMER, body: 'Come?', action };
}

test('a tap that carries its id alone shows and counts as the stored button, and can ask for no more messages', async () => {
  const setting = createRepliesSetting();
  const yes = { id: `yes~${SEND_ID}`, proposed: true, title: 'Yes, please' };
  await setting.sent('m-1', withButtons(yes, { id: 'visit-stop', proposed: false, title: 'Stop' }));
  setting.replies.start();
  await posted(
    setting,
    { from: '+6591234567', 'reply.id': `yes~${SEND_ID}` },
    { from: CUSTOMER, reply: { id: `yes~${SEND_ID}`, title: 'YES, PLEASE' } },
    { from: CUSTOMER, reply: { id: 'visit-stop' } },
    { from: CUSTOMER, reply: { id: 'unheard-of' } },
  );
  await setting.clock.advance(5_000);
  const told = saidIn(setting);
  expect(told.map(({ event }) => 'title' in event && event.title)).toEqual([
    ...['Yes, please', 'YES, PLEASE', 'Stop', false],
  ]);
  expect(told.map(({ label, optedOut }) => [label, optedOut])).toEqual([
    ['Yes, please', false],
    ['Yes, please', false],
    ['Stop', true],
    ['unheard-of', false],
  ]);
  expect(await setting.audiences.findOptOut(CUSTOMER)).toBeDefined();
});

test('a report that comes before its message is known is looked at again', async () => {
  const setting = createRepliesSetting();
  await setting.sent();
  setting.replies.start();
  await setting.post({ id: 'm-9', status: 'delivered', recipient_id: CUSTOMER });
  await setting.clock.advance(1_000);
  expect((await setting.store.summary(SEND_ID)).delivered).toBe(0);
  await setting.settle('m-9');
  await setting.clock.advance(5_000);
  expect((await setting.store.summary(SEND_ID)).delivered).toBe(1);
  await setting.post({ id: 'nobody-s', status: 'delivered', recipient_id: CUSTOMER });
  await setting.clock.advance(120_000);
  expect(setting.counted).toEqual(['kept', 'report matched', 'kept', 'report unmatched']);
  expect(await setting.store.nextDue()).toBeUndefined();
  expect(setting.told).toEqual([]);
});

test.each([
  ['a text', text(' Stop! ')],
  ['a text in another language', text('बंद')],
  ['a button', { from: CUSTOMER, id: '5', reply: { id: 'x', title: 'STOP' } }],
  ['a service’s own word', { senderPhoneNumber: CUSTOMER, eventType: 'UNSUBSCRIBE', eventId: 'e-1' }],
])('%s puts the number on the opt-out list, and people are told', async (_, body) => {
  const setting = await startedReplies('m-1');
  const at = setting.clock.now();
  await posted(setting, body);
  const optOut = { number: CUSTOMER, at, actor: 'herald', source: 'reply' };
  expect(await setting.audiences.findOptOut(CUSTOMER)).toEqual(optOut);
  expect(saidIn(setting).map(({ optedOut }) => optedOut)).toEqual([true]);
});

test.each([
  ['+525512345678', '5215512345678'],
  ['+5511987654321', '551187654321'],
  ['+541123456789', '5491123456789'],
  ['+919820011224', '09820011224'],
])('%s is left alone when STOP comes from %s', async (number, from) => {
  const setting = await startedReplies();
  await posted(setting, { from, text: 'STOP' });
  const asked = [number as Msisdn];
  expect(await setting.audiences.optedOut(asked)).toEqual(new Set(asked));
});

test('an opt-out is in force when its webhook is answered, whatever waits to be processed', async () => {
  const setting = createRepliesSetting();
  await setting.sent('m-1', withButtons({ id: 'stop', proposed: false, title: 'Stop' }));
  const [texts, taps] = ['+6591234567', '+6591234568'] as Msisdn[];
  await setting.post({ from: texts, text: 'STOP' });
  await setting.post({ from: taps, reply: { id: 'x', title: 'STOP' } });
  await setting.post({ from: CUSTOMER, reply: { id: 'stop' } });
  const all = [texts, taps, CUSTOMER] as Msisdn[];
  expect(await setting.audiences.optedOut(all)).toEqual(new Set(all));
  // Whoever is taken off the list before that is processed stays off it.
  await setting.audiences.optIn(CUSTOMER, { at: 1, actor: 'U0ASHA', number: '…' });
  setting.replies.start();
  await setting.clock.advance(5_000);
  expect(saidIn(setting).map(({ optedOut }) => optedOut)).toEqual([true, true, true]);
  expect(await setting.audiences.findOptOut(CUSTOMER)).toBeUndefined();
});

test('what an earlier version kept and had no time for opts out as well', async () => {
  const setting = createRepliesSetting();
  const body = Buffer.from(JSON.stringify({ from: CUSTOMER, text: 'STOP' })).toString('base64');
  await setting.store.keep([{ digest: 'd', receivedAt: 1, body }], 1);
  setting.replies.start();
  await setting.clock.advance(5_000);
  expect(await setting.audiences.findOptOut(CUSTOMER)).toMatchObject({ at: 1, source: 'reply' });
});

test('an id that no request under way can explain is read once, and holds up no other report', async () => {
  const setting = createRepliesSetting();
  await setting.sent('m-1');
  await setting.store.indexIds();
  const reads = vi.spyOn(setting.store, 'findByMessageId');
  setting.replies.start();
  const foreign = { id: 'of-another-system', status: 'delivered', recipient_id: '6591234567' };
  const own = { id: 'm-1', status: 'delivered', recipient_id: CUSTOMER };
  await setting.post({ statuses: [foreign, own, { id: 'of-nobody', status: 'read' }] });
  await setting.clock.advance(1_000);
  expect((await setting.store.summary(SEND_ID)).delivered).toBe(1);
  await setting.clock.advance(120_000);
  expect(reads.mock.calls.map(([id]) => id)).toEqual(['of-another-system', 'm-1', 'of-nobody']);
});

test('what is known of a body is written at once, and the rest when its message is known', async () => {
  const setting = createRepliesSetting();
  await setting.sent();
  const other = '+6591234567' as Msisdn;
  await setting.sent('m-2', undefined, { id: 'S-2', recipients: [{ number: other }] });
  setting.replies.start();
  const report = (id: string) => ({ id, status: 'delivered' });
  await setting.post({ statuses: [report('m-1'), report('m-2')], messages: [text('STOP')] });
  await setting.clock.advance(1_500);
  expect(wordsOf(setting)).toEqual([[SEND_ID, 'STOP']]);
  expect(await setting.audiences.findOptOut(CUSTOMER)).toMatchObject({ source: 'reply' });
  await setting.settle('m-1');
  // An id without a number is found when it has come into the index.
  await setting.clock.advance(1_500);
  expect((await setting.store.summary('S-2')).delivered).toBe(1);
  await setting.clock.advance(10_000);
  expect((await setting.store.summary(SEND_ID)).delivered).toBe(1);
  expect((await setting.store.summary('S-2')).delivered).toBe(1);
  expect(wordsOf(setting)).toHaveLength(1);
  expect(setting.counted).toEqual(['kept', 'text matched', 'report matched', 'report matched']);
});

test('while messages are sent, a report without a number waits a moment for its id, and ids for nobody', async () => {
  const setting = createRepliesSetting();
  await setting.sent('m-1');
  await setting.sent(undefined, undefined, { id: 'S-2' });
  const indexing = vi.spyOn(setting.store, 'findByMessageId');
  setting.replies.start();
  await setting.clock.advance(100_000);
  await setting.post({ statuses: [{ id: 'm-1', status: 'delivered' }] });
  await setting.clock.advance(1_500);
  expect((await setting.store.summary(SEND_ID)).delivered).toBe(0);
  await setting.clock.advance(1_500);
  expect((await setting.store.summary(SEND_ID)).delivered).toBe(1);
  expect(indexing.mock.calls).toEqual([
    ['m-1', undefined, false],
    ['m-1', undefined, true],
  ]);
});

test('STOP, STOP, START, STOP and STOP within a day are three answers, though a service gives them no ids', async () => {
  const setting = await startedReplies();
  for (const word of ['STOP', 'STOP', 'START', 'STOP', 'STOP']) {
    await posted(setting, { from: CUSTOMER, text: word });
    if (word === 'START')
      await setting.audiences.optIn(CUSTOMER, { at: 1, actor: 'U0ASHA', number: CUSTOMER });
  }
  expect(wordsOf(setting).flat().filter(Boolean)).toEqual(['STOP', 'START', 'STOP']);
  expect(setting.counted.filter((one) => one === 'repeated')).toHaveLength(2);
  expect(await setting.audiences.findOptOut(CUSTOMER)).toBeDefined();
  await setting.audiences.optIn(CUSTOMER, { at: 1, actor: 'U0ASHA', number: CUSTOMER });
  // Without another word in between.
  await posted(setting, { from: CUSTOMER, text: 'STOP' });
  expect([wordsOf(setting).length, await setting.audiences.countOptOuts()]).toEqual([4, 1]);
});

test.each([
  ['a name for a sender', { from: 'a-customer', text: 'STOP' }],
  ['no sender at all', { id: '4', message: { text: 'Stop!' } }],
  ['escaped letters', '{"text":"\\u092c\\u0902\\u0926"}'],
  ['a form', 'sender=&keyword=STOP&time=1'],
  ['nothing but the word', 'STOP'],
])('a stop word with %s is told as one that nobody can obey', async (_, body) => {
  const setting = await startedReplies();
  const at = setting.clock.now();
  await posted(setting, body);
  expect(saidIn(setting).map(({ optedOut }) => optedOut)).toEqual([true]);
  expect(setting.notified).toEqual([
    { name: expect.stringMatching(/^stop:20\d\d-\d\d-\d\d$/), since: at, what: expect.any(String) },
  ]);
  expect(await setting.audiences.countOptOuts()).toBe(0);
});

test.each([
  ['other words', { from: 'a-customer', text: 'Stop by at five' }],
  ['what is no text', { event: 'stop', state: 'end' }],
  ['a sender that can be read', { from: CUSTOMER, text: 'STOP' }],
])('%s does not tell of somebody unknown', async (_, body) => {
  const setting = await startedReplies();
  await posted(setting, body);
  expect([setting.told.length, setting.notified]).toEqual([1, []]);
});

describe('a report on what nobody knows of', () => {
  const DOUBT = { what: 'Nobody knows.', next: 'Look.', scope: 'recipient' } as const;
  const DAY = 24 * 60 * 60_000;

  async function doubtful(messageId?: string, waitMs = 0) {
    const setting = createRepliesSetting();
    await setting.sent();
    const outcome = { state: 'unknown', failure: DOUBT, ...(messageId && { messageId }) } as const;
    await setting.sends.settle([{ sendId: SEND_ID, row: 0, outcome, settledAt: setting.clock.now() }]);
    await setting.clock.advance(waitMs);
    setting.replies.start();
    const state = async () => (await setting.sends.recipients(SEND_ID))[0]?.state;
    const report = async (id: string, status: string, to: string = CUSTOMER) => {
      await setting.post({ id, status, recipient_id: to });
      await setting.clock.advance(120_000);
    };
    return { ...setting, state, report };
  }

  test.each([
    ['delivered', 'accepted', 'accepted'],
    ['read', 'accepted', 'accepted'],
    ['sent', 'accepted', 'unknown'],
    ['failed', 'rejected', 'unknown'],
  ])('that says “%s” makes it %s by the id of its answer, and %s by the number alone', async (...row) => {
    const [status, byId, byNumber] = row;
    const answered = await doubtful('m-1');
    await answered.report('m-1', status);
    expect(await answered.state()).toBe(byId);
    const unanswered = await doubtful();
    await unanswered.report('m-1', status, '+6591234567');
    expect(await unanswered.state()).toBe('unknown');
    await unanswered.report('m-1', status);
    expect(await unanswered.state()).toBe(byNumber);
  });

  test.each([
    ['the same number got another message', 'm-1', 0],
    ['it came too late', undefined, DAY + 1],
    ['the answer had another id', 'm-2', 0],
  ])('leaves it where %s', async (why, messageId, waitMs) => {
    const setting = await doubtful(why.includes('another message') ? undefined : messageId, waitMs);
    if (why.includes('another message')) await setting.sent(undefined, undefined, { id: 'S-2' });
    await setting.report('elsewhere', 'delivered');
    expect(await setting.state()).toBe('unknown');
  });
});

test('what can be told nowhere is kept, and does not hold up the rest', async () => {
  const setting = await startedReplies();
  setting.slack.answers.push({ state: 'refused', reason: 'webhooks.channel is not set in herald.yml' });
  await posted(setting, 'who knows');
  await posted(setting, text('Hello'));
  expect(wordsOf(setting)).toEqual([[undefined, 'Hello']]);
  expect(setting.counted).toEqual(['kept', 'unreadable unmatched', 'kept', 'text unmatched']);
});

test('a body that cannot be worked on is set aside after three attempts, and the others are told', async () => {
  const setting = createRepliesSetting((body) => {
    if (Buffer.from(body.bytes).includes('poison')) throw new Error('no end in sight');
    return decodeWebhook(body);
  });
  await setting.sent('m-1');
  setting.replies.start();
  await posted(setting, text('Hello'), 'poison', text('Hello again', 'in-2'));
  const words = wordsOf(setting).flat();
  expect(words.filter((word) => word !== SEND_ID)).toEqual(['Hello', 'Hello again']);
  await setting.clock.advance(60_000);
  expect(setting.counted.filter((one) => one.endsWith('set aside'))).toEqual(['webhook set aside']);
  expect(await setting.inputs.setAsideCounts()).toEqual([{ source: 'webhook', count: 1 }]);
  expect(setting.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(4);
  expect(await setting.store.nextDue()).toBeUndefined();
});

test('words wait for an answer; a tap, STOP, what has no number, and who is on call do not', async () => {
  const setting = await startedReplies('m-1');
  const at = setting.clock.now();
  await posted(
    setting,
    text('When do you open?', '1'),
    text('STOP', '2'),
    { from: CUSTOMER, id: '3', reply: { id: 'x', title: 'Yes' } },
    { id: '4', text: { body: 'Who am I?' } },
    { from: CUSTOMER, id: '5', type: 'image', image: { caption: 'This one?' } },
    { from: CUSTOMER, id: '6', type: 'image', image: { caption: 'Stop' } },
  );
  const asked = () => saidIn(setting).flatMap(({ event, askedAt }) => (askedAt ? [event.eventId] : []));
  expect(asked()).toEqual(['1', '5']);
  expect(setting.told[0]?.events[0]?.askedAt).toBe(at);
  const onCall = '+6591234567' as Msisdn;
  const alert = { id: 'AL-1', threadTs: '1.1', urgent: true };
  await setting.sent(undefined, undefined, {
    ...{ id: 'S-ALERT', recipients: [{ number: onCall }], origin: { ...ORIGIN, alert } },
  });
  // What else is to be posted waits for Slack, as may all of it; the alert does not.
  setting.slack.answers.push({ state: 'later', retryAfterMs: 30_000 });
  await posted(setting, text('Are you there?', '6'), { from: onCall, id: '5', text: { body: 'I am on it' } });
  expect(setting.onAlerts).toEqual([['AL-1', 'text']]);
  await setting.clock.advance(60_000);
  expect(setting.onAlerts).toHaveLength(1);
  expect(setting.told.map(({ sendId }) => sendId)).toContain('S-ALERT');
  expect(asked()).toEqual(['1', '5', '6']);
});

test('a report is found by whichever of its ids the answer had', async () => {
  const setting = await startedReplies('m-1');
  await posted(
    setting,
    { type: 'message-event', payload: { id: 'wamid.9', gsId: 'm-1', type: 'read', destination: CUSTOMER } },
    { id: 'm-1', type: 'message.delivered', message: { id: 'of-another-book', to: CUSTOMER } },
  );
  const reports = setting.counted.filter((what) => what.startsWith('report'));
  expect(reports).toEqual(['report matched', 'report matched']);
});
