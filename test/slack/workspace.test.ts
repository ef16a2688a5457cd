import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { startWorkspace, type Workspace } from '../../sandbox/slack/server.ts';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { COMMANDS, ENTRANCES, SCOPES } from '../../src/slack/features.ts';
import { commandList, type HeraldStatus, heraldFeature } from '../../src/slack/herald-command.ts';
import { createAddFeature } from '../../src/slack/kit/feature/register.ts';
import type { SlackServices } from '../../src/slack/kit/services.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { only } from '../fakes/only.ts';
import { report, SMS } from './kit/cards/reports.ts';
import { showsResults } from './results/show-result.ts';
import { createTestApp, listening, SIGNING_SECRET, type TestApp } from './test-app.ts';

/* Herald's side of Slack against the workspace in a box, which refuses what Slack refuses. */

const STATUS: Omit<HeraldStatus, 'slack'> = {
  version: '0.1.0',
  startedAt: Date.UTC(2026, 0, 5, 8, 0),
  store: { ok: true, detail: 'SQLite, open' },
  service: { ok: true, detail: 'reachable' },
  setAside: 0,
};

let directory: string;
let workspace: Workspace;
let closeServer = () => {};
let app: TestApp;

afterEach(async () => {
  await app.stop(1_000);
  closeServer();
  closeServer = () => {};
  await workspace.close();
  await rm(directory, { recursive: true });
});

async function start(mode: 'socket' | 'http'): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'herald-workspace-'));
  const manifestPath = join(directory, 'manifest.yml');
  await writeFile(manifestPath, manifest());
  workspace = await startWorkspace({
    port: 0,
    botToken: 'xoxb-sandbox',
    appToken: 'xapp-sandbox',
    delivery: { mode: 'socket' },
    carrierUrl: 'http://127.0.0.1:1',
    phones: [],
    manifestPath,
  });
  app = createTestApp({
    mode:
      mode === 'socket'
        ? { kind: mode, appToken: 'xapp-sandbox' }
        : { kind: mode, signingSecrets: [SIGNING_SECRET] },
    botToken: 'xoxb-sandbox',
    slackApiUrl: workspace.apiUrl,
    logger: createRecordingLogger(),
    clock: systemClock,
    random: systemRandom,
    register: (bolt, _client, newBlocks) =>
      createAddFeature(
        bolt,
        ENTRANCES,
        newBlocks,
      )(heraldFeature, {
        ...only<SlackServices>({}),
        status: { read: async () => ({ ...STATUS, slack: app.health() }) },
        commands: commandList(COMMANDS),
      }),
  });
  if (mode === 'http') {
    const { url, close } = await listening(app.httpHandler);
    closeServer = close;
    workspace.setDelivery({ mode: 'http', url, signingSecret: SIGNING_SECRET });
  }
  expect(await app.start()).toEqual({ ok: true, value: undefined });
}

function manifest(): string {
  const commands = COMMANDS.map(({ command, description, usageHint }) => ({
    command,
    description,
    usage_hint: usageHint,
    should_escape: false,
  }));
  return stringify({
    display_information: { name: 'Herald' },
    features: { bot_user: { display_name: 'Herald', always_online: true }, slash_commands: commands },
    oauth_config: {
      scopes: { bot: SCOPES.map(({ scope }) => scope) },
    },
    settings: { interactivity: { is_enabled: true }, socket_mode_enabled: true },
  });
}

function shows() {
  const { client, identity } = app;
  const latestUrls = { say: async () => false };
  return showsResults({ client, identity, latestUrls, clock: systemClock, logger: createRecordingLogger() });
}

const command = (text: string) =>
  workspace.act({ type: 'command', as: 'U0ASHA', channel: 'C0TEAM', command: '/herald', text });

const ephemerals = (): SandboxMessage[] =>
  workspace.snapshot().messages.filter(({ ephemeralFor }) => ephemeralFor === 'U0ASHA');

