import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../src/config/load.ts';
import type { AlertSource, Signal } from '../../src/sends/alerts/signal.ts';
import { alertRoutes } from '../../src/wiring/routes.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { ALERTMANAGER, GRAFANA_GROUP } from '../http/recorded-alerts.ts';
import { serving } from '../http/serving.ts';

const SOURCES = [
  { name: 'prometheus', channel: 'C0ALERTS', token: 'a-token-for-prometheus' },
  { name: 'grafana', channel: 'C0BOARDS', token: 'a-token-for-grafana' },
] as const;

const open = serving();

async function serve(sources: readonly (typeof SOURCES)[number][] = SOURCES, isFull = false) {
  const logger = createRecordingLogger();
  const kept: { source: string; keys: string[] }[] = [];
  const refused: string[] = [];
  const report = async ({ name }: AlertSource, signals: readonly Signal[]) => {
    if (isFull) throw new Error('the disk is full');
    kept.push({ source: name, keys: signals.map(({ key }) => key) });
  };
  const configuration = {
    environment: Object.fromEntries(SOURCES.map(({ name, token }) => [name, token])),
    team: { alerts: { sources: sources.map(({ name, channel }) => ({ name, channel, token: name })) } },
  } as unknown as Configuration;
  const metrics = { alertEvent: (result: string) => void refused.push(result.replace('refused_', '')) };
  const routes = alertRoutes(
    { alerts: { report } },
    { configuration, metrics, clock: createManualClock(), logger },
  );
  const { url } = await open(routes, { logger });
  const post = async (token: string, body: unknown = ALERTMANAGER) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${url}/alerts/${token}`, { method: 'POST', body: text });
    return { status: answer.status, text: await answer.text(), later: answer.headers.get('retry-after') };
  };
  return { post, kept, refused, logger };
}

describe('the address of alerts', () => {
  it('keeps what a source posts under its own token', async () => {
    const { post, kept } = await serve();
    expect(await post(SOURCES[0].token)).toMatchObject({ status: 200 });
    expect(await post(SOURCES[1].token, GRAFANA_GROUP)).toMatchObject({ status: 200 });
    expect(kept).toEqual([
      { source: 'prometheus', keys: ['1a30ba71cca2921f'] },
      { source: 'grafana', keys: ['c6eadffa33fcdf37', 'bc97ff14869b13e3'] },
    ]);
  });

  it('is not there for any other token, and the log has none', async () => {
    const { post, kept, refused, logger } = await serve();
    const wrong = ['wrong', '', '%', `${SOURCES[0].token}x`, `${SOURCES[0].token}/`, 'x'.repeat(7_000)];
    for (const token of wrong) expect((await post(token)).status).toBe(404);
    expect(kept).toEqual([]);
    // A further part is another address.
    expect(refused).toEqual(wrong.slice(1).map(() => 'token'));
    expect((await (await serve([])).post('')).status).toBe(404);
    const logged = JSON.stringify(logger.lines);
    for (const token of wrong.filter(({ length }) => length > 3)) expect(logged).not.toContain(token);
    expect(logged).not.toContain(SOURCES[0].token);
  });

  it('answers 400 with what it expected, 413 for what is too long, and 503 where it is to be sent again', async () => {
    const { post, refused } = await serve(SOURCES, true);
    const { status, text } = await post(SOURCES[0].token, { alerts: [{ status: 'on' }] });
    expect([status, text]).toEqual([400, expect.stringContaining('Otherwise here: alerts.0.status.')]);
    expect((await post(SOURCES[0].token, 'x'.repeat(300_000))).status).toBe(413);
    expect((await post(SOURCES[0].token)).status).toBe(503);
    expect(refused).toEqual(['body', 'too_long', 'store']);
  });

  it('keeps a thousand at once and then twenty a second, and asks for the rest again', async () => {
    const { post } = await serve();
    for (let times = 0; times < 1_000; times += 1) await post(SOURCES[0].token);
    expect(await post(SOURCES[0].token)).toMatchObject({ status: 503, later: '1' });
  });
});
