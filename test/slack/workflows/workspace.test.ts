import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../../../sandbox/person.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { BulkSends } from '../../../src/sends/bulk/service.ts';
import type { RecipientRow, SendReport } from '../../../src/sends/send.ts';
import type { SlackServices } from '../../../src/slack/kit/services.ts';
import { workflowsFeature } from '../../../src/slack/workflows/feature.ts';
import { following, only } from '../../fakes/only.ts';
import {
  createLists,
  FIRST_LIST,
  type Lists,
  listOf,
  RecordingBulkSends,
} from '../compose/list/bulk-setting.ts';
import { RecordingSends, SENDERS, SettableCatalogue, sendFrom, textMessage } from '../compose/setting.ts';
import { SlackWorkspace, TEAM } from '../slack-workspace.ts';

/* The steps of Workflow Builder in a workspace that runs them as Slack does, through the real Bolt app. */

const TO = '+6591234567';
const FLASH = { channel: TEAM, to: TO, text: 'The pump has stopped.' };
let slack: SlackWorkspace;
let asha: Person;
let sends: RecordingSends;
let bulkSends: RecordingBulkSends;
let audiences: Lists;
let became: Partial<RecipientRow>;
let refuses: string | undefined;
/** Waits are passed over. */
let leaps = false;
const rightsAsked: unknown[] = [];
const stop = new AbortController();

async function report(id: string): Promise<SendReport | undefined> {
  const [request] = sends.started;
  if (request === undefined) return undefined;
  const send = { ...sendFrom(request, id), state: 'done' as const };
  return { send, recipient: { sendId: id, row: 0, number: request.to, state: 'accepted', ...became } };
}

beforeAll(async () => {
  slack = await SlackWorkspace.start((add, base) => {
    const services = only<SlackServices>({
      ...base,
      timeZoneOf: async () => 'Asia/Kolkata',
      clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(leaps ? 0 : ms, signal) },
      catalogue: new SettableCatalogue(),
      sends: { submit: (request) => sends.submit(request), report },
      senders: SENDERS,
      access: {
        whyNot: async (...asked) => {
          rightsAsked.push(asked);
          return refuses;
        },
      },
      stopping: stop.signal,
      audiences: following(() => audiences),
      bulkSends: only<BulkSends>(following(() => bulkSends)),
      approvals: { over: 1 },
    });
    add(workflowsFeature, services);
  });
  ({ asha } = slack);
});
afterAll(async () => {
  stop.abort();
  await slack.stop();
});
beforeEach(() => {
  sends = new RecordingSends();
  audiences = createLists();
  bulkSends = new RecordingBulkSends(audiences);
  became = { messageId: 'M-1' };
  refuses = undefined;
  leaps = false;
  rightsAsked.length = 0;
});
afterEach(() => slack.reset());

const flash = async (over: object = {}, who = asha) => who.runStep('send_flash_sms', { ...FLASH, ...over });
const template = async (inputs: object) =>
  asha.runStep('send_template_message', { channel: TEAM, to: TO, ...inputs });
const askedBy = ({ id }: { readonly id: string }) => ({
  origin: { teamId: slack.app.identity()?.teamId, userId: 'U0ASHA', channelId: TEAM },
  requestKey: `workflow:${id}`,
});
const refused = (meaning: unknown) => ({ status: 'refused', meaning });

test('a flash SMS, in the name of who ran the workflow', async () => {
  const run = await flash();
  const message = textMessage('flash', FLASH.text);
  expect(sends.started).toEqual([{ message, to: TO, ...askedBy(run) }]);
  const place = { userId: 'U0ASHA', channelId: TEAM, chosen: true };
  expect(rightsAsked).toEqual([[{ to: 'send', kind: 'flash' }, place]]);
  expect(run.outputs).toEqual({
    status: 'accepted',
    meaning: 'It was accepted by the service.',
    message_id: 'M-1',
    reference: 'S-0000000001',
  });
});

test('in Slack’s notation, as a person wrote it; an emoji that no phone knows is said', async () => {
  const text = 'Pump & valve <3> 🎉 :acme-logo: see https://a.example/x or call +65 6555 1234';
  const { inputs, outputs } = await flash({ text, to: '+65 9123 4567' });
  expect(inputs).toMatchObject({
    to: '<tel:+6591234567|+65 9123 4567>',
    text: 'Pump &amp; valve &lt;3&gt; :tada: :acme-logo: see <https://a.example/x> or call <tel:+6565551234|+65 6555 1234>',
  });
  expect(sends.started).toMatchObject([{ to: TO, message: { text, unicode: true } }]);
  expect(outputs?.meaning).toBe(
    'It was accepted by the service. :acme-logo: is no emoji that phones know: they show these letters.',
  );
});

