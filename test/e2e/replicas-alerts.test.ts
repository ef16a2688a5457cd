import { expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { alertmanagerBody } from '../http/recorded-alerts.ts';
import { describeWithPostgres } from '../postgres/database.ts';
import { startReplicas } from './replicas.ts';
import { running, TRANSPORT } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

const CHANNEL = 'C0ALERTS';
const MEI = '+6591234567';
const TOKEN = 'a-token-for-prometheus';
const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  capPerPersonPerHour: 200
  groups: { oncall: [{ name: Mei, number: "${MEI}" }] }
  sources: [{ name: prometheus, token: ALERTS_TOKEN_PROMETHEUS, channel: ${CHANNEL} }]
  rules: [{ name: production, channel: ${CHANNEL}, notify: [oncall], capPerHour: 200, text: "{{title}}" }]
`;
const NAMES = ['db-1', 'db-2', 'db-3', 'db-4', 'db-5', 'db-6'];

await describeWithPostgres('alerts over HTTP to several Heralds on one database', () => {
  const env = { ALERTS_TOKEN_PROMETHEUS: TOKEN };
  const stack = running(() => startReplicas(TRANSPORT, CONFIG, 2, { env }));

  async function report(replica: number, body: object): Promise<number> {
    const url = `${stack.replicas[replica]?.process.url}/alerts/${TOKEN}`;
    return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).status;
  }
  const flashes = () => (stack.carrier.state().phones[MEI] ?? []).map(({ text }) => text);
  const shown = () => stack.texts(CHANNEL).filter((text) => /Reference H/.test(text));
  const titles = (sign: string, names: readonly string[]) =>
    names.map((name) => `${sign} Probe failure: ${name}`);
  const headlines = () =>
    shown()
      .map((text) => text.split('\n', 1)[0] ?? '')
      .toSorted();
  const cards = () =>
    stack.workspace
      .snapshot()
      .messages.filter(
        (one) => one.channel === CHANNEL && one.thread_ts !== undefined && one.thread_ts !== one.ts,
      )
      .map(messageText);

  const accepted = () => cards().filter((text) => /Mei .*: ✅ accepted/.test(text));
  const unknown = () => cards().filter((text) => /Mei .*: ❓/.test(text));

  test('posted to both while Slack is down, of which one is killed: nobody is lost or notified twice, and the channel is right afterwards', async () => {
    stack.workspace.setFaults({
      faults: [{ on: 'api', method: '*', times: 1_000_000, do: 'status', status: 503 }],
    });
    const bodies = NAMES.map((name) => alertmanagerBody(name));
    const answers = await Promise.all(bodies.flatMap((body) => [report(0, body), report(1, body)]));
    expect(answers).toEqual(answers.map(() => 200));
    await stack.replicas[0]?.process.kill();
    const killedAt = Date.now();
    // What the dead one had on its way is unknown, and is not sent again.
    const requests = () => stack.carrier.state().requests.length;
    await stack.watch.until('all flash SMS', () => requests() >= NAMES.length - 1, 30_000);
    expect(Date.now() - killedAt).toBeLessThan(20_000);
    for (const body of bodies) expect(await report(1, body)).toBe(200);
    // As some versions of Grafana report an end.
    const end = { status: 'resolved', startsAt: '2023-02-06T13:28:45.828Z' };
    expect(await report(1, alertmanagerBody('db-1', end))).toBe(200);
    stack.workspace.setFaults({
      faults: [{ on: 'api', method: 'chat.postMessage', times: 3, do: 'drop_answer' }],
    });
    const right = [...titles('✅', ['db-1']), ...titles('🚨', NAMES.slice(1))].toSorted();
    await stack.watch.until('the channel', () => headlines().join() === right.join(), 90_000);
    await stack.watch.until(
      'the threads',
      () => accepted().length + unknown().length === NAMES.length,
      90_000,
    );
    expect(cards()).toHaveLength(NAMES.length);
    expect(unknown().length).toBeLessThan(2);
    expect(headlines()).toEqual(right);
    expect(new Set(flashes()).size).toBe(flashes().length);
    expect(flashes().length).toBeGreaterThanOrEqual(accepted().length);
  }, 240_000);
});
