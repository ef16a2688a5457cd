import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Form } from '../../sandbox/form.ts';
import type { Person } from '../../sandbox/person.ts';
import { ASHA, type E2eStack, startStack, TEAM } from './stack.ts';
import { FROM } from './team.ts';

/* Interactive and address messages, from the command to the phone. */

const CUSTOMER = '+919812345670';
const SINGAPORE = '+6591234567';
let stack: E2eStack;
let asha: Person;

beforeAll(async () => {
  stack = await startStack();
  asha = stack.person(ASHA);
});
afterAll(() => stack?.stop());

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
function bodySince(before: number): { body: unknown; references: string[] } {
  const [request, ...more] = stack.wholeRequests().slice(before);
  expect(more).toEqual([]);
  const references: string[] = [];
  const json = JSON.stringify(request?.body).replaceAll(/~(S-[0-9A-Z]{10})/g, (_all, id: string) => {
    references.push(id);
    return '~REF';
  });
  return { body: JSON.parse(json), references };
}

describe('reply buttons', () => {
  it('are added, moved and removed without losing a letter, and reach the phone', async () => {
    const before = stack.wholeRequests().length;
    const channel = stack.from(asha);
    const form = await asha.openForm(TEAM, '/chatapp interactive');
    form.fillAll({
      to: CUSTOMER,
      'interactive.body.text': 'Shall we come today?',
      [BUTTON(0, 'title')]: 'Yes',
    });
    await form.press('Add a button (2 left)');
    form.fill(BUTTON(1, 'title'), 'No');
    await form.press('Add a button (1 left)');
    form.fill(BUTTON(2, 'title'), 'Call me');
    expect(form.paths().filter((path) => path.endsWith('.id'))).toEqual([]);
    await form.press('Set ids myself');
    expect(titles(form)).toEqual(['Yes', 'No', 'Call me']);
    form.fill(BUTTON(2, 'id'), 'call');
    expect(JSON.stringify(form.view.blocks)).not.toMatch(/Add a button|Set ids/);
    await form.press('Move button 3 up');
    expect(titles(form)).toEqual(['Yes', 'Call me', 'No']);
    await form.press('Remove button 1');
    expect(titles(form)).toEqual(['Call me', 'No']);
    await form.press('Add a button (1 left)');
    await form.enter(BUTTON(2, 'title'), 'Later');
    expect(text(form, 'preview:text')).toContain('[ Call me ]\\n[ No ]\\n[ Later ]');
    expect(text(form, 'preview:space')).toContain('button 3 15');
    expect(await form.submit()).toEqual({ ok: true });
    const card = await channel.message(/accepted by the service/);
    const { body, references } = bodySince(before);
    expect(body).toEqual({
      recipient_type: 'individual',
      from: FROM,
      to: CUSTOMER,
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Shall we come today?' },
        action: {
          buttons: [
            { type: 'reply', reply: { id: 'call', title: 'Call me' } },
            { type: 'reply', reply: { id: 'no~REF', title: 'No' } },
            { type: 'reply', reply: { id: 'later~REF', title: 'Later' } },
          ],
        },
      },
    });
    expect(JSON.stringify(card)).toContain(references[0]);
    expect(stack.carrier.state().phones[CUSTOMER]?.at(-1)).toMatchObject({ text: 'Shall we come today?' });
  });

  it('say under each input what is wrong, all at once, and send nothing', async () => {
    const before = stack.wholeRequests().length;
    const form = await asha.openForm(TEAM, `/chatapp interactive ${CUSTOMER} Shall we come?`);
    expect(form.value('to')).toMatchObject({ value: CUSTOMER });
    expect(form.value('interactive.body.text')).toMatchObject({ value: 'Shall we come?' });
    await form.press('Add a button (2 left)');
    await form.choose('interactive.header.type', 'Text');
    form.fillAll({
      'interactive.header.text': '*Hello*',
      'interactive.footer.text': 'x'.repeat(61),
      [BUTTON(0, 'title')]: '👍',
      [BUTTON(1, 'title')]: 'x'.repeat(21),
    });
    expect(await form.submit()).toEqual({
      ok: false,
      errors: {
        'interactive.header.text':
          'Header text is formatted with markdown (*…*), and it must be plain text. Remove the marks.',
        'interactive.footer.text':
          'Footer has 61 characters; at most 60 are possible (an emoji counts as two or more). Shorten it by 1.',
        [BUTTON(0, 'title')]: 'Button 1 title has an emoji (👍), and none may stand here. Remove it.',
        [BUTTON(1, 'title')]:
          'Button 2 title has 21 characters; at most 20 are possible (an emoji counts as two or more). Shorten it by 1.',
      },
    });
    await form.close();
    expect(stack.wholeRequests()).toHaveLength(before);
  });
});

describe('a list', () => {
  it('grows by sections and rows; going to buttons and back loses nothing', async () => {
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
    expect(bodySince(before).body).toEqual({
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

describe('an address message', () => {
  it('asks for India’s fields, or Singapore’s, and only numbers of the country', async () => {
    const before = stack.wholeRequests().length;
    const channel = stack.from(asha);
    const form = await asha.openForm(TEAM, '/chatapp address');
    expect(form.paths().filter((path) => path.startsWith('values.'))).toEqual([]);
    await form.press('Fill in values…');
    expect(form.paths().filter((path) => path.startsWith('values.'))).toHaveLength(12);
    form.fillAll({ to: SINGAPORE, 'body.text': 'Where to?', 'values.name': 'Mei' });
    expect(await form.submit()).toMatchObject({ errors: { to: expect.stringContaining('is of Singapore') } });
    await form.choose('country', 'Singapore');
    expect(form.paths().filter((path) => path.startsWith('values.'))).toEqual([
      'values.name',
      'values.phone_number',
      'values.sg_post_code',
      'values.landmark_area',
    ]);
    await form.press('Ask for corrections');
    await form.press('Add a saved address (3 left)');
    form.fillAll({
      'values.sg_post_code': '018956',
      'validationErrors.sg_post_code': 'Please check this code.',
      'savedAddresses.0.value.landmark_area': 'Marina Bay',
    });
    expect(await form.submit()).toEqual({ ok: true });
    await channel.message(/accepted by the service/);
    expect(bodySince(before).body).toEqual({
      recipient_type: 'individual',
      from: FROM,
      to: SINGAPORE,
      type: 'interactive',
      interactive: {
        type: 'address_message',
        body: { text: 'Where to?' },
        action: {
          name: 'address_message',
          parameters: {
            country: 'SG',
            values: { name: 'Mei', sg_post_code: '018956' },
            saved_addresses: [{ id: 'address-1', value: { landmark_area: 'Marina Bay' } }],
            validation_errors: { sg_post_code: 'Please check this code.' },
          },
        },
      },
    });
  });
});

describe('a draft', () => {
  it('is kept without its recipient, used again, and deleted', async () => {
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
