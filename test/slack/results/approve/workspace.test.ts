import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../../src/messages/kinds.ts';
import { ASKED_AT, DIGEST, finish, found, move, numberOf, prepare, SEND_ID } from '../../bulk-sends.ts';
import { SendsWorkspace } from '../../sends-workspace.ts';

/* Card, progress and /sends in a workspace that holds messages, forms and files as Slack does. */

let slack: SendsWorkspace;
beforeAll(async () => {
  slack = await SendsWorkspace.start();
});
afterAll(() => slack.stop());
beforeEach(() => slack.reset());

/** Slack refuses the next call of a method. */
function refuse(method: string, error: string): void {
  slack.workspace.setFaults({ faults: [{ on: 'api', method, times: 1, do: 'error', error }] });
}

/** The next thing said to one person alone. */
const told = async (userId: string, channel = 'C0APPROVALS') =>
  (await slack.untilEphemeral(userId, channel)).text;

async function card() {
  await prepare(slack.store);
  await slack.show();
  return slack.last('C0APPROVALS');
}

test('the card is posted once and updated in place; a click approves with what was shown', async () => {
  const posted = await card();
  expect((await found(slack.store)).approval?.card).toEqual({ channelId: 'C0APPROVALS', ts: posted.ts });
  expect(await slack.press(posted, 'approval_approve', 'U0RAVI')).toEqual({ ok: true });
  expect(await told('U0RAVI')).toBe(`You approved ${SEND_ID}. It has all its approvals.`);
  const warnings =
    '6 rows left out: 1 wrong number, 2 twice, 2 opted out, 1 (This number has opted out since)';
  const clicked = { sendId: SEND_ID, digest: DIGEST, userId: 'U0RAVI', teamId: 'T0ACME', warnings };
  expect(slack.bulkSends.calls).toEqual([['approve', clicked]]);
  await slack.untilShown('the card to say so', () => slack.words(posted).includes('Approved by <@U0RAVI>'));
  expect(slack.words(posted)).not.toContain('"actions"');
  expect(slack.messages('C0APPROVALS').filter(({ ephemeralFor }) => !ephemeralFor).length).toBe(1);
});

test('whoever decides too late is told how it ended, by whom and when', async () => {
  const posted = await card();
  await move(slack.store, 'rejected', { actor: 'U0MEI', reason: { what: 'No.', next: '', scope: 'send' } });
  await slack.press(posted, 'approval_approve', 'U0RAVI');
  const BY = 'by <@U0MEI>, <!date^1767600060^{date_short_pretty} {time}|2026-01-05 08:01 UTC>';
  const late = `Too late: ${SEND_ID} is rejected, nothing was sent ${BY}. Your answer changed nothing.`;
  expect(await told('U0RAVI')).toBe(late);
  await slack.untilShown('the card to say so', () => slack.words(posted).includes('Rejected by <@U0MEI>'));
});

test('a refusal is told to the one who clicked, with people named', async () => {
  const posted = await card();
  slack.bulkSends.refusals.push({ state: 'refused', what: 'Only <@U0MEI> & co may.', next: 'Ask them.' });
  await slack.press(posted, 'approval_approve', 'U0ASHA');
  expect(await told('U0ASHA')).toBe('Only <@U0MEI> &amp; co may. Ask them.');
});

test('Reject asks for a reason, and who asked is told it', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_reject', 'U0RAVI');
  await slack.untilView('U0RAVI');
  expect(await slack.submit('U0RAVI', { reason: '  ' })).toEqual({
    ok: false,
    error: 'view_errors',
    errors: { reason: 'Say why, so that the person who asked knows what to change.' },
  });
  slack.clockAt(ASKED_AT + 61_000);
  expect(await slack.submit('U0RAVI', { reason: 'Wrong <week>' })).toEqual({ ok: true });
  expect(slack.bulkSends.calls.at(-1)).toEqual([
    'reject',
    { sendId: SEND_ID, userId: 'U0RAVI', teamId: 'T0ACME', reason: 'Wrong <week>' },
  ]);
  await slack.show();
  await slack.show();
  const [direct, ...more] = slack.direct('U0ASHA');
  if (direct === undefined) throw new Error('Nobody was told.');
  expect(more).toEqual([]);
  expect(direct.text).toContain(
    '⛔ <@U0ASHA> *Spring · SMS to 3 people*\nHello {{name}}, we &lt;open&gt; at 8',
  );
  expect(direct.text).toContain('Nothing was sent.\n*Reason:* Wrong &lt;week&gt;');
  await slack.press(direct, 'approval_edit', 'U0ASHA');
  await slack.until('the form to be asked for', () => slack.edits.at(-1) === SEND_ID);
});

