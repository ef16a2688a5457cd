import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxMessage } from '../../../../sandbox/protocol.ts';
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

/** The next thing said to one person alone. */
const told = async (userId: string, channel = 'C0APPROVALS') =>
  (await slack.untilEphemeral(userId, channel)).text;

/** What is said to whoever clicks. */
async function clicked(message: SandboxMessage, action: string, userId: string): Promise<string> {
  await slack.press(message, action, userId);
  return told(userId, message.channel);
}

const LEFT_OUT = '6 rows left out: 1 wrong number, 2 twice, 2 opted out, 1 (This number has opted out since)';

async function card() {
  await prepare(slack.store);
  await slack.show();
  return slack.last('C0APPROVALS');
}

test('the card is posted once and updated in place; a click approves with what was shown', async () => {
  const posted = await card();
  expect((await found(slack.store)).approval?.card).toEqual({ channelId: 'C0APPROVALS', ts: posted.ts });
  expect(await clicked(posted, 'approval_approve', 'U0RAVI')).toBe(
    `You approved ${SEND_ID}. It has all its approvals.`,
  );
  const person = { userId: 'U0RAVI', teamId: 'T0ACME' };
  const approving = { sendId: SEND_ID, digest: DIGEST, repeats: '', ...person, warnings: LEFT_OUT };
  expect(slack.bulkSends.calls).toEqual([['approve', approving]]);
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
  expect(await clicked(posted, 'approval_approve', 'U0ASHA')).toBe('Only <@U0MEI> &amp; co may. Ask them.');
});

test('Reject asks for a reason, and who asked is told it', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_reject', 'U0RAVI');
  await slack.untilView('U0RAVI');
  const form = slack.person('U0RAVI').form();
  const why = 'Say why, so that the person who asked knows what to change.';
  expect(await form.fill('reason', '  ').submit()).toEqual({ ok: false, errors: { reason: why } });
  slack.clockAt(ASKED_AT + 61_000);
  expect(await form.fill('reason', 'Wrong <week>').submit()).toEqual({ ok: true });
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
  expect(await slack.person('U0ASHA').form().submit()).toEqual({ ok: true });
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
  await slack.person('U0RAVI').form().fill('reason', 'No').submit();
  expect(JSON.stringify(slack.view('U0RAVI')?.blocks)).toContain(
    `Too late: ${SEND_ID} is expired, nothing was sent by Herald itself`,
  );
});

test('Edit opens the form of one’s own send, which stays as it is until that is handed in', async () => {
  const posted = await card();
  expect(await clicked(posted, 'approval_edit', 'U0MEI')).toMatch(
    /^Only the person who asked for this send may do that\./,
  );
  await slack.press(posted, 'approval_edit', 'U0ASHA');
  await slack.until('the form to be asked for', () => slack.edits.length === 1);
  slack.editProblem = 'Slack did not open the form. Nothing was changed.';
  expect(await clicked(posted, 'approval_edit', 'U0ASHA')).toBe(
    'Slack did not open the form. Nothing was changed.',
  );
  expect(slack.bulkSends.calls).toEqual([]);
});

test('Edit of a send that has begun opens nothing, and says so', async () => {
  const posted = await card();
  await slack.store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT });
  await move(slack.store, 'sending');
  expect(await clicked(posted, 'approval_edit', 'U0ASHA')).toContain('this changed nothing');
  expect(slack.edits).toEqual([]);
});

test('Edit leaves a retry as it is: with other words it would be nobody’s', async () => {
  await prepare(slack.store, { retry: { retryOf: 'S-0000000003', retryGroup: 'failed' } });
  await slack.show();
  await slack.press(slack.last('C0APPROVALS'), 'approval_edit', 'U0ASHA');
  expect(await told('U0ASHA')).toMatch(
    /^S-\w+ tries the message of S-0000000003 again .* cannot be edited\./,
  );
  expect([slack.edits, slack.bulkSends.calls]).toEqual([[], []]);
});

