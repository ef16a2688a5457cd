import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import type { CarrierFault } from '../../sandbox/protocol.ts';
import { sendToMany } from '../e2e/bulk-steps.ts';
import { runningStack } from '../e2e/stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { sample } from './how-many.ts';
import { callsOf, disturb, postWebhook, ALERTS as QUIET, tablesIn, WEBHOOKS } from './world.ts';

/* Each secret is one of a kind, so that it is found wherever it went. */

const OTP = '739184';
const HEADER_SECRET = 'canary-header-secret-3391';
const ROTATED = {
  SLACK_SIGNING_SECRET_OLD: 'canary-old-signing-7741',
  WEBHOOK_TOKEN_OLD: 'canary-old-webhook-5512',
  WEBHOOK_HEADER_SECRET: HEADER_SECRET,
  ALERTS_TOKEN_CRON: 'canary-alerts-token-8832',
};
const { botToken, signingSecret, apiKey, webhookToken } = SANDBOX_CREDENTIALS;
/** What no start may say of what is wrong in its environment. */
const IN_ENVIRONMENT = [
  ...['canary-db-password', 'canary-proxy-password', 'canary-no-prefix', 'canary no prefix'],
  ...['canary-url-password', 'xapp-canary-refused', 'xoxb-canary-refused', 'canary-refused-key'],
];
const OURS = [OTP, botToken, signingSecret, apiKey, webhookToken];
const SECRETS = [...OURS, ...Object.values(ROTATED), ...IN_ENVIRONMENT];

