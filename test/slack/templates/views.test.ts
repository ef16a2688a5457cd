import type { ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import { validateView } from '../../../sandbox/slack/block-kit/index.ts';
import { PLACEHOLDERS_MAX } from '../../../src/messages/limits.ts';
import { templateKindOf } from '../../../src/messages/templates/form.ts';
import { templateFormValues } from '../../../src/messages/templates/form-values.ts';
import { type Template, templateSchema } from '../../../src/messages/templates/template.ts';
import { createViewUpdates } from '../../../src/slack/kit/views/view-updates.ts';
import { templateFormView } from '../../../src/slack/templates/form.ts';
import { importView } from '../../../src/slack/templates/import.ts';
import { listView, wholeList } from '../../../src/slack/templates/list.ts';
import { lookView } from '../../../src/slack/templates/look.ts';
import type { Catalogue } from '../../../src/slack/templates/windows.ts';
import { only } from '../../fakes/only.ts';
import { createTemplatesSetting, OPENING, ORDER } from '../../sends/templates/setting.ts';
import { outline } from '../outline.ts';
import { textsOf } from '../texts-of.ts';

/* Views whole, and the largest there can be: everything is something that Slack takes. */

const KEY = { channel: 'chatapp', name: 'order_update' } as const;
const ADDED_AT = 1_767_600_000_000;

async function setting(...templates: readonly Template[]) {
  const { templates: service, put, clock, logger, waiting } = createTemplatesSetting(ADDED_AT);
  await put(...templates);
  const views = createViewUpdates(clock, logger);
  const catalogue = only<Catalogue>({ templates: service, clock, logger, views });
  return { catalogue, waiting };
}

function taken(view: ModalView): ModalView {
  expect(validateView(view)).toEqual([]);
  return view;
}

test('the list, whole', async () => {
  const { catalogue } = await setting(ORDER, OPENING);
  const view = await listView({ ...wholeList('C0TEAM', 'open'), note: 'Done.' }, catalogue);
  await expect(outline(view)).toMatchFileSnapshot('golden/list.txt');
});

test('one template that a result led to and that a send waits with, whole', async () => {
  const { catalogue, waiting } = await setting(ORDER);
  const asked = await waiting(3);
  const view = await lookView({ key: KEY, channelId: 'C0TEAM', code: '132000' }, catalogue);
  await expect(outline(view).replaceAll(asked.id, 'S-WAITING')).toMatchFileSnapshot('golden/look.txt');
});

test.each([
  ['132001', 'Compare the name “order_update” and the languages (en) with what is registered'],
  ['132015', 'this code also means that the template is paused for quality'],
])('code %s says what to compare', async (code, sentence) => {
  const { catalogue } = await setting(ORDER);
  expect(textsOf(await lookView({ key: KEY, code }, catalogue))).toContain(sentence);
});

/** As large as the rules allow, in every direction. */
const LARGEST = templateSchema.parse({
  name: 'n'.repeat(75),
  channel: 'chatapp',
  variant: 'document',
  label: `<!channel> ${'L'.repeat(2900)}`,
  languages: Array.from({ length: 200 }, (_none, n) =>
    String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26), 97),
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
  expect(textsOf(view)).toContain('Line 1: “\ufffd”\nLine 2: “⟨U+202E⟩abc”');
});

const LONG_KEY = { channel: 'chatapp', name: LARGEST.name } as const;

test('the largest template that there can be in the list and by itself', async () => {
  const others = Array.from({ length: 20 }, (_none, n) => ({ ...LARGEST, name: `m${n}${'n'.repeat(70)}` }));
  const { catalogue } = await setting(LARGEST, ...others);
  for (const query of ['x'.repeat(300), '']) taken(await listView(wholeList('C0TEAM', query), catalogue));
  const look = { key: LONG_KEY, channelId: 'C0TEAM', code: '132000', note: 'N'.repeat(5_000) };
  taken(await lookView(look, catalogue));
});

test('the largest template that there can be in its form, with a note and sends to agree to', async () => {
  const { catalogue, waiting } = await setting(ORDER);
  const sends = [];
  for (let count = 2; count < 14; count += 1) sends.push(await waiting(count));
  expect(await catalogue.templates.unsentSends(KEY)).toHaveLength(12);
  const about = { channelId: 'C0TEAM', key: LONG_KEY, revision: 9 };
  const metadata = { ...about, kind: templateKindOf(LARGEST), rows: PLACEHOLDERS_MAX };
  const values = templateFormValues(LARGEST);
  taken(templateFormView({ metadata, values, note: 'N'.repeat(5_000), sends }));
});
