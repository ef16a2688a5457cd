import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import type { Person } from '../../sandbox/person.ts';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { CUSTOMER } from './team.ts';

describe('what Slack delivers twice', () => {
  const stack = runningStack();
  let asha: Person;
  beforeAll(() => {
    asha = stack.person(ASHA);
  });
  beforeEach(() => stack.carrier.reset());

  const duplicateNext = (): void =>
    stack.workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });

  /** Nothing tells that a second request will never come; a later send that has come back does. */
  const afterAnotherSend = async (after: string): Promise<void> => {
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/flash +919812345678 The next one after ${after}`);
    await conversation.message(/accepted by the service/i);
  };

  test('a command sends once', async () => {
    const conversation = stack.from(asha);
    duplicateNext();
    await asha.command(TEAM, `/flash ${CUSTOMER} Only once`);
    await conversation.message(/accepted by the service/i);
    await afterAnotherSend('a command');
    expect(stack.carrier.state().phones[CUSTOMER]).toHaveLength(1);
  });

  test('a submitted form sends once', async () => {
    const conversation = stack.from(asha);
    const form = await asha.openForm(TEAM, '/flash');
    form.fill('to', CUSTOMER).fill('text', 'Only once, from a form');
    duplicateNext();
    await form.submit();
    await conversation.message(/accepted by the service/i);
    await afterAnotherSend('a form');
    expect(stack.carrier.state().phones[CUSTOMER]).toHaveLength(1);
  });

  test('two people send the same at the same time: it goes out once, and the second is asked', async () => {
    const ravi = stack.person(RAVI);
    await Promise.all([
      asha.command(TEAM, `/flash ${CUSTOMER} Hello`),
      ravi.command(TEAM, `/flash ${CUSTOMER} Hello`),
    ]);
    const asked = await stack.eventually('the question', () =>
      [asha, ravi].find((person) => JSON.stringify(person.views()).includes('this very message')),
    );
    await stack.eventually('the first', () => stack.carrier.state().phones[CUSTOMER]?.length === 1);
    expect(await asked.form().submit()).toEqual({ ok: true });
    await stack.eventually('both', () => stack.carrier.state().phones[CUSTOMER]?.length === 2);
  });
});

describe('Herald’s own address in HTTP mode', () => {
  const { signingSecret } = SANDBOX_CREDENTIALS;
  const stack = runningStack({ mode: 'http' });
  beforeEach(() => stack.carrier.reset());

  const body = (trigger: string): string =>
    new URLSearchParams({
      token: 'unused',
      team_id: 'T0ACME',
      team_domain: 'acme',
      channel_id: TEAM,
      channel_name: 'team',
      user_id: ASHA,
      user_name: 'asha',
      command: '/flash',
      text: `${CUSTOMER} Signed?`,
      api_app_id: 'A0HERALD',
      response_url: `${stack.workspace.url}/response/none`,
      trigger_id: trigger,
    }).toString();

  const now = (): number => Math.floor(Date.now() / 1000);
  const sign = (timestamp: number, raw: string, secret: string = signingSecret): string =>
    `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${raw}`).digest('hex')}`;

  const post = (raw: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${stack.heraldUrl}/slack/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: raw,
    });
  const signed = (raw: string, timestamp: number, signature = sign(timestamp, raw)): Promise<Response> =>
    post(raw, {
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signature,
    });

  const FIVE_MINUTES = 5 * 60;

  test.each<[string, () => Promise<Response>]>([
    ['forged', () => signed(body('1.forged'), now(), sign(now(), body('1.forged'), 'another secret'))],
    ['of another body', () => signed(body('1.other'), now(), sign(now(), body('1.before')))],
    ['of zeros', () => signed(body('1.zero'), now(), `v0=${'0'.repeat(64)}`)],
    ['too short', () => signed(body('1.short'), now(), 'v0=ab')],
    ['stale', () => signed(body('1.stale'), now() - FIVE_MINUTES - 30)],
    ['future-dated', () => signed(body('1.future'), now() + FIVE_MINUTES + 30)],
    [
      'with a time that is no number',
      () =>
        post(body('1.nan'), {
          'x-slack-request-timestamp': 'soon',
          'x-slack-signature': sign(Number.NaN, body('1.nan')),
        }),
    ],
    ['absent', () => post(body('1.absent'), {})],
  ])('a signature %s is refused, and sends nothing', async (_name, request) => {
    const response = await request();
    expect(response.status).toBe(401);
    expect(await response.text()).not.toMatch(/ at .*:\d+:\d+/);
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('a good one sends; the same one again does not', async () => {
    const timestamp = now();
    const raw = body('1.good');
    const first = await signed(raw, timestamp);
    expect(first.status).toBe(200);
    await stack.eventually('the send', () => stack.carrier.state().phones[CUSTOMER]?.length === 1);
    const again = await signed(raw, timestamp);
    expect(again.status).toBe(200);
    // The same click signed anew, as a proxy in between might deliver it, is the same click.
    const later = await signed(raw, timestamp + 1);
    expect(later.status).toBe(200);
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, '/flash +919812345678 The next one');
    await conversation.message(/accepted by the service/i);
    expect(stack.carrier.state().phones[CUSTOMER]).toHaveLength(1);
  });

  test.each([
    ['GET /slack/events', '/slack/events', 405],
    ['an unknown path', '/nowhere', 404],
    ['liveness', '/healthz', 200],
    ['readiness', '/readyz', 200],
  ])('%s', async (_name, path, status) => {
    expect((await fetch(stack.heraldUrl + path)).status).toBe(status);
  });
});
