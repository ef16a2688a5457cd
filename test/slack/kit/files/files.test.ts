import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSlackFiles, isFileAddress } from '../../../../src/slack/kit/files/files.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { BulkWorkspace } from '../../bulk-workspace.ts';

let bulk: BulkWorkspace;
beforeAll(async () => {
  bulk = await BulkWorkspace.start();
});
afterAll(() => bulk.stop());
afterEach(() => bulk.workspace.setFaults({ faults: [] }));

function files(botToken = 'xoxb-sandbox', slackApiUrl = bulk.workspace.apiUrl) {
  const logger = createRecordingLogger();
  return createSlackFiles({ client: bulk.app.client, botToken, slackApiUrl, logger });
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString();
}

const SLACK = 'https://slack.com/api/';
const GIVEN = { id: 'F1', name: 'a.csv' };
const failed = (error: unknown) => ({ ok: false, error });

test('the bytes of a file, as they are, and no more than there may be', async () => {
  const given = await bulk.upload('a.csv', 'phone\r\n☎\r\n');
  const download = async (most: number) => {
    const downloaded = await files().download(given, most);
    return downloaded.ok ? read(downloaded.value) : downloaded.error;
  };
  expect(await download(100)).toBe('phone\r\n☎\r\n');
  await expect(download(10)).rejects.toThrow('The file has more than 10 bytes.');
});

test.each<[string, () => ReturnType<typeof files>, RegExp]>([
  [
    'from the sign-in page of a wrong token',
    () => files('xoxb-wrong'),
    /^Slack did not hand over the file\./,
  ],
  ['elsewhere than on Slack’s hosts', () => files('xoxb-sandbox', SLACK), /^This file is not kept in Slack,/],
])('nothing is taken for a file %s', async (_where, from, sentence) => {
  const given = await bulk.upload('a.csv', 'phone\n');
  expect(await from().download(given, 100)).toEqual(failed(expect.stringMatching(sentence)));
});

test('a file that was deleted is said to be gone', async () => {
  const given = await bulk.upload('a.csv', 'phone\n');
  bulk.workspace.deleteFile(given.id);
  const gone = 'Slack no longer has this file. Nothing was sent. Choose it again.';
  expect(await files().download(given, 100)).toEqual(failed(gone));
});

/* Refusals as https://docs.slack.dev/reference/methods documents them for files.info, files.getUploadURLExternal and files.completeUploadExternal. */
function refuse(method: string, error: string): void {
  bulk.workspace.setFaults({ faults: [{ on: 'api', method, times: 1, do: 'error', error }] });
}

const A_FILE = { name: 'a.csv', content: ['phone\r\n'] };

/** What stands in Asha's messages: words, and names of files. */
const inDirect = () =>
  bulk.workspace
    .snapshot()
    .messages.filter(({ channel }) => channel === 'D0ASHA')
    .map(({ text, files = [] }) => files[0]?.name ?? text);

const SETTINGS = /^The settings of the workspace do not allow this file \(\w+\)\. Ask an admin of it to /;
test.each([
  ['files.getUploadURLExternal', 'file_uploads_disabled', SETTINGS],
  ['files.completeUploadExternal', 'slack_connect_file_upload_sharing_blocked', SETTINGS],
  ['files.getUploadURLExternal', 'storage_limit_reached', /^The workspace has no room .* Delete files/],
  ['files.getUploadURLExternal', 'missing_scope', /add the scope files:write/],
  ['chat.postMessage', 'cannot_dm_bot', /^Slack does not let Herald write there \(cannot_dm_bot\)\. Ask /],
  [
    'files.completeUploadExternal',
    'team_added_to_org',
    /^Slack refused the file \(team_added_to_org\)\. .* later/,
  ],
] as const)('%s refused with %s: the sentence says what to do', async (method, code, sentence) => {
  refuse(method, code);
  const before = inDirect();
  const given = await files().sendTo('U0ASHA', 'Here:', A_FILE);
  expect(given).toEqual(failed({ sentence: expect.stringMatching(sentence) }));
  expect(JSON.stringify(given)).not.toContain('in a minute');
  // No words stand there that promise a file.
  expect(inDirect()).toEqual(before);
});

