import { expect, test } from 'vitest';
import { validateMessage } from '../../sandbox/slack/block-kit/index.ts';
import { COMMANDS } from '../../src/slack/features.ts';
import {
  commandList,
  type HeraldStatus,
  helpMessage,
  heraldFeature,
  statusMessage,
} from '../../src/slack/herald-command.ts';
import type { CommandArguments } from '../../src/slack/kit/clicks/arguments.ts';
import { subcommandIn } from '../../src/slack/kit/feature/feature.ts';
import type { SlackServices } from '../../src/slack/kit/services.ts';
import { only } from '../fakes/only.ts';

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const context = (text: string) => ({ type: 'context', elements: [mrkdwn(text)] });

const HELP = commandList(COMMANDS);
const SINCE = 'running since <!date^1767600000^{date_short_pretty} {time}|2026-01-05 08:00 UTC>';

const WELL: HeraldStatus = {
  version: '0.1.0',
  startedAt: Date.UTC(2026, 0, 5, 8, 0),
  slack: { mode: 'socket', authenticated: true, ready: true },
  store: { ok: true, detail: 'SQLite, open' },
  service: { ok: true, detail: 'reachable' },
  setAside: 0,
  today: { accepted: 1_200, rejected: 0, unknown: 1 },
};

async function run(text: string, status: () => Promise<HeraldStatus>) {
  const said: [string, unknown][] = [];
  const row = heraldFeature.commands?.['/herald'];
  const args = only<CommandArguments>({
    command: only({ text }),
    ack: async (answer) => void said.push(['ack', answer]),
    respond: async (answer) => said.push(['respond', answer]),
  });
  const services = { ...only<SlackServices>({}), status: { read: status }, commands: HELP };
  const sub = subcommandIn(row?.subcommands, text);
  await (sub === undefined ? row?.handle(args, services) : sub.row.handle(args, services, sub.rest));
  return said;
}

const never = () => Promise.reject(new Error('must not be asked'));

test.each(['', ' ', 'help', ' HELP '])('“/herald%s” explains every command with examples', async (text) => {
  expect(await run(text, never)).toEqual([['ack', { response_type: 'ephemeral', ...helpMessage(HELP) }]]);
});

test('the help names each command once, with what one would type', () => {
  const { blocks } = helpMessage(HELP);
  expect(blocks[1]).toEqual(
    section(
      COMMANDS.map(
        ({ command, description, examples }) =>
          `*${command}* – ${description}\n${examples.map((example) => `      \`${example}\``).join('\n')}`,
      ).join('\n\n'),
    ),
  );
  expect(validateMessage({ channel: 'C0TEAM', ...helpMessage(HELP) })).toEqual([]);
});

test('a word that Herald does not know is named, as letters', async () => {
  const [[, answer] = []] = await run('<!channel> please', never);
  expect((answer as { blocks: unknown[] }).blocks[0]).toEqual(
    section('Herald has no “/herald &lt;!channel&gt; please”. This is what it has:'),
  );
});

test('events that Slack dropped are told with their time and what to do', () => {
  const droppedAt = Date.UTC(2026, 0, 5, 8, 0);
  const message = statusMessage({ ...WELL, slack: { ...WELL.slack, droppedAt } });
  expect(message.text).toMatch(/⚠️ Slack drops events: .*Alerts.* The latest: <!date\^1767600000\^/);
  expect(validateMessage({ channel: 'C0TEAM', ...message })).toEqual([]);
});

test('what Slack did not take is counted, with the reason and what to do', () => {
  const message = statusMessage({ ...WELL, notShown: { count: 3, reason: 'ekm_access_denied' } });
  expect(message.text).toContain('Herald is working normally.');
  expect(message.text).toContain(
    '⚠️ Results: Slack did not take 3 messages about sends since Herald started (the latest: ekm_access_denied)',
  );
  expect(message.text).toContain('/sends');
  expect(validateMessage({ channel: 'C0TEAM', ...message })).toEqual([]);
});

test('the status is acknowledged first and told after', async () => {
  expect(await run('Status', async () => WELL)).toEqual([
    ['ack', undefined],
    [
      'respond',
      {
        response_type: 'ephemeral',
        text: 'Herald is working normally. ✅ Slack: connected by Socket Mode ✅ Database: SQLite, open ✅ Messaging service: reachable',
        blocks: [
          section('*Herald is working normally.*'),
          section(
            '✅ Slack: connected by Socket Mode\n✅ Database: SQLite, open\n✅ Messaging service: reachable',
          ),
          section('*Today*\n1,200 accepted by the service · 1 may have been sent'),
          context(`Version 0.1.0 · ${SINCE}`),
        ],
      },
    ],
  ]);
});

test('what is known of the account is said', () => {
  const { text } = statusMessage({ ...WELL, account: 'no webhook has come yet' });
  expect(text).toContain('ℹ️ Account: no webhook has come yet');
});

test('what is not well is said, with everything from outside as letters', () => {
  const { today: _today, ...rest } = WELL;
  const ill: HeraldStatus = {
    ...rest,
    slack: { mode: 'http', authenticated: true, ready: false, problem: 'The connection ended.' },
    service: { ok: false, detail: 'answered <html>' },
  };
  expect(statusMessage(ill)).toEqual({
    text: 'Herald has a problem. ⛔ Slack: The connection ended. ✅ Database: SQLite, open ⛔ Messaging service: answered &lt;html&gt;',
    blocks: [
      section('*Herald has a problem.*'),
      section(
        '⛔ Slack: The connection ended.\n✅ Database: SQLite, open\n⛔ Messaging service: answered &lt;html&gt;',
      ),
      context(`Version 0.1.0 · ${SINCE}`),
    ],
  });
});

test('input that was set aside is said, and where to look', () => {
  expect(statusMessage({ ...WELL, setAside: 2 }).text).toContain(
    '⚠️ Webhooks and alerts that Herald failed three times to work on, and has set aside: 2. Herald’s log names each',
  );
});

test('a day without sends says so', () => {
  expect(statusMessage({ ...WELL, today: {} }).blocks[2]).toEqual(section('*Today*\nnothing sent yet'));
});

test('the longest status keeps Slack’s limits', () => {
  const long = '<&'.repeat(5000);
  const status = {
    ...WELL,
    version: long,
    store: { ok: false, detail: long },
    service: { ok: false, detail: long },
  };
  expect(validateMessage({ channel: 'C0TEAM', ...statusMessage(status) })).toEqual([]);
  expect(validateMessage({ channel: 'C0TEAM', ...helpMessage(HELP, long) })).toEqual([]);
});
