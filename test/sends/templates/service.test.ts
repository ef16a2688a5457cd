import { describe, expect, it } from 'vitest';
import type { Template } from '../../../src/messages/templates/template.ts';
import { seedTemplates } from '../../../src/sends/templates/catalogue.ts';
import { MOST_PROBLEMS } from '../../../src/sends/templates/yaml.ts';
import { processorMsSince } from '../../processor-time.ts';
import { by as clicked } from '../bulk/setting.ts';
import { createTemplatesSetting, MESSAGE, OPENING, ORDER } from './setting.ts';

type Setting = ReturnType<typeof createTemplatesSetting>;
const KEY = { channel: 'chatapp', name: 'order_update' } as const;
const changed: Template = { ...ORDER, text: 'Dear {{1}}, order {{2}} has left.' };
const wish = (template: Template, expected: number, agreed: readonly string[] = [], userId = 'U0ASHA') => ({
  template,
  archived: false,
  expected,
  userId,
  agreed,
});

/** The file brings other words, and asks nobody. */
const changeInFile = ({ templateStore, clock }: Pick<Setting, 'templateStore' | 'clock'>) =>
  templateStore.write([{ template: changed, archived: false, action: 'edited', expected: 1 }], {
    ...{ actor: 'herald.yml', at: clock.now(), source: 'herald.yml' },
  });
/** What an import of the file would do, and the mark that names it. */
async function planOf({ templates }: Pick<Setting, 'templates'>) {
  const planned = await templates.planImport(FILE);
  if (!planned.ok) throw new Error(JSON.stringify(planned.error));
  return planned.value;
}

it('changing a template adds, edits, archives and restores, and keeps who did what', async () => {
  const { templates, clock } = createTemplatesSetting(1_000);
  expect(await templates.change(wish(ORDER, 0))).toMatchObject({ state: 'saved', stored: { revision: 1 } });
  await clock.advance(1_000);
  await templates.change(wish(changed, 1, [], 'U0RAVI'));
  await templates.change({ ...wish(changed, 2), archived: true });
  expect(await templates.find('chatapp', 'order_update')).toBeUndefined();
  expect((await templates.search('chatapp', 'order', 9)).length).toBe(0);
  await templates.change(wish(changed, 3));
  expect(await templates.find('chatapp', 'order_update')).toEqual(changed);
  const by = (revision: number, action: string, template: Template, actor = 'U0ASHA', at = 2_000) => ({
    ...{ revision, action, template, actor, at, source: 'form' },
  });
  expect(await templates.history(KEY, 9)).toEqual([
    by(4, 'restored', changed),
    by(3, 'archived', changed),
    by(2, 'edited', changed, 'U0RAVI'),
    by(1, 'added', ORDER, 'U0ASHA', 1_000),
  ]);
});

it('changing a template tells the loser of a race how it stands now, and writes nothing of theirs', async () => {
  const { templates, put } = createTemplatesSetting();
  await put(ORDER);
  const results = await Promise.all([
    templates.change(wish(changed, 1)),
    templates.change(wish({ ...ORDER, label: 'Other' }, 1, [], 'U0RAVI')),
  ]);
  expect(results.map(({ state }) => state)).toEqual(['saved', 'stale']);
  expect(results[1]).toMatchObject({ current: { template: changed, revision: 2, changedBy: 'U0ASHA' } });
  expect(await templates.change(wish(ORDER, 0))).toMatchObject({ state: 'stale' });
  expect(await templates.change(wish(changed, 1))).toMatchObject({ state: 'stale' });
  expect(await templates.history(KEY, 9)).toHaveLength(2);
});

it('changing a template writes nothing where nothing differs', async () => {
  const { templates, put } = createTemplatesSetting();
  await put(ORDER);
  expect(await templates.change(wish({ ...ORDER }, 1))).toMatchObject({ state: 'unchanged' });
  expect(await templates.history(KEY, 9)).toHaveLength(1);
});

it.each([
  ['waiting', 'awaiting_approval'],
  ['scheduled', 'scheduled'],
])('a template of sends that are %s is changed only once their end is agreed to', async (how, before) => {
  const { templates, put, waiting, approve, clock, now, state, events } = createTemplatesSetting();
  await put(ORDER, OPENING);
  const asked = await waiting(3, how === 'scheduled' ? clock.now() + 3_600_000 : undefined);
  if (how === 'scheduled') await approve(asked);
  await clock.advance(0);
  expect(await templates.unsentSends(KEY)).toMatchObject([{ id: asked.id, state: before }]);
  expect(await templates.unsentSends({ channel: 'rcs', name: 'store_open' })).toEqual([]);

  const first = await templates.change(wish(changed, 1));
  expect(first).toMatchObject({ state: 'in_use', sends: [{ id: asked.id }] });
  expect(await templates.find('chatapp', 'order_update')).toEqual(ORDER);
  expect(await state(asked)).toBe(before);

  const second = await templates.change(wish(changed, 1, [asked.id], 'U0RAVI'));
  expect(second).toMatchObject({ state: 'saved', voided: [{ id: asked.id, state: 'cancelled' }] });
  const reason = {
    what: 'The template “Order update” was changed, so its approvals are void. Nothing was sent.',
    next: 'Look at the message as it is now and ask for it again.',
  };
  const last = { actor: 'U0RAVI', action: 'cancelled', reason };
  expect((await events(asked)).at(-1)).toMatchObject(last);
  // Its own words stay as they were asked for.
  expect(await now(asked)).toMatchObject({ template: ORDER });
});

