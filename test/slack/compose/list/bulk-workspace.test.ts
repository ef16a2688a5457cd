import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Form } from '../../../../sandbox/form.ts';
import { BulkWorkspace } from '../../bulk-workspace.ts';
import { linesOf } from '../../lines.ts';
import { TEAM } from '../../slack-workspace.ts';
import { templateMessage } from '../setting.ts';
import { FIRST_LIST, listOf, RecordingBulkSends } from './bulk-setting.ts';

/* From a list to a request, in a workspace that holds forms and files as Slack does. */

let bulk: BulkWorkspace;
beforeAll(async () => {
  bulk = await BulkWorkspace.start();
});
afterAll(() => bulk.stop());
beforeEach(() => bulk.reset());

const CUSTOMERS =
  'phone,Customer,Order\n+6591234567,Asha,A-1\n12,Bo,A-2\n+6591234568,Chen,A-3\n+6591234567,D,A-4\n';

/** The form of a template once its list was read. */
async function orderFor(name: string, content: string): Promise<Form> {
  const form = await bulk.openForm('/chatapp', 'order_update');
  await form.choose('recipients', 'file');
  expect(await bulk.giveFile(name, content)).toEqual({ ok: true });
  await bulk.untilReview();
  return form;
}

/** The form of an SMS that asks for a file. */
async function smsForFile(text: string): Promise<Form> {
  const form = await bulk.openForm('/sms');
  form.fill('text', text);
  await form.choose('recipients', 'file');
  return form;
}

/** Holds back what is read of lists, until it is called. */
function holdLists(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  bulk.audiences.hold = promise;
  return resolve;
}

/** What stands in the window above the fields of the message. */
const reviewBlocks = () =>
  (bulk.shown().blocks as { block_id?: string }[]).filter(({ block_id = '' }) =>
    block_id.startsWith('list:'),
  );

/** What the form refuses to submit with. */
const refused = (errors: Record<string, unknown>) => ({ ok: false, errors });

/** The form of an SMS to these numbers, submitted. */
async function textFor(numbers: string, text = 'Hello'): Promise<Form> {
  const form = await bulk.openForm('/sms');
  await form.choose('recipients', 'numbers');
  expect(await form.fillAll({ text, numbers }).submit()).toEqual({ ok: true });
  return form;
}

test('from a CSV file to a request for approval: columns fill the values of the same name', async () => {
  const form = await orderFor('customers.csv', CUSTOMERS);
  const review = bulk.shown();
  expect(bulk.text('list:title')).toBe(
    'customers.csv · numbers from “phone” · columns {{Customer}}, {{Order}}',
  );
  expect(bulk.text('list:counts')).toBe('*2 of 4 people get it.* Left out: 1 wrong number, 1 twice.');
  // What whoever approves will see.
  expect(bulk.words()).toContain('Hello Asha, your order A-1 is on its way.');
  expect(bulk.words()).toContain('Singapore 2 · less than a minute · starts at once');
  expect(bulk.words()).toContain('row 2, +65 •••• 4567, one of 2 texts');
  expect(form.value('params.0')).toMatchObject({ selected_option: { value: '{{Customer}}' } });
  expect(form.paths()).not.toContain('to');
  expect(review.submit?.text).toBe('Send to 2');
  const startAt = Date.UTC(2030, 0, 5, 8);
  await form.press('More');
  expect(await form.chooseTime('schedule', startAt).submit()).toEqual({ ok: true });
  expect(bulk.bulkSends.requests).toEqual([
    {
      message: templateMessage('order_update', { params: ['{{Customer}}', '{{Order}}'] }),
      audienceId: FIRST_LIST,
      origin: { teamId: bulk.app.identity()?.teamId, userId: 'U0ASHA', channelId: TEAM },
      requestKey: review.id,
      startAt,
    },
  ]);
  expect(bulk.words()).toContain('Waiting for approval in <#C0APPROVALS>.');
  expect(bulk.sends.requests).toEqual([]);
});

