import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { type E2eStack, startStack } from './stack.ts';
import { ASHA, CUSTOMER } from './team.ts';

const { botToken, signingSecret, webhookToken } = SANDBOX_CREDENTIALS;
let stack: E2eStack | undefined;
const folder = mkdtempSync(join(tmpdir(), 'herald-rotation-'));
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('while secrets are changed, the ones of before are good as well; each may stand in a file', async () => {
  const file = (name: string, value: string) => {
    writeFileSync(join(folder, name), `${value}\n`);
    return join(folder, name);
  };
  stack = await startStack({
    mode: 'http',
    env: {
      SLACK_BOT_TOKEN: undefined,
      SLACK_BOT_TOKEN_FILE: file('token', botToken),
      SLACK_SIGNING_SECRET: 'the-secret-from-now-on',
      SLACK_SIGNING_SECRET_OLD: signingSecret,
      WEBHOOK_TOKEN: 'the-token-from-now-on',
      WEBHOOK_TOKEN_OLD: undefined,
      WEBHOOK_TOKEN_OLD_FILE: file('webhook-token', webhookToken),
    },
  });
  await stack.says(ASHA, `/sms ${CUSTOMER} Shall we come tomorrow?`, /accepted by the service/);
  const [message] = stack.phone(CUSTOMER);
  const answered = await stack.carrier.reply({
    number: CUSTOMER,
    messageId: message?.id ?? '',
    answer: { type: 'text', text: 'Yes' },
  });
  expect(answered).toEqual({ ok: true });
  expect(stack.logs()).toContain('SLACK_SIGNING_SECRET_OLD is still set');
  for (const secret of [botToken, signingSecret, webhookToken]) expect(stack.logs()).not.toContain(secret);
});
