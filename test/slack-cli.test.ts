import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { environmentSchema } from '../src/config/environment.ts';
import { loadConfiguration } from '../src/config/load.ts';
import { withSecretFiles } from '../src/config/secret-files.ts';
import { ENVIRONMENT, TEAM } from './config/least.ts';
import { readText, TOP } from './written.ts';

/*
 * What Slack's CLI asks of a project, by the interface that its repository specifies
 * (github.com/slackapi/slack-cli, the “CLI-SDK Interface Specification”): a hook is a command line for the shell, run in the folder of the project.
 */
const { hooks, config } = JSON.parse(readText('.slack/hooks.json'));
const TOKENS = { SLACK_CLI_XOXB: 'xoxb-of-the-cli', SLACK_CLI_XAPP: 'xapp-of-the-cli' };
const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, ...rest } = ENVIRONMENT;

function tokensOf(env: Readonly<Record<string, string>>): readonly (string | undefined)[] {
  const read = withSecretFiles(env, () => 'xoxb-of-a-file');
  const result = loadConfiguration({ env: read, readFile: () => TEAM });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const { environment } = result.value;
  return [environment.SLACK_BOT_TOKEN, environment.SLACK_APP_TOKEN];
}

describe('the hooks of Slack’s CLI', () => {
  it('print the manifest as JSON and nothing else', () => {
    const printed = execFileSync('sh', ['-c', hooks['get-manifest']], { cwd: TOP, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(parse(readText('manifest.yml')));
  });

  it('start Herald, which connects by itself with the tokens it is given', () => {
    expect(config).toEqual({ 'sdk-managed-connection-enabled': true });
    // Whatever stands in the .env of whoever runs the tests.
    const nothing = Object.fromEntries(Object.keys(environmentSchema.shape).map((name) => [name, '']));
    const env = { PATH: process.env.PATH, ...nothing, HERALD_CONFIG: 'herald.example.yml', ...TOKENS };
    const { status, stderr } = spawnSync('sh', ['-c', hooks.start], { cwd: TOP, encoding: 'utf8', env });
    // Of the environment nothing else is there, and that is all it asks for.
    const named = stderr.match(/^[- ]*[A-Z][A-Z_]+(?=: found)/gm)?.map((name) => name.replace(/^[- ]*/, ''));
    expect([status, named]).toEqual([1, ['MESSAGING_BASE_URL', 'MESSAGING_FLASH_URL', 'MESSAGING_API_KEY']]);
  }, 60_000);
});

it('npm start and npm run migrate read .env, as what the documents say does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-start-'));
  symlinkSync(fileURLToPath(new URL('dist', TOP)), join(folder, 'dist'));
  writeFileSync(join(folder, '.env'), 'PORT=3k\nDATABASE_URL=postgres://herald@127.0.0.1:1/herald');
  const env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  const said = (script: string) =>
    spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', env }).stderr;
  const { start, migrate } = packageJson.scripts;
  expect(said(start)).toContain('PORT: found "3k"');
  expect(said(`${migrate} --from file:herald.db`)).toMatch(/^There is no database \S+herald\.db/);
  rmSync(folder, { recursive: true });
});

describe('tokens of Slack’s CLI', () => {
  it('are taken where Herald’s own are absent or empty', () => {
    expect(tokensOf({ ...rest, ...TOKENS })).toEqual(Object.values(TOKENS));
    expect(tokensOf({ ...rest, ...TOKENS, SLACK_BOT_TOKEN: ' ', SLACK_APP_TOKEN: '' })).toEqual(
      Object.values(TOKENS),
    );
  });

  it('are left where Herald’s own are there, also in a file', () => {
    expect(tokensOf({ ...ENVIRONMENT, ...TOKENS })).toEqual([SLACK_BOT_TOKEN, SLACK_APP_TOKEN]);
    const inFile = { ...rest, ...TOKENS, SLACK_BOT_TOKEN_FILE: '/run/token' };
    expect(tokensOf(inFile)).toEqual(['xoxb-of-a-file', TOKENS.SLACK_CLI_XAPP]);
  });
});
