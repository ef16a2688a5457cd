import { beforeEach, describe, expect, test } from 'vitest';
import { validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import { handleArrange, handleFieldChanged } from '../../../../src/slack/compose/changes/changes.ts';
import { composeView } from '../../../../src/slack/compose/form/form-view.ts';
import { LIMITS } from '../../../../src/slack/connection/limits.ts';
import { textsOf } from '../../texts-of.ts';
import { createLists, listOf } from '../list/bulk-setting.ts';
import {
  clickIn,
  createSetting,
  focusIn,
  heldBy,
  inputsOf,
  notesOf,
  openView,
  type Setting,
  templateNamed,
  typeLine,
} from '../setting.ts';

let setting: Setting;
beforeEach(() => {
  setting = createSetting();
});

const ROW = { id: 'i'.repeat(200), title: 't'.repeat(24), description: 'd'.repeat(72) };
const list = (rowsOf: readonly number[]) => ({
  interactive: {
    type: 'list',
    header: { type: 'text', text: 'h'.repeat(60) },
    body: { text: 'b'.repeat(1024) },
    footer: { text: 'f'.repeat(60) },
    action: {
      button: 'b'.repeat(20),
      sections: rowsOf.map((count) => ({
        ...{ title: 's'.repeat(24), id: 'i'.repeat(200) },
        rows: Array(count).fill(ROW),
      })),
    },
  },
});
const address = { country: 'IN', values: {}, validationErrors: {}, savedAddresses: [{}, {}, {}] };

describe('the largest forms are views that Slack takes', () => {
  const audiences = createLists();
  const { compose } = createSetting();

  test.each([
    ['ten sections of a row', 'interactive', list(Array.from({ length: 10 }, () => 1))],
    ['a section of ten rows', 'interactive', list([10])],
    ['an Indian address with all that can be added', 'address', address],
  ] as const)('%s', async (_what, kind, values) => {
    const audience = await listOf(audiences, '+919812345670\n12\n+919812345671');
    const sample = await audiences.sample(audience.id, 10);
    const leftOut = await audiences.leftOut(audience.id, 10);
    const form = { kind, values, draft: 'Mine', more: true, notes: ['Nothing was sent yet.'] };
    const view = composeView({ ...form, list: { audience, sample, leftOut } }, compose);
    expect(validateView(view)).toEqual([]);
    expect(view.blocks.length).toBeLessThanOrEqual(LIMITS.viewBlocks);
    expect(view.blocks.at(-1)?.block_id).toBe('drafts:r1');
  });
});

describe('the word after /chatapp', () => {
  const type = async (setting: Setting, text: string) => {
    const { acknowledged } = await typeLine(setting, 'chatapp', text);
    return {
      said: acknowledged[0]?.text,
      view: setting.client.calls.length > 0 ? setting.client.view : undefined,
    };
  };

  test.each([
    ['interactive', 'interactive'],
    [' Address ', 'address'],
    ['order_update', 'chatapp'],
    ['', 'chatapp'],
  ])('%o opens the form of %s', async (text, kind) => {
    expect((await type(createSetting(), text)).view?.callback_id).toBe(kind);
  });

  test('number and text are filled in, and nothing is sent before Send is pressed', async () => {
    const [to, text] = ['+919812345670', 'Where to?\nPlease say.'];
    const { view } = await type(setting, `address ${to} ${text}`);
    expect(view && heldBy(view)).toMatchObject({ to, 'body.text': text });
    expect(view && notesOf(view)).toBe('Nothing was sent yet.');
    expect(setting.sends.requests).toEqual([]);
  });

  test('help explains the builder', async () => {
    const { said } = await type(setting, 'interactive help');
    expect(said).toContain('*/chatapp interactive* – a message with up to three reply buttons');
  });

  test('a template that is called so keeps its line', async () => {
    setting.catalogue.templates = [{ ...templateNamed('closed_today'), name: 'interactive' }];
    await type(setting, 'interactive +919812345670');
    expect(setting.sends.started.map(({ message }) => message)).toMatchObject([
      { kind: 'chatapp', templateName: 'interactive' },
    ]);
    expect((await type(setting, 'interactive')).view?.callback_id).toBe('interactive');
  });
});

describe('parts of a form', () => {
  const action = (action_id: string, value: string, at = '1') => ({ action_id, value, action_ts: at });
  const pressing = async (typed: Record<string, string>, pressed: ReturnType<typeof action>) => {
    const view = composeView({ kind: 'interactive', channelId: 'C0TEAM' }, setting.compose);
    await handleArrange(clickIn(openView(view, typed), pressed, setting.client), setting.compose);
    return setting.client.view;
  };

  test('are in a new revision once they were rearranged: Slack keeps nothing in the wrong place', async () => {
    const view = await pressing(
      { 'interactive.action.buttons.0.reply.title': 'Yes', to: '+91 98' },
      action('arrange:add', 'interactive.action.buttons'),
    );
    const ids = inputsOf(view).map(({ block_id }) => block_id);
    expect(ids.filter((id) => id.startsWith('interactive.')).every((id) => id.endsWith(':r2'))).toBe(true);
    expect(ids).toContain('to');
    expect(focusIn(view)).toBe('interactive.action.buttons.1.reply.title:r2');
    expect(heldBy(view)['interactive.action.buttons.0.reply.title:r2']).toBe('Yes');
  });

  test('ids are asked for once somebody wants to set them', async () => {
    const title = 'interactive.action.buttons.0.reply.title';
    const open = action('arrange:open', 'interactive.action.buttons.0.reply.id');
    const before = composeView({ kind: 'interactive', channelId: 'C0TEAM' }, setting.compose);
    expect(Object.keys(heldBy(before)).filter((id) => id.includes('.reply.id'))).toEqual([]);
    const view = await pressing({ [title]: 'Yes' }, open);
    expect(heldBy(view)).toMatchObject({ [`${title}:r2`]: 'Yes' });
    expect(focusIn(view)).toBe('interactive.action.buttons.0.reply.id:r2');
    expect(textsOf(view)).not.toContain('Set ids myself');
  });

  test('what is no arrangement changes nothing', async () => {
    const explode = action('arrange:explode', 'interactive.action.buttons');
    await expect(pressing({}, explode)).rejects.toThrow('No view');
  });

  test('come and go with a choice, and what was typed into them comes back', async () => {
    let view = composeView({ kind: 'interactive', channelId: 'C0TEAM' }, setting.compose);
    let at = 0;
    const choose = async (typed: Record<string, string>) => {
      at += 1;
      const block = inputsOf(view).find(({ block_id }) => block_id.startsWith('interactive.header.type'));
      const changed = { action_ts: String(at), block_id: block?.block_id ?? '' };
      await handleFieldChanged(clickIn(openView(view, typed), changed, setting.client), setting.compose);
      view = setting.client.view;
    };
    await choose({ 'interactive.header.type': 'text' });
    expect(focusIn(view)).toBe('interactive.header.text:r2');
    await choose({ 'interactive.header.type': 'none', 'interactive.header.text': 'Hello' });
    expect(Object.keys(heldBy(view)).some((id) => id.startsWith('interactive.header.text'))).toBe(false);
    await choose({ 'interactive.header.type': 'text' });
    expect(heldBy(view)['interactive.header.text:r4']).toBe('Hello');
  });
});
