import { expect, test } from 'vitest';
import type { Message } from '../../../../src/messages/kinds.ts';
import type { RecipientState, Send } from '../../../../src/sends/send.ts';
import {
  handleLikeThis,
  handleSendAgain,
  handleToAudience,
  openForEditing,
} from '../../../../src/slack/compose/start/again.ts';
import type { SlackServices } from '../../../../src/slack/kit/services.ts';
import { only } from '../../../fakes/only.ts';
import { LOGIN, ORDER, report, SMS } from '../../kit/cards/reports.ts';
import { textsOf } from '../../texts-of.ts';
import { createLists, FIRST_LIST, listOf, RecordingBulkSends } from '../list/bulk-setting.ts';
import {
  clickIn,
  createSetting,
  heldBy,
  notesOf,
  ORIGIN,
  openView,
  sendFrom,
  slackError,
  submitForm,
  textMessage,
} from '../setting.ts';

function setting(
  message: Message,
  state: RecipientState,
  retries: readonly Send[] = [],
  send: Partial<Send> = {},
) {
  const made = createSetting();
  const one = report(message, { state }, send);
  const store = only<SlackServices['store']>({
    find: async () => one.send,
    recipients: async () => [one.recipient],
    retriesOf: async () => retries,
  });
  const names = { nameOf: async (id: string) => (id === 'U0ASHA' ? '@asha' : id) };
  const click = clickIn(undefined, { value: one.send.id }, made.client, 'U0RAVI');
  return { ...made, compose: { ...made.compose, store, names }, click };
}

test('a form as it was, with the number, that says what it would do', async () => {
  const { compose, client, click } = setting(ORDER, 'unknown');
  await handleSendAgain(click, compose);
  expect(Object.values(heldBy(client.view))).toEqual(
    expect.arrayContaining(['+919812345678', 'Asha & co', '<!channel>', 'Spring']),
  );
  expect(notesOf(client.view)).toBe(
    'The customer may already have this message: sent again, it may arrive twice. Nothing was sent yet.',
  );
  expect(JSON.parse(client.view.private_metadata ?? '')).toMatchObject({
    again: 'S-7K2M9QX4TB',
    channelId: 'C0TEAM',
  });
});

test.each([
  ['template', LOGIN, 'otp'],
  ['SMS', { ...SMS, type: 'OTP', text: '###### is your code' } as const, 'text'],
])('a one-time password of a %s is asked for anew', async (_name, message, field) => {
  const { compose, client, click } = setting(message, 'rejected');
  await handleSendAgain(click, compose);
  const held = Object.entries(heldBy(client.view)).find(([path]) => path.split(':')[0] === field);
  expect(held?.[1]).toBeUndefined();
  expect(held).toBeDefined();
  expect(notesOf(client.view)).toContain('One-time passwords are not kept: enter a new one.');
  expect(notesOf(client.view)).toContain('This sends S-7K2M9QX4TB again.');
});

test('whoever comes second is told who was first: at the click, and when the form is sent', async () => {
  const base = report(SMS, { state: 'unknown' }).send;
  const other: Send = { ...base, id: 'S-SECOND', origin: ORIGIN, retryOf: base.id, retryGroup: 'unknown' };
  const sentence =
    '@asha has sent S-7K2M9QX4TB again already, as S-SECOND. It was not sent once more. Look at what became of S-SECOND first.';
  const late = setting(SMS, 'unknown', [other]);
  await handleSendAgain(late.click, late.compose);
  expect(textsOf(late.client.view)).toContain(sentence);
  expect(late.client.view.submit).toBeUndefined();

  const { compose, client, click, sends } = setting(SMS, 'unknown');
  await handleSendAgain(click, compose);
  sends.answer = async () => ({ state: 'repeated', send: other });
  const [answer] = await submitForm({ client, compose }, openView(client.view), 'U0RAVI');
  expect(sends.requests).toMatchObject([{ retryOf: 'S-7K2M9QX4TB', to: '+919812345678' }]);
  expect(answer).toMatchObject({ errors: { template: sentence } });
});

test('nobody sends again, or like this, what is no longer kept', async () => {
  const { compose, client, click } = setting(SMS, 'unknown', [], { removedAt: 5 });
  for (const handle of [handleSendAgain, handleLikeThis]) {
    await handle(click, compose);
    expect(textsOf(client.view)).toContain('are no longer kept, so it cannot be sent again');
    expect(client.view.submit).toBeUndefined();
  }
});