test('the review is short, and sends a test of the row shown to a number that is entered', async () => {
  await orderFor('customers.csv', CUSTOMERS);
  expect(linesOf(bulk.shown().blocks, 'desk')).toBeLessThanOrEqual(14);
  await bulk.asha.form().press('Next row');
  await bulk.asha.press('review_test');
  const test = bulk.asha.form();
  expect(bulk.text('notes')).toBe(
    'This is a test. It goes to the number that you enter, and to nobody else. Nothing was sent yet.',
  );
  expect(await test.fill('to', '+6598765432').submit()).toEqual({ ok: true });
  expect(bulk.sends.requests).toMatchObject([{ message: { params: ['Chen', 'A-3'] }, to: '+6598765432' }]);
  // The review stays.
  expect(bulk.text('list:counts')).toContain('*2 of 4 people get it.*');
  expect(bulk.bulkSends.requests).toEqual([]);
});

test('a part that is added in the review leaves it the review', async () => {
  const form = await bulk.openForm('/chatapp interactive');
  await form.choose('recipients', 'numbers');
  form.fillAll({
    'interactive.body.text': 'Shall we come?',
    'interactive.action.buttons.0.reply.title': 'Yes',
    numbers: '+6591234567\n+6591234568',
  });
  expect(await form.submit()).toEqual({ ok: true });
  await bulk.untilReview();
  await form.press('Add a button (2 left)');
  expect(form.paths()).not.toContain('recipients');
});

test.each([
  [
    'the first three, masked, those that nobody has to correct last',
    ['12345678901234567,Bo,A-2', '+6591234568,,A-3', ...Array(9).fill('bad 1,Dee,A-4')],
    '*1 of 13 people gets it.* Left out: 10 wrong numbers, 1 twice, 1 without “Customer”.',
    [
      'Row 4 (•••••••••••••4567): This number is too long for a number in India (+91).',
      'Row 5 (+65 •••• 4568): The value for “customer” is empty.',
      'Row 6 (bad •): A phone number has digits only, no letters.',
    ],
  ],
  [
    'all where there is room, in their order',
    [',Bo,A-2', '+6591234568,,A-3'],
    '*1 of 4 people gets it.* Left out: 1 wrong number, 1 twice, 1 without “Customer”.',
    [/^Row 3 /, /^Row 4 \(empty\): /, /^Row 5 /],
  ],
])(
  'the review counts whom the message fits, and shows rows that are left out: %s',
  async (_, more, counts, told) => {
    const rows = ['+6591234567,Asha,A-1', '+6591234567,Asha,A-1', ...more];
    await orderFor('customers.csv', `phone,Customer,Order\n${rows.join('\n')}\n`);
    expect(bulk.text('list:counts')).toBe(counts);
    expect(bulk.text('list:rows')?.split('\n')).toEqual(
      told.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
    );
    expect(bulk.shown().submit?.text).toBe('Send to 1');
    expect(linesOf(reviewBlocks(), 'window')).toBeLessThanOrEqual(14);
  },
);

test('another column, or a text, for a value: preview and count follow, and what was typed stays', async () => {
  const form = await orderFor(
    'customers.csv',
    'phone,Customer,Order,City\n+6591234567,Asha,A-1,\n+6591234568,Bo,,Pune\n',
  );
  expect(bulk.text('list:counts')).toContain('*1 of 2 people gets it.*');
  expect(form.value('params.1')).toMatchObject({ selected_option: { value: '{{Order}}' } });
  await form.choose('params.1', 'Customer');
  await bulk.until('the count', () => bulk.text('list:counts')?.includes('*2 of 2 people get it.*'));
  expect(bulk.words()).toContain('Hello Asha, your order Asha is on its way.');
  expect(bulk.shown().submit?.text).toBe('Send to 2');
  await form.press('Next row');
  expect(bulk.words()).toContain('Hello Bo, your order Bo is on its way.');
  await form.choose('params.1', '✏️ A text that I write');
  await bulk.until('the input', () => form.value('params.1')?.type === 'plain_text_input');
  expect(bulk.text('preview:text')).toBe('Hello Bo, your order ⟨order⟩ is on its way.');
  expect(await form.submit()).toEqual(
    refused({ 'params.1': expect.stringMatching(/^Enter a value|^Please/) }),
  );
  await form.enter('params.1', 'of {{City}}');
  await bulk.until('the count', () => bulk.text('list:counts')?.includes('*1 of 2 people gets it.*'));
  expect(bulk.words()).toContain('Hello Bo, your order of Pune is on its way.');
  expect(await form.submit()).toEqual({ ok: true });
  expect(bulk.bulkSends.requests).toMatchObject([{ message: { params: ['{{Customer}}', 'of {{City}}'] } }]);
});