test('a test goes to the number that is given, once a click, as the first recipient reads it', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_test', 'U0RAVI');
  await slack.untilView('U0RAVI');
  const form = slack.person('U0RAVI').form();
  const errors = { to: expect.stringContaining('too short') };
  expect(await form.fill('to', '12').submit()).toEqual({ ok: false, errors });
  expect(await form.fill('to', '+919812399999').submit()).toEqual({ ok: true });
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

test('only who asked and approvers may send a test', async () => {
  const posted = await card();
  slack.approvers.delete('U0MEI');
  await slack.press(posted, 'approval_test', 'U0MEI');
  await slack.untilView('U0MEI');
  await slack.person('U0MEI').form().fill('to', '+919812399999').submit();
  expect(await told('U0MEI')).toContain('Nothing was sent.');
  expect(slack.sends.requests).toEqual([]);
});

test('Details shows who gets it, masked, what was left out and the record, and steps through the rows', async () => {
  const posted = await card();
  await slack.press(posted, 'approval_details', 'U0RAVI');
  const words = () => JSON.stringify(slack.view('U0RAVI')?.blocks);
  await slack.untilView('U0RAVI');
  for (const part of [
    ...['"row 3, +91 ••••• •5671"', '"Row 4"', '=HYPERLINK', '*Sender*\\nACMEIN', '*List*\\nNewsletter'],
    ...[LEFT_OUT, '"action_id":"exclusions"', `S-7K2M9QX4TB"`, '*Record*\\nasked for by <@U0ASHA>'],
  ])
    expect(words()).toContain(part);
  expect(words()).not.toContain('9812345671');
  for (const row of ['row 4, +91 ••••• •5672', 'row 5, +65 •••• 4567', 'row 3, +91 ••••• •5671']) {
    await slack.person('U0RAVI').click('approval_next_row');
    await slack.until(row, () => words().includes(`"${row}"`));
  }
});

test('an image that Slack cannot fetch leaves the card as it is but for the image', async () => {
  slack.refuse('chat.postMessage', 'invalid_blocks');
  const message: Message = {
    ...{ kind: 'rcs', variant: 'carousel-images', templateName: 'weekly_offers' },
    ...{ botId: 'acme-bot', type: 'PREPROMO', fileUrls: ['https://acme.test/gone.png'] },
  };
  await prepare(slack.store, { message });
  await slack.show();
  const words = slack.words(slack.last('C0APPROVALS'));
  expect(words).not.toContain('"type":"image"');
  expect(words).toContain('https://acme.test/gone.png');
  expect(words).toContain('"approval_approve"');
});

test('where Herald may not post, it asks for approval where the send was asked for, and shows progress to who asked', async () => {
  slack.refuse('chat.postMessage', 'not_in_channel');
  await prepare(slack.store);
  await slack.show();
  expect(slack.words(slack.last('C0TEAM'))).toContain('Herald could not post this in <#C0APPROVALS>');
  slack.refuse('chat.postMessage', 'not_in_channel');
  await prepare(slack.store, { id: 'S-0000000001', to: 'approved' });
  await move(slack.store, 'sending', { id: 'S-0000000001' });
  slack.clockAt(ASKED_AT + 62_000);
  await slack.show();
  const progress = slack.last('D0ASHA');
  expect(slack.words(progress)).toContain('Herald could not post this in <#C0TEAM>');
  await finish(slack.store, 'S-0000000001');
  await slack.show();
  expect(slack.words(progress)).toMatch(/1 of 3 accepted.*Herald could not post this in <#C0TEAM>/);
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
    const said = await clicked(message, action, 'U0MEI');
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
  expect(await clicked(message, 'send_pause', 'U0MEI')).toContain(
    `It is paused. Look. ${SEND_ID}: paused by <@U0RAVI>`,
  );
});

test('the end: causes in the message itself, below it the report and a question about those of whom nobody knows', async () => {
  const message = await ended();
  const thread = slack.messages('C0TEAM').filter(({ thread_ts }) => thread_ts === message.ts);
  const replies = thread.filter(({ ts }) => ts !== message.ts);
  expect(replies.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^🏁 <@U0ASHA> .*: done\.\n✅ \*1\* accepted.*\n.* was sent to <@U0ASHA> directly\./,
    ),
    expect.stringMatching(/^❓ 1 person may or may not have received this\./),
  ]);
  const direct = slack.direct('U0ASHA');
  expect(direct.map(({ text, files }) => files?.[0]?.name ?? text)).toEqual([
    'Report of Spring · SMS to 3 people:',
    `Spring-2026-01-05-${SEND_ID}.csv`,
  ]);
  expect(await slack.download(direct[1])).toContain('+91 9812345671,Asha,3,accepted,');
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
  slack.bulkSends.retries.push({ state: 'awaiting_approval', send: await found(slack.store) });
  await clicked(message, 'send_to_rest', 'U0MEI');
  expect(slack.bulkSends.calls.at(-1)).toMatchObject(['retry', { sendId: SEND_ID, group: 'untried' }]);
});

test.each([
  ['files.getUploadURLExternal', 'missing_scope', 'Herald may not upload files in this workspace.'],
  ['chat.postMessage', 'cannot_dm_bot', 'Slack does not let Herald write there (cannot_dm_bot).'],
])(
  'a report that %s refuses with %s is said in the thread without a number, once',
  async (method, code, why) => {
    await started();
    await finish(slack.store);
    slack.refuse(method, code);
    await slack.show();
    const said = slack.messages('C0TEAM').filter(({ text }) => text.includes('\nThe report'));
    expect(said.map(({ text }) => text.split('\n').at(-1))).toEqual([
      expect.stringContaining(`The report could not be sent to <@U0ASHA> directly. ${why}`),
    ]);
    expect(slack.messages('C0TEAM').flatMap(({ files = [] }) => files)).toEqual([]);
    expect(slack.direct('U0ASHA')).toEqual([]);
  },
);

test('Retry unknown on the card of the end leaves the card as it is', async () => {
  const message = await ended();
  slack.bulkSends.retries.push({ state: 'started', send: await found(slack.store) });
  expect(await clicked(message, 'send_retry_unknown', 'U0ASHA')).toContain(`It goes out as ${SEND_ID}`);
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
  expect(await clicked(question, 'send_stop', 'U0ASHA')).toBe(
    `${SEND_ID} is stopped for good. 3 people not tried yet will get nothing.`,
  );
  expect(await clicked(question, 'send_wait', 'U0RAVI')).toMatch(
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

test('/sends: one in full, what it does not know, and the record as a file', async () => {
  await prepare(slack.store);
  const said = async (line: string) => JSON.stringify(await slack.answer('U0ASHA', line));
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

test('/sends shows what has begun with progress, causes and report', async () => {
  await started();
  await finish(slack.store);
  const one = await slack.answer('U0ASHA', `/sends ${SEND_ID}`);
  for (const part of ['done · 1 of 3', 'Retry failed (1)', 'send_retry_unknown', 'sends_report', '131009'])
    expect(slack.words(one)).toContain(part);
  await slack.press(one, 'sends_report', 'U0ASHA');
  const direct = await slack.until('the report', () =>
    slack.direct('U0ASHA').find(({ files }) => files?.length),
  );
  expect(await slack.download(direct)).toContain('+65 91234567,Mei,5,unknown,');
});
