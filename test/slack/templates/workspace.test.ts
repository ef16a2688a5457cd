import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Form } from '../../../sandbox/form.ts';
import { templateSchema } from '../../../src/messages/templates/template.ts';
import { OPENING, ORDER } from '../../sends/templates/setting.ts';
import { CatalogueWorkspace } from './catalogue-workspace.ts';

/* /templates, in a workspace that holds windows and files as Slack does. */

let slack: CatalogueWorkspace;
beforeAll(async () => {
  slack = await CatalogueWorkspace.start();
});
afterAll(() => slack.stop());
beforeEach(() => slack.reset(ORDER, OPENING));

const KEY = { channel: 'chatapp', name: 'order_update' } as const;
const many = (count: number) =>
  Array.from({ length: count }, (_none, n) =>
    templateSchema.parse({ name: `t_${String(n).padStart(2, '0')}`, channel: 'rcs', variant: 'plain' }),
  );
/** Presses a button of the template that most tests are about. */
async function onOrder(button: string): Promise<Form> {
  await slack.openForm('/templates look order_update');
  await slack.press(button);
  return slack.form();
}
/** Submits the form on top, which Slack takes. */
const submitted = async (form = slack.form()) => expect(await form.submit()).toEqual({ ok: true });
const refuses = async (form: Form, errors: object) =>
  expect(await form.submit()).toEqual({ ok: false, errors });
/** Waits for words in the window on top. */
const shows = (words: string) => slack.until(words, () => slack.words().includes(words));
const says = (...words: string[]) => words.map((one) => expect(slack.words()).toContain(one));
const saysNot = (words: string) => expect(slack.words()).not.toContain(words);
const find = (channel: 'chatapp' | 'rcs', name: string) => slack.setting.templates.find(channel, name);
const current = async () => (await slack.setting.templates.look(KEY))?.template;

describe('the list', () => {
  test('shows all, by label, searches on Enter and on Search, and filters by channel and state', async () => {
    const list = await slack.openForm('/templates');
    says(
      '*Order update*  `order_update` · Chat-app: text\nHello {{1}}, your order',
      '*Store opening*  `store_open` · RCS: plain text\nWe are open.',
    );
    await list.enter('query', 'openin');
    says('store_open');
    saysNot('order_update`');
    list.fill('query', 'ordr');
    await submitted(list);
    says('order_update`');
    await list.enter('query', '');
    await list.choose('channel', 'RCS');
    saysNot('order_update`');
    await list.choose('state', 'Archived');
    says('No template fits.');
  });

  test('goes through pages, and words after the command search', async () => {
    await slack.reset(...many(40));
    await slack.openForm('/templates');
    says('1 to 15 of 40');
    for (const shown of ['16 to 30 of 40', '31 to 40 of 40']) {
      await slack.press('templates_later');
      says(shown);
    }
    await slack.press('templates_earlier');
    says('16 to 30 of 40');
    await slack.form().close();
    await slack.openForm('/templates t 07');
    says('`t_07`');
    saysNot('`t_08`');
  });
});

describe('one template', () => {
  test('is looked at from the list, and found by its name, or what is like it when there is none', async () => {
    await slack.openForm('/templates');
    await slack.press('template_look', 'chatapp/order_update');
    expect(slack.person().views()).toHaveLength(2);
    for (const [name, title] of [
      ['order_update', 'Template'],
      ['order_updaet', 'Templates'],
    ]) {
      await slack.form().close();
      await slack.openForm(`/templates look ${name}`);
      expect(slack.shown().title?.text).toBe(title);
    }
    says('order_update`');
  });

  test('is tried: the preview follows, and each value is held to its rule', async () => {
    const form = await onOrder('template_try');
    expect(form.value('params.1')).toMatchObject({ value: 'A-1001' });
    says('Hello Asha, your order A-1001 is on its way.');
    await form.enter('params.0', 'Ravi & co');
    says('Hello Ravi & co, your order A-1001 is on its way.');
    form.fill('params.1', 'A-1001-2002-3003');
    await refuses(form, { 'params.1': '“order” has 16 characters; at most 12 are allowed.' });
    form.fill('params.1', 'B-7');
    await submitted(form);
    says('These values fit.', 'Hello Ravi & co, your order B-7 is on its way.');
  });
});

