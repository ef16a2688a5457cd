import { describe, expect, it } from 'vitest';
import type { Form } from '../../sandbox/form.ts';
import { runningStack } from './stack.ts';
import { ASHA, FROM, TEAM } from './team.ts';

/* Lists and drafts; reply buttons are in bulk.test.ts, and they and addresses in test/browser/builders.test.ts. */

const CUSTOMER = '+919812345670';
const stack = runningStack();

const BUTTON = (index: number, key: 'title' | 'id') => `interactive.action.buttons.${index}.reply.${key}`;
const ROW = (section: number, row: number, key: string) =>
  `interactive.action.sections.${section}.rows.${row}.${key}`;
const text = (form: Form, blockId: string) =>
  JSON.stringify(form.view.blocks.find((block) => block.block_id === blockId));
const titles = (form: Form) =>
  form
    .paths()
    .filter((path) => path.endsWith('.reply.title'))
    .map((path) => form.value(path)?.value);

/** The one body that was sent since `before`, with the send's reference taken out of the ids that carry it. */
function bodySince(before: number): unknown {
  const [request, ...more] = stack.wholeRequests().slice(before);
  expect(more).toEqual([]);
  return JSON.parse(JSON.stringify(request?.body).replaceAll(/~S-[0-9A-Z]{10}/g, '~REF'));
}

describe('a list', () => {
  it('grows by sections and rows; going to buttons and back loses nothing', async () => {
    const asha = stack.person(ASHA);
    const before = stack.wholeRequests().length;
    const channel = stack.from(asha);
    const form = await asha.openForm(TEAM, '/chatapp interactive');
    form.fillAll({ to: CUSTOMER, 'interactive.body.text': 'Choose.', [BUTTON(0, 'title')]: 'Kept' });
    await form.choose('interactive.type', 'List');
    form.fillAll({ 'interactive.action.button': 'Slots', [ROW(0, 0, 'title')]: 'Morning' });
    await form.press('Add a row to section 1 (9 left)');
    form.fill(ROW(0, 1, 'title'), 'Evening');
    await form.press('Move row 1.2 up');
    await form.press('Add a section (9 left)');
    await form.press('Set ids myself');
    form.fillAll({
      'interactive.action.sections.0.title': 'Today',
      'interactive.action.sections.1.title': 'Tomorrow',
      [ROW(1, 0, 'title')]: 'Noon',
      [ROW(1, 0, 'description')]: '12 to 14',
      [ROW(1, 0, 'id')]: 'noon',
    });
    await form.choose('interactive.type', 'Reply buttons');
    expect(form.value(BUTTON(0, 'title'))).toMatchObject({ value: 'Kept' });
    await form.choose('interactive.type', 'List');
    await form.choose('interactive.header.type', 'Image');
    expect(await form.submit()).toMatchObject({
      errors: { 'interactive.header.type': expect.stringContaining('A list message takes a text header') },
    });
    await form.choose('interactive.header.type', 'None');
    expect(await form.submit()).toEqual({ ok: true });
    await channel.message(/accepted by the service/);
    expect(bodySince(before)).toEqual({
      recipient_type: 'individual',
      from: FROM,
      to: CUSTOMER,
      type: 'interactive',
      interactive: {
        type: 'list',
        body: { text: 'Choose.' },
        action: {
          button: 'Slots',
          sections: [
            {
              id: 'section-1',
              title: 'Today',
              rows: [
                { id: 'evening~REF', title: 'Evening' },
                { id: 'morning~REF', title: 'Morning' },
              ],
            },
            {
              id: 'section-2',
              title: 'Tomorrow',
              rows: [{ id: 'noon', title: 'Noon', description: '12 to 14' }],
            },
          ],
        },
      },
    });
  });
});

describe('a draft', () => {
  it('is kept without its recipient, used again, and deleted', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/chatapp interactive');
    form.fillAll({ to: CUSTOMER, 'interactive.body.text': 'Is it there?', [BUTTON(0, 'title')]: 'Yes' });
    await form.press('Add a button (2 left)');
    await form.press('Set ids myself');
    form.fillAll({ [BUTTON(1, 'title')]: 'No', [BUTTON(1, 'id')]: 'no' });
    await form.press('More');
    await form.press('Save draft');
    expect(text(form, 'draft:note')).toContain('The draft was not saved: enter a name for it.');
    form.fill('draftName', 'Arrived?');
    await form.press('Save draft');
    expect(text(form, 'draft:note')).toContain('Saved as “Arrived?”. Nothing was sent.');
    expect(titles(form)).toEqual(['Yes', 'No']);
    await form.close();

    const again = await asha.openForm(TEAM, '/chatapp interactive');
    again.fill('to', CUSTOMER);
    await again.press('More');
    await again.pick('Use a draft', 'arr');
    expect(titles(again)).toEqual(['Yes', 'No']);
    expect(again.value(BUTTON(1, 'id'))).toMatchObject({ value: 'no' });
    expect(again.value('interactive.body.text')).toMatchObject({ value: 'Is it there?' });
    expect(again.value('to')).toMatchObject({ value: CUSTOMER });
    const channel = stack.from(asha);
    expect(await again.submit()).toEqual({ ok: true });
    await channel.message(/accepted by the service/);

    const third = await asha.openForm(TEAM, '/chatapp interactive');
    await third.press('More');
    await third.pick('Use a draft', 'arrived');
    expect(third.value('to')?.value ?? null).toBeNull();
    await third.press('Delete this draft');
    await expect(third.pick('Use a draft', 'arrived')).rejects.toThrow('Nothing is suggested');
    expect(titles(third)).toEqual(['Yes', 'No']);
    await third.close();
  });
});