it.each([
  ['approved: who approves has read other words', false],
  ['sent as approved: the digest is checked at the start', true],
])('a template that was changed in any other way is not %s', async (_, isApproved) => {
  const setting = createTemplatesSetting();
  const { bulk, put, waiting, approve, now, clock, delivered } = setting;
  await bulk.start();
  await put(ORDER);
  const asked = await waiting(3, clock.now() + 60_000);
  if (isApproved) await approve(asked);
  await clock.advance(0);
  await changeInFile(setting);
  if (!isApproved) expect(await approve(asked)).toMatchObject({ state: 'refused' });
  await clock.advance(120_000);
  const reason = { what: 'It is no longer what was approved. Nothing was sent.' };
  expect(await now(asked)).toMatchObject({ state: 'cancelled', reason });
  expect(delivered).toEqual([]);
});

it('nothing is asked for with a template that left the catalogue', async () => {
  const { templates, put, ask } = createTemplatesSetting();
  expect(await ask(3, { message: MESSAGE })).toMatchObject({ state: 'refused', path: 'template' });
  await put(ORDER);
  await templates.change({ ...wish(ORDER, 1), archived: true });
  expect(await ask(3, { message: MESSAGE })).toEqual({
    state: 'refused',
    what: 'The template “order_update” is not in the catalogue, so nobody could check what is sent. Nothing was sent.',
    next: 'Restore it under /templates, or choose another one.',
    path: 'template',
  });
});

async function heldBack() {
  const setting = createTemplatesSetting();
  const { put, waiting, approve, clock, bulk, state } = setting;
  await put(ORDER);
  const asked = await waiting(3, clock.now() + 60_000);
  await approve(asked);
  // Herald was down when it should have started.
  await clock.advance(3 * 3_600_000);
  await bulk.start();
  await clock.advance(0);
  expect(await state(asked)).toBe('paused');
  return { ...setting, asked };
}

it('a send that is held back at its start loses its approval with an edit, too', async () => {
  const { templates, now, asked } = await heldBack();
  const sends = [{ id: asked.id }];
  expect(await templates.change(wish(changed, 1))).toMatchObject({ state: 'in_use', sends });
  await templates.change(wish(changed, 1, [asked.id]));
  expect(await now(asked)).toMatchObject({ state: 'stopped', reason: { scope: 'send' } });
});

it('a send that is held back at its start is not resumed when its template was changed in any other way', async () => {
  const setting = await heldBack();
  const { bulk, asked, delivered, state } = setting;
  await changeInFile(setting);
  expect(await bulk.resume(clicked(asked))).toMatchObject({
    state: 'refused',
    what: 'It is no longer what was approved. Nothing was sent. The send was stopped.',
    next: 'Ask for it again.',
  });
  expect([await state(asked), delivered]).toEqual(['stopped', []]);
});

it('the file’s templates at a start are added when new, followed while nobody changed them in Slack, and left alone afterwards', async () => {
  const { templates, templateStore, clock } = createTemplatesSetting();
  expect(await seedTemplates(templateStore, [ORDER, OPENING], clock)).toBe(2);
  expect(await seedTemplates(templateStore, [ORDER, OPENING], clock)).toBe(0);
  expect(await seedTemplates(templateStore, [changed, OPENING], clock)).toBe(1);
  const followed = { template: changed, changedBy: 'herald.yml', revision: 2 };
  expect(await templates.look(KEY)).toMatchObject(followed);
  const mine = { ...changed, label: 'Mine' };
  await templates.change(wish(mine, 2));
  await templates.change({ ...wish(OPENING, 1), archived: true });
  expect(await seedTemplates(templateStore, [ORDER, OPENING], clock)).toBe(0);
  expect(await templates.look(KEY)).toMatchObject({ template: mine });
  expect(await templates.find('rcs', 'store_open')).toBeUndefined();
});

const FILE = `templates:
  - name: order_update
    channel: chatapp
    variant: text
    label: Order update
    languages: [en]
    placeholders: [{ name: customer, example: Asha }, { name: order, example: A-1001, maxLength: 12 }]
    text: Dear {{1}}, order {{2}} has left.
  - { name: closed_today, channel: chatapp, variant: text, label: Closed today, text: We are closed. }
  - { name: store_open, channel: rcs, variant: plain, label: Store opening, text: We are open. }
`;