test('Reject on one’s own send withdraws it, without a reason, and tells nobody who did it', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_reject', 'U0ASHA');
  expect((await slack.untilView('U0ASHA')).title?.text).toBe('Withdraw this send');
  slack.clockAt(ASKED_AT + 61_000);
  expect(await slack.submit('U0ASHA', {})).toEqual({ ok: true });
  expect(slack.bulkSends.calls).toEqual([['withdraw', { sendId: SEND_ID, userId: 'U0ASHA' }]]);
  await slack.untilShown('the card to say so', () => slack.words(posted).includes('Withdrawn by <@U0ASHA>'));
  expect(slack.words(posted)).toContain('↩️ *Spring · SMS to 3 people: withdrawn, nothing was sent*');
  expect(await told('U0ASHA')).toBe(`You withdrew ${SEND_ID}. Nothing was sent.`);
  expect(JSON.stringify(await slack.answer('U0ASHA', '/sends'))).toContain('withdrawn, nothing was sent');
  await slack.show();
  expect(slack.direct('U0ASHA')).toEqual([]);
});

test('a rejection that comes too late says so in its window', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_reject', 'U0RAVI');
  await slack.untilView('U0RAVI');
  await move(slack.store, 'expired', { actor: 'herald' });
  slack.bulkSends.refusals.push({ state: 'refused', what: 'It expired.', next: 'Ask again.' });
  await slack.submit('U0RAVI', { reason: 'No' });
  expect(JSON.stringify(slack.view('U0RAVI')?.blocks)).toContain(
    `Too late: ${SEND_ID} is expired, nothing was sent by Herald itself`,
  );
});

test('Edit opens the form of one’s own send, which stays as it is until that is handed in', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_edit', 'U0MEI');
  expect(await told('U0MEI')).toBe(
    'Only the person who asked for this send may do that. Nothing changed. Ask them.',
  );
  await slack.press(posted, 'approval_edit', 'U0ASHA');
  await slack.until('the form to be asked for', () => slack.edits.length === 1);
  expect(slack.bulkSends.calls).toEqual([]);
  await slack.press(posted, 'approval_approve', 'U0RAVI');
  await slack.untilEphemeral('U0RAVI', 'C0APPROVALS');
  expect(slack.bulkSends.calls.map(([name]) => name)).toEqual(['approve']);
});

test.each([
  ['sending', []],
  ['rejected', [SEND_ID]],
] as const)('Edit of a send that is %s opens %j', async (state, edits) => {
  const posted = await card();
  if (state === 'sending')
    await slack.store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT });
  await move(slack.store, state);
  await slack.press(posted, 'approval_edit', 'U0ASHA');
  if (state === 'sending') expect(await told('U0ASHA')).toContain('this changed nothing');
  await slack.until('the form to be asked for', () => slack.edits.length === edits.length);
});

test('Edit leaves a retry as it is: with other words it would be nobody’s', async () => {
  await prepare(slack.store, { retry: { retryOf: 'S-0000000003', retryGroup: 'failed' } });
  await slack.show();
  await slack.press(slack.last('C0APPROVALS'), 'approval_edit', 'U0ASHA');
  expect(await told('U0ASHA')).toBe(
    `${SEND_ID} tries the message of S-0000000003 again as it was, for exactly those named on its card, so it cannot be edited. Nothing was changed. Ask for a new send; \`/sends ${SEND_ID}\` withdraws this one if it still waits.`,
  );
  expect([slack.edits, slack.bulkSends.calls]).toEqual([[], []]);
});