test.each(['socket', 'http'] as const)('/herald answers by %s, to the person alone', async (mode) => {
  await start(mode);
  expect(await command('help')).toEqual({ ok: true });
  await workspace.waitFor(() => ephemerals().length === 1);
  expect(await command('status')).toEqual({ ok: true });
  await workspace.waitFor(() => ephemerals().length === 2);
  expect(ephemerals().map(({ channel, text }) => ({ channel, text }))).toEqual([
    {
      channel: 'C0TEAM',
      text: 'Herald sends messages to customers and shows you here what happened to them. The commands are /chatapp, /rcs, /sms, /flash, /sends, /templates, /audiences, /optout, /herald.',
    },
    {
      channel: 'C0TEAM',
      text: `Herald is working normally. ✅ Slack: connected by ${mode === 'socket' ? 'Socket Mode' : 'HTTP'} ✅ Database: SQLite, open ✅ Messaging service: reachable`,
    },
  ]);
});

test.each(['socket', 'http'] as const)('a command delivered twice by %s is answered once', async (mode) => {
  await start(mode);
  workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });
  expect(await command('status')).toEqual({ ok: true });
  await workspace.waitFor(() => ephemerals().length > 0);
  await app.stop(1_000);
  expect(ephemerals().length).toBe(1);
});

test('a socket that Slack will close is replaced without a gap', async () => {
  await start('socket');
  const connections = () => workspace.apiCalls().filter(({ method }) => method === 'apps.connections.open');
  workspace.setFaults({ faults: [{ on: 'socket', times: 1, do: 'disconnect' }] });
  while (connections().length < 2) expect(await command('help')).toEqual({ ok: true });
  expect(app.health().ready).toBe(true);
  for (let turn = 0; turn < 4; turn += 1) expect(await command('help')).toEqual({ ok: true });
});

test('a result is posted, then updated in place', async () => {
  await start('socket');
  const show = shows();
  const now = { createdAt: systemClock.now() };
  const sending = await show(report(SMS, { state: 'attempting' }, now));
  if (sending.state !== 'stands') throw new Error(`not posted: ${JSON.stringify(sending)}`);
  expect(await show(report(SMS, { state: 'accepted' }, { ...now, announcement: sending.place }))).toEqual(
    sending,
  );
  const posts = workspace.snapshot().messages.filter(({ text }) => text.includes('S-7K2M9QX4TB'));
  expect(
    posts.map(({ channel, ts, text, edited }) => ({ channel, ts, text, edited: edited !== undefined })),
  ).toEqual([
    {
      channel: 'C0TEAM',
      ts: sending.place.ts,
      text: '✅ SMS: accepted by the service, to +91 ••••• •5678, asked for by <@U0ASHA>. Reference S-7K2M9QX4TB.',
      edited: true,
    },
  ]);
});

test('a post whose answer was lost is found again and becomes one message', async () => {
  await start('socket');
  const show = shows();
  workspace.setFaults({ faults: [{ on: 'api', method: 'chat.postMessage', times: 1, do: 'drop_answer' }] });
  const now = { createdAt: systemClock.now() };
  expect((await show(report(SMS, { state: 'attempting' }, now))).state).toBe('later');
  expect((await show(report(SMS, { state: 'accepted' }, now))).state).toBe('stands');
  const posts = workspace.snapshot().messages.filter(({ text }) => text.includes('S-7K2M9QX4TB'));
  expect(posts.map(({ text }) => text.match(/SMS: ([^,]*),/)?.[1])).toEqual(['accepted by the service']);
});

test('where Herald is no member, the person is told directly', async () => {
  await start('socket');
  const elsewhere = workspace
    .snapshot()
    .channels.find(({ kind, memberIds }) => kind === 'channel' && !memberIds.includes('U0HERALD'));
  if (elsewhere === undefined) throw new Error('the workspace has no channel without Herald');
  const origin = { teamId: 'T', userId: 'U0ASHA', channelId: elsewhere.id };
  const told = await shows()(report(SMS, { state: 'accepted' }, { origin, createdAt: systemClock.now() }));
  if (told.state !== 'stands') throw new Error(`not posted: ${JSON.stringify(told)}`);
  const channel = workspace.snapshot().channels.find(({ id }) => id === told.place.channelId);
  expect({ kind: channel?.kind, userId: channel?.userId }).toEqual({ kind: 'im', userId: 'U0ASHA' });
});
