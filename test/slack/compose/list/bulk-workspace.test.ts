import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Form } from '../../../../sandbox/form.ts';
import { BulkWorkspace } from '../../bulk-workspace.ts';
import { linesOf } from '../../lines.ts';
import { TEAM } from '../../slack-workspace.ts';
import { templateMessage } from '../setting.ts';

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
      audienceId: 'A-1',
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

test('rows that are left out are told in their order, those that nobody has to correct as well', async () => {
  const rows = ['+6591234567,Asha,A-1', '+6591234567,Asha,A-1', ',Bo,A-2', '+6591234568,,A-3'];
  await orderFor('customers.csv', `phone,Customer,Order\n${rows.join('\n')}\n`);
  const told = bulk.text('list:rows') ?? '';
  expect([...told.matchAll(/^Row (\d+)/gm)].map(([, row]) => row)).toEqual(['3', '4', '5']);
  expect(told).toContain('Row 4 (empty): ');
});

test('the review counts whom the message fits, and shows the first rows that are left out, masked', async () => {
  const rows = [
    ...['+6591234567,Asha,A-1', '+6591234567,Asha,A-1', '12345678901234567,Bo,A-2', '+6591234568,,A-3'],
    ...Array.from({ length: 9 }, (_none, n) => `bad ${n},Dee,A-4`),
  ];
  await orderFor('customers.csv', `phone,Customer,Order\n${rows.join('\n')}\n`);
  const review = bulk.shown();
  expect(bulk.text('list:counts')).toBe(
    '*1 of 13 people gets it.* Left out: 10 wrong numbers, 1 twice, 1 without “Customer”.',
  );
  expect(bulk.text('list:rows')?.split('\n')).toEqual([
    'Row 4 (•••••••••••••4567): This number is too long for a number in India (+91).',
    'Row 5 (+65 •••• 4568): The value for “customer” is empty in this row.',
    'Row 6 (bad •): A phone number has digits only, no letters, for example +91 81234 56789.',
  ]);
  expect(review.submit?.text).toBe('Send to 1');
});

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
  expect(bulk.bulkSends.requests.map(({ message }) => message)).toMatchObject([
    { params: ['{{Customer}}', 'of {{City}}'] },
  ]);
});

test('a wrong column of numbers and a wrong file are corrected in the review', async () => {
  const form = await orderFor(
    'first.csv',
    'phone,mobile,Customer,Order\n+6591234567,+6598765432,Asha,A-1\n12,+6598765433,Bo,A-2\n',
  );
  const startAt = Date.UTC(2030, 0, 5, 8);
  await form.press('More');
  form.chooseTime('schedule', startAt);
  await form.choose('params.0', 'Order');
  await form.press('Correct the list');
  expect(form.value('numberColumn')).toMatchObject({ selected_option: { text: { text: 'phone' } } });
  expect(bulk.text('list:title')).toMatch(/^first\.csv · /);
  expect(bulk.shown().submit?.text).toBe('Next');
  await form.choose('numberColumn', 'mobile');
  expect(await form.submit()).toEqual({ ok: true });
  await bulk.until('the other column', () => bulk.text('list:title')?.includes('from “mobile”'));
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
  expect(bulk.bulkSends.requests).toMatchObject([{ audienceId: 'A-3', startAt }]);
});

test('a file in the review that cannot be read leaves the list that was there', async () => {
  const form = await orderFor('first.csv', CUSTOMERS);
  await form.press('Correct the list');
  const errors = { file: 'The file has no rows. Choose another.' };
  expect(await bulk.giveFile('second.csv', 'phone\n')).toEqual(refused(errors));
  expect(bulk.text('list:title')).toMatch(/^first\.csv · /);
  expect(await bulk.giveFile('third.csv', 'Customer,a\nAsha,+6591234567\n')).toEqual({ ok: true });
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
  const numbers = ['12', ...Array.from({ length: 200 }, (_none, n) => `+65912${34000 + n}`)].join('\n');
  const form = await bulk.openForm('/sms');
  await form.choose('recipients', 'numbers');
  form.fillAll({ text: 'Hello all', numbers: `${numbers}\n+6591234000` });
  await form.submit();
  await bulk.untilReview();
  await bulk.asha.form().press('Correct the list');
  const again = bulk.asha.form();
  expect(again.value('numbers')).toMatchObject({ value: `${numbers}\n+6591234000` });
  await again.choose('recipients', 'one');
  expect(bulk.shown().submit?.text).toBe('Send');
  expect(again.value('text')).toMatchObject({ value: 'Hello all' });
});

test('the form of one number says where several go', async () => {
  const form = await bulk.openForm('/sms');
  form.fillAll({ text: 'Hello', to: '+6591234567, +6591234568' });
  expect(await form.submit()).toEqual(
    refused({
      to: 'Enter one number. A message to several people is a bulk send, which needs a manager’s approval.',
    }),
  );
});

