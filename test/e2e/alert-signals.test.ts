import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { alertmanagerBody, GRAFANA_GROUP, GRAFANA_NO_DATA } from '../http/recorded-alerts.ts';
import { runningStack } from './stack.ts';
import { ASHA, TEAM_CONFIGURATION } from './team.ts';

const CHANNEL = 'C0ALERTS';
const MEI = '+6591234567';
const ARUN = '+919812345678';
const env = {
  ALERTS_TOKEN_PROMETHEUS: 'a-token-for-prometheus',
  ALERTS_TOKEN_GRAFANA: 'a-token-for-grafana',
  ALERTS_TOKEN_CRON: 'a-token-for-scripts',
};

const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  capPerPersonPerHour: 200
  groups:
    oncall: [{ name: Mei, number: "${MEI}" }]
    second: [{ name: Arun, number: "${ARUN}" }]
  sources:
    - { name: prometheus, token: ALERTS_TOKEN_PROMETHEUS, channel: ${CHANNEL} }
    - { name: grafana, token: ALERTS_TOKEN_GRAFANA, channel: ${CHANNEL} }
    - { name: scripts, token: ALERTS_TOKEN_CRON, channel: C0TEAM }
  rules:
    - { name: production, channel: ${CHANNEL}, from: { sources: [prometheus] }, match: "severity=critical", notify: [oncall], capPerHour: 200, text: "{{title}}", resolved: { notify: true } }
    - { name: boards, channel: ${CHANNEL}, from: { sources: [grafana] }, notify: [second] }
    - { name: posted, channel: ${CHANNEL}, from: { apps: [A0GRAFANA] }, notify: [second] }
    - { name: scripts, channel: C0TEAM, from: { sources: [scripts] }, notify: [second], text: "{{title}}" }