describe('a file of templates', () => {
  it('keeps nobody waiting while it is read', async () => {
    const { templates } = createTemplatesSetting();
    const begun = process.threadCpuUsage();
    const planned = await templates.planImport('}'.repeat(400_000));
    const took = processorMsSince(begun);
    expect(planned.ok ? [] : planned.error).toHaveLength(MOST_PROBLEMS);
    expect(took).toBeLessThan(500);
  });

  it('is given up when it takes a minute, and its thread ends', async () => {
    const { templates, clock } = createTemplatesSetting();
    const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'Worker').length;
    const before = threads();
    // Each line is compared with all before it.
    const lines = Array.from({ length: 60_000 }, (_, n) => `k${n}: {<<: *a}`).join('\n');
    const planning = templates.planImport(`a: &a {b: 1}\n${lines}`);
    await clock.advance(60_000);
    const message = 'The file takes longer than a minute to read. Make it smaller, without aliases.';
    expect(await planning).toEqual({ ok: false, error: [{ line: 1, message }] });
    await expect.poll(threads).toBe(before);
  });

  it('is compared first, then taken whole', async () => {
    const setting = createTemplatesSetting();
    const { templates, put, waiting } = setting;
    await put(ORDER, OPENING);
    const asked = await waiting();
    const plan = await planOf(setting);
    expect(plan).toMatchObject({
      added: [{ name: 'closed_today' }],
      edited: [{ before: ORDER, after: changed }],
      restored: [],
      unchanged: 1,
      sends: [{ id: asked.id }],
    });
    expect(await templates.find('chatapp', 'closed_today')).toBeUndefined();
    const done = await templates.runImport(FILE, plan.mark, 'U0RAVI');
    expect(done).toMatchObject({ ok: true, value: { state: 'imported', voided: [{ id: asked.id }] } });
    expect(await templates.find('chatapp', 'order_update')).toEqual(changed);
    expect((await templates.history(KEY, 1))[0]).toMatchObject({ source: 'import', actor: 'U0RAVI' });
    expect(await planOf(setting)).toMatchObject({ unchanged: 3, added: [], edited: [] });
  });

  it('is compared anew when the catalogue, or what waits, is no longer as it was looked at', async () => {
    const setting = createTemplatesSetting();
    const { templates, put, waiting } = setting;
    await put(ORDER);
    const { mark } = await planOf(setting);
    const asked = await waiting();
    const again = await templates.runImport(FILE, mark, 'U0RAVI');
    expect(again).toMatchObject({
      ok: true,
      value: { state: 'changed', plan: { sends: [{ id: asked.id }] } },
    });
    expect(await templates.find('chatapp', 'order_update')).toEqual(ORDER);
    if (!again.ok) throw new Error('no plan');
    const second = again.value.plan.mark;
    await templates.change(wish({ ...ORDER, label: 'Meanwhile' }, 1, [asked.id]));
    expect(await templates.runImport(FILE, second, 'U0RAVI')).toMatchObject({ value: { state: 'changed' } });
  });

  it('is compared anew when somebody is quicker between the look and the write', async () => {
    const setting = createTemplatesSetting();
    const { templates, templateStore, put } = setting;
    await put(ORDER);
    const { mark } = await planOf(setting);
    const { write } = templateStore;
    templateStore.write = async (...all) => {
      templateStore.write = write;
      await templates.change(wish({ ...ORDER, label: 'Meanwhile' }, 1));
      return write(...all);
    };
    expect(await templates.runImport(FILE, mark, 'U0RAVI')).toMatchObject({
      ok: true,
      value: { state: 'changed', plan: { edited: [{ before: { label: 'Meanwhile' } }], added: [{}, {}] } },
    });
    expect(await templates.find('chatapp', 'closed_today')).toBeUndefined();
    const broken = await templates.runImport('templates: 7', mark, 'U0RAVI');
    expect(broken.ok).toBe(false);
  });

  it('brings archived ones back', async () => {
    const setting = createTemplatesSetting();
    await setting.put(OPENING);
    await setting.templates.change({ ...wish(OPENING, 1), archived: true });
    expect(await planOf(setting)).toMatchObject({ restored: [OPENING] });
  });

  it('is what an export writes', async () => {
    const { templates, put } = createTemplatesSetting();
    await put(ORDER, OPENING);
    const yaml = await templates.export();
    expect(await templates.planImport(yaml)).toMatchObject({
      value: { unchanged: 2, added: [], edited: [] },
    });
    await templates.change({ ...wish(OPENING, 1), archived: true });
    expect(await templates.planImport(await templates.export())).toMatchObject({
      value: { unchanged: 1, added: [], edited: [], restored: [] },
    });
  });
});