test('a form that does not open is told', async () => {
  const posted = await card();
  slack.editProblem = 'Slack did not open the form. Nothing was changed.';
  await slack.press(posted, 'approval_edit', 'U0ASHA');
  expect(await told('U0ASHA')).toBe('Slack did not open the form. Nothing was changed.');
});

test('a test goes to the number that is given, once a click, as the first recipient reads it', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_test', 'U0RAVI');
  await slack.untilView('U0RAVI');
  const wrong = await slack.submit('U0RAVI', { to: '12' });
  expect(wrong).toMatchObject({ error: 'view_errors', errors: { to: expect.stringContaining('too short') } });
  expect(await slack.submit('U0RAVI', { to: '+919812399999' })).toEqual({ ok: true });
  const submitted = await slack.until('the test', () => slack.sends.requests[0]);
  expect(submitted).toMatchObject({
    to: numberOf('+919812399999'),
    message: { kind: 'sms', text: 'Hello Asha, we <open> at 8 & you are invited.' },
    origin: { teamId: 'T0ACME', userId: 'U0RAVI', channelId: 'D0RAVI' },
  });
  await slack.press(posted, 'approval_test', 'U0RAVI');
  const said = await slack.until('the answer', () =>
    slack.messages('C0APPROVALS').find(({ text }) => text.startsWith('A test of') && text.includes('9999')),
  );
  expect(said.ephemeralFor).toBe('U0RAVI');
  await slack.until('the second test', () => slack.sends.requests.length === 2);
  expect(new Set(slack.sends.requests.map(({ requestKey }) => requestKey)).size).toBe(2);
});

const offers = (fileUrls: string[]): Message => ({
  ...{ kind: 'rcs', variant: 'carousel-images', templateName: 'weekly_offers' },
  ...{ botId: 'acme-bot', type: 'PREPROMO', fileUrls },
});

test('what the card has no room for is read in a window', async () => {
  const fileUrls = Array.from(
    { length: 10 },
    (_none, card) => `https://acme.test/${'x'.repeat(2_000)}${card}`,
  );
  await prepare(slack.store, { message: offers(fileUrls) });
  await slack.show();
  const posted = slack.last('C0APPROVALS');
  const whole = (words: string) => fileUrls.filter((url) => words.includes(url)).length;
  expect(whole(slack.words(posted))).toBeLessThan(10);
  await slack.press(posted, 'approval_details', 'U0RAVI');
  expect(whole(JSON.stringify((await slack.untilView('U0RAVI')).blocks))).toBe(10);
});

test('only who asked and approvers may send a test', async () => {
  const posted = await card();
  slack.approvers.delete('U0MEI');
  await slack.press(posted, 'approval_test', 'U0MEI');
  await slack.untilView('U0MEI');
  await slack.submit('U0MEI', { to: '+919812399999' });
  expect(await told('U0MEI')).toContain('Nothing was sent.');
  expect(slack.sends.requests).toEqual([]);
});

test('Details shows who gets it, masked, what was left out and the record, and steps through the rows', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_details', 'U0RAVI');
  const words = () => JSON.stringify(slack.view('U0RAVI')?.blocks);
  await slack.untilView('U0RAVI');
  expect(words()).toContain('"row 3, +91 ••••• •5671"');
  expect(words()).toContain('"Row 4"');
  expect(words()).toContain('=HYPERLINK');
  expect(words()).toContain('*Sender*\\nACMEIN');
  expect(words()).toContain('*List*\\nNewsletter');
  expect(words()).toContain('1 wrong number, 2 twice, 2 opted out, 1 (This number has opted out since)');
  expect(words()).toContain('"action_id":"exclusions"');
  expect(words()).toContain('*Record*\\nasked for by <@U0ASHA>');
  expect(words()).not.toContain('9812345671');
  for (const row of ['row 4, +91 ••••• •5672', 'row 5, +65 •••• 4567', 'row 3, +91 ••••• •5671']) {
    await slack.pressInView('U0RAVI', 'approval_next_row');
    await slack.until(row, () => words().includes(`"${row}"`));
  }
});

