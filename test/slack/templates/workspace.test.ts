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
const current = async () => (await slack.setting.templates.look(KEY))?.template;

describe('the list', () => {
  test('shows all, by label, with how each reads', async () => {
    await slack.openForm('/templates');
    expect(slack.words()).toContain(
      '*Order update*  `order_update` · Chat-app: text\nHello {{1}}, your order',
    );
    expect(slack.words()).toContain('*Store opening*  `store_open` · RCS: plain text\nWe are open.');
  });

  test('searches on Enter and on Search, and filters by channel and state', async () => {
    const list = await slack.openForm('/templates');
    await list.enter('query', 'openin');
    expect(slack.words()).toContain('store_open');
    expect(slack.words()).not.toContain('order_update`');
    list.fill('query', 'ordr');
    expect(await list.submit()).toEqual({ ok: true });
    expect(slack.words()).toContain('order_update`');
    await list.enter('query', '');
    await list.choose('channel', 'RCS');
    expect(slack.words()).not.toContain('order_update`');
    await list.choose('state', 'Archived');
    expect(slack.words()).toContain('No template fits.');
  });

  test('goes through pages, and words after the command search', async () => {
    await slack.reset(...many(40));
    await slack.openForm('/templates');
    expect(slack.words()).toContain('1 to 15 of 40');
    await slack.press('templates_later');
    expect(slack.words()).toContain('16 to 30 of 40');
    await slack.press('templates_later');
    expect(slack.words()).toContain('31 to 40 of 40');
    await slack.press('templates_earlier');
    expect(slack.words()).toContain('16 to 30 of 40');
    await slack.form().close();
    await slack.openForm('/templates t 07');
    expect(slack.words()).toContain('`t_07`');
    expect(slack.words()).not.toContain('`t_08`');
  });

  test('says what to do when there is none', async () => {
    await slack.reset();
    await slack.openForm('/templates');
    expect(slack.words()).toContain('The catalogue is empty.');
  });
});

describe('one template', () => {
  test('is shown with its placeholders, its rules, and how it reads', async () => {
    await slack.openForm('/templates');
    await slack.press('template_look', 'chatapp/order_update');
    expect(slack.person().views()).toHaveLength(2);
    expect(slack.words()).toContain('Hello Asha, your order A-1001 is on its way.');
    expect(slack.words()).toContain('{{2}} order, e.g. A-1001. At most 12 characters.');
    expect(slack.words()).toContain('*Languages*\nEnglish (en)');
  });

  test('is found by its name, and what is like it when there is none', async () => {
    await slack.openForm('/templates look order_update');
    expect(slack.shown().title?.text).toBe('Template');
    await slack.form().close();
    await slack.openForm('/templates look order_updaet');
    expect(slack.shown().title?.text).toBe('Templates');
    expect(slack.words()).toContain('order_update`');
  });

  test('is tried: the preview follows, and each value is held to its rule', async () => {
    const form = await onOrder('template_try');
    expect(form.value('params.1')).toMatchObject({ value: 'A-1001' });
    expect(slack.words()).toContain('Hello Asha, your order A-1001 is on its way.');
    await form.enter('params.0', 'Ravi & co');
    expect(slack.words()).toContain('Hello Ravi & co, your order A-1001 is on its way.');
    form.fill('params.1', 'A-1001-2002-3003');
    expect(await form.submit()).toEqual({
      ok: false,
      errors: { 'params.1': '“order” has 16 characters; at most 12 are allowed.' },
    });
    form.fill('params.1', 'B-7');
    expect(await form.submit()).toEqual({ ok: true });
    expect(slack.words()).toContain('These values fit.');
    expect(slack.words()).toContain('Hello Ravi & co, your order B-7 is on its way.');
  });
});