test('a wrong column of numbers and a wrong file are corrected in the review', async () => {
  const form = await orderFor(
    'first.csv',
    'phone,other,Customer,Order\n+6591234567,+6598765432,Asha,A-1\n12,+6598765433,Bo,A-2\n',
  );
  const startAt = Date.UTC(2030, 0, 5, 8);
  await form.press('More');
  form.chooseTime('schedule', startAt);
  await form.choose('params.0', 'Order');
  await form.press('Correct the list');
  expect(form.value('numberColumn')).toMatchObject({ selected_option: { text: { text: 'phone' } } });
  expect(bulk.text('list:title')).toMatch(/^first\.csv · /);
  expect(bulk.shown().submit?.text).toBe('Next');
  await form.choose('numberColumn', 'other');
  expect(await form.submit()).toEqual({ ok: true });
  await bulk.until('the other column', () => bulk.text('list:title')?.includes('from “other”'));
  expect(bulk.text('list:counts')).toContain('*2 of 2 people get it.*');
  expect(form.paths()).not.toContain('recipients');
  expect(form.value('params.0')).toMatchObject({ selected_option: { value: '{{Order}}' } });
  await form.press('Correct the list');
  const other = 'phone,CUSTOMER,order\n+6591234569,Chen,A-9\n';
  expect(await bulk.giveFile('second.csv', other)).toEqual({ ok: true });
  await bulk.until('the other file', () => bulk.text('list:title')?.startsWith('second.csv'));
  const again = bulk.asha.form();
  expect(again.value('params.0')).toMatchObject({ selected_option: { value: '{{order}}' } });
  expect(again.value('params.1')).toMatchObject({ selected_option: { value: '{{order}}' } });
  expect(bulk.words()).toContain('Hello A-9, your order A-9 is on its way.');
  expect(await again.submit()).toEqual({ ok: true });
  expect(bulk.bulkSends.requests).toMatchObject([{ audienceId: 'A-3000000000', startAt }]);
});

test('a file in the review that cannot be read leaves the list that was there', async () => {
  const form = await orderFor('first.csv', CUSTOMERS);
  await form.press('Correct the list');
  const file =
    'The file has a header and no rows. Nothing was sent. Add at least one row and upload it again.';
  expect(await bulk.giveFile('second.csv', 'phone\n')).toEqual(refused({ file }));
  expect(bulk.text('list:title')).toMatch(/^first\.csv · /);
  expect(await bulk.giveFile('third.csv', 'Customer,a,b\nAsha,+6591234567,+6591234568\n')).toEqual({
    ok: true,
  });
  await bulk.until('the choice of a column', () => bulk.words().includes('Of third.csv.'));
  expect(bulk.text('list:title')).toMatch(/^first\.csv · /);
  await form.choose('numberColumn', 'a');
  expect(await form.submit()).toEqual({ ok: true });
  await bulk.until('the third file', () => bulk.text('list:title')?.startsWith('third.csv'));
});

test('a list that takes long is being counted first, and a newer count is the one that is shown', async () => {
  const form = await smsForFile('Hi {{Customer}}');
  await bulk.giveFile('list.csv', 'phone,Customer,Order\n+6591234567,Asha,\n+6591234568,,A-1\n');
  await bulk.untilReview();
  expect(bulk.text('list:counts')).toContain('*1 of 2 people gets it.*');
  const held = Promise.withResolvers<void>();
  bulk.bulkSends.counting = held.promise;
  await form.enter('text', 'Hi {{Order}}');
  await bulk.until('counting', () =>
    bulk.text('list:counts')?.includes('*At most 2 of 2 people get it*, being counted'),
  );
  expect(bulk.shown().submit?.text).toBe('Send');
  bulk.bulkSends.counting = undefined;
  held.resolve();
  await bulk.until('the count', () => bulk.text('list:counts')?.includes('*1 of 2'));
  await form.enter('text', 'Hi all');
  await bulk.until('the newer count', () => bulk.text('list:counts')?.includes('*2 of 2'));
});