test('an image that Slack cannot fetch leaves the card as it is but for the image', async () => {
  refuse('chat.postMessage', 'invalid_blocks');
  await prepare(slack.store, { message: offers(['https://acme.test/gone.png']) });
  await slack.show();
  const words = slack.words(slack.last('C0APPROVALS'));
  expect(words).not.toContain('"type":"image"');
  expect(words).toContain('https://acme.test/gone.png');
  expect(words).toContain('"approval_approve"');
});

test('where Herald may not ask for approval it asks where the send was asked for, and says so', async () => {
  refuse('chat.postMessage', 'not_in_channel');
  await prepare(slack.store);
  await slack.show();
  expect(slack.words(slack.last('C0TEAM'))).toContain('Herald could not post this in <#C0APPROVALS>');
});

test('a card that was deleted is posted anew, and a 429 is waited for', async () => {
  await card();
  slack.workspace.setFaults({
    faults: [
      { on: 'api', method: 'chat.update', times: 1, do: 'rate_limit', retryAfterSeconds: 7 },
      { on: 'api', method: 'chat.update', times: 1, do: 'error', error: 'message_not_found' },
    ],
  });
  const before = slack.clock.now();
  await move(slack.store, 'rejected');
  await slack.show();
  expect(slack.clock.now() - before).toBeGreaterThanOrEqual(7_000);
  const cards = slack.messages('C0APPROVALS');
  expect(cards.length).toBe(2);
  expect((await found(slack.store)).approval?.card?.ts).toBe(cards.at(-1)?.ts);
});

test('a reminder stands below the card and in the channel', async () => {
  const posted = await card();
  await slack.store.recordOnce({ sendId: SEND_ID, action: 'reminded', at: ASKED_AT, actor: 'herald' });
  await slack.show();
  const reminder = slack.last('C0APPROVALS');
  expect(reminder).toMatchObject({ thread_ts: posted.ts });
  expect(reminder.text).toContain(
    '<!subteam^S0MANAGERS> <@U0RAVI> Spring · SMS to 3 people still waits: 0 of 1',
  );
  expect(slack.words(reminder)).toMatch(/<https:[^|]+\/C0APPROVALS\/p\d+\|Approval>/);
});

async function started() {
  await prepare(slack.store, { to: 'approved' });
  await move(slack.store, 'sending', { actor: 'herald' });
  slack.clockAt(ASKED_AT + 62_000);
  await slack.show();
  return slack.last('C0TEAM');
}

/** The progress message of a send that ended, once all that follows it is posted. */
async function ended() {
  const message = await started();
  await finish(slack.store);
  await slack.show();
  await slack.show();
  return message;
}

test('pause, resume and stop from the progress message', async () => {
  const message = await started();
  const acts = async (action: string) => {
    await slack.press(slack.fresh(message), action, 'U0MEI');
    const said = await told('U0MEI', 'C0TEAM');
    await slack.show();
    return said;
  };
  expect(await acts('send_pause')).toBe(
    `${SEND_ID} is paused. What was on its way is finished; nothing new starts.`,
  );
  expect(slack.words(message)).toContain('⏸️ *Spring · SMS to 3 people*: paused');
  expect(await acts('send_resume')).toBe(`${SEND_ID} goes on.`);
  expect(await acts('send_stop')).toBe(
    `${SEND_ID} is stopped for good. 3 people not tried yet will get nothing.`,
  );
  expect(slack.bulkSends.calls.map(([name]) => name)).toEqual(['pause', 'resume', 'stop']);
});