describe('adding', () => {
  test('a text with placeholders: they are asked for once the text names them', async () => {
    const form = await slack.openForm('/templates add');
    form.fillAll({ name: 'booking', label: 'Booking', languages: 'en, hi', text: 'Table {{1}} on {{2}}' });
    expect(await form.submit()).toEqual({ ok: true });
    expect(slack.words()).toContain('Nothing was saved yet. The sample text has placeholders that are new');
    expect(form.value('label')).toMatchObject({ value: 'Booking' });
    form.fillAll({
      'placeholders.0.name': 'table',
      'placeholders.1.name': 'day',
      'placeholders.1.example': 'soon',
    });
    await form.choose('placeholders.0.rule', 'One of these values');
    form.fill('placeholders.0.detail', 'window, garden');
    await form.choose('placeholders.1.rule', 'A date');
    expect(await form.submit()).toEqual({
      ok: false,
      errors: {
        'placeholders.1.example':
          'The example breaks the rule: “day” must be a date that exists, such as 2027-05-31, 31/05/2027 or 31 May 2027.',
      },
    });
    form.fill('placeholders.1.example', '31 May 2027');
    expect(await form.submit()).toEqual({ ok: true });
    expect(slack.words()).toContain('Saved.');
    expect(await slack.setting.templates.find('chatapp', 'booking')).toEqual({
      name: 'booking',
      channel: 'chatapp',
      variant: 'text',
      label: 'Booking',
      languages: ['en', 'hi'],
      placeholders: [
        { name: 'table', oneOf: ['window', 'garden'] },
        { name: 'day', example: '31 May 2027', type: 'date' },
      ],
      text: 'Table {{1}} on {{2}}',
      cards: 0,
    });
  });

  test('another kind shows its own fields and keeps what both have', async () => {
    const form = await slack.openForm('/templates add');
    form.fillAll({ name: 'offers', label: 'Offers' });
    await form.choose('variant', 'RCS: carousel, images of your own');
    expect(form.paths()).toEqual(['variant', 'name', 'label', 'text', 'cards']);
    expect(form.value('label')).toMatchObject({ value: 'Offers' });
    form.fill('cards', '11');
    expect(await form.submit()).toEqual({
      ok: false,
      errors: { cards: 'A carousel has 2 to 10 cards: enter a whole number.' },
    });
    form.fill('cards', '3');
    expect(await form.submit()).toEqual({ ok: true });
    expect(await slack.setting.templates.find('rcs', 'offers')).toMatchObject({ cards: 3, label: 'Offers' });
  });

  test('rows come and go by hand, where nobody wrote the text down', async () => {
    await slack.openForm('/templates add');
    await slack.press('template_more');
    await slack.press('template_more');
    await slack.press('template_fewer');
    const form = slack.form();
    form.fillAll({ name: 'silent', 'placeholders.0.name': 'who' });
    expect(form.labels().filter((label) => label.startsWith('{{'))).toHaveLength(4);
    expect(await form.submit()).toEqual({ ok: true });
    expect(await slack.setting.templates.find('chatapp', 'silent')).toMatchObject({
      placeholders: [{ name: 'who' }],
    });
  });

  test('a name that is taken is refused under its field', async () => {
    const form = await slack.openForm('/templates add');
    form.fill('name', 'order_update');
    expect(await form.submit()).toEqual({
      ok: false,
      errors: {
        name: 'There is a template of this channel with this name already: edit that one, or choose another name.',
      },
    });
  });

  test('a duplicate begins as the other one', async () => {
    const form = await onOrder('template_duplicate');
    expect(form.value('text')).toMatchObject({ value: ORDER.text });
    form.fill('name', 'order_update_2');
    expect(await form.submit()).toEqual({ ok: true });
    expect(await slack.setting.templates.find('chatapp', 'order_update_2')).toEqual({
      ...ORDER,
      name: 'order_update_2',
    });
    await slack.until('the copy to be shown', () => slack.words().includes('order_update_2'));
    expect(slack.person().views()).toHaveLength(1);
  });
});

