import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import {
  answerHealth,
  answerMetrics,
  answerReadiness,
  type Check,
  createReadiness,
} from '../../src/http/health.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { serving } from './serving.ts';

const serve = serving();
const broken = async () => {
  throw new Error('inner detail');
};

describe('health', () => {
  it('answers GET and HEAD', async () => {
    const { url } = await serve({ '/healthz': { GET: answerHealth } });
    const answer = await fetch(`${url}/healthz?from=probe`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'alive' }]);
    const head = await fetch(`${url}/healthz`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  const WELL = { name: 'store', check: async () => ({ ok: true }) };
  const REFUSED = { name: 'slack', check: async () => ({ ok: false, detail: 'Slack refused the token.' }) };
  const said = { name: 'slack', ok: false, problem: 'Slack refused the token.' };
  const failed = { name: 'slack', ok: false, problem: 'This check failed.' };
  it.each<[string, Check, number, object]>([
    ['ready when every check passes', { ...WELL, name: 'slack' }, 200, { name: 'slack', ok: true }],
    ['not ready when one does not, and says which', REFUSED, 503, said],
    ['ready where another replica could do no better', { ...REFUSED, isAdvice: true }, 200, said],
    ['not ready when a check breaks', { name: 'slack', check: broken }, 503, failed],
  ])('is %s', async (_, check, status, shown) => {
    const { url } = await serve({ '/readyz': { GET: answerReadiness(createReadiness([WELL, check])) } });
    const answer = await fetch(`${url}/readyz`);
    const whole = {
      status: status === 200 ? 'ready' : 'not ready',
      checks: [{ name: 'store', ok: true }, shown],
    };
    expect([answer.status, await answer.json()]).toEqual([status, whole]);
  });

  it('looks once for all who ask while it looks', async () => {
    let looks = 0;
    const looked = Promise.withResolvers<{ ok: boolean }>();
    const check = () => {
      looks += 1;
      return looked.promise;
    };
    let asked = 0;
    const readiness = answerReadiness(createReadiness([{ name: 'store', check }]));
    const { url } = await serve({
      '/readyz': {
        GET: (request, response) => {
          asked += 1;
          if (asked === 20) looked.resolve({ ok: true });
          return readiness(request, response);
        },
      },
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/readyz`)));
    expect([answers.every(({ ok }) => ok), looks]).toEqual([true, 1]);
    await fetch(`${url}/readyz`);
    expect(looks).toBe(2);
  });

  it('writes the metrics once a second, however often they are asked for', async () => {
    const clock = createManualClock();
    let written = 0;
    const render = async () => `${++written}`;
    const { url } = await serve({
      '/metrics': { GET: answerMetrics({ render, contentType: 'text/plain' }, clock) },
    });
    const read = async () => (await fetch(`${url}/metrics`)).text();
    expect([await read(), await read()]).toEqual(['1', '1']);
    await clock.advance(1_000);
    expect(await read()).toBe('2');
  });

  it('shows metrics as Prometheus reads them', async () => {
    const metrics = createMetrics({ version: '1.2.3', commit: 'abc' });
    metrics.requestEnded('10', 'accepted', 0.02);
    metrics.apiCalled('chat.postMessage', 'ok', 0.2);
    metrics.acknowledged('command', 0.001);
    metrics.eventsDropped();
    const { url } = await serve({ '/metrics': { GET: answerMetrics(metrics, createManualClock()) } });
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const text = await answer.text();
    expect(text).toContain('herald_request_seconds_count{row="10",outcome="accepted"} 1');
    expect(text).toContain('herald_slack_api_seconds_count{method="chat.postMessage",result="ok"} 1');
    expect(text).toContain('herald_slack_events_dropped_total 1');
    expect(text).toContain('herald_acknowledge_seconds_count{kind="command"} 1');
  });
});

describe('the metrics', () => {
  it('may have a port of their own, which opens and closes with the other', async () => {
    const logger = createRecordingLogger();
    const routes = {
      '/metrics': { GET: answerMetrics(createMetrics({ version: '1.2.3', commit: 'abc' }), systemClock) },
    };
    const beside = createHttpServer({ host: '127.0.0.1', port: 0, setting: 'METRICS_PORT', routes, logger });
    let at = '';
    const own: HttpServer = {
      ...beside,
      listen: async () => {
        const port = await beside.listen();
        at = `http://127.0.0.1:${port.ok ? port.value : 0}/metrics`;
        return port;
      },
    };
    const both = { host: '127.0.0.1', port: 0, routes: {}, logger, beside: own };
    const server = createHttpServer(both);
    expect((await server.listen()).ok).toBe(true);
    expect(await (await fetch(at)).text()).toMatch(
      /^herald_build_info\{version="1\.2\.3",commit="abc",node="26/m,
    );
    const port = Number(new URL(at).port);
    const taken = createHttpServer({ host: '127.0.0.1', port, setting: 'METRICS_PORT', routes, logger });
    expect(await createHttpServer({ ...both, beside: taken }).listen()).toEqual({
      ok: false,
      error: `Port ${port} on 127.0.0.1 is taken by another program. Stop that one, or set METRICS_PORT to another number.`,
    });
    await server.close(0);
    await expect(fetch(at)).rejects.toThrow();
  });

  it('leave out what is not known, and what is over', async () => {
    const metrics = createMetrics({ version: '1.2.3', commit: 'abc' });
    expect(await metrics.render()).not.toMatch(/^herald_recipients_left /m);
    const work = { sends: { sending: 2 }, recipientsLeft: 7, oldestPendingAt: 1_000, undecided: 3 };
    const channels = [{ channel: 'sms', isOpen: true, pausedMs: 1_500 }];
    const health = { isReady: true, isSlackConnected: true, isSlackRefused: false, replicas: 2 };
    const database = { inUse: 3, waiting: 1, leaseAgeSeconds: 0.5 };
    const room = { bytes: { file: 10, log: 5 }, backupAt: 1_000, diskFreeBytes: 7 };
    let figures: object = { work, channels, database, now: 61_000, ...health, ...room };
    metrics.work.watch(async () => figures as never);
    const text = await metrics.render();
    for (const line of [
      'herald_sends{state="sending"} 2',
      'herald_recipients_left 7',
      'herald_oldest_pending_seconds 60',
      'herald_oldest_approval_seconds 0',
      'herald_unknown_undecided 3',
      'herald_breaker_open{channel="sms"} 1',
      'herald_channel_paused_seconds{channel="sms"} 1.5',
      'herald_database_bytes{part="log"} 5',
      'herald_database_connections_in_use 3',
      'herald_database_waiting 1',
      'herald_lease_age_seconds 0.5',
      'herald_ready 1',
      'herald_slack_connected 1',
      'herald_slack_refused 0',
      'herald_replicas 2',
      'herald_backup_age_seconds 60',
      'herald_disk_free_bytes 7',
    ])
      expect(text.split('\n')).toContain(line);
    const nothing = { sends: {}, recipientsLeft: 0, undecided: 0 };
    figures = { work: nothing, channels: [], bytes: {}, now: 1, ...health };
    const idle = await metrics.render();
    expect(idle).toMatch(/^herald_recipients_left 0$/m);
    expect(idle).not.toMatch(/^herald_(sends|breaker_open|database_bytes)\{/m);
    expect(idle).not.toMatch(/^herald_(backup_age_seconds|disk_free_bytes) /m);
    figures = { channels: [], bytes: {}, now: 1, ...health };
    expect(await metrics.render()).not.toMatch(/^herald_(sends|recipients_left|oldest|unknown)/m);
  });

  it('do not grow with the codes of the service', async () => {
    const metrics = createMetrics({ version: '1.2.3', commit: 'abc' });
    for (let code = 0; code < 1_000; code += 1) metrics.recipientsSettled('rejected', String(code), 1);
    const text = await metrics.render();
    expect(text.match(/^herald_outcomes_total/gm)).toHaveLength(201);
    expect(text).toMatch(/^herald_outcomes_total\{outcome="rejected",code="other"\} 800$/m);
  });
});

describe('trouble', () => {
  it('with an address that is not there is told apart from a wrong method', async () => {
    const { url } = await serve({ '/healthz': { GET: answerHealth } });
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect((await fetch(`${url}/constructor`)).status).toBe(404);
    const wrong = await fetch(`${url}/healthz`, { method: 'POST', body: 'x' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('of a handler is logged and answered, and tells the caller nothing', async () => {
    const { url, logger } = await serve({ '/broken': { GET: broken } });
    const answer = await fetch(`${url}/broken`);
    const said = '{"error":"Herald failed to answer; see its log."}';
    expect([answer.status, await answer.text()]).toEqual([500, said]);
    expect(logger.lines.map(({ level }) => level)).toEqual(['error']);
  });

  it('with the port is one sentence with the fix', async () => {
    const { listening } = await serve({});
    const port = listening.ok ? listening.value : 0;
    expect((await serve({}, { port })).listening).toEqual({
      ok: false,
      error: `Port ${port} on 127.0.0.1 is taken by another program. Stop that one, or set PORT to another number.`,
    });
  });

  it('with a silent client does not keep it from closing', async () => {
    const { server, url } = await serve({});
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n');
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    await server.close(50);
    await ended;
  });
});