const PATIENCE = { timeout: 600_000 };
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 1 }
webhooks: { channel: ${TEAM}, secretHeader: x-service-secret }
alerts: { sources: [{ name: cron, token: ALERTS_TOKEN_CRON, channel: C0ALERTS }] }
`;
const NUMBERS = Array.from({ length: 6 }, (_none, n) => `+9198123477${String(n).padStart(2, '0')}`);
/** A webhook is kept as it came, with whatever the service has written into it. */
const AS_IT_CAME = 'webhooks.body';
/** Where whole numbers must stand, or nobody could be sent to, kept from sending, or answered. */
const NUMBERS_STAND_IN = [
  ...['audience_rows.number', 'customer_events.event', 'customer_events.number'],
  ...['opt_outs.number', 'recipients.number', AS_IT_CAME],
];

/** What a service may say that quotes its request. */
const quoting = (status: number, code: number, password = ''): CarrierFault['do'] => ({
  type: 'status',
  status,
  body: JSON.stringify({
    message: `${apiKey} may not send ${password} to ${NUMBERS[0]} for Bearer ${apiKey}`,
    error: { code, details: `otp ${password}, apikey=${apiKey}, to ${NUMBERS[1]?.slice(1)}` },
    errors: [{ field: password, title: encodeURIComponent(`${apiKey} ${NUMBERS[2]}`) }],
  }),
});

/** Statuses and codes that are about one recipient, for several reasons: neither one nor all of them end a list early. */
const OF_ONE = [
  [400, 100],
  [404, 131009],
  [422, 131021],
  [400, 131000],
  [404, 100],
  [422, 131009],
] as const;

/** The same, and what a broken one does. */
const faultsQuoting = (password: string): readonly CarrierFault['do'][] => [
  ...[400, 401, 403, 404, 422, 500, 503].map((status) => quoting(status, 132000, password)),
  { type: 'status', status: 200, body: `${apiKey} ${password} ${NUMBERS[0]}` },
  { type: 'code', code: 132000 },
  { type: 'reset_before_answer' },
  { type: 'reset_mid_answer' },
  { type: 'garbage' },
  { type: 'html' },
  { type: 'redirect', location: `/elsewhere?apikey=${apiKey}&otp=${password}&to=${NUMBERS[0]?.slice(1)}` },
];

const stack = runningStack({ mode: 'http', config: CONFIG, env: { ...ROTATED, LOG_LEVEL: 'debug' } });

const logged = (words: string) => stack.logs().split(words).length - 1;
const afterwards = (words: string, count = 1) =>
  expect.poll(() => logged(words), { message: words }).toBeGreaterThanOrEqual(count);

const webhook = (body: string | object, secret?: string, address?: string) =>
  postWebhook(stack, body, secret === undefined ? {} : { 'x-service-secret': secret }, address);

/** One-time passwords and texts to a service that fails in every way, quoting what it was given. */
async function failingService(): Promise<number> {
  const faults = faultsQuoting(OTP);
  for (const [index, fault] of faults.entries()) {
    const number = NUMBERS[index % NUMBERS.length] ?? '';
    stack.carrier.setFaults([{ do: fault, times: 4 }]);
    const ended = logged('messaging request ended');
    // By turns, because in each of them Slack takes one result a second.
    const channel = [QUIET, TEAM, APPROVALS][index % 3] ?? QUIET;
    await stack.person(ASHA).command(channel, `/chatapp login_code ${number} ${OTP}`);
    await afterwards('messaging request ended', ended + 1);
  }
  stack.carrier.setFaults([]);
  const results = () => callsOf(stack, 'chat.postMessage');
  await expect.poll(results, { message: 'results' }).toBeGreaterThanOrEqual(faults.length);
  return faults.length;
}

/** A list whose rows fail one by one, with a report, and customers who answer with what nobody should repeat. */
async function failingList(): Promise<void> {
  const ended = logged('messaging request ended');
  stack.carrier.setFaults(
    OF_ONE.map(([status, code], at) => ({ do: quoting(status, code), number: NUMBERS[at] ?? '' })),
  );
  await sendToMany(stack, 'Nothing secret.', NUMBERS);
  await stack.untilShown(TEAM, /: done[\s\S]*Nothing secret/);
  await afterwards('messaging request ended', ended + NUMBERS.length);
  stack.carrier.setFaults([]);
  for (const number of NUMBERS.slice(0, 2)) {
    const text = { body: `Call ${NUMBERS[3]}, key ${apiKey}` };
    await webhook({ from: number, id: `e-${number}`, text }, HEADER_SECRET);
    const errors = [{ message: `${apiKey} ${number}` }];
    await webhook({ messageId: 'm-none', status: 'failed', to: number, errors }, HEADER_SECRET);
  }
}

/** Slack that refuses, limits, hangs and loses answers. */
async function failingSlack(): Promise<void> {
  const asha = stack.person(ASHA);
  const errors = ['channel_not_found', 'invalid_auth', 'msg_too_long', 'internal_error', 'invalid_blocks'];
  for (const error of sample(errors, 2)) {
    disturb(
      stack,
      ...['chat.postMessage', 'chat.postEphemeral', 'chat.update', 'views.open', 'response_url'].map(
        (method) => ({ on: 'api' as const, method, times: 1, do: 'error' as const, error }),
      ),
      { on: 'api', method: 'chat.postMessage', times: 1, do: 'drop_answer' },
      { on: 'delivery', times: 1, do: 'duplicate' },
    );
    await asha.command(QUIET, `/sms ${NUMBERS[4]} Hello`);
    await asha.command(QUIET, `/chatapp login_code ${NUMBERS[5]} ${OTP}`);
    await asha.command(QUIET, `/sends ${NUMBERS[4]}`);
  }
  disturb(stack);
}

/** What is posted to Herald by nobody it knows. */
async function refusedRequests(): Promise<number> {
  const events = `${stack.heraldUrl}/slack/events`;
  const signed = {
    'x-slack-request-timestamp': String(Math.floor(Date.now() / 1_000)),
    'x-slack-signature': 'v0=0',
  };
  const form = `token=${botToken}&command=%2Fsms&text=${encodeURIComponent(`${NUMBERS[0]} ${OTP}`)}`;
  const alert = (token: string, body: string) =>
    fetch(`${stack.heraldUrl}/alerts/${token}`, { method: 'POST', body });
  const { ALERTS_TOKEN_CRON: token } = ROTATED;
  const answers = await Promise.all([
    ...['', `${token}x`, 'x'.repeat(8_000), `${token}/`].map((wrong) => alert(wrong, token)),
    alert(token, `{"key":"${token}"`),
    alert(token, token.repeat(20_000)),
    webhook(apiKey, undefined, WEBHOOKS.replace(webhookToken, 'canary-no-prefix')),
    webhook(apiKey),
    webhook('{', `${HEADER_SECRET}x`),
    webhook('', undefined, `${WEBHOOKS}/${apiKey}`),
    fetch(stack.heraldUrl + WEBHOOKS),
    fetch(events, { method: 'POST', body: form, headers: signed }),
    fetch(events, { method: 'POST', body: form }),
    fetch(`${stack.heraldUrl}/${apiKey}?token=${botToken}`),
    ...['/healthz', '/readyz', '/metrics'].map((path) => fetch(stack.heraldUrl + path)),
  ]);
  for (const answer of answers) said.push(await answer.text());
  expect(answers.slice(0, 14).filter(({ ok }) => ok)).toEqual([]);
  return answers.length;
}

/** The database is held by somebody else for a while: writes fail, and are tried again. */
async function heldStore(): Promise<void> {
  const database = new DatabaseSync(join(stack.dataDirectory, 'herald.db'), { timeout: 20_000 });
  database.exec('BEGIN IMMEDIATE');
  const asked = stack.person(ASHA).command(QUIET, `/chatapp login_code ${NUMBERS[0]} ${OTP}`);
  await afterwards('database is locked');
  database.exec('ROLLBACK');
  database.close();
  await asked;
}

/** Starts and examinations that cannot succeed, each with a secret of its own in what is wrong. */
async function refusedStarts(): Promise<number> {
  const nowhere = await freePort('127.0.0.1');
  const proxy = `http://user:canary-proxy-password@127.0.0.1:${nowhere}`;
  const damaged = join(stack.dataDirectory, 'damaged.db');
  await writeFile(damaged, `${apiKey} ${NUMBERS[0]}`.repeat(1_000));
  const server = '//herald:canary-db-password@127.0.0.1';
  const wrong = [
    { DATABASE_URL: `postgres:${server}:${nowhere}/herald` },
    { DATABASE_URL: `postgres:${server}:port/herald` },
    { DATABASE_URL: `mysql:${server}/herald` },
    { DATABASE_URL: `postgres:${server}:1/herald?sslmode=verify-full&sslrootcert=/none` },
    { SLACK_BOT_TOKEN: 'canary-no-prefix' },
    { SLACK_BOT_TOKEN: 'xoxb-canary-refused' },
    { SLACK_APP_TOKEN: 'xapp-canary-refused' },
    { MESSAGING_API_KEY: 'canary-refused-key\u00e9' },
    { MESSAGING_BASE_URL: 'http://user:canary-url-password@:port' },
    { WEBHOOK_TOKEN: 'canary' },
    { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '' },
    { HTTP_PROXY: 'user:canary-proxy-password@nowhere' },
    { DATABASE_URL: `file:${damaged}` },
    { PORT: 'none', SLACK_SIGNING_SECRET: 'canary no prefix' },
  ];
  const tried = sample(wrong, 3).map((env) => {
    // Through a proxy that is not there a start waits for Slack.
    const isExamined = wrong.indexOf(env) % 3 === 0 || 'HTTP_PROXY' in env;
    return stack.command(isExamined ? ['doctor'] : [], { LOG_LEVEL: 'debug', PORT: '0', ...env });
  });
  await Promise.all([...tried, stack.command(['doctor'], { MESSAGING_API_KEY: 'canary-refused-key' })]);
  return tried.length;
}

