import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Form } from '../../../sandbox/form.ts';
import { Person } from '../../../sandbox/person.ts';
import { startWorkspace, type Workspace } from '../../../sandbox/slack/server.ts';
import { Watch } from '../../../sandbox/watch.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { systemRandom } from '../../../src/core/random.ts';
import { createNotes } from '../../../src/sends/notes.ts';
import { createCompose } from '../../../src/slack/compose/compose.ts';
import { composeFeature } from '../../../src/slack/compose/feature.ts';
import { ENTRANCES } from '../../../src/slack/features.ts';
import { createAddFeature } from '../../../src/slack/kit/feature/register.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { only } from '../../fakes/only.ts';
import { createTestApp, type TestApp } from '../test-app.ts';
import { createNeeds } from './list/bulk-setting.ts';
import { createCatalogue, RecordingSends, SENDERS } from './setting.ts';

/* The forms in a workspace that holds and redraws them as Slack does, through the real Bolt app. */

const TO = '+6591234567';
const TEAM = 'C0TEAM';
let workspace: Workspace;
let app: TestApp;
let asha: Person;
let watch: Watch;
let sends: RecordingSends;

beforeAll(async () => {
  workspace = await startWorkspace({
    port: 0,
    botToken: 'xoxb-sandbox',
    appToken: 'xapp-sandbox',
    delivery: { mode: 'socket' },
    carrierUrl: 'http://127.0.0.1:1',
    phones: [],
    manifestPath: new URL('../../../manifest.yml', import.meta.url).pathname,
  });
  app = createTestApp({
    mode: { kind: 'socket', appToken: 'xapp-sandbox' },
    botToken: 'xoxb-sandbox',
    slackApiUrl: workspace.apiUrl,
    logger: createRecordingLogger(),
    clock: systemClock,
    random: systemRandom,
    register: (bolt) =>
      createAddFeature(bolt, ENTRANCES)(
        composeFeature,
        createCompose({
          ...createNeeds(),
          catalogue: createCatalogue(),
          sends: only({ submit: (request) => sends.submit(request) }),
          senders: { ...SENDERS, sms: SENDERS.sms.map((sender) => ({ ...sender, label: 'Acme & Co' })) },
          notes: createNotes(systemClock),
          defaults: { country: 'IN' },
          clock: systemClock,
          logger: createRecordingLogger(),
        }),
      ),
  });
  expect(await app.start()).toEqual({ ok: true, value: undefined });
  watch = new Watch([(listener) => workspace.subscribe(listener)]);
  await watch.until('a connection', () => app.health().ready, 10_000, 20);
  asha = new Person(workspace, watch, 'U0ASHA');
});

afterAll(async () => {
  await app.stop(1_000);
  await workspace.close();
});

beforeEach(() => {
  sends = new RecordingSends();
});

const previewOf = (form: Form): string | undefined => {
  const block = form.view.blocks.find((one) => one.block_id === 'preview:text');
  return (block?.text as { text: string } | undefined)?.text;
};

test('from a command to a submission: fields follow the template, the preview follows the typing', async () => {
  const form = await asha.openForm(TEAM, '/chatapp');
  form.fill('to', TO);
  await form.chooseTemplate('order_update');
  expect(previewOf(form)).toBe('Hello ⟨customer⟩, your order ⟨order⟩ is on its way.');
  expect(form.value('to')).toMatchObject({ value: TO });
  await form.enter('params.0', 'Asha & <!channel>');
  expect(previewOf(form)).toBe('Hello Asha & <!channel>, your order ⟨order⟩ is on its way.');
  form.fill('params.1', 'A-1001');
  expect(await form.submit()).toEqual({ ok: true });
  expect(form.open).toBe(false);
  expect(sends.started.map(({ message, to, origin }) => ({ message, to, origin }))).toEqual([
    {
      message: {
        kind: 'chatapp',
        variant: 'text',
        from: '+919876543210',
        templateName: 'order_update',
        params: ['Asha & <!channel>', 'A-1001'],
      },
      to: TO,
      origin: { teamId: app.identity()?.teamId, userId: 'U0ASHA', channelId: TEAM },
    },
  ]);
});

test('a value typed for one template is not there after another was chosen', async () => {
  const form = await asha.openForm(TEAM, '/chatapp');
  await form.chooseTemplate('order_update');
  form.fill('params.0', 'Asha');
  await form.chooseTemplate('reminder');
  expect(form.value('params.0')?.value ?? null).toBeNull();
  expect(form.paths()).not.toContain('params.1');
  await form.close();
});

test('a typo in the template’s name: the values of the line fill the right one', async () => {
  const form = await asha.openForm(TEAM, `/chatapp order_updat ${TO} “Asha” "A-7"`);
  await form.chooseTemplate('order_update');
  expect(form.value('params.1')).toMatchObject({ value: 'A-7' });
  expect(await form.submit()).toEqual({ ok: true });
  expect(sends.started.map(({ message }) => 'params' in message && message.params)).toEqual([
    ['Asha', 'A-7'],
  ]);
});

test('every wrong field at once, then corrected', async () => {
  const form = await asha.openForm(TEAM, '/chatapp');
  await form.chooseTemplate('invoice');
  form.fillAll({ to: '112', 'params.0': ' ', 'header.link': 'ftp://a.example/x', 'header.filename': ' ' });
  const refused = await form.submit();
  expect(Object.keys(refused.ok ? {} : refused.errors).sort()).toEqual([
    'header.filename',
    'header.link',
    'params.0',
    'to',
  ]);
  form.fillAll({
    to: TO,
    'params.0': 'May',
    'header.link': 'https://a.example/x',
    'header.filename': 'x.pdf',
  });
  expect(await form.submit()).toEqual({ ok: true });
  expect(sends.started).toHaveLength(1);
});

test('the segments of an SMS are counted while it is typed', async () => {
  const form = await asha.openForm(TEAM, '/sms');
  await form.enter('text', `${'x'.repeat(160)}€`);
  const line = form.view.blocks.find((block) => block.block_id === 'preview:segments');
  expect(JSON.stringify(line)).toContain('2 SMS parts');
  await form.close();
});

test('what Slack gave back escaped is shown as it was, however often the preview changes', async () => {
  const form = await asha.openForm(TEAM, '/sms');
  const shown = () => JSON.stringify(form.view.blocks.find((block) => block.block_id === 'sender'));
  const before = shown();
  await form.enter('text', 'a');
  await form.enter('text', 'a & b');
  expect(before).toContain('Acme & Co');
  expect(shown()).toBe(before);
  await form.close();
});

test.each(['/chatapp', '/rcs', '/sms', '/flash'])(
  '%s help is answered to the person alone',
  async (command) => {
    const before = asha.messages(TEAM).length;
    expect(await asha.command(TEAM, `${command} help`)).toEqual({ ok: true });
    const [answer] = await watch.until('help', () => {
      const more = asha.messages(TEAM).slice(before);
      return more.length > 0 && more;
    });
    expect(answer).toMatchObject({ ephemeralFor: 'U0ASHA', text: expect.stringContaining(`${command}`) });
  },
);
