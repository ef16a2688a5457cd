import type { ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { validateView } from '../../../sandbox/slack/block-kit/index.ts';
import { PLACEHOLDERS_MAX } from '../../../src/messages/limits.ts';
import { templateFormValues, templateKindOf } from '../../../src/messages/templates/form.ts';
import { type Template, templateSchema } from '../../../src/messages/templates/template.ts';
import { createViewUpdates } from '../../../src/slack/kit/views/view-updates.ts';
import { templateFormView } from '../../../src/slack/templates/form-view.ts';
import { importView } from '../../../src/slack/templates/import.ts';
import { listView, wholeList } from '../../../src/slack/templates/list.ts';
import { lookView } from '../../../src/slack/templates/look.ts';
import type { Catalogue } from '../../../src/slack/templates/windows.ts';
import { only } from '../../fakes/only.ts';
import { createTemplatesSetting, OPENING, ORDER } from '../../sends/templates/setting.ts';

/* Views whole, and the largest there can be: everything is something that Slack takes. */

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
const option = (value: string, text: string) => ({ text: plain(text), value });
const button = (actionId: string, text: string, value: string, style?: string) => ({
  type: 'button',
  action_id: actionId,
  text: plain(text),
  value,
  ...(style ? { style } : {}),
});
const KEY = { channel: 'chatapp', name: 'order_update' } as const;
const ADDED_AT = 1_767_600_000_000;

async function setting(...templates: readonly Template[]) {
  const { templates: service, put, clock, logger, waiting } = createTemplatesSetting(ADDED_AT);
  await put(...templates);
  const unused = async (): Promise<never> => {
    throw new Error('Nothing else is asked for here.');
  };
  const catalogue: Catalogue = {
    templates: service,
    access: { whyNot: unused },
    names: { nameOf: unused },
    files: only({}),
    clock,
    logger,
    views: createViewUpdates(clock, logger),
  };
  return { catalogue, waiting };
}

function taken(view: ModalView): ModalView {
  expect(validateView(view)).toEqual([]);
  return view;
}

test('the list, whole', async () => {
  const { catalogue } = await setting(ORDER, OPENING);
  expect(taken(await listView({ ...wholeList('C0TEAM', 'open'), note: 'Done.' }, catalogue))).toEqual({
    type: 'modal',
    callback_id: 'templates_list',
    title: plain('Templates'),
    submit: plain('Search'),
    close: plain('Close'),
    private_metadata: '{"channelId":"C0TEAM","skip":0}',
    blocks: [
      { type: 'section', block_id: 'note', text: plain('Done.') },
      {
        type: 'input',
        block_id: 'query',
        optional: true,
        dispatch_action: true,
        label: plain('Search'),
        element: {
          type: 'plain_text_input',
          action_id: 'templates_query',
          max_length: 120,
          placeholder: plain('Name, label or text; press Enter'),
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
          initial_value: 'open',
        },
      },
      {
        type: 'input',
        block_id: 'channel',
        dispatch_action: true,
        label: plain('Channel'),
        element: {
          type: 'static_select',
          action_id: 'templates_channel',
          options: [option('all', 'All channels'), option('chatapp', 'Chat-app'), option('rcs', 'RCS')],
          initial_option: option('all', 'All channels'),
        },
      },
      {
        type: 'input',
        block_id: 'state',
        dispatch_action: true,
        label: plain('State'),
        element: {
          type: 'static_select',
          action_id: 'templates_state',
          options: [option('offered', 'Offered in forms'), option('archived', 'Archived')],
          initial_option: option('offered', 'Offered in forms'),
        },
      },
      {
        type: 'section',
        text: mrkdwn('*Store opening*  `store_open` · RCS: plain text\nWe are open.'),
        accessory: button('template_look', 'Look', 'rcs/store_open'),
      },
      {
        type: 'actions',
        block_id: 'whole',
        elements: [
          button('template_add', 'Add a template', 'new', 'primary'),
          button('templates_import', 'Import a file', 'import'),
          button('templates_export', 'Export', 'export'),
        ],
      },
    ],
  });
});

test('one template that a result led to and that a send waits with, whole', async () => {
  const { catalogue, waiting } = await setting(ORDER);
  const asked = await waiting(3);
  const view = await lookView({ key: KEY, channelId: 'C0TEAM', code: '132000' }, catalogue);
  expect(taken(view)).toEqual({
    type: 'modal',
    callback_id: 'template_look',
    title: plain('Template'),
    close: plain('Close'),
    private_metadata: '{"channelId":"C0TEAM","key":"chatapp/order_update","code":"132000"}',
    blocks: [
      {
        type: 'section',
        block_id: 'comparison',
        text: plain(
          'Code 132000: the service expects a different number of values than were sent. This catalogue has 2 placeholders ({{1}} customer, {{2}} order). Compare with the template as it is registered, and correct whichever is wrong before you send again.',
        ),
      },
      { type: 'header', text: plain('Order update') },
      {
        type: 'section',
        fields: [
          mrkdwn('*Name*\norder_update'),
          mrkdwn('*Kind*\nChat-app: text'),
          mrkdwn('*State*\nOffered in forms'),
          mrkdwn('*Languages*\nEnglish (en)'),
        ],
      },
      { type: 'context', elements: [mrkdwn('As the recipient reads it, with the examples')] },
      {
        type: 'rich_text',
        block_id: 'reading',
        elements: [
          {
            type: 'rich_text_quote',
            elements: [{ type: 'text', text: 'Hello Asha, your order A-1001 is on its way.' }],
          },
        ],
      },
      {
        type: 'section',
        block_id: 'placeholders',
        text: plain('{{1}} customer, e.g. Asha.\n{{2}} order, e.g. A-1001. At most 12 characters.'),
      },
      { type: 'context', elements: [mrkdwn('Sends of it that have not begun:')] },
      {
        type: 'section',
        block_id: 'sends',
        text: mrkdwn(
          `• ${asked.id}: Chat-app message to 3 recipients, waits for approval, asked for by <@U0ASHA>`,
        ),
      },
      {
        type: 'actions',
        block_id: 'template',
        elements: [
          button('template_edit', 'Edit', 'chatapp/order_update', 'primary'),
          button('template_try', 'Try it', 'chatapp/order_update'),
          button('template_duplicate', 'Duplicate', 'chatapp/order_update'),
          button('template_archive', 'Archive', 'chatapp/order_update', 'danger'),
          button('template_history', 'History', 'chatapp/order_update'),
          button('templates_all', 'All templates', 'all'),
        ],
      },
      {
        type: 'context',
        elements: [
          mrkdwn('Added by <@U0ASHA>, <!date^1767600000^{date_short_pretty} {time}|2026-01-05 08:00 UTC>'),
        ],
      },
    ],
  });
});

test.each([
  ['132001', 'Compare the name “order_update” and the languages (en) with what is registered'],
  ['132015', 'this code also means that the template is paused for quality'],
])('code %s says what to compare', async (code, sentence) => {
  const { catalogue } = await setting(ORDER);
  expect(JSON.stringify(await lookView({ key: KEY, code }, catalogue))).toContain(sentence);
});

/** As large as the rules allow, in every direction. */
const LARGEST = templateSchema.parse({
  name: 'n'.repeat(75),
  channel: 'chatapp',
  variant: 'document',
  label: `<!channel> ${'L'.repeat(2900)}`,
  languages: Array.from(
    { length: 200 },
    (_none, index) => `${String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26), 97)}`,
  ),
  text: `${Array.from({ length: PLACEHOLDERS_MAX }, (_none, index) => `{{${index + 1}}}`).join(' ')}${'🙂'.repeat(1_400)}`,
  placeholders: Array.from({ length: PLACEHOLDERS_MAX }, (_none, index) =>
    index % 2 === 0
      ? { name: `${index}${'p'.repeat(2_900)}`, example: 'e'.repeat(2_900), maxLength: 3_000 }
      : {
          name: `${index}`,
          oneOf: Array.from({ length: 100 }, (_value, n) => `${n}`.padEnd(75, 'x')),
          optional: true,
        },
  ),
});
test('a problem that names half a character, or what turns words around, is shown all the same', () => {
  const view = taken(importView('C0TEAM', 'Not imported.', ['Line 1: “\ud83d”', 'Line 2: “\u202eabc”']));
  expect(JSON.stringify(view.blocks)).toContain('Line 1: “\ufffd”\\nLine 2: “⟨U+202E⟩abc”');
});

const LONG_KEY = { channel: 'chatapp', name: LARGEST.name } as const;

describe('the largest template that there can be', () => {
  test('in the list and by itself, with many sends', async () => {
    const others = Array.from({ length: 20 }, (_none, n) => ({ ...LARGEST, name: `m${n}${'n'.repeat(70)}` }));
    const { catalogue } = await setting(LARGEST, ...others);
    taken(await listView(wholeList('C0TEAM', 'x'.repeat(300)), catalogue));
    taken(await listView(wholeList('C0TEAM'), catalogue));
    taken(
      await lookView(
        { key: LONG_KEY, channelId: 'C0TEAM', code: '132000', note: 'N'.repeat(5_000) },
        catalogue,
      ),
    );
  });

  test('in its form, with a note and sends to agree to', async () => {
    const { catalogue, waiting } = await setting(ORDER);
    const sends = [];
    for (let count = 2; count < 14; count += 1) sends.push(await waiting(count));
    expect(await catalogue.templates.unsentSends(KEY)).toHaveLength(12);
    const view = templateFormView({
      metadata: {
        channelId: 'C0TEAM',
        kind: templateKindOf(LARGEST),
        rows: PLACEHOLDERS_MAX,
        key: `chatapp/${LARGEST.name}`,
        revision: 9,
      },
      values: templateFormValues(LARGEST),
      note: 'N'.repeat(5_000),
      sends,
    });
    taken(view);
    expect(view.blocks.length).toBeLessThanOrEqual(100);
  });
});
