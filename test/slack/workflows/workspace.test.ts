import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../../../sandbox/person.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Message } from '../../../src/messages/kinds.ts';
import type { BulkSends } from '../../../src/sends/bulk.ts';
import type { RecipientRow, SendReport } from '../../../src/sends/send.ts';
import { workflowsFeature } from '../../../src/slack/workflows/feature.ts';
import { only } from '../../fakes/only.ts';
import { FakeAudiences, RecordingBulkSends } from '../compose/list/bulk-setting.ts';
import { createCatalogue, RecordingSends, SENDERS, sendFrom, textMessage } from '../compose/setting.ts';
import { SlackWorkspace, TEAM } from '../slack-workspace.ts';

/* The steps of Workflow Builder in a workspace that runs them as Slack does, through the real Bolt app. */

const TO = '+6591234567';
const FLASH = { channel: TEAM, to: TO, text: 'The pump has stopped.' };
let slack: SlackWorkspace;
let asha: Person;
let sends: RecordingSends;
let bulkSends: RecordingBulkSends;
const audiences = new FakeAudiences();
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
  slack = await SlackWorkspace.start((add, base) =>
    add(workflowsFeature, {
      ...base,
      clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(leaps ? 0 : ms, signal) },
      catalogue: createCatalogue(),
      sends: { submit: (request) => sends.submit(request), report },
      senders: SENDERS,
      access: {
        whyNot: async (...asked) => {
          rightsAsked.push(asked);
          return refuses;
        },
      },
      stopping: stop.signal,
      audiences,
      bulkSends: only<BulkSends>({ request: (request) => bulkSends.request(request) }),
      approvals: { over: 1 },
    }),
  );
  ({ asha } = slack);
});
afterAll(async () => {
  stop.abort();
  await slack.stop();
});
beforeEach(() => {
  sends = new RecordingSends();
  bulkSends = new RecordingBulkSends();
  audiences.clear();
  became = { messageId: 'M-1' };
  refuses = undefined;
  leaps = false;
  rightsAsked.length = 0;
});
afterEach(() => slack.reset());

const messages = (): readonly Message[] => sends.started.map(({ message }) => message);
const refused = (meaning: string) => ({ status: 'refused', meaning });