test('who pauses too late is told who was quicker', async () => {
  const message = await started();
  await move(slack.store, 'paused', { actor: 'U0RAVI' });
  slack.bulkSends.refusals.push({ state: 'refused', what: 'It is paused.', next: 'Look.' });
  await slack.press(message, 'send_pause', 'U0MEI');
  expect(await told('U0MEI', 'C0TEAM')).toContain(`It is paused. Look. ${SEND_ID}: paused by <@U0RAVI>`);
});

test('an older state never comes over a newer one', async () => {
  const message = await started();
  await finish(slack.store);
  await Promise.all([slack.show(), slack.show()]);
  expect(slack.words(message)).toContain('Spring · SMS to 3 people*: done');
});

test('the end: causes in the message itself, below it the report and a question about those of whom nobody knows', async () => {
  const message = await ended();
  const thread = slack.messages('C0TEAM').filter(({ thread_ts }) => thread_ts === message.ts);
  const replies = thread.filter(({ ts }) => ts !== message.ts);
  expect(replies.map(({ text, files }) => files?.[0]?.name ?? text)).toEqual([
    '🏁 <@U0ASHA> *Spring · SMS to 3 people*: done.\n✅ *1* accepted by the service · ⛔ *1* rejected, nothing was sent · ❓ *1* may have been sent\nThe report, with every number in full, was sent to <@U0ASHA> directly. Approvers get it by this button.',
    '❓ 1 person may or may not have received this. Herald does not send to them again by itself; those whom a delivery report names are no longer among them.',
  ]);
  const direct = slack.direct('U0ASHA');
  expect(direct.map(({ text, files }) => files?.[0]?.name ?? text)).toEqual([
    'Report of Spring · SMS to 3 people:',
    `Spring-2026-01-05-${SEND_ID}.csv`,
  ]);
  expect(await slack.download(direct[1])).toContain('+91 9812345671,Asha,3,accepted,');
  expect(slack.words(message)).toContain('"The service refused a parameter."');
  expect(slack.words(message)).toContain('Retry failed (1)');
  expect(slack.words(message)).not.toContain('9812345671');
});

test('the end is told once, though the database takes no note of it at first', async () => {
  const message = await started();
  await finish(slack.store);
  const { note } = slack.posts;
  const refused = new Set<string>();
  slack.posts.note = async (result, now) => {
    if (refused.has(result.mark)) return note(result, now);
    refused.add(result.mark);
    throw new Error('gone');
  };
  await slack.show();
  expect([...refused].map((mark) => mark.split(':')[0])).toEqual(
    expect.arrayContaining(['progress', 'file', 'report', 'unknown']),
  );
  const replies = slack
    .messages('C0TEAM')
    .filter(({ ts, thread_ts }) => thread_ts === message.ts && ts !== thread_ts);
  expect(replies.map(({ text }) => text.slice(0, 2))).toEqual(['🏁', '❓ ']);
  expect(slack.direct('U0ASHA')).toHaveLength(2);
});

test('a send that is stopped is reported once, when nothing is on its way any more', async () => {
  const message = await started();
  await slack.store.claim(SEND_ID, 1, ASKED_AT);
  await move(slack.store, 'stopped', { actor: 'U0RAVI' });
  const replies = () => slack.direct('U0ASHA').flatMap(({ files = [] }) => files.map(({ name }) => name));
  await slack.show();
  expect(replies()).toEqual([]);
  expect(slack.words(message)).toContain('stopped');
  const outcome = { state: 'accepted', status: 200 } as const;
  await slack.store.settle([{ sendId: SEND_ID, row: 3, outcome, settledAt: ASKED_AT }]);
  await slack.show();
  await slack.show();
  expect(replies()).toEqual([`Spring-2026-01-05-${SEND_ID}.csv`]);
});

test('a report that Slack does not take is said in the thread without a number, once, with a button for it', async () => {
  await started();
  await finish(slack.store);
  refuse('files.getUploadURLExternal', 'missing_scope');
  await slack.show();
  expect(slack.messages('C0TEAM').map(({ text }) => text.split('\n').at(-1))).toContain(
    'The report could not be sent to <@U0ASHA> directly. Herald may not upload files in this workspace. Ask whoever runs Herald to add the scope files:write and install it again. This button sends it to who asked and to approvers.',
  );
  expect(slack.direct('U0ASHA')).toEqual([]);
});

