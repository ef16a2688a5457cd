import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, RAVI, TEAM, WITH_APPROVALS } from './team.ts';

/* Each rule of a field is held by test/slack/compose/form, each fault of a list by test/sends/audiences and test/trust/lists.test.ts. */

const stack = runningStack({ config: WITH_APPROVALS });
const asha = () => stack.person(ASHA);
beforeEach(async () => {
  stack.carrier.reset();
  await stack.closeViews();
});

/** A whole sentence, and not a library's: it begins with a capital, ends with a full stop, names no type. */
const SENTENCE = expect.stringMatching(/^[A-Z“"][\s\S]*[.?]$/);

describe('a form', () => {
  test('says under each input what is wrong, all at once; the corrected one goes out once', async () => {
    const form = await asha().openForm(TEAM, '/chatapp');
    await form.chooseTemplate('invoice');
    form.fillAll({
      to: '+65 9123 CALL',
      'params.0': '   ',
      'header.link': 'ftp://files.example/may.pdf',
      'header.filename': ' ',
    });
    const errors = {
      to: SENTENCE,
      'params.0': SENTENCE,
      'header.link': SENTENCE,
      'header.filename': SENTENCE,
    };
    expect(await form.submit()).toEqual({ ok: false, errors });
    expect(stack.wholeRequests()).toEqual([]);
    const right = { 'params.0': 'May', 'header.link': 'https://files.example/may.pdf' };
    form.fillAll({ ...right, to: CUSTOMER, 'header.filename': 'may.pdf' });
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('the corrected request', () => stack.wholeRequests().length === 1);
    expect(Object.keys(stack.carrier.state().phones)).toEqual([CUSTOMER]);
  });

  test('takes a text that means something in Slack: it goes out as typed, and wakes nobody in the channel', async () => {
    const text = 'Hello <!channel> <@U0RAVI> & <https://evil.example|you> 👩‍👩‍👧‍👦';
    const conversation = stack.from(asha());
    const form = await asha().openForm(TEAM, '/sms');
    expect(await form.fill('to', CUSTOMER).fill('text', text).submit()).toEqual({ ok: true });
    const message = await conversation.message(/Hello .!channel/);
    expect(stack.wholeRequests()).toMatchObject([{ body: { text } }]);
    expect(JSON.stringify([message.text, mrkdwnOf(message.blocks)])).not.toMatch(
      /<!(?!date\^)|<@U0RAVI|<https:/,
    );
  });

  test('whose template was removed says so under Template; nothing is sent, and what was typed is kept', async () => {
    const form = await asha().openForm(TEAM, '/chatapp');
    await form.chooseTemplate('order_update');
    form.fillAll({ to: CUSTOMER, 'params.0': 'Asha', 'params.1': 'A-1' });
    const ravi = stack.person(RAVI);
    await ravi.openForm(TEAM, '/templates look order_update');
    await ravi.press('template_archive');
    await ravi.form().submit();
    expect(await form.submit()).toEqual({ ok: false, errors: { template: SENTENCE } });
    expect(form.value('params.1')).toMatchObject({ value: 'A-1' });
    expect(stack.wholeRequests()).toEqual([]);
  });
});

/** Every mrkdwn text of a message: what Slack would read mentions and links out of. */
function mrkdwnOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mrkdwnOf);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Record<string, unknown>;
  if (node.type === 'mrkdwn' || node.type === 'markdown') return [String(node.text)];
  return Object.values(node).flatMap(mrkdwnOf);
}

test('help answers its writer alone', async () => {
  const answer = await stack.says(ASHA, '/chatapp help', /\/chatapp/);
  expect(answer.ephemeralFor).toBe(ASHA);
  expect(messageText(answer)).toContain('/chatapp');
});

describe('a list', () => {
  async function given(content: string) {
    const file = await asha().upload('customers.csv', content);
    const form = await asha().openForm(TEAM, '/sms');
    await form.choose('recipients', 'file');
    form.attach('file', [file]).fill('text', 'Hello');
    const submitted = await form.submit();
    return { form, said: () => JSON.stringify(submitted) + stack.words() };
  }

  test.each([
    [
      'a quotation mark that is never closed',
      'phone,name\n+919812345678,Asha\n+919812345679,"Bo\n+919812345680,Cai\n',
      /In lines 3 to 4 a quotation mark is not closed where its cell ends[^"]*Nothing was sent\. Correct it/,
    ],
    [
      'no header',
      '+919812345678,Asha\n+919812345679,Bo\n',
      /The first row holds the phone number \+91 ••••• •5678, [^"]*Nothing was sent\. Add a first row/,
    ],
  ])('with %s: said under the file, and what was typed is kept', async (_name, content, sentence) => {
    const { form, said } = await given(content);
    await stack.eventually('the sentence', () => sentence.test(said()), 30_000);
    expect(form.value('text')).toMatchObject({ value: 'Hello' });
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('with rows that break the rules of CSV: left out, and nobody reads anything of them', async () => {
    await given(
      'phone,name\n+919812345678,Asha\n+919812345679,5" pipe\n+919812345680,Rao, Cai\n+919812345681,Dee\n',
    );
    await stack.shows(/\*2 of 4 people get it\.\*/);
    expect(stack.words()).toContain('Left out: 2 wrong numbers.');
  });

  test.each([
    ['/sms', '+6591234567, +6598765432'],
    ['/flash', '<tel:+6591234567|+65 9123 4567> <tel:+6598765432|+65 9876 5432>'],
  ])('of two numbers after %s is none of its text', async (command, numbers) => {
    const form = await asha().openForm(TEAM, `${command} ${numbers} Your table is ready`, true);
    expect(form.value('numbers')).toMatchObject({ value: '+6591234567\n+6598765432' });
    expect(form.value('text')).toMatchObject({ value: 'Your table is ready' });
    expect(stack.words()).toContain('Nothing was sent yet. The line begins with several numbers');
    expect(await form.submit()).toEqual({ ok: true });
    await stack.shows(/\*2 of 2 people get it\.\*/);
    expect(stack.words()).toContain('Ask for approval');
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('of two numbers after a template is a list for it', async () => {
    const form = await asha().openForm(TEAM, '/chatapp closed_today +6591234567; +65 9876 5432');
    expect(form.value('numbers')).toMatchObject({ value: '+6591234567\n+65 9876 5432' });
    expect(stack.words()).toContain('Nothing was sent yet. The line begins with several numbers');
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('without a column of numbers: asked for, and nothing is sent', async () => {
    const { form } = await given('who,city\nAsha,Pune\nBo,Singapore\n');
    await stack.eventually('the choice of a column', () => form.paths().includes('numberColumn'));
    await form.choose('numberColumn', 'city');
    const again = JSON.stringify(await form.submit());
    const sentence = /None of the 2 rows can be sent to \(2 wrong numbers\)\. Nothing was sent\./;
    await stack.eventually('the sentence', () => sentence.test(again + stack.words()));
    expect(stack.wholeRequests()).toEqual([]);
  });
});
