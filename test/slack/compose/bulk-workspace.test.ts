import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Form } from '../../../sandbox/form.ts';
import { Person } from '../../../sandbox/person.ts';
import type { SandboxView, SlackFile, StateValues } from '../../../sandbox/protocol.ts';
import { startWorkspace, type Workspace } from '../../../sandbox/slack/server.ts';
import { Watch } from '../../../sandbox/watch.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { systemRandom } from '../../../src/core/random.ts';
import { createSlackApp, type SlackApp } from '../../../src/slack/app.ts';
import { registerCompose } from '../../../src/slack/compose/register.ts';
import { createSlackFiles } from '../../../src/slack/files/files.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { FakeAudiences, RecordingBulkSends } from './bulk-setting.ts';
import { createCatalogue, RecordingSends, SENDERS } from './setting.ts';

/* From a list to a request, in a workspace that holds forms and files as Slack does. */

const TEAM = 'C0TEAM';
const BOT_TOKEN = 'xoxb-sandbox';
let workspace: Workspace;
let app: SlackApp;
let asha: Person;
let watch: Watch;
let sends: RecordingSends;
let audiences: FakeAudiences;
let bulkSends: RecordingBulkSends;

beforeAll(async () => {
  workspace = await startWorkspace({
    port: 0,
    botToken: BOT_TOKEN,
    appToken: 'xapp-sandbox',
    delivery: { mode: 'socket' },
    carrierUrl: 'http://127.0.0.1:1',
    phones: [],
    manifestPath: new URL('../../../manifest.yml', import.meta.url).pathname,
  });
  const logger = createRecordingLogger();
  app = createSlackApp({
    mode: { kind: 'socket', appToken: 'xapp-sandbox' },
    botToken: BOT_TOKEN,
    slackApiUrl: workspace.apiUrl,
    logger,
    clock: systemClock,
    random: systemRandom,
    register: (bolt, client) =>
      registerCompose(bolt, {
        catalogue: createCatalogue(),
        sends: { submit: (request) => sends.submit(request) },
        senders: SENDERS,
        defaults: { country: 'IN' },
        clock: systemClock,
        logger,
        bulk: {
          get audiences() {
            return audiences;
          },
          bulkSends: { request: (request) => bulkSends.request(request) },
          files: createSlackFiles({
            client,
            botToken: BOT_TOKEN,
            slackApiUrl: workspace.apiUrl,
            logger,
          }),
          approvals: { over: 2, channel: 'C0APPROVALS' },
        },
      }),
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
  audiences = new FakeAudiences();
  bulkSends = new RecordingBulkSends();
});

async function upload(name: string, content: string): Promise<SlackFile> {
  const url = new URL(`/page/upload?as=U0ASHA&name=${encodeURIComponent(name)}`, workspace.url);
  const response = await fetch(url, { method: 'POST', body: content });
  return ((await response.json()) as { file: SlackFile }).file;
}

interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly text?: { readonly text: string };
  readonly elements?: readonly { readonly action_id?: string; readonly text?: string | { text: string } }[];
  readonly element?: { readonly type: string; readonly action_id: string };
}

const shown = (): SandboxView => {
  const view = asha.views().at(-1);
  if (view === undefined) throw new Error('No form is open.');
  return view;
};
const blocksOf = (view: SandboxView) => view.blocks as unknown as readonly Block[];
const blockOf = (view: SandboxView, id: string) => blocksOf(view).find((block) => block.block_id === id);
const textOf = (view: SandboxView, id: string) => blockOf(view, id)?.text?.text;

/** What the inputs hold, with some of them filled in. */
function stateOf(view: SandboxView, typed: Readonly<Record<string, object>> = {}): StateValues {
  const state: StateValues = structuredClone(view.state.values);
  for (const block of blocksOf(view)) {
    const value = typed[block.block_id.split(':', 1)[0] ?? ''];
    if (block.element && value) {
      state[block.block_id] = { [block.element.action_id]: { type: block.element.type, ...value } };
    }
  }
  return state;
}

const submit = (typed: Readonly<Record<string, object>> = {}) =>
  workspace.act({
    type: 'view_submission',
    as: 'U0ASHA',
    viewId: shown().id,
    state: stateOf(shown(), typed),
  });

const press = (blockId: string, actionId: string) =>
  workspace.act({
    type: 'block_action',
    as: 'U0ASHA',
    container: { type: 'view', viewId: shown().id },
    blockId,
    actionId,
    value: { type: 'button', value: 'A-1' },
    state: stateOf(shown()),
  });

const untilReview = () =>
  watch.until(
    'the list to be shown',
    () => asha.views().at(-1) && blockOf(shown(), 'list:counts') && shown(),
  );

async function chooseFile(line: string, name: string, content: string, template?: string): Promise<Form> {
  const form = await asha.openForm(TEAM, line);
  if (template) await form.chooseTemplate(template);
  await form.choose('recipients', 'file');
  const file = await upload(name, content);
  expect(await submit({ file: { files: [{ id: file.id }] } })).toEqual({ ok: true });
  return form;
}

const CUSTOMERS =
  'phone,Customer,Order\n+6591234567,Asha,A-1\n12,Bo,A-2\n+6591234568,Chen,A-3\n+6591234567,D,A-4\n';

test('from a CSV file to a request for approval: columns fill the values of the same name', async () => {
  const form = await chooseFile('/chatapp', 'customers.csv', CUSTOMERS, 'order_update');
  const review = await untilReview();
  expect(textOf(review, 'list:title')).toBe('customers.csv');
  expect(textOf(review, 'list:counts')).toBe(
    [
      'Rows read: 4',
      'Recipients: 2',
      'Left out as duplicates: 1',
      'Left out as invalid: 1',
      'Numbers from the column: phone',
      'Columns for the message: {{Customer}}, {{Order}}',
    ].join('\n'),
  );
  expect(textOf(review, 'preview:text')).toBe('Hello Asha, your order A-1 is on its way.');
  expect(form.value('params.0')).toMatchObject({ value: '{{Customer}}' });
  expect(form.paths()).not.toContain('to');
  const startAt = Math.floor(Date.UTC(2030, 0, 5, 8) / 1000);
  expect(await submit({ schedule: { selected_date_time: startAt } })).toEqual({ ok: true });
  expect(bulkSends.requests).toEqual([
    {
      message: {
        kind: 'chatapp',
        variant: 'text',
        from: '+919876543210',
        templateName: 'order_update',
        params: ['{{Customer}}', '{{Order}}'],
      },
      audienceId: 'A-1',
      origin: { teamId: app.identity()?.teamId, userId: 'U0ASHA', channelId: TEAM },
      requestKey: review.id,
      startAt: startAt * 1000,
    },
  ]);
  expect(JSON.stringify(shown().blocks)).toContain('Waiting for approval in <#C0APPROVALS>.');
  expect(sends.requests).toEqual([]);
  await form.close();
});

test('a pasted list, and a way back from the review with everything that was typed', async () => {
  const form = await asha.openForm(TEAM, '/sms');
  form.fill('text', 'Hello all');
  await form.choose('recipients', 'numbers');

  expect(await submit({ numbers: { value: '+6591234567\n+6591234568, +6591234569' } })).toEqual({ ok: true });
  const review = await untilReview();
  expect(textOf(review, 'list:counts')).toBe('Rows read: 3\nRecipients: 3');
  const before = review.hash;
  expect(await press('list:actions', 'other_list')).toEqual({ ok: true });
  await watch.until('the form', () => shown().hash !== before);
  expect(form.value('text')).toMatchObject({ value: 'Hello all' });
  expect(form.value('numbers')).toMatchObject({ value: expect.stringContaining('+6591234568') });
  await form.close();
});