test('adding a text with placeholders: they are asked for once the text names them', async () => {
  const form = await slack.openForm('/templates add');
  form.fillAll({ name: 'booking', label: 'Booking', languages: 'en, hi', text: 'Table {{1}} on {{2}}' });
  await submitted(form);
  says('Nothing was saved yet. The sample text has placeholders that are new');
  expect(form.value('label')).toMatchObject({ value: 'Booking' });
  const named = { 'placeholders.0.name': 'table', 'placeholders.1.name': 'day' };
  form.fillAll({ ...named, 'placeholders.1.example': 'soon' });
  await form.choose('placeholders.0.rule', 'One of these values');
  form.fill('placeholders.0.detail', 'window, garden');
  await form.choose('placeholders.1.rule', 'A date');
  const broken = expect.stringMatching(/^The example breaks the rule: “day” must be a date that exists,/);
  await refuses(form, { 'placeholders.1.example': broken });
  form.fill('placeholders.1.example', '31 May 2027');
  await submitted(form);
  says('Saved.');
  expect(await find('chatapp', 'booking')).toMatchObject({
    ...{ variant: 'text', label: 'Booking', languages: ['en', 'hi'], text: 'Table {{1}} on {{2}}' },
    placeholders: [
      { name: 'table', oneOf: ['window', 'garden'] },
      { name: 'day', example: '31 May 2027', type: 'date' },
    ],
  });
});

test('adding another kind shows its own fields and keeps what both have', async () => {
  const form = await slack.openForm('/templates add');
  form.fillAll({ name: 'offers', label: 'Offers' });
  await form.choose('variant', 'RCS: carousel, images of your own');
  expect(form.paths()).toEqual(['variant', 'name', 'label', 'text', 'cards']);
  expect(form.value('label')).toMatchObject({ value: 'Offers' });
  form.fill('cards', '11');
  await refuses(form, { cards: 'A carousel has 2 to 10 cards: enter a whole number.' });
  form.fill('cards', '3');
  await submitted(form);
  expect(await find('rcs', 'offers')).toMatchObject({ cards: 3, label: 'Offers' });
});

test('adding rows come and go by hand, where nobody wrote the text down', async () => {
  await slack.openForm('/templates add');
  await slack.press('template_more');
  await slack.press('template_more');
  await slack.press('template_fewer');
  const form = slack.form();
  form.fillAll({ name: 'silent', 'placeholders.0.name': 'who' });
  expect(form.labels().filter((label) => label.startsWith('{{'))).toHaveLength(4);
  await submitted(form);
  expect(await find('chatapp', 'silent')).toMatchObject({ placeholders: [{ name: 'who' }] });
});

test('adding a name that is taken is refused under its field', async () => {
  const form = await slack.openForm('/templates add');
  form.fill('name', 'order_update');
  await refuses(form, {
    name: 'There is a template of this channel with this name already: edit that one, or choose another name.',
  });
});

test('adding a duplicate begins as the other one', async () => {
  const form = await onOrder('template_duplicate');
  expect(form.value('text')).toMatchObject({ value: ORDER.text });
  form.fill('name', 'order_update_2');
  await submitted(form);
  expect(await find('chatapp', 'order_update_2')).toEqual({ ...ORDER, name: 'order_update_2' });
  await shows('order_update_2');
  expect(slack.person().views()).toHaveLength(1);
});

