import { expect, test } from 'vitest';
import type { Send } from '../../../../src/sends/send.ts';
import { openForEditing } from '../../../../src/slack/compose/start/again.ts';
import { createLists, FIRST_LIST, listOf, RecordingBulkSends } from '../list/bulk-setting.ts';
import { createSetting, heldBy, notesOf, ORIGIN, sendFrom, slackError, textMessage } from '../setting.ts';

const message = textMessage('sms', 'Hi', { campaignName: 'May' }) as Send['message'];
const SEND: Send = {
  ...sendFrom({ message, origin: ORIGIN }),
  state: 'draft',
  audience: { id: FIRST_LIST, columns: [] },
  startAt: Date.UTC(2030, 0, 5),
  note: 'For the *team*',
};

async function setting() {
  const audiences = createLists();
  await listOf(audiences, '+6591234567');
  const made = createSetting();
  return { ...made, compose: { ...made.compose, audiences } };
}

test('a send that is edited is a form again, with all that it was asked for with', async () => {
  const { compose, client } = await setting();
  expect(await openForEditing(SEND, 'trigger', client, compose)).toBeUndefined();
  const said = { sender: 'ACMEIN', text: 'Hi', type: 'TRANS', campaignName: 'May', note: 'For the *team*' };
  expect(heldBy(client.view)).toMatchObject(said);
  const carried = { channelId: 'C0TEAM', audienceId: FIRST_LIST, more: true, replaces: SEND.id };
  expect(JSON.parse(client.view.private_metadata ?? '')).toEqual(carried);
  expect(notesOf(client.view)).toContain(`Until this is handed in, ${SEND.id} stays as it is`);
  expect(client.view.blocks.find(({ block_id }) => block_id === 'schedule')).toMatchObject({
    element: { initial_date_time: Date.UTC(2030, 0, 5) / 1000 },
  });
});

test('a count that comes late and that Slack does not show ends nothing but itself', async () => {
  const { compose, client, clock, catalogue } = await setting();
  const bulkSends = new RecordingBulkSends(compose.audiences, catalogue);
  const counted = Promise.withResolvers<void>();
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const counting: typeof compose.counting = (_view, asked) =>
    counted.promise.then(() => bulkSends.review(asked, new AbortController().signal));
  const opening = openForEditing(SEND, 'trigger', client, { ...compose, counting });
  await clock.advance(1_000);
  await opening;
  client.failures['views.update'] = [slackError('invalid_blocks')];
  counted.resolve();
  await clock.advance(1_000);
  expect(client.of('views.update')).toHaveLength(1);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('a list that is gone, and a form that does not open, are said', async () => {
  const { compose, client } = await setting();
  await openForEditing({ ...SEND, audience: { id: 'A-9', columns: [] } }, 'trigger', client, compose);
  expect(notesOf(client.view)).toContain('This list is no longer there.');
  client.failures['views.open'] = [slackError('expired_trigger_id')];
  expect(await openForEditing(SEND, 'trigger', client, compose)).toContain('three seconds');
});