test.each([
  [{ do: 'rate_limit', retryAfterSeconds: 7 } as const, 7_000, true],
  [{ do: 'error', error: 'token_revoked' } as const, 30_000, true],
  // Nobody knows whether the file stands below its words.
  [{ do: 'drop_answer' } as const, undefined, false],
])(
  'a file that did not get through (%o): its words are taken back where that is certain',
  async (fault, retryAfterMs, isTakenBack) => {
    const before = inDirect();
    bulk.workspace.setFaults({
      faults: [{ on: 'api', method: 'files.completeUploadExternal', times: 1, ...fault }],
    });
    const given = await files().sendTo('U0ASHA', 'Here:', A_FILE);
    expect(given).toEqual(failed({ sentence: expect.any(String), ...(retryAfterMs && { retryAfterMs }) }));
    expect(inDirect().slice(before.length)).toEqual(isTakenBack ? [] : ['Here:', 'a.csv']);
  },
);

test('words that cannot be taken back are no failure of the answer', async () => {
  bulk.workspace.setFaults({
    faults: [
      { on: 'api', method: 'files.completeUploadExternal', times: 1, do: 'error', error: 'file_not_found' },
      { on: 'api', method: 'chat.delete', times: 1, do: 'error', error: 'internal_error' },
    ],
  });
  expect(await files().sendTo('U0ASHA', 'Here:', A_FILE)).toMatchObject({ ok: false });
});

const HIDDEN =
  /^Slack does not show Herald this file: it was deleted, or stands in a channel without Herald\. Nothing was sent\. Invite Herald there, or /;
test.each([
  ['not_visible', HIDDEN],
  ['file_not_found', HIDDEN],
  ['missing_scope', /add the scope files:read/],
  [
    'ekm_access_denied',
    /^Slack refused to hand over the file \(ekm_access_denied\)\. Nothing was sent\. .* later/,
  ],
] as const)('files.info refused with %s: the sentence says what to do', async (code, sentence) => {
  refuse('files.info', code);
  expect(await files().download(GIVEN, 100)).toEqual(failed(expect.stringMatching(sentence)));
});

test('a file sent to a person stands under its sentence, not in a thread of it', async () => {
  expect(await files().sendTo('U0ASHA', 'The list:', A_FILE)).toMatchObject({ ok: true });
  const direct = bulk.workspace.snapshot().messages.filter(({ channel }) => channel === 'D0ASHA');
  const [sentence, given] = direct.slice(-2);
  expect([sentence?.text, given?.files?.[0]?.name]).toEqual(['The list:', 'a.csv']);
  expect([given?.channel, given?.thread_ts]).toEqual([sentence?.channel, undefined]);
});

test.each([
  ['https://files.slack.com/files-pri/T1-F1/download/a.csv', SLACK, true],
  ['https://slack.com/files/a.csv', SLACK, true],
  ['http://files.slack.com/a.csv', SLACK, false],
  ['https://files.slack.com:8443/a.csv', SLACK, false],
  ['https://files.slack.com.example/a.csv', SLACK, false],
  ['https://notslack.com/a.csv', SLACK, false],
  ['https://slack.com@evil.example/a.csv', SLACK, false],
  ['https://someone:secret@files.slack.com/a.csv', SLACK, false],
  ['http://169.254.169.254/latest', SLACK, false],
  ['a.csv', SLACK, false],
  ['http://127.0.0.1:4000/files/F1/download/a.csv', 'http://127.0.0.1:4000/api/', true],
  ['http://127.0.0.1:4001/files/F1/download/a.csv', 'http://127.0.0.1:4000/api/', false],
])('%s with the API at %s may have the token: %s', (address, api, expected) => {
  expect(isFileAddress(address, api)).toBe(expected);
});
