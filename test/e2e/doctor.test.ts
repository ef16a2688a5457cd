import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { type E2eStack, startStack } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

const GOOD = `approvals: { approvers: [U0ASHA, U0RAVI], channel: C0APPROVALS }
access: { send: { sms: [U0ASHA] } }
operators: C0APPROVALS
wire: { answers: { success: { statuses: [200, 201] } } }`;
/** Of a database file; those of PostgreSQL are not Herald's. */
const folder = mkdtempSync(join(tmpdir(), 'herald-backups-'));
const backup = process.env.HERALD_E2E_STORE === 'postgres' ? '' : `backup: { to: ${folder} }`;
let stack: E2eStack;
beforeAll(async () => {
  stack = await startStack({ mode: 'socket', config: `${TEAM_CONFIGURATION}\n${GOOD}\n${backup}` });
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

const requests = () => stack.carrier.state().requests.length;

test('doctor finds nothing wrong beside a running Herald, and sends nothing', async () => {
  const { code, said } = await stack.command(['doctor']);
  expect(said.split('\n').slice(1)).toEqual([
    '✓ Settings',
    expect.stringMatching(/^✓ Database \S+herald\S*$/),
    '✓ Backups',
    '✓ Slack',
    '✓ Workspace Acme',
    '✓ Messaging service: the API key was never tried; no webhook has come yet; the key was not tried now (doctor.request)',
    'All is well.',
  ]);
  expect([code, requests()]).toEqual([0, 0]);
});

test('--json says the same as one value', async () => {
  const { code, said } = await stack.command(['doctor', '--json']);
  const { ok, version, commit, parts } = JSON.parse(said);
  expect({ code, ok, version, commit }).toEqual({
    ...{ code: 0, ok: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/), commit: expect.any(String) },
  });
  expect(parts.map((part: { findings: unknown[] }) => part.findings.length)).toEqual(Array(7).fill(0));
});

test('--offline asks nobody', async () => {
  const nowhere = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
  const env = { SLACK_API_URL: `${nowhere}/api/`, MESSAGING_BASE_URL: nowhere, MESSAGING_FLASH_URL: nowhere };
  expect((await stack.command(['doctor', '--offline'], env)).code).toBe(0);
  const { code, said } = await stack.command(['doctor'], env);
  expect(code).toBe(1);
  expect(said).toMatch(/✗ Slack\n {4}Slack does not let Herald in\.\n {4}→ Slack could not be reached/);
  expect(said).toMatch(
    /MESSAGING_BASE_URL: The messaging service refused the connection\.\n {4}→ Check MESSAGING_BASE_URL/,
  );
});

test('every token is tried', async () => {
  const bot = await stack.command(['doctor'], { SLACK_BOT_TOKEN: 'xoxb-of-another-workspace' });
  expect([bot.code, bot.said]).toEqual([1, expect.stringContaining('Slack does not know SLACK_BOT_TOKEN')]);
  const app = await stack.command(['doctor'], { SLACK_APP_TOKEN: 'xapp-of-another-app' });
  expect([app.code, app.said]).toEqual([1, expect.stringContaining('Slack refused SLACK_APP_TOKEN')]);
  expect(bot.said + app.said).not.toContain('of-another');
});

test('what herald.yml names and Slack does not know is said at the start and by doctor', async () => {
  const config = `${TEAM_CONFIGURATION}
approvals:
  channel: C0PRIVATE
  approvers: [U0GUEST, U0NOBODY, S0MANAGERS, S0NOBODY]
  tiers: [{ over: 100, approvals: 20 }]
access: { reports: [U0GUEST], send: { sms: [C0NOWHERE] } }
alerts: { groups: { oncall-sg: [{ name: Mei, number: "+6591234567" }] } }
`;
  await stack.restart({ config });
  const { code, said } = await stack.command(['doctor']);
  expect(code).toBe(1);
  const wrong = [
    'Slack shows Herald no channel C0PRIVATE (approvals.channel): channel_not_found.',
    'U0GUEST (approvals.approvers, access.reports) is a guest, and guests cannot approve.',
    'U0NOBODY (approvals.approvers) is nobody that this workspace knows as its member.',
    'Slack shows Herald no user group S0NOBODY (approvals.approvers): no_such_subteam.',
    'Slack shows Herald no channel C0NOWHERE (access.send.sms): channel_not_found.',
  ];
  for (const sentence of wrong) expect(said).toContain(`    ${sentence}\n    → `);
  const advice =
    'Nobody sends to many customers alone; but whoever may send flash SMS pages @oncall-sg without';
  expect(said).toContain(`    ${advice}`);
  await stack.eventually('the same in the log', () => stack.logs().includes(`"msg":"${advice}`));
  await stack.eventually('what is wrong in the log', () =>
    wrong.every((sentence) => stack.logs().includes(`"msg":"${sentence}"`)),
  );
});

test('a service that takes the connection and says nothing is reached; nothing is written to it', async () => {
  let received = '';
  const server = createServer((socket) =>
    socket.on('data', (chunk) => (received += String(chunk))).on('error', () => {}),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { said } = await stack.command(['doctor'], {
    MESSAGING_BASE_URL: `http://127.0.0.1:${port}`,
    MESSAGING_FLASH_URL: `http://127.0.0.1:${port}`,
  });
  server.close();
  expect([said, received]).toEqual([expect.stringContaining('✓ Messaging service'), '']);
});