test('a sample list for the template comes to the person, and the form says where it is', async () => {
  const form = await bulk.openForm('/chatapp');
  await form.choose('recipients', 'file');
  await form.press('Get a sample file');
  expect(bulk.words()).toContain('Choose the template first');
  await form.chooseTemplate('order_update');
  await form.press('Get a sample file');
  expect(bulk.words()).toContain('The sample is in your direct messages with Herald');
  const message = bulk.direct().findLast(({ text }) => text !== '');
  const file = await bulk.until('the file', () =>
    bulk
      .direct()
      .flatMap(({ files = [] }) => files)
      .at(-1),
  );
  expect(message?.text).toContain('A sample list for “Order update”.');
  expect(file.name).toBe('order_update-sample.csv');
  expect(await bulk.download(file)).toMatch(/^phone,customer,order\r\n\+12025550101,/i);
});

test('a pasted list, and a way back from the review with everything that was typed', async () => {
  const form = await bulk.openForm('/sms');
  form.fill('text', 'Hello all').fill('to', '+6598765432');
  await form.choose('recipients', 'numbers');
  form.fill('numbers', '+6591234567\n+6591234568, +6591234569');
  expect(await form.submit()).toEqual({ ok: true });
  const review = await bulk.untilReview();
  expect(bulk.text('list:counts')).toBe('*3 of 3 people get it.*');
  expect(review.submit?.text).toBe('Ask for approval');
  await form.press('Correct the list');
  expect(form.value('text')).toMatchObject({ value: 'Hello all' });
  expect(form.value('numbers')).toMatchObject({ value: '+6591234567\n+6591234568, +6591234569' });
  await form.choose('recipients', 'one');
  expect(form.value('to')).toMatchObject({ value: '+6598765432' });
  expect(await form.submit()).toEqual({ ok: true });
  expect(bulk.sends.requests.map(({ to }) => to)).toEqual(['+6598765432']);
  expect(bulk.bulkSends.requests).toEqual([]);
});

test('pasted numbers that are too many for a form to carry are there again when the list is corrected', async () => {
  const many = ['12', ...Array.from({ length: 200 }, (_none, n) => `+65912${34000 + n}`)];
  const numbers = `${many.join('\n')}\n+6591234000`;
  const form = await textFor(numbers);
  await bulk.untilReview();
  await form.press('Correct the list');
  expect(bulk.form().value('numbers')).toMatchObject({ value: numbers });
});

test('a line to two numbers with a one-time password says that it is for one person', async () => {
  const form = await bulk.openForm('/chatapp login_code +6591234567, +6591234568 482913');
  expect(form.value('numbers')).toMatchObject({ value: '+6591234567\n+6591234568' });
  expect(bulk.text('notes')).toMatch(/^Nothing was sent yet\./);
  expect(JSON.stringify(form.view.blocks)).toContain('"text":"⚠️ A one-time password is for one person');
  expect(bulk.sends.requests).toEqual([]);
});

test('a file in which nobody can be sent to is refused under its field', async () => {
  await smsForFile('Hello');
  const file = 'None of the 2 rows can be sent to (2 wrong numbers). Nothing was sent. Choose another list.';
  expect(await bulk.giveFile('list.csv', 'phone\n12\n13\n')).toEqual(refused({ file }));
});

test('a column that the list does not have, and a password for many, are refused under their fields', async () => {
  const form = await smsForFile('Hello {{customer}}');
  expect(await bulk.giveFile('list.csv', CUSTOMERS)).toEqual({ ok: true });
  await bulk.untilReview();
  expect(await form.submit()).toEqual(
    refused({ text: 'The list has no column “customer”. Write {{Customer}}.' }),
  );
  await form.press('More');
  await form.choose('type', 'OTP');
  form.fill('text', 'Hello {{Customer}}');
  expect(await form.submit()).toEqual(
    refused({ type: 'A one-time password is for one person: it cannot be sent to a list. Choose another.' }),
  );
  expect(bulk.bulkSends.requests).toEqual([]);
});