test('a restart after the report was given gives it no second time, and says so in the thread', async () => {
  await started();
  await finish(slack.store);
  await slack.show(1);
  expect(slack.direct('U0ASHA')).toHaveLength(2);
  await slack.show();
  expect(slack.direct('U0ASHA')).toHaveLength(2);
  const said = slack.messages('C0TEAM').filter(({ text }) => text.includes('\nThe report'));
  expect(said).toHaveLength(1);
});

test('a person who cannot be written to: said in the thread without a number, once', async () => {
  await started();
  await finish(slack.store);
  refuse('chat.postMessage', 'cannot_dm_bot');
  await slack.show();
  const said = slack.messages('C0TEAM').filter(({ text }) => text.includes('\nThe report'));
  expect(said.map(({ text }) => text.split('\n').at(-1))).toEqual([
    'The report could not be sent to <@U0ASHA> directly. Slack does not let Herald write there (cannot_dm_bot). Ask whoever runs Herald. This button sends it to who asked and to approvers.',
  ]);
  expect(slack.messages('C0TEAM').flatMap(({ files = [] }) => files)).toEqual([]);
});

test('causes stand in the message itself as they change, and nowhere else', async () => {
  const message = await started();
  const rejectRow = async (row: number) => {
    await slack.store.claimAgain(SEND_ID, [row], ASKED_AT);
    const failure = { what: `Cause ${row}.`, next: 'Look.', scope: 'recipient' } as const;
    const outcome = { state: 'rejected', failure } as const;
    await slack.store.settle([{ sendId: SEND_ID, row, outcome, settledAt: ASKED_AT }]);
    await slack.show();
  };
  for (const row of [3, 4, 5]) {
    await rejectRow(row);
    expect(slack.words(message)).toContain(`Cause ${row}.`);
  }
  const roots = slack.messages('C0TEAM').filter(({ ts, thread_ts = ts }) => ts === thread_ts);
  expect(roots).toHaveLength(1);
});

test('a progress message that was deleted is posted anew, and found by the send afterwards', async () => {
  const message = await started();
  refuse('chat.update', 'message_not_found');
  await slack.store.claim(SEND_ID, 1, ASKED_AT);
  await slack.show();
  const anew = slack.last('C0TEAM');
  expect(anew.ts).not.toBe(message.ts);
  expect((await found(slack.store)).announcement).toEqual({ channelId: 'C0TEAM', ts: anew.ts });
});

test('Retry unknown on the card of the end leaves the card as it is', async () => {
  const message = await ended();
  slack.bulkSends.retries.push({ state: 'started', send: await found(slack.store) });
  await slack.press(message, 'send_retry_unknown', 'U0ASHA');
  expect(await told('U0ASHA', 'C0TEAM')).toContain(`It goes out as ${SEND_ID}`);
  expect(slack.words(slack.fresh(message))).toContain('done · 1 of 3');
});

test('Leave answers the question for everyone, by name', async () => {
  await ended();
  const question = slack.last('C0TEAM');
  await slack.press(question, 'send_leave', 'U0RAVI');
  await slack.until('the answer', () => slack.words(question).includes('<@U0RAVI>'));
  expect(slack.words(question)).toContain(
    `leave it. 1 person may have received ${SEND_ID}. Herald does not send to them again.`,
  );
  expect(slack.words(question)).not.toContain('"actions"');
});

const NIGHT = {
  what: 'Messages of this type to India are held back from 21:00 to 10:00 (Asia/Kolkata).',
  next: 'What is left goes on by itself at 10:00.',
  scope: 'send',
} as const;
const MORNING = ASKED_AT + 20 * 3_600_000;