describe('what is sent, and what the workflow gets', () => {
  test('a flash SMS, in the name of who ran the workflow', async () => {
    const run = await asha.runStep('send_flash_sms', FLASH);
    expect(sends.started).toEqual([
      {
        message: textMessage('flash', FLASH.text),
        to: TO,
        origin: { teamId: slack.app.identity()?.teamId, userId: 'U0ASHA', channelId: TEAM },
        requestKey: `workflow:${run.id}`,
      },
    ]);
    expect(run.outputs).toEqual({
      status: 'accepted',
      meaning: 'It was accepted by the service.',
      message_id: 'M-1',
      reference: 'S-0000000001',
    });
  });

  test('in Slack’s notation, as a person wrote it', async () => {
    const text = 'Pump & valve <3> 🎉 see https://a.example/x or call +65 6555 1234';
    const { inputs } = await asha.runStep('send_flash_sms', { ...FLASH, text, to: '+65 9123 4567' });
    expect(inputs).toMatchObject({
      to: '<tel:+6591234567|+65 9123 4567>',
      text: 'Pump &amp; valve &lt;3&gt; :tada: see <https://a.example/x> or call <tel:+6565551234|+65 6555 1234>',
    });
    expect(sends.started).toMatchObject([{ to: TO, message: { text, unicode: true } }]);
  });

  test('an emoji that no phone knows is said', async () => {
    const run = await asha.runStep('send_flash_sms', { ...FLASH, text: 'Down :acme-logo: :tada:' });
    expect(run.outputs).toMatchObject({
      status: 'accepted',
      meaning:
        'It was accepted by the service. :acme-logo: is no emoji that phones know: they show these letters.',
    });
  });

  test('asks for the person’s right to this kind in the very channel that the step names', async () => {
    await asha.runStep('send_flash_sms', FLASH);
    const place = { userId: 'U0ASHA', channelId: TEAM, chosen: true };
    expect(rightsAsked).toEqual([[{ to: 'send', kind: 'flash' }, place]]);
  });

  test('a chat-app template with its values, one a line', async () => {
    const inputs = { channel: TEAM, to: TO, template: 'order_update', values: 'Asha\nA-1001' };
    expect((await asha.runStep('send_template_message', inputs)).outputs).toMatchObject({
      status: 'accepted',
    });
    expect(messages()).toMatchObject([
      { kind: 'chatapp', variant: 'text', templateName: 'order_update', params: ['Asha', 'A-1001'] },
    ]);
  });

  test('a header’s link and file name after the values', async () => {
    const values = 'May\nhttps://a.example/x.pdf\nx.pdf';
    await asha.runStep('send_template_message', { channel: TEAM, to: TO, template: 'invoice', values });
    expect(messages()).toMatchObject([
      { params: ['May'], header: { type: 'document', link: 'https://a.example/x.pdf', filename: 'x.pdf' } },
    ]);
  });

  test('an RCS template without values', async () => {
    await asha.runStep('send_template_message', {
      channel: TEAM,
      to: TO,
      template: 'store_open',
      kind: 'rcs',
    });
    expect(messages()).toMatchObject([{ kind: 'rcs', variant: 'plain', templateName: 'store_open' }]);
  });

  test.each([
    ['rejected', 'Nothing was sent.'],
    ['not_sent', 'Nothing was sent.'],
    ['unknown', 'It may have been sent: the customer may already have it.'],
  ] as const)('a send that is %s: status, code and meaning', async (state, sent) => {
    const explanation = 'Not <!here>';
    became = {
      state,
      failure: { code: '132000', what: 'Why.', explanation, next: 'What next.', scope: 'recipient' },
    };
    expect((await asha.runStep('send_flash_sms', FLASH)).outputs).toEqual({
      status: state,
      code: '132000',
      meaning: `Why. The service says: “Not ‹!here›”. ${sent} What next.`,
      reference: 'S-0000000001',
    });
  });

  test('a failure stops the workflow where its author wants that', async () => {
    became = { state: 'rejected', failure: { what: 'Why.', next: 'What next.', scope: 'recipient' } };
    const run = await asha.runStep('send_flash_sms', { ...FLASH, stop_on_failure: true });
    expect(run).toMatchObject({ status: 'failed', error: 'Why. Nothing was sent. What next.' });
    became = {};
    const another = await asha.runStep('send_flash_sms', { ...FLASH, stop_on_failure: true });
    expect(another.status).toBe('completed');
  });
});

describe('once', () => {
  test('the same run delivered twice sends once', async () => {
    slack.workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });
    expect((await asha.runStep('send_flash_sms', FLASH)).status).toBe('completed');
    expect(sends.started).toHaveLength(1);
  });

  test('a result that Slack did not take is told again', async () => {
    slack.workspace.setFaults({
      faults: [
        { on: 'api', method: 'functions.completeSuccess', times: 1, do: 'rate_limit', retryAfterSeconds: 1 },
      ],
    });
    expect((await asha.runStep('send_flash_sms', FLASH)).status).toBe('completed');
    expect(sends.requests).toHaveLength(1);
  });

  test.each([false, true])('Slack that is down for long is told when it is back', async (stop_on_failure) => {
    leaps = true;
    became = { state: 'rejected' };
    const method = stop_on_failure ? 'functions.completeError' : 'functions.completeSuccess';
    slack.workspace.setFaults({ faults: [{ on: 'api', method, times: 12, do: 'status', status: 503 }] });
    const run = await asha.runStep('send_flash_sms', { ...FLASH, stop_on_failure });
    expect(run.status).toBe(stop_on_failure ? 'failed' : 'completed');
    expect(sends.requests).toHaveLength(1);
  });

  test('outputs that Slack does not take: the step ends in an error that says what was sent', async () => {
    slack.refuse('functions.completeSuccess', 'parameter_validation_failed');
    expect(await asha.runStep('send_flash_sms', FLASH)).toMatchObject({
      status: 'failed',
      error:
        'It was accepted by the service. The workflow stops here, because Slack did not take the step’s result (parameter_validation_failed). Ask whoever runs Herald to update the app from manifest.yml.',
    });
    expect(sends.requests).toHaveLength(1);
  });

  test('a refusal that says nothing about the outputs is waited out', async () => {
    slack.refuse('functions.completeSuccess', 'team_added_to_org');
    expect((await asha.runStep('send_flash_sms', FLASH)).status).toBe('completed');
  });

  test('a bug ends the step in an error, and the workflow does not hang', async () => {
    sends.answer = async () => {
      throw new Error('broken');
    };
    expect(await asha.runStep('send_flash_sms', FLASH)).toMatchObject({
      status: 'failed',
      error:
        'Something went wrong in Herald. Look in the channel for a result before you run the workflow again.',
    });
  });
});

