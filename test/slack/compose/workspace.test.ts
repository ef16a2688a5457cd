import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BulkWorkspace } from '../bulk-workspace.ts';
import { TEAM } from '../slack-workspace.ts';
import { templateMessage } from './setting.ts';

/* The forms in a workspace that holds and redraws them as Slack does, through the real Bolt app. */

const TO = '+6591234567';
let slack: BulkWorkspace;
beforeAll(async () => {
  slack = await BulkWorkspace.start();
});
afterAll(() => slack.stop());
beforeEach(() => slack.reset());

const preview = () => slack.text('preview:text');

test('from a command to a submission: fields follow the template, the preview follows the typing', async () => {
  const form = await slack.openForm('/chatapp');
  form.fill('to', TO);
  await form.chooseTemplate('order_update');
  expect(preview()).toBe('Hello ⟨customer⟩, your order ⟨order⟩ is on its way.');
  expect(form.value('to')).toMatchObject({ value: TO });
  await form.enter('params.0', 'Asha & <!channel>');
  expect(preview()).toBe('Hello Asha & <!channel>, your order ⟨order⟩ is on its way.');
  form.fill('params.1', 'A-1001');
  expect(await form.submit()).toEqual({ ok: true });
  expect(form.open).toBe(false);
  expect(slack.sends.started.map(({ message, to, origin }) => ({ message, to, origin }))).toEqual([
    {
      message: templateMessage('order_update', { params: ['Asha & <!channel>', 'A-1001'] }),
      to: TO,
      origin: { teamId: slack.app.identity()?.teamId, userId: 'U0ASHA', channelId: TEAM },
    },
  ]);
});

test('a typo in the template’s name: the values of the line fill the right one', async () => {
  const form = await slack.openForm(`/chatapp order_updat ${TO} “Asha” "A-7"`);
  await form.chooseTemplate('order_update');
  expect(form.value('params.1')).toMatchObject({ value: 'A-7' });
  expect(await form.submit()).toEqual({ ok: true });
  expect(slack.sends.started.map(({ message }) => 'params' in message && message.params)).toEqual([
    ['Asha', 'A-7'],
  ]);
});

test('what Slack gave back escaped is shown as it was, however often the preview changes', async () => {
  const form = await slack.openForm('/sms');
  await form.press('More');
  const before = slack.text('sender');
  await form.enter('text', 'a');
  await form.enter('text', 'a & b');
  expect(before).toContain('Acme & Co');
  expect(slack.text('sender')).toBe(before);
});