/** Paused at the edge of quiet hours, and told of. */
async function held() {
  const message = await started();
  await move(slack.store, 'paused', { actor: 'herald', reason: NIGHT, resumeAt: MORNING });
  await slack.show();
  return { message, question: slack.last('C0TEAM') };
}

test('held at the edge of quiet hours, whoever asked is asked once what to do with the rest', async () => {
  const { message, question } = await held();
  expect(question.thread_ts).toBe(message.ts);
  expect(slack.words(question)).toContain(
    `⏸️ <@U0ASHA> ${NIGHT.what} What should happen to the remaining 3 people of ${SEND_ID}?`,
  );
  await slack.show();
  expect(slack.messages('C0TEAM')).toHaveLength(2);
  await slack.press(question, 'send_wait', 'U0RAVI');
  await slack.until('the answer', () => slack.words(question).includes('<@U0RAVI>'));
  expect(slack.words(question)).toMatch(/: wait\. 3 people left; it goes on by itself <!date/);
  expect(slack.words(question)).not.toContain('"actions"');
  expect((await slack.store.events(SEND_ID)).at(-1)).toMatchObject({
    action: 'chose_to_wait',
    actor: 'U0RAVI',
  });

  await move(slack.store, 'sending', { actor: 'herald' });
  const next = MORNING + 24 * 3_600_000;
  await move(slack.store, 'paused', { actor: 'herald', reason: NIGHT, resumeAt: next });
  await slack.show();
  expect(slack.messages('C0TEAM')).toHaveLength(3);
});

test('the question about the rest stops the send, and says so when nothing is held any more', async () => {
  const { question } = await held();
  await slack.press(question, 'send_stop', 'U0ASHA');
  expect(await told('U0ASHA', 'C0TEAM')).toBe(
    `${SEND_ID} is stopped for good. 3 people not tried yet will get nothing.`,
  );
  await slack.press(question, 'send_wait', 'U0RAVI');
  expect(await told('U0RAVI', 'C0TEAM')).toMatch(
    new RegExp(`^It is no longer waiting\\. ${SEND_ID}: stopped by <@U0ASHA>`),
  );
});

test('a retry is asked for with its click, and whoever comes second is told', async () => {
  const message = await ended();
  const again = await prepare(slack.store, { id: 'S-0000000002' });
  slack.bulkSends.retries.push(
    { state: 'awaiting_approval', send: again },
    { state: 'repeated', send: again },
    { state: 'started', send: again },
  );
  await slack.press(slack.fresh(message), 'send_retry_failed', 'U0MEI');
  expect(await told('U0MEI', 'C0TEAM')).toBe('S-0000000002, to 4 people, waits for approval.');
  const origin = { userId: 'U0MEI', teamId: 'T0ACME', channelId: 'C0TEAM' };
  const key = expect.stringMatching(/^retry:./);
  expect(slack.bulkSends.calls).toEqual([
    ['retry', { sendId: SEND_ID, origin, group: 'failed', requestKey: key }],
  ]);
  const question = slack.last('C0TEAM', ({ ephemeralFor }) => ephemeralFor === undefined);
  await slack.press(question, 'send_retry_unknown', 'U0MEI');
  await slack.until('the answer', () =>
    slack.messages('C0TEAM').some(({ text }) => /^This was asked for before, as S-0000000002/.test(text)),
  );
  expect(slack.words(question)).toContain('"actions"');
  await slack.press(question, 'send_retry_unknown', 'U0RAVI');
  await slack.until('the answer', () => slack.words(question).includes('send again. It goes out as'));
  expect(slack.bulkSends.calls.at(-1)).toMatchObject(['retry', { group: 'unknown' }]);
});

