import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Form } from '../../../../sandbox/form.ts';
import type { SandboxMessage } from '../../../../sandbox/protocol.ts';
import { ALERTS } from '../../../../sandbox/ui/chat/alert-samples.ts';
import { BulkWorkspace } from '../../bulk-workspace.ts';
import { TEAM } from '../../slack-workspace.ts';
import { textMessage } from '../setting.ts';

/* The shortcuts in a workspace that opens and checks views as Slack does, through the real Bolt app. */

const TO = '+6591234567';
let bulk: BulkWorkspace;

beforeAll(async () => {
  bulk = await BulkWorkspace.start();
});
afterAll(() => bulk.stop());
beforeEach(() => bulk.reset());

async function posted(content: object): Promise<SandboxMessage> {
  const act = { type: 'app_post', appId: 'A0GRAFANA', channel: TEAM, text: '', ...content } as const;
  expect(await bulk.workspace.act(act)).toEqual({ ok: true });
  const message = bulk.asha.messages(TEAM).at(-1);
  if (message === undefined) throw new Error('Nothing was posted.');
  return message;
}

/** A form that is opened from a message with this content. */
async function openOn(content: object, shortcut: 'send_this_as' | 'flash_this') {
  return bulk.asha.openFormByShortcut(shortcut, await posted(content));
}

/** Chooses a kind, until its form is there. */
async function chooseKind(form: Form, title: string, kind: string): Promise<void> {
  await form.choose('kind', title);
  expect(await form.submit()).toEqual({ ok: true });
  await bulk.until('the form', () => form.view.callback_id === kind);
}

const notes = () => bulk.text('notes');
const requests = () =>
  bulk.sends.started.map(({ message, to, origin }) => ({ message, to, channel: origin.channelId }));

describe('“Send a message”', () => {
  test('asks which kind, then for all that the kind needs, and where the result goes', async () => {
    const form = await bulk.asha.openFormByShortcut('send_message');
    expect(form.paths()).toEqual(['kind']);
    expect(await form.submit()).toEqual({ ok: false, errors: { kind: expect.any(String) } });
    await chooseKind(form, 'SMS', 'sms');
    expect(form.paths()).toContain('channel');
    form.fillAll({ to: TO, text: 'Your table is ready.' });
    await form.press('More');
    await form.choose('sender', 'ACMEIN');
    const errors = { channel: 'Please complete this required field.' };
    expect(await form.submit()).toEqual({ ok: false, errors });
    expect(bulk.sends.requests).toEqual([]);
    form.chooseConversation('channel', TEAM);
    expect(await form.submit()).toEqual({ ok: true });
    const message = textMessage('sms', 'Your table is ready.');
    expect(requests()).toEqual([{ message, to: TO, channel: TEAM }]);
  });

  test('delivered twice it opens one form', async () => {
    bulk.workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });
    await bulk.asha.openFormByShortcut('send_message');
    expect(bulk.asha.views()).toHaveLength(1);
    expect(bulk.direct()).toEqual([]);
  });

  test('when Slack does not open the form, the person is told directly', async () => {
    bulk.refuse('views.open', 'expired_trigger_id');
    await bulk.asha.shortcut('send_message');
    const [told] = await bulk.until('a direct message', () => bulk.direct().length > 0 && bulk.direct());
    expect(told?.text).toBe(
      'The form could not be opened in the three seconds that Slack allows. Nothing was sent. Choose the shortcut again.',
    );
  });
});

describe('“Send this as…”', () => {
  test('takes the text into an SMS, as edited', async () => {
    const message = await posted({ text: 'Sale &lt;today&gt;: *everything* <https://a.example|here>' });
    const form = await bulk.asha.openFormByShortcut('send_this_as', message);
    expect(form.value('text')).toMatchObject({ value: 'Sale <today>: everything here' });
    form.fill('text', 'Sale today.');
    await chooseKind(form, 'SMS', 'sms');
    expect(form.value('text')).toMatchObject({ value: 'Sale today.' });
    expect(form.paths()).not.toContain('channel');
  });

  test('makes the text, on one line, the first value of the template that is chosen', async () => {
    const form = await openOn({ text: 'Asha\nNair' }, 'send_this_as');
    await chooseKind(form, 'Chat-app message', 'chatapp');
    await form.chooseTemplate('order_update');
    expect(form.value('params.0')).toMatchObject({ value: 'Asha Nair' });
  });

  test('says that a longer message was cut, and that it is too long to wait for a template', async () => {
    const form = await openOn({ text: 'word '.repeat(700) }, 'send_this_as');
    expect(notes()).toBe(
      'The message is longer than a text can be; its end was left out. Check the text before you send it.',
    );
    await chooseKind(form, 'RCS message', 'rcs');
    expect(notes()).toBe('The text is too long to be a value of a template, so it was left out.');
  });
});

describe('“Flash SMS this”', () => {
  test('fills a flash SMS with what an alert says, and posts the result where the alert stands', async () => {
    const form = await openOn(ALERTS.pagerduty ?? {}, 'flash_this');
    const text =
      '🔴 Triggered #4211: Checkout errors over 5%\nAssigned: Asha Rao\nService: checkout\nUrgency: High';
    const shown = [form.view.callback_id, notes(), form.value('text')?.value];
    expect(shown).toEqual(['flash', undefined, text]);
    form.fill('to', TO);
    await form.press('More');
    await form.choose('sender', 'ACMEIN');
    expect(await form.submit()).toEqual({ ok: true });
    const message = textMessage('flash', text, { unicode: true });
    expect(requests()).toEqual([{ message, to: TO, channel: TEAM }]);
  });

  const LONG = 'x'.repeat(303);
  test.each([
    [
      { text: `${LONG} the rest` },
      `${LONG}...`,
      'Only what fits into 2 SMS parts was kept. Left out: “the rest” Edit the text before you send it.',
    ],
    [
      { text: '<@U0RAVI> and <!subteam^S0SUPPORT> and <@U0NOBODY>' },
      '@ravi and @support and @U0NOBODY',
      undefined,
    ],
    [
      { text: ' ', blocks: [{ type: 'divider' }] },
      null,
      'That message has no text to use. Type the text to send.',
    ],
  ])(
    'takes as much as two SMS parts hold, with names, and says what is missing: %#',
    async (content, text, said) => {
      const form = await openOn(content, 'flash_this');
      expect([form.value('text')?.value, notes()]).toEqual([text, said]);
    },
  );
});