test('a line to two numbers with a one-time password says that it is for one person', async () => {
  const form = await bulk.openForm('/chatapp login_code +6591234567, +6591234568 482913');
  expect(form.value('numbers')).toMatchObject({ value: '+6591234567\n+6591234568' });
  expect(bulk.text('notes')).toMatch(/^Nothing was sent yet\./);
  expect(JSON.stringify(form.view.blocks)).toContain('"text":"⚠️ A one-time password is for one person');
  expect(bulk.sends.requests).toEqual([]);
});

test('a number column that is not certain is asked for, and the file read again with it', async () => {
  const form = await smsForFile('Hello {{who}}');
  expect(await bulk.giveFile('list.csv', 'who,a,b\nAsha,+6591234567,+6591234568\n')).toEqual({ ok: true });
  await bulk.until('the choice of a column', () => bulk.text('numberColumn'));
  await form.choose('numberColumn', 'b');
  expect(form.value('text')).toMatchObject({ value: 'Hello {{who}}' });
  expect(await form.submit()).toEqual({ ok: true });
  await bulk.untilReview();
  expect(bulk.text('list:title')).toContain('numbers from “b”');
  expect(bulk.words()).toContain('Hello Asha');
});

test.each([
  ['a file without rows', 'phone\n', 'The file has no rows. Choose another.'],
  [
    'a file in which nobody can be sent to',
    'phone\n12\n13\n',
    'None of the 2 rows can be sent to (2 invalid). Nothing was sent. Choose another list.',
  ],
])('%s: said under the file, nothing lost', async (_name, content, sentence) => {
  await smsForFile('Hello');
  expect(await bulk.giveFile('list.csv', content)).toEqual(refused({ file: sentence }));
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

test('the rows that were left out come as a file, directly', async () => {
  await textFor('+6591234567\n12');
  await bulk.untilReview();
  await bulk.asha.click('exclusions');
  const message = await bulk.until('the file', () =>
    bulk.direct().findLast(({ files }) => files?.some(({ name }) => name === 'excluded-rows.csv')),
  );
  expect(await bulk.download(message.files?.[0])).toBe('row,number,cause\r\n2,A-1 ☎,invalid\r\n');
});

test('a form closed while its list is read is kept, and opened by a button', async () => {
  const release = holdLists();
  await textFor('+6591234567');
  expect(bulk.words()).toContain('The list is being read.');
  await bulk.close();
  release();
  const told = await bulk.until('a word', () =>
    bulk.direct().find(({ text }) => text.includes('has been read')),
  );
  await bulk.asha.click('reopen_form', { message: told });
  await bulk.untilReview();
  expect(await bulk.form().submit()).toEqual({ ok: true });
  expect(bulk.bulkSends.requests.map(({ message }) => 'text' in message && message.text)).toEqual(['Hello']);
});

test('a form closed while its list is read: said in plain words where Slack refuses the button', async () => {
  const release = holdLists();
  await textFor('+6591234567');
  await bulk.close();
  const before = bulk.direct().length;
  bulk.refuse('chat.postMessage', 'invalid_blocks');
  release();
  const [told] = await bulk.until('a word', () => {
    const said = bulk.direct().slice(before);
    return said.length > 0 && said;
  });
  expect(told?.text).toContain('has been read');
  expect(told?.blocks ?? []).toEqual([]);
});

test('a refusal stands under the field it names, and the second press asks again under the same key', async () => {
  const form = await textFor('+6591234567');
  const { id } = await bulk.untilReview();
  bulk.bulkSends.answer = { state: 'refused', what: 'It is past.', next: 'Choose later.', path: 'schedule' };
  await form.press('More');
  expect(await form.submit()).toEqual({ ok: false, errors: { schedule: 'It is past. Choose later.' } });
  bulk.bulkSends.answer = undefined;
  bulk.bulkSends.requests.length = 0;
  bulk.bulkSends.state = 'started';
  expect(await form.submit()).toEqual({ ok: true });
  expect(bulk.words()).toContain('It is being sent');
  expect(bulk.bulkSends.requests.map(({ requestKey }) => requestKey)).toEqual([id]);
});

test('a saved audience is searched by name', async () => {
  await bulk.audiences.fromNumbers('+6591234567', 'U0ASHA');
  await bulk.audiences.save('A-1', 'Newsletter');
  const form = await bulk.openForm('/sms');
  await form.choose('recipients', 'audience');
  const [option] = await form.suggestions('news', 'audience');
  expect(option).toMatchObject({ text: { text: 'Newsletter (1)' }, value: 'A-1' });
  expect(await form.suggestions('other', 'audience')).toEqual([]);
  await form.fill('text', 'Hello').chooseSuggested('audience', 'news');
  expect(await form.submit()).toEqual({ ok: true });
  await bulk.untilReview();
  expect(bulk.text('list:title')).toBe('Newsletter');
});