/** Where in the database some of these stand, by table and column. */
function columnsWith(these: readonly string[]): string[] {
  const found = new Set<string>();
  for (const [name, rows] of Object.entries(tablesIn(stack)))
    for (const [column, value] of rows.flatMap(Object.entries<unknown>)) {
      const text = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
      if (these.some((one) => text.includes(one))) found.add(`${name}.${column}`);
    }
  return [...found].toSorted();
}

/** What answered over HTTP, in order. */
const said: string[] = [];

function secretsIn(text: string): string[] {
  const base64 = (secret: string) => Buffer.from(secret).toString('base64');
  const written = SECRETS.flatMap((secret) => [secret, encodeURIComponent(secret), base64(secret)]);
  return [...new Set(written)].filter((secret) => text.includes(secret));
}

const numbersIn = (text: string) => NUMBERS.filter((number) => text.includes(number.slice(1)));

test(
  'secrets: none in logs, the database, Slack, metrics or errors, whatever goes wrong',
  PATIENCE,
  async ({ task }) => {
    const faults = await failingService();
    await failingList();
    await failingSlack();
    await heldStore();
    const requests = await refusedRequests();
    const titles = execFileSync('ps', ['-eo', 'args=', '--ppid', String(process.pid)]).toString();
    // A stop waits for what is still being worked on.
    await stack.stopHerald();
    const starts = await refusedStarts();

    const { messages, homes, viewStacks } = stack.workspace.snapshot();
    const calls = stack.workspace.apiCalls();
    const toChannels = calls.filter(({ method }) => !method.startsWith('views.'));
    const posted = JSON.stringify([messages, homes, toChannels]);
    const places = { log: stack.logs(), http: said.join('\n'), titles, posted };
    for (const [place, text] of Object.entries(places)) {
      expect({ place, secrets: secretsIn(text) }).toEqual({ place, secrets: [] });
      expect({ place, numbers: numbersIn(text) }).toEqual({ place, numbers: [] });
    }
    // In a window stands what its only reader has typed into it: numbers, and a password.
    const inWindows = secretsIn(JSON.stringify([viewStacks, calls]));
    expect(inWindows.filter((secret) => !secret.includes(OTP))).toEqual([]);
    expect(columnsWith(SECRETS).filter((column) => column !== AS_IT_CAME)).toEqual([]);
    const withNumbers = columnsWith(NUMBERS.map((number) => number.slice(1)));
    expect(withNumbers.filter((column) => !NUMBERS_STAND_IN.includes(column))).toEqual([]);
    task.meta.figure = `${SECRETS.length} secrets and ${NUMBERS.length} numbers; ${faults} faults of the service, ${requests} requests and ${starts} starts refused: found nowhere but numbers in ${NUMBERS_STAND_IN.length} columns`;
  },
);
