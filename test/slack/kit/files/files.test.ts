import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSlackFiles } from '../../../../src/slack/kit/files/files.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { BulkWorkspace } from '../../bulk-workspace.ts';

let bulk: BulkWorkspace;
beforeAll(async () => {
  bulk = await BulkWorkspace.start();
});
afterAll(() => bulk.stop());

function files(botToken = 'xoxb-sandbox', slackApiUrl = bulk.workspace.apiUrl) {
  const logger = createRecordingLogger();
  return createSlackFiles({ client: bulk.app.client, botToken, slackApiUrl, logger });
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString();
}

test('the bytes of a file, as they are', async () => {
  const given = await bulk.upload('a.csv', 'phone\r\n☎\r\n');
  const downloaded = await files().download(given, 100);
  if (!downloaded.ok) throw new Error(downloaded.error);
  expect(await read(downloaded.value)).toBe('phone\r\n☎\r\n');
});

test('a file that is larger than it may be breaks off', async () => {
  const given = await bulk.upload('a.csv', 'x'.repeat(101));
  const downloaded = await files().download(given, 100);
  if (!downloaded.ok) throw new Error(downloaded.error);
  await expect(read(downloaded.value)).rejects.toThrow('The file has more than 100 bytes.');
});

const UNREADABLE = 'Slack did not hand over the file. Nothing was sent. Choose it again in a minute.';

test('the sign-in page that Slack shows to a wrong token is not taken for the file', async () => {
  const given = await bulk.upload('a.csv', 'phone\n');
  expect(await files('xoxb-wrong').download(given, 100)).toEqual({ ok: false, error: UNREADABLE });
});

test('a file elsewhere than on Slack’s hosts is not fetched', async () => {
  const given = await bulk.upload('a.csv', 'phone\n');
  const elsewhere = files('xoxb-sandbox', 'https://slack.com/api/');
  expect(await elsewhere.download(given, 100)).toEqual({ ok: false, error: UNREADABLE });
});

test('a file that was deleted is said to be gone', async () => {
  const given = await bulk.upload('a.csv', 'phone\n');
  bulk.workspace.deleteFile(given.id);
  expect(await files().download(given, 100)).toEqual({
    ok: false,
    error: 'Slack no longer has this file. Nothing was sent. Choose it again.',
  });
});

test('a file that Slack does not show the bot may be gone or elsewhere', async () => {
  expect(await files().download({ id: 'F0ELSEWHERE', name: 'a.csv' }, 100)).toEqual({
    ok: false,
    error:
      'Slack does not show Herald this file: it was deleted, or stands in a channel without Herald. Nothing was sent. Invite Herald there, or choose the file again.',
  });
});