test('nobody sends again what was accepted, or without the right to send', async () => {
  const accepted = setting(SMS, 'accepted');
  await handleSendAgain(accepted.click, accepted.compose);
  expect(textsOf(accepted.client.view)).toContain('has not failed, or is still on its way');

  const { compose, client, click } = setting(SMS, 'unknown');
  for (const handle of [handleSendAgain, handleLikeThis]) {
    await handle(click, { ...compose, access: { whyNot: async () => 'Only @mei may send this.' } });
    expect(textsOf(client.view)).toContain('Only @mei may send this. Nothing was sent.');
    expect(client.view.submit).toBeUndefined();
  }
});

test('the message of a send for others: of one to many, with a list', async () => {
  const one = setting(SMS, 'accepted');
  await handleLikeThis(one.click, one.compose);
  expect(heldBy(one.client.view)).toMatchObject({ text: 'Your table is ready.', to: undefined });
  expect(JSON.parse(one.client.view.private_metadata ?? '')).toEqual({ channelId: 'C0TEAM' });

  const many = setting(SMS, 'accepted', [], { audience: { id: 'A-1', columns: ['name'] } });
  await handleLikeThis(many.click, many.compose);
  expect(heldBy(many.client.view)).toMatchObject({ text: 'Your table is ready.', recipients: 'file' });
});

test('a list that is gone is said in a sentence; one that stands leads to a choice of kinds', async () => {
  const audience = { id: FIRST_LIST, columns: [] };
  const { compose, client, click } = setting(SMS, 'accepted', [], { audience });
  await handleToAudience(click, compose);
  expect(click.said).toEqual(['This list is no longer there. Nothing was sent. Choose another list.']);
  expect(client.calls).toEqual([]);

  const audiences = createLists();
  await listOf(audiences, '+6591234567');
  await handleToAudience(click, { ...compose, audiences });
  expect(client.view.callback_id).toBe('choose_kind');
  expect(JSON.parse(client.view.private_metadata ?? '')).toEqual({
    channelId: 'C0TEAM',
    audienceId: FIRST_LIST,
  });
});

const DRAFT_MESSAGE = textMessage('sms', 'Hi', { campaignName: 'May' }) as Send['message'];
const DRAFT: Send = {
  ...sendFrom({ message: DRAFT_MESSAGE, origin: ORIGIN }),
  state: 'draft',
  audience: { id: FIRST_LIST, columns: [] },
  startAt: Date.UTC(2030, 0, 5),
  note: 'For the *team*',
};

async function editing() {
  const audiences = createLists();
  await listOf(audiences, '+6591234567');
  const made = createSetting();
  return { ...made, compose: { ...made.compose, audiences } };
}

test('a send that is edited is a form again, with all that it was asked for with', async () => {
  const { compose, client } = await editing();
  expect(await openForEditing(DRAFT, 'trigger', client, compose)).toBeUndefined();
  const said = { sender: 'ACMEIN', text: 'Hi', type: 'TRANS', campaignName: 'May', note: 'For the *team*' };
  expect(heldBy(client.view)).toMatchObject(said);
  const carried = { channelId: 'C0TEAM', audienceId: FIRST_LIST, more: true, replaces: DRAFT.id };
  expect(JSON.parse(client.view.private_metadata ?? '')).toEqual(carried);
  expect(notesOf(client.view)).toContain(`Until this is handed in, ${DRAFT.id} stays as it is`);
  expect(client.view.blocks.find(({ block_id }) => block_id === 'schedule')).toMatchObject({
    element: { initial_date_time: Date.UTC(2030, 0, 5) / 1000 },
  });
});

test('a count that comes late and that Slack does not show ends nothing but itself', async () => {
  const { compose, client, clock, catalogue } = await editing();
  const bulkSends = new RecordingBulkSends(compose.audiences, catalogue);
  const counted = Promise.withResolvers<void>();
  const counting: typeof compose.counting = (_view, asked) =>
    counted.promise.then(() => bulkSends.review(asked, new AbortController().signal));
  const opening = openForEditing(DRAFT, 'trigger', client, { ...compose, counting });
  await clock.advance(1_000);
  await opening;
  client.failures['views.update'] = [slackError('invalid_blocks')];
  counted.resolve();
  await clock.advance(1_000);
  expect(client.of('views.update')).toHaveLength(1);
});

test('a list that is gone, and a form that does not open, are said', async () => {
  const { compose, client } = await editing();
  await openForEditing({ ...DRAFT, audience: { id: 'A-9', columns: [] } }, 'trigger', client, compose);
  expect(notesOf(client.view)).toContain('This list is no longer there.');
  client.failures['views.open'] = [slackError('expired_trigger_id')];
  expect(await openForEditing(DRAFT, 'trigger', client, compose)).toContain('three seconds');
});
