import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { parseArguments } from '../sandbox/arguments.ts';
import { SENTINELS } from '../sandbox/carrier/sentinels.ts';
import { messageText } from '../sandbox/message-text.ts';
import { describeEnvironment, describeTeam } from '../src/config/describe.ts';
import { loadConfiguration } from '../src/config/load.ts';
import { wireSchema } from '../src/gateway/wire.ts';
import { COMMANDS } from '../src/slack/connection/surface.ts';
import { configurationParts } from '../src/wiring/foundation.ts';
import { ENVIRONMENT } from './config/parts.ts';
import { ASHA, type E2eStack, startStack } from './e2e/stack.ts';

/*
 * What the README says by hand is true: whatever it names exists, and what it quotes is what Herald says. The parts
 * that are generated are compared in documents.test.ts.
 */
const ROOT = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', ROOT), 'utf8');
/** Without the generated tables: what a person wrote. */
const written = readme.replace(/<!-- (\w+):start -->[\s\S]*<!-- \1:end -->/g, '');
const codeSpans = [...written.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
/** The one path that looks like a command. */
const CONTAINER_VOLUME = '/data';
const codeBlocks = [...written.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)];

function yamlWith(key: string): string {
  return codeBlocks.find(([, language, body]) => language === 'yaml' && body?.includes(key))?.[2] ?? '';
}

function all(pattern: RegExp, text = written): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([whole, part]) => part ?? whole))];
}

describe('the README', () => {
  it('begins with the two commands, each complete', () => {
    const commands = codeBlocks.slice(0, 2).map(([, , body]) => body);
    expect(commands).toEqual(['npm ci && npm run sandbox\n', 'npm ci && npm test\n']);
  });

  it('links to files that exist', () => {
    const links = all(/\]\((?!https?:)([^)]+)\)/g);
    expect(links).toContain('docs/herald.png');
    expect(links.filter((link) => !existsSync(new URL(link, ROOT)))).toEqual([]);
  });

  it('shows a picture of 1440 by 900', () => {
    const picture = readFileSync(new URL('docs/herald.png', ROOT));
    expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1440, 900]);
  });

  it('names npm scripts that exist, and all that are not parts of another', () => {
    const named = [...all(/npm run ([\w:]+)/g), ...all(/npm (start|test)\b/g)].sort();
    const scripts = Object.keys(packageJson.scripts).filter((name) => !name.includes(':'));
    expect(named).toEqual(scripts.sort());
  });

  it('names options that the sandbox takes', () => {
    const options = all(/`(?:npm run sandbox )?-- (--[^`]+)`/g);
    expect(options).toEqual(['--port 9000', '--http', '--fresh']);
    for (const option of options) expect(parseArguments(option.split(' '))).toMatchObject({ ok: true });
  });

  it('shows each command with an example of its own', () => {
    const rows = all(/^\| `(\/\w+)` \| `\1/gm);
    expect(rows).toEqual(COMMANDS.map(({ command }) => command));
    const slashCommands = codeSpans.filter(
      (code) => /^\/\w+( [^/]*)?$/.test(code) && code !== CONTAINER_VOLUME,
    );
    const known = new Set<string>(COMMANDS.map(({ command }) => command));
    expect(slashCommands.filter((code) => !known.has(code.split(' ')[0] ?? ''))).toEqual([]);
  });

  it('names environment variables that Herald reads', () => {
    const known = describeEnvironment().map(({ key }) => key);
    const named = codeSpans.filter((code) => code === 'PORT' || /^[A-Z]+_[A-Z_]+$/.test(code));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('names keys of herald.yml that exist', () => {
    const known = describeTeam(configurationParts).map(({ key }) => key);
    const named = all(/`((?:webhooks|alerts)(?:\.\w+)*)`/g);
    expect(named.length).toBeGreaterThan(2);
    const exists = (name: string) => known.some((key) => key === name || key.startsWith(`${name}.`));
    expect(named.filter((name) => !exists(name))).toEqual([]);
  });

  it('gives an override of a body that Herald accepts', () => {
    const yaml = yamlWith('wire:');
    const row = wireSchema.parse(parse(yaml).wire).rows.sms;
    expect([row.numberFormat, [...row.shape.names].sort()]).toEqual([
      'e164',
      ['recipients', 'sender', 'text', 'type', 'unicode'],
    ]);
  });

  it('gives rules for alerts that Herald accepts', () => {
    const file = `senders: { sms: [{ id: ACMEIN, type: TRANS }] }\n${yamlWith('alerts:')}`;
    const loaded = loadConfiguration({ env: ENVIRONMENT, readFile: () => file, parts: configurationParts });
    expect(loaded.ok ? [] : loaded.error).toEqual([]);
    expect(loaded.ok && loaded.value.team.alerts.rules[0]?.resolved.notify).toBe(true);
  });

  it('names numbers that fail as it says', () => {
    const named = all(/\+919999\d{6}/g);
    expect(named.length).toBeGreaterThan(3);
    const sentinels = new Map(SENTINELS.map((one) => [one.number, one]));
    expect(named.filter((number) => !sentinels.has(number))).toEqual([]);
    expect(sentinels.get('+919999132000')?.does).toEqual({ type: 'code', code: 132_000 });
    expect(sentinels.get('+919999900503')?.does).toEqual({ type: 'status', status: 503 });
  });

  it('names the rooms of src, all of them', () => {
    const table = written.slice(written.indexOf('| room | its job |'));
    const named = all(/^\| (`[^|]+) \|/gm, table).flatMap((cell) => all(/`(\w+)`/g, cell));
    const rooms = readdirSync(new URL('src/', ROOT), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(named.sort()).toEqual(rooms.sort());
  });
});

describe('a running Herald', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    stack = await startStack({ mode: 'http' });
  }, 60_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it('answers at each address that the README names', async () => {
    const named = [
      ...all(/`GET (\/\w+)`/g).map((path) => ({ method: 'GET', path })),
      ...all(/`https:\/\/<your host>([^`]+)`/g).map((path) => ({ method: 'POST', path })),
    ];
    const answers = await Promise.all(
      named.map(async ({ method, path }) => {
        const response = await fetch(`${stack.heraldUrl}${path}`, { method });
        await response.arrayBuffer();
        return `${method} ${path} ${response.status}`;
      }),
    );
    expect(answers).toEqual([
      'GET /healthz 200',
      'GET /readyz 200',
      'GET /metrics 200',
      // Nobody signed it.
      'POST /slack/events 401',
    ]);
  });

  it('says what the README quotes', async () => {
    const asha = stack.person(ASHA);
    const channel = stack.from(asha);
    await asha.command('C0TEAM', '/chatapp order_update +919999132000 "Asha" "A-1001"');
    const card = messageText(await channel.message(/What to do next/)).split('\n');
    const quoted = all(/^> (.+)$/gm).map((line) => line.replaceAll('**', ''));
    expect(quoted).toHaveLength(4);
    expect(card.slice(0, 4)).toEqual(quoted);
  });
});
