import { beforeEach, describe, expect, test } from 'vitest';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { ALERTS } from '../../sandbox/ui/chat/alert-samples.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, CUSTOMER, TEAM, TEAM_CONFIGURATION } from './team.ts';

const config = `${TEAM_CONFIGURATION}\napprovals: { over: 1, approvers: [U0RAVI], channel: ${APPROVALS} }\n`;

describe('where people start', () => {
  const stack = runningStack({ config });
  beforeEach(() => stack.carrier.reset());

  async function alert(): Promise<SandboxMessage> {
    const { attachments } = ALERTS.grafana ?? {};
    const act = { type: 'app_post', appId: 'A0GRAFANA', channel: TEAM, text: '' } as const;
    expect(await stack.workspace.act({ ...act, attachments: [attachments].flat() })).toEqual({ ok: true });
    const posted = stack.person(ASHA).messages(TEAM).at(-1);
    if (posted === undefined) throw new Error('The alert was not posted.');
    return posted;
  }

  test('“Flash SMS this” on an alert: its text on the phone, the result below it', async () => {
    const asha = stack.person(ASHA);
    const message = await alert();
    const conversation = stack.from(asha);
    const form = await asha.openFormByShortcut('flash_this', message);
    form.fill('to', CUSTOMER);
    expect(await form.submit()).toEqual({ ok: true });
    await conversation.message(/Flash SMS: accepted by the service/);
    expect(stack.wholeRequests()).toHaveLength(1);
    expect(JSON.stringify(stack.wholeRequests())).toContain('[FIRING:1] High CPU Production');
  });

  test('“Send a message”: the kind, the form, the channel, the result', async () => {
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    const form = await asha.openFormByShortcut('send_message');
    await form.choose('kind', 'SMS');
    await form.submit();
    await stack.eventually('the form', () => form.view.callback_id === 'sms');
    form.fillAll({ to: CUSTOMER, text: 'Your table is ready.' }).chooseConversation('channel', TEAM);
    expect(await form.submit()).toEqual({ ok: true });
    await conversation.message(/SMS: accepted by the service/);
    expect(stack.wholeRequests()).toHaveLength(1);
  });

  test('a workflow’s step: one request, the result in the channel and as outputs', async () => {
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    stack.workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });
    const run = await asha.runStep('send_flash_sms', { channel: TEAM, to: CUSTOMER, text: 'Now.' });
    await conversation.message(/Flash SMS: accepted by the service/);
    expect(run.outputs).toEqual({
      status: 'accepted',
      meaning: 'It was accepted by the service.',
      message_id: expect.stringMatching(/./),
      reference: expect.stringMatching(/^S-/),
    });
    expect(stack.wholeRequests()).toHaveLength(1);
  });

  test('a code of the service is an output to branch on', async () => {
    const inputs = { channel: TEAM, to: '+919999132000', template: 'order_update', values: 'Asha\nA-1001' };
    const run = await stack.person(ASHA).runStep('send_template_message', inputs);
    expect(run.outputs).toMatchObject({
      status: 'rejected',
      code: '132000',
      meaning: expect.stringContaining('Nothing was sent.'),
    });
  });

  test('several numbers from a workflow wait for an approval', async () => {
    const asha = stack.person(ASHA);
    const approvals = stack.from(asha, APPROVALS);
    const to = `${CUSTOMER}, +919876501299`;
    const run = await asha.runStep('send_flash_sms', { channel: TEAM, to, text: 'To everybody.' });
    expect(run.outputs).toMatchObject({ status: 'awaiting_approval' });
    await approvals.message(/To everybody\./);
    expect(stack.wholeRequests()).toEqual([]);
  });
});