/** The file of the rows that were left out, once it has come directly. */
async function excludedRows(): Promise<string> {
  const before = bulk.direct().length;
  await bulk.asha.click('exclusions');
  const file = await bulk.until('the file', () => {
    const told = bulk.direct().slice(before);
    return told.flatMap((message) => message.files ?? []).find(({ name }) => name === 'excluded-rows.csv');
  });
  return bulk.download(file);
}

test('the rows that were left out come as a file, directly', async () => {
  await textFor('+6591234567\n12');
  await bulk.untilReview();
  expect(await excludedRows()).toMatch(/^row,number,cause,reason\r\n2,12,invalid,/);
});

test('the rows that only the message leaves out come, too, where the list is without a fault', async () => {
  await orderFor('customers.csv', 'phone,Customer,Order\n+6591234567,Asha,A-1\n+6598765432,,A-2\n');
  expect(bulk.text('list:counts')).toBe('*1 of 2 people gets it.* Left out: 1 without “Customer”.');
  expect(await excludedRows()).toBe(
    'row,number,cause,reason\r\n3,+6598765432,without “Customer”,The value for “customer” is empty in this row.\r\n',
  );
});

test.each(['takes', 'refuses'])(
  'a form closed while its list is read is kept, where Slack %s its button',
  async (how) => {
    const release = holdLists();
    await textFor('+6591234567');
    expect(bulk.words()).toContain('The list is being read.');
    await bulk.close();
    const before = bulk.direct().length;
    if (how === 'refuses') bulk.refuse('chat.postMessage', 'invalid_blocks');
    release();
    const told = await bulk.until('a word', () => bulk.direct()[before]);
    expect(told.text).toContain('has been read');
    if (how === 'refuses') return expect(told.blocks ?? []).toEqual([]);
    await bulk.asha.click('reopen_form', { message: told });
    await bulk.untilReview();
    expect(await bulk.form().submit()).toEqual({ ok: true });
    expect(bulk.bulkSends.requests).toMatchObject([{ message: { text: 'Hello' } }]);
  },
);

test('a refusal stands under the field it names, and the second press asks again under the same key', async () => {
  const form = await textFor('+6591234567');
  const { id } = await bulk.untilReview();
  bulk.bulkSends.answer = { state: 'refused', what: 'It is past.', next: 'Choose later.', path: 'schedule' };
  await form.press('More');
  expect(await form.submit()).toEqual({ ok: false, errors: { schedule: 'It is past. Choose later.' } });
  bulk.bulkSends = new RecordingBulkSends(bulk.audiences);
  bulk.bulkSends.state = 'started';
  expect(await form.submit()).toEqual({ ok: true });
  expect(bulk.words()).toContain('It is being sent');
  expect(bulk.bulkSends.requests).toMatchObject([{ requestKey: id }]);
});

test('a saved audience is searched by name', async () => {
  const { id } = await listOf(bulk.audiences, '+6591234567', 'Newsletter');
  const form = await bulk.openForm('/sms');
  await form.choose('recipients', 'audience');
  const [option] = await form.suggestions('news', 'audience');
  expect(option).toMatchObject({ text: { text: 'Newsletter (1)' }, value: id });
  expect(await form.suggestions('other', 'audience')).toEqual([]);
  await form.fill('text', 'Hello').chooseSuggested('audience', 'news');
  expect(await form.submit()).toEqual({ ok: true });
  await bulk.untilReview();
  expect(bulk.text('list:title')).toBe('Newsletter');
});

test('what Slack gave back escaped is shown as it was, however often the preview changes', async () => {
  const form = await bulk.openForm('/sms');
  await form.press('More');
  const before = bulk.text('sender');
  await form.enter('text', 'a');
  await form.enter('text', 'a & b');
  expect(before).toContain('Acme & Co');
  expect(bulk.text('sender')).toBe(before);
});