describe('editing', () => {
  test('shows the template as it then is, and who changed it', async () => {
    const form = await onOrder('template_edit');
    expect(form.paths()).not.toContain('name');
    form.fill('label', 'Order news');
    expect(await form.submit()).toEqual({ ok: true });
    await slack.until('the template to be shown', () => slack.words().includes('Saved.'));
    expect(slack.words()).toContain('Last changed by <@U0ASHA>');
    await slack.press('template_history');
    expect(slack.words()).toContain('*Edited* by <@U0ASHA>');
    expect(slack.words()).toContain('• Label: Order update → Order news');
    expect(slack.words()).toContain('*Added* by <@U0ASHA>');
  });

  test('two at once: the second is told what changed, and loses nothing', async () => {
    for (const userId of ['U0ASHA', 'U0RAVI']) {
      await slack.openForm('/templates look order_update', undefined, userId);
      await slack.press('template_edit', undefined, userId);
    }
    const ravis = slack.form('U0RAVI');
    ravis.fill('label', 'Ravi’s');
    expect(await ravis.submit()).toEqual({ ok: true });
    const ashas = slack.form();
    ashas.fillAll({ label: 'Asha’s', text: 'Dear {{1}}, order {{2}} has left.' });
    expect(await ashas.submit()).toEqual({ ok: true });
    expect(await current()).toMatchObject({ label: 'Ravi’s' });
    expect(slack.words()).toContain(
      'Nothing was saved: @ravi changed this template after you opened it. Label: it is now “Ravi’s”, you typed “Asha’s”. Sample text: it is now “Hello {{1}}',
    );
    expect(ashas.value('text')).toMatchObject({ value: 'Dear {{1}}, order {{2}} has left.' });
    expect(await ashas.submit()).toEqual({ ok: true });
    expect(await current()).toMatchObject({ label: 'Asha’s', text: 'Dear {{1}}, order {{2}} has left.' });
  });

  test('voids the approvals of sends that have not begun, and says so before', async () => {
    const asked = await slack.setting.waiting(3);
    await slack.openForm('/templates look order_update');
    expect(slack.words()).toContain(asked.id);
    await slack.press('template_edit');
    const form = slack.form();
    form.fill('label', 'Order news');
    expect(await form.submit()).toEqual({ ok: true });
    expect(slack.words()).toContain(
      'A send of this template has not begun. Changing the template voids its approval',
    );
    expect(slack.words()).toContain(
      `${asked.id}: Chat-app message to 3 recipients, waits for approval, asked for by <@U0ASHA>`,
    );
    expect(form.value('label')).toMatchObject({ value: 'Order news' });
    expect(await form.submit()).toEqual({
      ok: false,
      errors: { agree: 'Nothing was changed. Tick this to go on, or leave the template as it is.' },
    });
    expect(await current()).toEqual(ORDER);
    expect(await form.tick('agree').submit()).toEqual({ ok: true });
    await slack.until('the template to be shown', () => slack.words().includes('Saved.'));
    expect(slack.words()).toContain(
      `Ended, with nothing sent: ${asked.id}. The people who asked for them are notified.`,
    );
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
    expect(slack.words()).toContain(later.id);
    expect(slack.words()).toContain('2 sends of this template have not begun.');
    expect(await current()).toEqual(ORDER);
  });
});

