import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxMessage } from '../../../../sandbox/protocol.ts';
import { ASKED_AT, found, move, prepare, SEND_ID } from '../../bulk-sends.ts';
import { SendsWorkspace } from '../../sends-workspace.ts';

/* The picture of a send over time, in a workspace that takes files and shows them as Slack does. */

const PEOPLE = 120;
const START = ASKED_AT + 60_000;
const LASTING = 119_000;

let slack: SendsWorkspace;
beforeAll(async () => {
  slack = await SendsWorkspace.start();
});
afterAll(() => slack.stop());
beforeEach(() => slack.reset());

/** A send to 120 people, one a second; every tenth was refused. */
async function ended(): Promise<SandboxMessage> {
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    number: `+9198123${String(45_000 + n)}`,
    values: [`Person ${n}`],
  }));
  await prepare(slack.store, { to: 'approved', people });
  await move(slack.store, 'sending', { actor: 'herald', at: START });
  await slack.show();
  await slack.store.claim(SEND_ID, PEOPLE, START);
  const failure = { what: 'Refused.', next: 'Look.', scope: 'recipient' } as const;
  await slack.store.settle(
    people.map((_, n) => ({
      sendId: SEND_ID,
      row: n + 2,
      outcome: n % 10 === 0 ? { state: 'rejected', failure } : { state: 'accepted', status: 200 },
      settledAt: START + (LASTING * n) / (PEOPLE - 1),
    })),
  );
  await slack.show();
  const message = slack.messages('C0TEAM')[0];
  if (message === undefined) throw new Error('Nothing was posted.');
  return message;
}

interface Picture {
  readonly type: string;
  readonly slack_file?: { readonly id: string };
  readonly title?: { readonly text: string };
  readonly alt_text?: string;
}

function picturesIn(message: SandboxMessage): readonly Picture[] {
  return ((message.blocks ?? []) as Picture[]).filter(({ type }) => type === 'image');
}

test('stands in the last message with its words, is uploaded once, and survives later changes', async () => {
  const message = await ended();
  const [picture] = picturesIn(message);
  expect(picture?.title?.text).toBe(
    'A bar is 2 s, the highest 2 recipients · green: accepted · red: rejected or not sent',
  );
  expect(picture?.alt_text).toContain('108 accepted, 0 that may have been sent, 12 rejected or not sent.');
  const file = picture?.slack_file?.id;
  expect((await found(slack.store)).thread).toMatchObject({ file: 'given', picture: { file, most: 2 } });
  const png = await slack.bytesOf(file ?? '');
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  // Slack shows it nowhere else: it is in no channel by itself.
  expect(slack.messages('C0TEAM').filter(({ files }) => files?.length)).toEqual([]);

  await slack.show();
  expect(picturesIn(slack.fresh(message))).toMatchObject([{ slack_file: { id: file } }]);
});

test.each([
  ['files.getUploadURLExternal', 'missing_scope'],
  ['files.completeUploadExternal', 'file_update_failed'],
])('that Slack refuses at %s leaves the message without, and the rest told', async (method, error) => {
  // The report is a file, too; it comes first.
  slack.workspace.setFaults({ faults: [{ on: 'api', method, times: 2, do: 'error', error }] });
  const message = await ended();
  expect(picturesIn(message)).toEqual([]);
  expect(slack.words(message)).toContain('🏁 *SMS to 120 recipients*: done');
  expect((await found(slack.store)).thread).toEqual({ file: expect.any(String), report: expect.any(Object) });
});

test('that Slack does not show leaves the message whole otherwise', async () => {
  const message = await ended();
  slack.workspace.deleteFile(picturesIn(message)[0]?.slack_file?.id ?? '');
  await prepare(slack.store, { id: 'S-0000000002', retry: { retryOf: SEND_ID, retryGroup: 'failed' } });
  await slack.show();
  const fresh = slack.fresh(message);
  expect(picturesIn(fresh)).toEqual([]);
  expect(slack.words(fresh)).toContain('*Approved by*');
});

test('is not there for a few', async () => {
  await prepare(slack.store, { to: 'approved' });
  await move(slack.store, 'sending', { actor: 'herald', at: START });
  await slack.show();
  await move(slack.store, 'stopped', { at: START + 3_600_000 });
  await slack.show();
  const [message] = slack.messages('C0TEAM');
  expect(message && picturesIn(message)).toEqual([]);
  expect((await found(slack.store)).thread).toEqual({ file: expect.any(String), report: expect.any(Object) });
});