`;

/** Slack’s pace is a message a second in each channel. */
const ALL_SHOWN_MS = 300_000;
const IS_NIGHTLY = process.env.HERALD_TESTS === 'nightly';
/** At night as long, and as many, as somebody has seen; on each push enough for every way that they take. */
const DOWN_MS = IS_NIGHTLY ? 120_000 : 20_000;
const ALERTS_AT_ONCE = IS_NIGHTLY ? 50 : 12;

/* A monitoring tool posts to Herald itself: raw requests to Herald's own server, with recorded bodies. */
describe('alerts over HTTP', () => {
  const stack = runningStack({ config: CONFIG, env, isQuick: true });

  async function report(body: object, token = env.ALERTS_TOKEN_PROMETHEUS): Promise<number> {
    const answer = await fetch(`${stack.heraldUrl}/alerts/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.status;
  }
  const flashes = (number: string) => stack.phone(number).map(({ text }) => text);
  const messages = (channel = CHANNEL) =>
    stack.messages().filter((one) => one.channel === channel && /Reference H/.test(messageText(one)));
  const about = (text: string, channel = CHANNEL): SandboxMessage | undefined =>
    messages(channel).find((one) => messageText(one).includes(text));
  const thread = (of: SandboxMessage | undefined) =>
    stack
      .messages()
      .filter(({ thread_ts, ts }) => of && thread_ts === of.ts && ts !== of.ts)
      .map(messageText)
      .join('\n');

  test('reach phones while Slack is down, each once, and the channel afterwards', {
    timeout: 600_000,
  }, async () => {
    stack.workspace.setFaults({
      faults: [{ on: 'api', method: '*', times: 1_000_000, do: 'status', status: 503 }],
    });
    const began = stack.now();
    const names = Array.from({ length: ALERTS_AT_ONCE }, (_none, n) => `db-${String(n).padStart(2, '0')}`);
    // Alertmanager repeats, and of a pair each posts.
    const bodies = [...names, ...names, ...names.slice(0, 5)].map((name) => alertmanagerBody(name));
    expect(await Promise.all(bodies.map((body) => report(body)))).toEqual(bodies.map(() => 200));
    await stack.eventually('all flash SMS', () => flashes(MEI).length >= names.length);
    expect(stack.now() - began).toBeLessThan(10_000);
    await expect.poll(() => stack.now() - began, { timeout: 2 * DOWN_MS }).toBeGreaterThan(DOWN_MS);
    expect(flashes(MEI).toSorted()).toEqual(names.map((name) => `Probe failure: ${name}`));
    expect(messages()).toEqual([]);
    stack.workspace.setFaults({ faults: [] });
    await stack.eventually(
      'every message with its thread',
      () =>
        messages().length >= ALERTS_AT_ONCE &&
        messages().every((one) => /Mei .*: ✅ accepted/.test(thread(one))),
      ALL_SHOWN_MS,
    );
    expect(messages()).toHaveLength(ALERTS_AT_ONCE);
    expect(flashes(MEI)).toHaveLength(ALERTS_AT_ONCE);
    expect(messageText(about('db-07') as SandboxMessage)).toMatch(/^🚨 Probe failure: db-07\n/);
  });

  test('that are over say so in their own message, by fingerprint, and to who was notified', async () => {
    expect(await report(alertmanagerBody('db-07', { status: 'resolved' }))).toBe(200);
    await stack.eventually('the message', () => /^✅/.test(messageText(about('db-07') as SandboxMessage)));
    await stack.eventually('the thread', () =>
      /Its source says that it is over/.test(thread(about('db-07'))),
    );
    await stack.eventually('the phone', () => flashes(MEI).includes('Over: Probe failure: db-07'));
    expect(messageText(about('db-08') as SandboxMessage)).toMatch(/^🚨/);
    // Late, and known to be over; a new start is a new alert.
    expect(await report(alertmanagerBody('db-07'))).toBe(200);
    expect(await report(alertmanagerBody('db-07', { startsAt: '2023-02-06T14:00:00Z' }))).toBe(200);
    await stack.eventually('the new one', () => flashes(MEI).length === ALERTS_AT_ONCE + 2);
    expect(flashes(MEI).filter((text) => text === 'Probe failure: db-07')).toHaveLength(2);
  });

  test('of Grafana, in a group of which one is over, and without data; acknowledged in the thread', async () => {
    expect(await report(GRAFANA_GROUP, env.ALERTS_TOKEN_GRAFANA)).toBe(200);
    expect(await report(GRAFANA_NO_DATA, env.ALERTS_TOKEN_GRAFANA)).toBe(200);
    await stack.eventually('both phones', () => flashes(ARUN).length === 2);
    await stack.eventually('all three messages', () =>
      ['zone us-1', 'zone eu-1', 'DatasourceNoData'].every((one) => about(one)),
    );
    expect(messageText(about('zone us-1') as SandboxMessage)).toMatch(/^✅/);
    const message = about('DatasourceNoData') as SandboxMessage;
    const card = await stack.eventually('the card', () =>
      stack.messages().find(({ thread_ts, ts }) => thread_ts === message.ts && ts !== message.ts),
    );
    await stack.person(ASHA).click('alert_acknowledge', { message: card });
    await stack.eventually('who looks after it', () => /Acknowledged by/.test(thread(message)));
    await stack.eventually('the sign', () =>
      about('DatasourceNoData')?.reactions?.some(({ name }) => name === 'eyes'),
    );
  });

  test('of a script: once until it is over, and answered by phone in the thread', async () => {
    const body = { key: 'backup', title: 'Backup failed', text: 'exit 1', status: 'firing' };
    const before = flashes(ARUN).length;
    for (let times = 0; times < 3; times += 1) expect(await report(body, env.ALERTS_TOKEN_CRON)).toBe(200);
    const message = await stack.eventually('the message', () => about('Backup failed', 'C0TEAM'));
    await stack.eventually('the outcome', () => /Arun .*: ✅ accepted/.test(thread(message)));
    expect(flashes(ARUN)).toHaveLength(before + 1);
    const messageId = stack.phone(ARUN).at(-1)?.id ?? '';
    await stack.carrier.reply({ number: ARUN, messageId, answer: { type: 'text', text: 'OK' } });
    await stack.eventually('the acknowledgement', () => /Acknowledged by Arun,/.test(thread(message)));
    await stack.eventually('the answer', () => /wrote:[\s\S]*OK/.test(thread(message)));
    await report({ ...body, status: 'resolved' }, env.ALERTS_TOKEN_CRON);
    await stack.eventually('that it is over', () => about('✅ Backup failed', 'C0TEAM'));
    await report(body, env.ALERTS_TOKEN_CRON);
    await stack.eventually('the next', () => flashes(ARUN).length === before + 2);
    expect(messages('C0TEAM').length).toBeLessThanOrEqual(2);
    await stack.person(ASHA).command('C0TEAM', '/herald alerts try scripts');
    await stack.eventually('the dry run', () =>
      stack
        .person(ASHA)
        .messages('C0TEAM')
        .some((one) => /come to: 2 sent · 1 over/.test(messageText(one))),
    );
  });

  test('that are none, or come under no token, are refused, and nobody is notified', async () => {
    const before = flashes(MEI).length;
    expect(await report({ alerts: [] })).toBe(400);
    for (const token of ['wrong', '', `${env.ALERTS_TOKEN_CRON}x`, 'x'.repeat(8_000), '%'])
      expect([404, 431]).toContain(await report(alertmanagerBody('db-99'), token));
    expect(flashes(MEI)).toHaveLength(before);
    for (const token of Object.values(env)) expect(stack.logs()).not.toContain(token);
  });
});