const PDF = { link: 'https://a.example/x.pdf', filename: 'x.pdf' };
test.each([
  ['order_update', 'Asha\nA-1001', { kind: 'chatapp', variant: 'text', params: ['Asha', 'A-1001'] }],
  // Its link and file name come after the values.
  ['invoice', `May\n${PDF.link}\n${PDF.filename}`, { params: ['May'], header: { type: 'document', ...PDF } }],
  // Of SMS and flash SMS, which share it, the one that is called as they are.
  ['order_shipped', 'Asha\nA-1001', { kind: 'sms', params: ['Asha', 'A-1001'] }],
])('a template, %s, with its values, one a line', async (name, values, message) => {
  expect((await template({ template: name, values })).outputs).toMatchObject({ status: 'accepted' });
  expect(sends.started).toMatchObject([{ message: { templateName: name, ...message } }]);
});

test.each([
  ['rejected', 'Nothing was sent.'],
  ['not_sent', 'Nothing was sent.'],
  ['unknown', 'It may have been sent: the customer may already have it.'],
] as const)('a send that is %s: status, code and meaning', async (state, sent) => {
  const words = { what: 'Why.', explanation: 'Not <!here>', next: 'What next.' };
  became = { state, failure: { code: '132000', ...words, scope: 'recipient' } };
  expect((await flash()).outputs).toEqual({
    status: state,
    code: '132000',
    meaning: `Why. The service says: “Not ‹!here›”. ${sent} What next.`,
    reference: 'S-0000000001',
  });
});

test('a failure stops the workflow where its author wants that', async () => {
  became = { state: 'rejected', failure: { what: 'Why.', next: 'What next.', scope: 'recipient' } };
  const run = await flash({ stop_on_failure: true });
  expect(run).toMatchObject({ status: 'failed', error: 'Why. Nothing was sent. What next.' });
  became = {};
  const another = await flash({ stop_on_failure: true });
  expect(another.status).toBe('completed');
});

test('the same run delivered twice sends once', async () => {
  slack.workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });
  expect((await flash()).status).toBe('completed');
  expect(sends.started).toHaveLength(1);
});

test.each([false, true])('Slack that is down for long is told when it is back', async (stop_on_failure) => {
  leaps = true;
  became = { state: 'rejected' };
  const method = stop_on_failure ? 'functions.completeError' : 'functions.completeSuccess';
  slack.workspace.setFaults({ faults: [{ on: 'api', method, times: 12, do: 'status', status: 503 }] });
  const run = await flash({ stop_on_failure });
  expect(run.status).toBe(stop_on_failure ? 'failed' : 'completed');
  expect(sends.requests).toHaveLength(1);
});

test('outputs that Slack does not take: the step ends in an error that says what was sent', async () => {
  slack.refuse('functions.completeSuccess', 'parameter_validation_failed');
  const error = /^It was accepted by the service\. The workflow stops here.*parameter_validation_failed/;
  expect(await flash()).toMatchObject({ status: 'failed', error: expect.stringMatching(error) });
  expect(sends.requests).toHaveLength(1);
});

test('a refusal that says nothing about the outputs is waited out', async () => {
  slack.refuse('functions.completeSuccess', 'team_added_to_org');
  expect((await flash()).status).toBe('completed');
});

test('a bug ends the step in an error, and the workflow does not hang', async () => {
  sends.answer = async () => {
    throw new Error('broken');
  };
  const error = /^Something went wrong in Herald\. Look in the channel/;
  expect(await flash()).toMatchObject({ status: 'failed', error: expect.stringMatching(error) });
});

describe('several numbers', () => {
  const to = `${TO}, +6591234568`;

  test('wait for an approval; the step ends at once', async () => {
    const run = await flash({ to });
    expect(run.outputs).toEqual({
      status: 'awaiting_approval',
      meaning: 'It waits for an approval. Nothing was sent yet. The result will be posted in the channel.',
      reference: expect.stringMatching(/^S-/),
    });
    const message = textMessage('flash', FLASH.text);
    expect(bulkSends.requests).toEqual([{ message, audienceId: FIRST_LIST, ...askedBy(run) }]);
    expect(sends.requests).toEqual([]);
  });

  test('are all refused when one is wrong', async () => {
    const run = await flash({ to: `${to}, 12` });
    expect(run.outputs).toEqual(refused(expect.stringMatching(/^One of the numbers is not valid\./)));
    expect(bulkSends.requests).toEqual([]);
  });

  test('cannot share a one-time password', async () => {
    const { outputs } = await template({ to, template: 'login_code', values: '123456' });
    expect(outputs).toMatchObject({ status: 'refused' });
    expect(bulkSends.requests).toEqual([]);
  });
});

