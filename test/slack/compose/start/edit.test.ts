import { expect, test } from 'vitest';
import type { Send } from '../../../../src/sends/send.ts';
import { openForEditing } from '../../../../src/slack/compose/start/again.ts';
import { NO_RECIPIENTS } from '../../../fakes/sends.ts';
import { FakeAudiences, RecordingBulkSends } from '../list/bulk-setting.ts';
import { createSetting, heldBy, notesOf, slackError } from '../setting.ts';

const SEND: Send = {
  id: 'S-0000000001',
  kind: 'sms',
  message: { kind: 'sms', sender: 'ACMEIN', text: 'Hi', type: 'TRANS', unicode: false, campaignName: 'May' },
  origin: { teamId: 'T0ACME', userId: 'U0ASHA', channelId: 'C0TEAM' },
  state: 'draft',
  recipientCount: 1,
  createdAt: 0,
  counts: NO_RECIPIENTS,
  audience: { id: 'A-1', columns: [] },
  startAt: Date.UTC(2030, 0, 5),
};

async function setting() {
  const audiences = new FakeAudiences();
  await audiences.fromNumbers('+6591234567', 'U0ASHA');
  const made = createSetting();
  return { ...made, compose: { ...made.compose, audiences } };
}

test('a send that was taken back is a form again, with all that it was asked for with', async () => {
  const { compose, client } = await setting();
  expect(await openForEditing(SEND, 'trigger', client, compose)).toBeUndefined();
  expect(heldBy(client.view)).toMatchObject({
    sender: 'ACMEIN',
    text: 'Hi',
    type: 'TRANS',
    campaignName: 'May',
  });
  expect(JSON.parse(client.view.private_metadata ?? '')).toEqual({ channelId: 'C0TEAM', audienceId: 'A-1' });
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