describe('editing', () => {
  test('shows the template as it then is, and who changed it', async () => {
    const form = await onOrder('template_edit');
    expect(form.paths()).not.toContain('name');
    form.fill('label', 'Order news');
    await submitted(form);
    await shows('Saved.');
    says('Last changed by <@U0ASHA>');
    await slack.press('template_history');
    says('*Edited* by <@U0ASHA>', '• Label: Order update → Order news', '*Added* by <@U0ASHA>');
  });

  test('two at once: the second is told what changed, and loses nothing', async () => {
    for (const userId of ['U0ASHA', 'U0RAVI']) {
      await slack.openForm('/templates look order_update', undefined, userId);
      await slack.press('template_edit', undefined, userId);
    }
    const ravis = slack.form('U0RAVI');
    ravis.fill('label', 'Ravi’s');
    await submitted(ravis);
    const ashas = slack.form();
    ashas.fillAll({ label: 'Asha’s', text: 'Dear {{1}}, order {{2}} has left.' });
    await submitted(ashas);
    expect(await current()).toMatchObject({ label: 'Ravi’s' });
    says(
      'Nothing was saved: @ravi changed this template after you opened it. Label: it is now “Ravi’s”, you typed “Asha’s”. Sample text: it is now “Hello {{1}}',
    );
    expect(ashas.value('text')).toMatchObject({ value: 'Dear {{1}}, order {{2}} has left.' });
    await submitted(ashas);
    expect(await current()).toMatchObject({ label: 'Asha’s', text: 'Dear {{1}}, order {{2}} has left.' });
  });

  test('voids the approvals of sends that have not begun, and says so before', async () => {
    const asked = await slack.setting.waiting(3);
    await slack.openForm('/templates look order_update');
    says(asked.id);
    await slack.press('template_edit');
    const form = slack.form();
    form.fill('label', 'Order news');
    await submitted(form);
    says(
      'A send of this template has not begun. Changing the template voids its approval',
      `${asked.id}: “Order update” to 3 people, waits for approval, asked for by <@U0ASHA>`,
    );
    expect(form.value('label')).toMatchObject({ value: 'Order news' });
    const agree = 'Nothing was changed. Tick this to go on, or leave the template as it is.';
    await refuses(form, { agree });
    expect(await current()).toEqual(ORDER);
    expect(await form.tick('agree').submit()).toEqual({ ok: true });
    await shows('Saved.');
    says(`Ended, with nothing sent: ${asked.id}. The people who asked for them are notified.`);
    expect((await slack.setting.store.find(asked.id))?.state).toBe('cancelled');
    expect(await current()).toMatchObject({ label: 'Order news' });
  });

  test('a yes to some sends is none to others', async () => {
    await slack.setting.waiting(3);
    await onOrder('template_edit');
    const form = slack.form().fill('label', 'Order news');
    await form.submit();
    const later = await slack.setting.waiting(4);
    expect(await form.tick('agree').submit()).toEqual({ ok: true });
    says(later.id, '2 sends of this template have not begun.');
    await refuses(form, { agree: expect.stringContaining('Nothing was changed.') });
    expect(await current()).toEqual(ORDER);
  });
});

test('archiving takes a template out of the forms, and restoring brings it back', async () => {
  await onOrder('template_archive');
  says('is no longer offered in forms');
  await submitted();
  await shows('Archived.');
  expect(await find('chatapp', 'order_update')).toBeUndefined();
  await slack.press('template_archive');
  await submitted();
  await shows('Restored.');
  expect(await find('chatapp', 'order_update')).toEqual(ORDER);
  const done = await slack.setting.templates.history(KEY, 9);
  expect(done.map(({ action }) => action)).toEqual(['restored', 'archived', 'added']);
});

test('archiving names the sends it ends, and asks anew when there are more', async () => {
  const first = await slack.setting.waiting(3);
  await onOrder('template_archive');
  says(first.id);
  const second = await slack.setting.waiting(4);
  await submitted();
  says('Nothing was changed yet', second.id);
  await submitted();
  await shows('Archived.');
  for (const { id } of [first, second]) expect((await slack.setting.store.find(id))?.state).toBe('cancelled');
});

