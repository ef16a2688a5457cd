import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import type { Faults } from '../../sandbox/protocol.ts';
import { type E2eStack, runningStack, TRANSPORT } from './stack.ts';
import { ASHA, CUSTOMER, TEAM } from './team.ts';

const LONG_MS = 90_000;
const always = (method: string, error: string): Faults['faults'][number] => ({
  ...{ on: 'api', do: 'error', times: 1_000 },
  method,
  error,
});

describe('closed ways', () => {
  const stack = runningStack({ isQuick: true });
  afterEach(() => stack.workspace.setFaults({ faults: [] }));

  const status = async () => {
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, '/herald status');
    await conversation.message(/Herald (?:is working normally|has a problem)\./);
    return conversation.texts().join('\n');
  };

  test.each([
    [
      'a command',
      (stack: E2eStack) => stack.person(ASHA).command(TEAM, `/sms ${CUSTOMER} Your table is ready.`),
    ],
    [
      'a form that a command opened',
      async (stack: E2eStack) => {
        const form = await stack.person(ASHA).openForm(TEAM, '/sms');
        await form.fill('to', CUSTOMER).fill('text', 'Your table is free.').submit();
      },
    ],
  ])('the result of %s is shown where channel and person are closed to Herald', async (_name, send) => {
    stack.workspace.setFaults({
      faults: [
        always('chat.postEphemeral', 'not_in_channel'),
        { ...always('chat.postMessage', 'not_in_channel'), times: 1 },
        always('chat.postMessage', 'messages_tab_disabled'),
      ],
    });
    const conversation = stack.from(stack.person(ASHA));
    await send(stack);
    const told = await conversation.message(/accepted by the service/i);
    expect(told.ephemeralFor).toBe(ASHA);
    expect(stack.logs()).not.toContain('it is set aside');
  });

  // By Socket Mode the same is held by test/slack/app.test.ts, and Slack sends no app_rate_limited.
  if (TRANSPORT !== 'http') return;

  test(
    'a token that Slack refuses is noticed by any call, and when it is good again what waited is shown',
    async () => {
      stack.workspace.setFaults({
        faults: ['chat.postMessage', 'chat.update', 'auth.test'].map((method) =>
          always(method, 'token_revoked'),
        ),
      });
      const conversation = stack.from(stack.person(ASHA));
      await stack.person(ASHA).command(TEAM, `/sms ${CUSTOMER} While the token is refused`);
      const readiness = async () => (await stack.read('/readyz')).status;
      await expect.poll(readiness, { timeout: LONG_MS }).toBe(503);
      expect((await stack.read('/readyz')).text).toContain(
        'SLACK_BOT_TOKEN is no longer valid (token_revoked)',
      );
      expect(await status()).toMatch(/Herald has a problem\.[\s\S]*SLACK_BOT_TOKEN is no longer valid/);
      stack.workspace.setFaults({ faults: [] });
      const isShown = () => conversation.texts().some((text) => text.includes('While the token is refused'));
      await stack.eventually('what waited', isShown, LONG_MS);
      await expect.poll(readiness, { timeout: LONG_MS }).toBe(200);
      expect(await status()).toContain('Herald is working normally.');
    },
    LONG_MS,
  );

  test('that Slack drops events is taken and told', async () => {
    const body = JSON.stringify({
      token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl',
      type: 'app_rate_limited',
      team_id: 'T0ACME',
      minute_rate_limited: Math.floor(stack.now() / 60_000) * 60,
      api_app_id: 'A0HERALD',
    });
    const timestamp = `${Math.floor(stack.now() / 1_000)}`;
    const digest = createHmac('sha256', SANDBOX_CREDENTIALS.signingSecret)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest}`,
    };
    const answer = await fetch(`${stack.heraldUrl}/slack/events`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(await status()).toContain('⚠️ Slack drops events');
    expect((await stack.read('/metrics')).text).toContain('herald_slack_events_dropped_total 1');
  });
});