describe('archiving', () => {
  test('takes a template out of the forms, and restoring brings it back', async () => {
    await onOrder('template_archive');
    expect(slack.words()).toContain('is no longer offered in forms');
    expect(await slack.form().submit()).toEqual({ ok: true });
    await slack.until('the template to be shown', () => slack.words().includes('Archived.'));
    expect(await slack.setting.templates.find('chatapp', 'order_update')).toBeUndefined();
    await slack.press('template_archive');
    expect(await slack.form().submit()).toEqual({ ok: true });
    await slack.until('the template to be shown', () => slack.words().includes('Restored.'));
    expect(await slack.setting.templates.find('chatapp', 'order_update')).toEqual(ORDER);
    expect((await slack.setting.templates.history(KEY, 9)).map(({ action }) => action)).toEqual([
      'restored',
      'archived',
      'added',
    ]);
  });

  test('names the sends it ends, and asks anew when there are more', async () => {
    const first = await slack.setting.waiting(3);
    await onOrder('template_archive');
    expect(slack.words()).toContain(first.id);
    const second = await slack.setting.waiting(4);
    expect(await slack.form().submit()).toEqual({ ok: true });
    expect(slack.words()).toContain('Nothing was changed yet');
    expect(slack.words()).toContain(second.id);
    expect(await slack.form().submit()).toEqual({ ok: true });
    await slack.until('the template to be shown', () => slack.words().includes('Archived.'));
    for (const { id } of [first, second])
      expect((await slack.setting.store.find(id))?.state).toBe('cancelled');
  });
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
    await expect
      .poll(() => slack.words())
      .toContain('*ours.yml*: 1 new, 1 changed, 0 as they are. Nothing was changed yet.');
    expect(slack.words()).toContain('closed_today: new (Closed today)');
    expect(slack.words()).toContain(
      'order_update, Sample text: Hello {{1}}, your order {{2}} is on its way. → Order {{1}} has left.',
    );
    expect(slack.words()).toContain(asked.id);
    expect(await current()).toEqual(ORDER);
    expect(await slack.form().submit()).toEqual({ ok: true });
    await expect
      .poll(() => slack.words())
      .toContain('Imported: 1 new, 1 changed, 0 restored. Ended, with nothing sent:');
    expect(await current()).toMatchObject({ text: 'Order {{1}} has left.' });
  });

  test('what is wrong in a file is said line by line, and nothing is changed', async () => {
    await slack.openForm('/templates import');
    const wrong = FILE.replace('variant: text, label: Closed', 'variant: card, label: Closed');
    expect(await slack.giveFile('ours.yml', wrong)).toEqual({ ok: true });
    expect(slack.words()).toContain('Nothing was changed: the file has a problem.');
    expect(slack.words()).toContain(
      'Line 3: “closed_today”, variant: The variants of chatapp are otp, text, document, image, video.',
    );
    expect(await slack.setting.templates.find('chatapp', 'closed_today')).toBeUndefined();
  });

  test('no file, or one that is too large, changes nothing', async () => {
    await slack.openForm('/templates import');
    expect(await slack.form().submit()).toMatchObject({ ok: false });
    expect(await slack.giveFile('large.yml', `# ${'x'.repeat(2_000_001)}`)).toEqual({ ok: true });
    expect(slack.words()).toContain(
      'could not be read to its end, or has more than 2 MB. Nothing was changed.',
    );
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
    expect(slack.words()).toContain('The catalogue was sent to you directly as a file.');
  });
});

describe('who may', () => {
  test('those who may not change anything can look, and are told who can help', async () => {
    slack.rights = ['S0MANAGERS'];
    await onOrder('template_edit');
    expect(slack.words()).toContain(
      'Only @managers may change templates; ask one of them. Nothing was changed.',
    );
    expect((await slack.answer('/templates add')).text).toBe(
      'Only @managers may change templates; ask one of them. Nothing was changed.',
    );
    await slack.openForm('/templates look order_update', undefined, 'U0RAVI');
    await slack.press('template_edit', undefined, 'U0RAVI');
    expect(slack.shown('U0RAVI').title?.text).toBe('Edit template');
  });

  test('the right is looked at again when Save is pressed', async () => {
    await slack.openForm('/templates add');
    slack.rights = ['U0RAVI', 'C0OTHER'];
    const form = slack.form();
    form.fill('name', 'x');
    expect(await form.submit()).toEqual({
      ok: false,
      errors: { variant: 'Only @ravi may change templates; ask one of them. Nothing was changed.' },
    });
    slack.rights = ['C0APPROVALS'];
    expect(await form.submit()).toMatchObject({
      errors: {
        variant: expect.stringMatching(
          /^Templates are changed from #\S+ only; do it there, or ask whoever runs Herald\./,
        ),
      },
    });
    slack.rights = ['C0TEAM'];
    expect(await form.submit()).toEqual({ ok: true });
  });
});

test('help', async () => {
  expect((await slack.answer('/templates help')).text).toContain('*/templates* – ');
});
