import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { SANDBOX_CREDENTIALS } from '../sandbox/herald-environment.ts';

const CONNECTIONS = 50;
const LOOK_EVERY_MS = 5;
const PATH = '/slack/events';

interface Signed {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `/herald help` as Slack posts it, each with a trigger of its own. */
function signedCommand(): Signed {
  const body = new URLSearchParams({
    token: 'bench',
    team_id: 'T0ACME',
    team_domain: 'bench',
    channel_id: 'C0TEAM',
    channel_name: 'team',
    user_id: 'U0ASHA',
    user_name: 'asha',
    command: '/herald',
    text: 'help',
    api_app_id: 'A0HERALD',
    is_enterprise_install: 'false',
    response_url: 'http://127.0.0.1:9/none',
    trigger_id: `1.2.${randomBytes(8).toString('hex')}`,
  }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hmac = createHmac('sha256', SANDBOX_CREDENTIALS.signingSecret).update(`v0:${timestamp}:${body}`);
  return {
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${hmac.digest('hex')}`,
    },
  };
}

async function ask(pool: Pool): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await pool.request({ path: PATH, method: 'POST', ...signedCommand() });
  return { status: statusCode, text: await body.text() };
}

/** Asks again and again until a command is answered as by one that has started, and returns the answer. */
export async function firstAnswer(origin: string): Promise<string> {
  for (;;) {
    const pool = new Pool(origin);
    const answer = await ask(pool).catch(() => undefined);
    await pool.destroy();
    if (answer?.status === 200 && !/still starting/.test(answer.text)) return answer.text;
    await delay(LOOK_EVERY_MS);
  }
}

/** Acknowledgements a second of so many signed commands on 50 connections. */
export async function acksPerSecond(origin: string, requests: number): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const commands = Array.from({ length: requests }, signedCommand);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let command = commands.pop(); command !== undefined; command = commands.pop()) {
        const { statusCode, body } = await pool.request({ path: PATH, method: 'POST', ...command });
        await body.dump();
        if (statusCode !== 200) throw new Error(`a command was answered with ${statusCode}`);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1_000;
  await pool.close();
  return requests / seconds;
}
