import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import type { Person } from '../../sandbox/person.ts';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { CUSTOMER, FROM } from './team.ts';

const QUIET = 'C0APPROVALS';
const stack = runningStack();
let asha: Person;
beforeAll(() => {
  asha = stack.person(ASHA);
});
beforeEach(() => stack.carrier.reset());

/** A whole sentence, and not a library's: it begins with a capital, ends with a full stop, names no type. */
const SENTENCE = expect.stringMatching(/^[A-Z“"][\s\S]*[.?]$/);

describe('numbers, under their field', () => {
  test.each([
    ['letters', '+65 9123 CALL'],
    ['a country that does not exist', '+999 1234567'],
    ['two numbers', '+6591234567, +6591234568'],
  ])('%s', async (name, to) => {
    const form = await asha.openForm(TEAM, '/flash');
    form.fill('to', to).fill('text', `Hello, ${name}`);
    expect(await form.submit()).toEqual({ ok: false, errors: { to: SENTENCE } });
    // Nothing is lost: the form is still there, and the corrected one goes out once.
    expect(await form.fill('to', CUSTOMER).submit()).toEqual({ ok: true });
    await stack.eventually('the corrected request', () => stack.wholeRequests().length === 1);
    expect(Object.keys(stack.carrier.state().phones)).toEqual([CUSTOMER]);
  });

  test.each([
    ['no country: the team’s default', '98123 45678', '+919812345678'],
    ['full-width digits', '＋６５９１２３４５６７', CUSTOMER],
  ])('%s is understood', async (name, typed, number) => {
    const form = await asha.openForm(TEAM, '/flash');
    expect(await form.fill('to', typed).fill('text', `Hello, ${name}`).submit()).toEqual({ ok: true });
    await stack.eventually('the phone', () => stack.carrier.state().phones[number]?.length === 1);
    expect(stack.wholeRequests()).toHaveLength(1);
  });

  test('sender and recipient the same, under To', async () => {
    const form = await asha.openForm(TEAM, '/chatapp');
    await form.chooseTemplate('closed_today');
    expect(await form.fill('to', FROM).submit()).toEqual({ ok: false, errors: { to: SENTENCE } });
    await form.close();
  });

  test('several recipients in one line are refused, and told why', async () => {
    await asha.command(TEAM, `/flash ${CUSTOMER} +6591234568 Hello`);
    // Results of the messages before may still come: Slack takes about one a second.
    await stack.eventually('the form for many', () => asha.views().length > 0);
    expect(JSON.stringify(asha.views())).toMatch(/approv/i);
    expect(stack.wholeRequests()).toEqual([]);
    for (const view of asha.views())
      await stack.workspace.act({ type: 'view_closed', as: ASHA, viewId: view.id });
  });
});

describe('texts', () => {
  test.each([
    ['nothing but spaces', ' \n '],
    ['a control character', 'Hello \u0007'],
  ])('%s is refused under Text', async (_name, text) => {
    const form = await asha.openForm(TEAM, '/sms');
    expect(await form.fill('to', CUSTOMER).fill('text', text).submit()).toEqual({
      ok: false,
      errors: { text: SENTENCE },
    });
    await form.close();
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('3,001 characters do not pass, in the form or in a line', async () => {
    const form = await asha.openForm(TEAM, '/sms');
    const long = 'x'.repeat(3001);
    expect(await form.fill('to', CUSTOMER).fill('text', long).submit()).toMatchObject({
      ok: false,
      errors: { text: expect.any(String) },
    });
    await form.close();
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} ${long}`);
    await stack.eventually('an answer', () => conversation.texts().some((told) => /3,?00[01]/.test(told)));
    expect(stack.wholeRequests()).toEqual([]);
    for (const view of asha.views())
      await stack.workspace.act({ type: 'view_closed', as: ASHA, viewId: view.id });
  });

  test.each([
    ['a channel mention', 'Hello <!channel> <@U0RAVI> & <https://evil.example|you>', /Hello .!channel/],
    ['balanced bidirectional isolates', 'abc \u2067שלום\u2069 ghi', /abc/],
    ['an emoji of several parts', 'Well done 👩‍👩‍👧‍👦', /Well done/],
  ])('%s goes out as typed, and wakes nobody in the channel', async (_name, text, shown) => {
    // In a channel of its own: where many results wait, one message tells of all of them, without their texts.
    const conversation = stack.from(asha, QUIET);
    const form = await asha.openForm(QUIET, '/sms');
    expect(await form.fill('to', CUSTOMER).fill('text', text).submit()).toEqual({ ok: true });
    const message = await conversation.message(shown);
    expect(stack.wholeRequests()).toMatchObject([{ body: { text } }]);
    expect(JSON.stringify([message.text, mrkdwnOf(message.blocks)])).not.toMatch(
      /<!(?!date\^)|<@U0RAVI|<https:/,
    );
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

describe('fields of a template', () => {
  test('each broken rule stands under its own input, all at once', async () => {
    const form = await asha.openForm(TEAM, '/chatapp');
    await form.chooseTemplate('invoice');
    form.fillAll({
      to: 'nobody',
      'params.0': '   ',
      'header.link': 'ftp://files.example/may.pdf',
      'header.filename': ' ',
    });
    expect(await form.submit()).toEqual({
      ok: false,
      errors: {
        to: SENTENCE,
        'params.0': SENTENCE,
        'header.link': SENTENCE,
        'header.filename': SENTENCE,
      },
    });
    await form.close();
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('a picture of another format, and a card that is not a URL', async () => {
    const photo = await asha.openForm(TEAM, '/chatapp');
    await photo.chooseTemplate('festive_photo');
    photo.fillAll({ to: CUSTOMER, 'header.link': 'https://files.example/lamp.gif' });
    expect(await photo.submit()).toEqual({ ok: false, errors: { 'header.link': SENTENCE } });
    await photo.close();
    const cards = await asha.openForm(TEAM, '/rcs');
    await cards.chooseTemplate('weekly_offers');
    cards.fillAll({
      to: CUSTOMER,
      'content.0.fileUrl': 'https://files.example/1.png',
      'content.1.fileUrl': 'files.example/2.png',
    });
    expect(await cards.submit()).toEqual({ ok: false, errors: { 'content.1.fileUrl': SENTENCE } });
    await cards.close();
    expect(stack.wholeRequests()).toEqual([]);
  });
});

describe('a template removed between opening and submitting', () => {
  test('is said under Template; nothing is sent, and what was typed is kept', async () => {
    const form = await asha.openForm(TEAM, '/chatapp');
    await form.chooseTemplate('order_update');
    form.fillAll({ to: CUSTOMER, 'params.0': 'Asha', 'params.1': 'A-1' });
    const ravi = stack.person(RAVI);
    await ravi.openForm(TEAM, '/templates look order_update');
    await ravi.press('template_archive');
    await ravi.form().submit();
    expect(await form.submit()).toEqual({ ok: false, errors: { template: SENTENCE } });
    expect(form.open).toBe(true);
    expect(form.value('params.1')).toMatchObject({ value: 'A-1' });
    expect(stack.wholeRequests()).toEqual([]);
    await form.close();
    await stack.eventually('Restore', () => JSON.stringify(ravi.views().at(-1)?.blocks).includes('Restore'));
    await ravi.press('template_archive');
    await ravi.form().submit();
    await stack.eventually('restored', () =>
      JSON.stringify(ravi.views().at(-1)?.blocks).includes('Restored.'),
    );
    await ravi.form().close();
  });
});

describe('commands that are not understood', () => {
  test.each(['/chatapp', '/herald'])('%s help answers its writer alone', async (command) => {
    const conversation = stack.from(asha);
    expect(await asha.command(TEAM, `${command} help`)).toEqual({ ok: true });
    const answer = await conversation.message(new RegExp(command));
    expect(answer.ephemeralFor).toBe(ASHA);
    expect(messageText(answer)).toContain(command);
  });

  test('an unknown template in a line opens the form, and sends nothing', async () => {
    const form = await asha.openForm(TEAM, `/chatapp order_updat ${CUSTOMER} "Asha"`);
    expect(form.open).toBe(true);
    await form.close();
    expect(stack.wholeRequests()).toEqual([]);
  });
});