test('whoever is tried again by another send is offered there, and not here', async () => {
  const message = await started();
  await slack.store.claim(SEND_ID, 1, ASKED_AT);
  const failure = { what: 'No.', next: 'Look.', scope: 'recipient' } as const;
  const outcome = { state: 'rejected', failure } as const;
  await slack.store.settle([{ sendId: SEND_ID, row: 3, outcome, settledAt: ASKED_AT }]);
  await move(slack.store, 'stopped', { actor: 'U0RAVI' });
  const buttons = async () => {
    await slack.show();
    const words = slack.words(message);
    return ['Send to the remaining 2', 'Retry failed (1)'].filter((label) => words.includes(label));
  };
  expect(await buttons()).toEqual(['Send to the remaining 2', 'Retry failed (1)']);
  const again = await prepare(slack.store, {
    id: 'S-0000000002',
    retry: { retryOf: SEND_ID, retryGroup: 'untried' },
  });
  expect(await buttons()).toEqual(['Retry failed (1)']);
  expect(slack.words(message)).toContain('Another send goes to those who were not tried: S-0000000002.');
  await slack.show();
  expect(slack.words(slack.last('C0APPROVALS'))).toContain(`those who were not tried by ${SEND_ID}`);
  await move(slack.store, 'rejected', { id: again.id });
  expect(await buttons()).toEqual(['Send to the remaining 2', 'Retry failed (1)']);
  slack.bulkSends.retries.push({ state: 'awaiting_approval', send: again });
  await slack.press(slack.fresh(message), 'send_to_rest', 'U0MEI');
  await slack.untilEphemeral('U0MEI', 'C0TEAM');
  expect(slack.bulkSends.calls.at(-1)).toMatchObject(['retry', { sendId: SEND_ID, group: 'untried' }]);
});

test('/sends: mine, everyone’s by state, one in full, and the record as a file', async () => {
  await prepare(slack.store);
  await prepare(slack.store, { id: 'S-0000000003', userId: 'U0MEI', to: 'approved', at: ASKED_AT + 1 });
  const said = async (line: string) => JSON.stringify(await slack.answer('U0ASHA', line));
  expect(await said('/sends')).toContain(SEND_ID);
  expect(await said('/sends')).not.toContain('S-0000000003');
  expect(await said('/sends all approved')).toContain('S-0000000003');
  expect(await said('/sends paused')).toContain('You have no sends (paused). `/sends all` lists everyone’s.');
  const one = await said(`/sends ${SEND_ID.toLowerCase()}`);
  for (const part of ['approval_approve', 'send_cancel', '*Record*\\nasked for by <@U0ASHA>']) {
    expect(one).toContain(part);
  }
  expect(await said('/sends S-0000000009')).toContain('There is no send S-0000000009.');
  expect(await said('/sends nonsense failed')).toContain('Herald does not know “nonsense” here.');
  expect(await said('/sends help')).toContain('*/sends* – ');
  expect(slack.direct('U0ASHA')).toEqual([]);
  expect(await said('/sends audit')).toContain('The file was sent to you directly.');
  expect(await slack.download(slack.direct('U0ASHA').at(-1))).toContain(`${SEND_ID},requested,U0ASHA,`);
});

test('/sends pages, and shows what has begun with progress, causes and report', async () => {
  for (let index = 10; index < 60; index += 1) {
    await prepare(slack.store, { id: `S-00000000${index}`, at: ASKED_AT + index });
  }
  const list = await slack.answer('U0ASHA', '/sends');
  expect(JSON.stringify(list.blocks)).not.toContain('S-0000000011');
  await slack.press(list, 'sends_show:older', 'U0ASHA');
  const older = await slack.until('older ones', () => {
    const last = slack.last('C0TEAM');
    return last.ts !== list.ts && last;
  });
  expect(slack.words(older)).toContain('S-0000000011');
  await started();
  await finish(slack.store);
  const one = await slack.answer('U0ASHA', `/sends ${SEND_ID}`);
  for (const part of ['done · 1 of 3', 'Retry failed (1)', 'send_retry_unknown', 'sends_report', '131009']) {
    expect(slack.words(one)).toContain(part);
  }
  await slack.press(one, 'sends_report', 'U0ASHA');
  const direct = await slack.until('the report', () =>
    slack.direct('U0ASHA').find(({ files }) => files?.length),
  );
  expect(await slack.download(direct)).toContain('+65 91234567,Mei,5,unknown,');
});