describe('several numbers', () => {
  const to = `${TO}, +6591234568`;

  test('wait for an approval; the step ends at once', async () => {
    const run = await asha.runStep('send_flash_sms', { ...FLASH, to });
    expect(run.outputs).toEqual({
      status: 'awaiting_approval',
      meaning: 'It waits for an approval. Nothing was sent yet. The result will be posted in the channel.',
      reference: expect.stringMatching(/^S-/),
    });
    expect(bulkSends.requests).toEqual([
      {
        message: textMessage('flash', FLASH.text),
        audienceId: 'A-1',
        origin: { teamId: slack.app.identity()?.teamId, userId: 'U0ASHA', channelId: TEAM },
        requestKey: `workflow:${run.id}`,
      },
    ]);
    expect(sends.requests).toEqual([]);
  });

  test('are all refused when one is wrong', async () => {
    const run = await asha.runStep('send_flash_sms', { ...FLASH, to: `${to}, 12` });
    expect(run.outputs).toEqual(
      refused('One of the numbers is not valid. Nothing was sent. Correct them in the workflow.'),
    );
    expect(bulkSends.requests).toEqual([]);
  });

  test('cannot share a one-time password', async () => {
    const inputs = { channel: TEAM, to, template: 'login_code', values: '123456' };
    expect((await asha.runStep('send_template_message', inputs)).outputs).toMatchObject({
      status: 'refused',
    });
    expect(bulkSends.requests).toEqual([]);
  });
});

describe('nothing is sent', () => {
  test.each([
    [
      { template: 'nothing' },
      'There is no template “nothing” in the catalogue. Nothing was sent. Correct its name in the workflow.',
    ],
    [
      { template: 'order_update', kind: 'sms' },
      'The kind of a template is chatapp or rcs. Nothing was sent. Correct it in the workflow.',
    ],
    [
      { template: 'order_update', values: 'a\nb\nc' },
      'The template has no place for: “c”. Nothing was sent.',
    ],
  ])('for %j', async (inputs, meaning) => {
    const run = await asha.runStep('send_template_message', { channel: TEAM, to: TO, ...inputs });
    expect(run.outputs).toEqual(refused(meaning));
    expect(sends.requests).toEqual([]);
  });

  test('to a number that is none, with every other problem said too', async () => {
    const run = await asha.runStep('send_template_message', {
      channel: TEAM,
      to: '112',
      template: 'order_update',
      values: 'Asha',
    });
    expect(run.outputs).toMatchObject({
      status: 'refused',
      meaning: expect.stringContaining('Nothing was sent.'),
    });
    expect(sends.requests).toEqual([]);
  });

  test('by somebody who has no right to', async () => {
    refuses = 'Only <@U0RAVI> may send this kind of message; ask one of them.';
    expect((await asha.runStep('send_flash_sms', FLASH)).outputs).toEqual(
      refused('Only <@U0RAVI> may send this kind of message; ask one of them. Nothing was sent.'),
    );
  });

  test('when Slack does not say who that is', async () => {
    slack.refuse('users.info', 'internal_error');
    expect((await slack.person('U0RAVI').runStep('send_flash_sms', FLASH)).outputs).toEqual(
      refused(
        'Slack did not say who runs this workflow. Nothing was sent. Run the workflow again in a minute.',
      ),
    );
    expect(sends.requests).toEqual([]);
  });
});
