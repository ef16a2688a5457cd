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
import type { section } from '../../src/slack/kit/blocks/blocks.ts';
import type { CommandArguments } from '../../src/slack/kit/clicks/arguments.ts';
import { subcommandIn } from '../../src/slack/kit/feature/feature.ts';
import type { SlackServices } from '../../src/slack/kit/services.ts';
import { only } from '../fakes/only.ts';
import { outlineOfCard } from './outline.ts';

const HELP = commandList(COMMANDS);

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

test('the help names each command with what one would type, and a word that it does not know, as letters', async () => {
  const { blocks } = helpMessage(HELP);
  const shown = (blocks[1] as ReturnType<typeof section>).text?.text;
  for (const { command, description, examples } of COMMANDS)
    for (const words of [`*${command}* – ${description}`, ...examples]) expect(shown).toContain(words);
  expect(validateMessage({ channel: 'C0TEAM', ...helpMessage(HELP) })).toEqual([]);
  const [[, answer] = []] = await run('<!channel> please', never);
  const opening = 'Herald has no “/herald &lt;!channel&gt; please”. This is what it has:';
  expect((answer as ReturnType<typeof helpMessage>).blocks[0]).toMatchObject({ text: { text: opening } });
});

test.each<[string, Partial<HeraldStatus>]>([
  ['well', {}],
  ['dropped', { slack: { ...WELL.slack, droppedAt: Date.UTC(2026, 0, 5, 8, 0) } }],
  ['not-shown', { notShown: { count: 3, reason: 'ekm_access_denied' } }],
  ['account', { account: 'no webhook has come yet' }],
  ['set-aside', { setAside: 2, today: {} }],
  [
    'ill',
    {
      slack: { mode: 'http', authenticated: true, ready: false, problem: 'The connection ended.' },
      service: { ok: false, detail: 'answered <html>' },
    },
  ],
])('the status is acknowledged first and told after, whole: %s', async (name, more) => {
  const said = await run('Status', async () => ({ ...WELL, ...more }));
  const message = statusMessage({ ...WELL, ...more });
  expect(said).toEqual([
    ['ack', undefined],
    ['respond', { response_type: 'ephemeral', ...message }],
  ]);
  await expect(outlineOfCard(message)).toMatchFileSnapshot(`golden/status-${name}.txt`);
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
