import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import { BOT_TOKEN, startTestWorkspace } from './test-workspace.ts';
import { call } from './web-client.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sandbox-data-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

it('keeps messages, threads, files and Home over a restart, and forgets what only one person saw', async () => {
  const clock = new ManualClock();
  const first = await startTestWorkspace({ dataDir, clock });
  const channel = 'C0TEAM';
  const root = await call(first, 'chat.postMessage', { channel, text: 'root' });
  await call(first, 'chat.postMessage', { channel, text: 'reply', thread_ts: root.ts });
  await call(first, 'chat.postEphemeral', { channel, user: 'U0ASHA', text: 'psst' });
  await call(first, 'views.publish', { user_id: 'U0ASHA', view: { type: 'home', blocks: [] } });
  await fetch(`${first.origin}/page/upload?as=U0ASHA&name=a.csv`, { method: 'POST', body: 'bytes' });
  const before = first.snapshot();
  await first.close();

  const second = await startTestWorkspace({ dataDir, clock });
  const after = second.snapshot();
  expect(after.messages).toEqual(before.messages.filter((message) => message.text !== 'psst'));
  expect(after.homes).toEqual(before.homes);
  const saved = JSON.parse(await readFile(join(dataDir, 'workspace.json'), 'utf8')) as {
    files: { id: string }[];
  };
  const bytes = await fetch(`${second.origin}/files/${saved.files[0]?.id}/download/a.csv`, {
    headers: { authorization: `Bearer ${BOT_TOKEN}` },
  });
  expect(await bytes.text()).toBe('bytes');
  const next = await call(second, 'chat.postMessage', { channel, text: 'next' });
  expect(Number(next.ts)).toBeGreaterThan(Number(root.ts));
  expect(new Set(second.snapshot().messages.map((message) => message.ts)).size).toBe(3);
  await second.close();
});

it('does not start over a folder that holds something else', async () => {
  await writeFile(join(dataDir, 'workspace.json'), '{"version":');
  await expect(startTestWorkspace({ dataDir })).rejects.toThrow('is not a sandbox workspace of this version');
});

it('says when its port is taken', async () => {
  const first = await startTestWorkspace();
  await expect(startTestWorkspace({ port: Number(new URL(first.origin).port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await first.close();
});