describe('files', () => {
  const FILE = `templates:
  - { name: order_update, channel: chatapp, variant: text, label: Order update, text: "Order {{1}} has left." }
  - { name: closed_today, channel: chatapp, variant: text, label: Closed today, text: We are closed. }
`;

  test('an import says what it would change, changes it once told to, and shows the list', async () => {
    const asked = await slack.setting.waiting(3);
    await slack.openForm('/templates import');
    expect(await slack.giveFile('ours.yml', FILE)).toEqual({ ok: true });
    // What takes longer than a moment is shown after the answer.
    await shows('*ours.yml*: 1 new, 1 changed, 0 as they are. Nothing was changed yet.');
    says(
      'closed_today: new (Closed today)',
      'order_update, Sample text: Hello {{1}}, your order {{2}} is on its way. → Order {{1}} has left.',
      asked.id,
    );
    expect(await current()).toEqual(ORDER);
    await submitted();
    await shows('Imported: 1 new, 1 changed, 0 restored. Ended, with nothing sent:');
    expect(await current()).toMatchObject({ text: 'Order {{1}} has left.' });
  });

  test('what is wrong in a file is said line by line, and nothing is changed', async () => {
    await slack.openForm('/templates import');
    const wrong = FILE.replace('variant: text, label: Closed', 'variant: card, label: Closed');
    expect(await slack.giveFile('ours.yml', wrong)).toEqual({ ok: true });
    await shows('Nothing was changed: the file has a problem.');
    says('Line 3: “closed_today”, variant: The variants of chatapp are otp, text, document, image, video.');
    expect(await find('chatapp', 'closed_today')).toBeUndefined();
  });

  test('no file, or one that is too large, changes nothing', async () => {
    await slack.openForm('/templates import');
    expect(await slack.form().submit()).toMatchObject({ ok: false });
    expect(await slack.giveFile('large.yml', `# ${'x'.repeat(2_000_001)}`)).toEqual({ ok: true });
    await shows('could not be read to its end, or has more than 2 MB. Nothing was changed.');
  });

  test('an export is given directly, and can be imported', async () => {
    expect((await slack.answer('/templates export')).text).toBe(
      'The catalogue was sent to you directly as a file.',
    );
    const [file] = slack.direct().flatMap(({ files }) => files ?? []);
    expect(await slack.setting.templates.planImport(await slack.download(file))).toMatchObject({
      value: { unchanged: 2, added: [], edited: [] },
    });
    await slack.openForm('/templates');
    await slack.press('templates_export');
    says('The catalogue was sent to you directly as a file.');
  });
});

const ONLY_RAVI = 'Only @ravi may change templates; ask one of them. Nothing was changed.';
test('those who may not change anything can look, and are told who can help', async () => {
  slack.rights = ['U0RAVI'];
  await onOrder('template_edit');
  says(ONLY_RAVI);
  expect((await slack.answer('/templates add')).text).toBe(ONLY_RAVI);
  await slack.openForm('/templates look order_update', undefined, 'U0RAVI');
  await slack.press('template_edit', undefined, 'U0RAVI');
  expect(slack.shown('U0RAVI').title?.text).toBe('Edit template');
});

test('the right is looked at again when Save is pressed', async () => {
  const form = await slack.openForm('/templates add');
  form.fill('name', 'x');
  slack.rights = ['U0RAVI', 'C0OTHER'];
  await refuses(form, { variant: ONLY_RAVI });
  slack.rights = ['C0APPROVALS'];
  const elsewhere = /^Templates are changed from #\S+ only; do it there, or ask whoever runs Herald\./;
  await refuses(form, { variant: expect.stringMatching(elsewhere) });
  slack.rights = ['C0TEAM'];
  await submitted(form);
});

test('help', async () => {
  expect((await slack.answer('/templates help')).text).toContain('*/templates* – ');
});