test('a saved list is sent to by its name, its columns in the values, after approval like any other', async () => {
  const rows = 'phone,customer\n+919812345678,Asha\n+919812345679,Ravi\nnone,Mei\n';
  const { id: audienceId } = await listOf(audiences, rows, 'Regulars');
  const values = '{{customer}}\nA-1001';
  const run = await template({ to: '', list: 'Regulars', values, template: 'chatapp:order_update' });
  expect(run.outputs).toMatchObject({ status: 'awaiting_approval' });
  const message = { params: ['{{customer}}', 'A-1001'] };
  expect(bulkSends.requests).toMatchObject([{ audienceId, message }]);
});

/* As https://docs.slack.dev/tools/bolt-python/concepts/custom-steps-dynamic-options shows what a step gives. */
const offered = async (step: string, inputs: object = {}, who = asha) => {
  const { outputs } = await who.runStep(step, { ...inputs });
  const options = Array.isArray(outputs?.options) ? outputs.options : [];
  return options.map(({ text, value }) => [text.text, value]);
};

test('while somebody builds a workflow, templates of all kinds are found by what is typed', async () => {
  expect(await offered('offer_templates', { query: 'order' })).toEqual([
    ['Order update (order_update)', 'chatapp:order_update'],
    ['Order shipped (order_shipped)', 'sms:order_shipped'],
    ['Flash SMS: Order shipped (order_shipped)', 'flash:order_shipped'],
  ]);
  expect((await offered('offer_templates')).length).toBeGreaterThan(2);
});

test('while somebody builds a workflow, senders are those of the template’s kind, or of flash SMS', async () => {
  expect(await offered('offer_senders', { template: 'chatapp:order_update', query: 'sup' })).toEqual([
    ['Support (+91 98765 43210)', '+919876543210'],
  ]);
  expect(await offered('offer_senders', { template: 'rcs:store_open' })).toEqual([['Acme', 'acme-bot']]);
  expect(await offered('offer_senders')).toEqual([['Acme (ACMEIN, TRANS)', 'ACMEIN']]);
});

test('while somebody builds a workflow, saved lists are offered by name', async () => {
  await listOf(audiences, TO, 'Regulars');
  expect(await offered('offer_lists', { query: 'reg' })).toEqual([['Regulars', 'Regulars']]);
  expect(await offered('offer_lists', { query: 'vip' })).toEqual([]);
});

test('while somebody builds a workflow, guests are offered nothing, and what Slack does not take hangs nothing', async () => {
  expect(await offered('offer_templates', {}, slack.person('U0GUEST'))).toEqual([]);
  slack.refuse('functions.completeSuccess', 'execution_not_in_running_state');
  await asha.startStep('offer_templates', {});
});

const ORDER = { template: 'order_update', values: 'a\nb' };
test.each([
  [{ template: 'nothing' }, /^There is no template “nothing” in the catalogue\. Nothing was sent\./],
  [
    { template: 'rcs:order_update' },
    /^There is no template “order_update” in the catalogue\. Nothing was sent\./,
  ],
  [{ ...ORDER, list: 'Regulars' }, /^The step has both numbers and a saved list\. Nothing was sent\./],
  [
    { ...ORDER, list: 'Regulars', to: '' },
    /^There is no saved list “Regulars” any more\. Nothing was sent\./,
  ],
  [{ ...ORDER, values: 'a\nb\nc' }, /^The template has no place for: “c”\. Nothing was sent\.$/],
])('nothing is sent for %j', async (inputs, meaning) => {
  expect((await template(inputs)).outputs).toEqual(refused(expect.stringMatching(meaning)));
  expect(sends.requests).toEqual([]);
});

test('nothing is sent to a number that is none, with every other problem said too', async () => {
  const { outputs } = await template({ to: '112', template: 'order_update', values: 'Asha' });
  expect(outputs).toMatchObject(refused(expect.stringContaining('Nothing was sent.')));
  expect(sends.requests).toEqual([]);
});

test('nothing is sent by somebody who has no right to', async () => {
  refuses = 'Only <@U0RAVI> may send this kind of message; ask one of them.';
  expect((await flash()).outputs).toEqual(refused(`${refuses} Nothing was sent.`));
});

test.each([
  [
    'Slack does not say who that is',
    'U0RAVI',
    'internal_error',
    /^Slack did not say who runs this workflow\./,
  ],
  [
    'it is somebody of elsewhere',
    'U0MEI',
    'user_not_visible',
    /^Only members of the workspace that Herald is/,
  ],
])('nothing is sent when %s', async (_what, userId, error, meaning) => {
  slack.refuse('users.info', error);
  const { outputs } = await flash({}, slack.person(userId));
  expect(outputs).toEqual(refused(expect.stringMatching(meaning)));
  expect(sends.requests).toEqual([]);
});
