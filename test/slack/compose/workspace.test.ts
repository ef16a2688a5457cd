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

test('a value typed for one template is not there after another was chosen', async () => {
  const form = await slack.openForm('/chatapp');
  await form.chooseTemplate('order_update');
  form.fill('params.0', 'Asha');
  await form.chooseTemplate('reminder');
  expect(form.value('params.0')?.value ?? null).toBeNull();
  expect(form.paths()).not.toContain('params.1');
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

test('every wrong field at once, then corrected', async () => {
  const form = await slack.openForm('/chatapp');
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
  expect(slack.sends.started).toHaveLength(1);
});

test('the segments of an SMS are counted while it is typed', async () => {
  const form = await slack.openForm('/sms');
  await form.enter('text', `${'x'.repeat(160)}€`);
  expect(slack.text('preview:segments')).toContain('2 SMS parts');
});

test('what Slack gave back escaped is shown as it was, however often the preview changes', async () => {
  const form = await slack.openForm('/sms');
  const before = slack.text('sender');
  await form.enter('text', 'a');
  await form.enter('text', 'a & b');
  expect(before).toContain('Acme & Co');
  expect(slack.text('sender')).toBe(before);
});

test.each(['/chatapp', '/rcs', '/sms', '/flash'])(
  '%s help is answered to the person alone',
  async (command) => {
    const answer = await slack.answer(`${command} help`);
    expect(answer).toMatchObject({ ephemeralFor: 'U0ASHA', text: expect.stringContaining(command) });
  },
);
