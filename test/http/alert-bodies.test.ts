import { describe, expect, test } from 'vitest';
import { readSignals } from '../../src/http/alert-bodies.ts';
import { growthOf } from '../growth.ts';
import { hostileBody, seeded } from './hostile-bodies.ts';
import {
  ALERTMANAGER,
  alertmanagerBody,
  GRAFANA_GROUP,
  GRAFANA_NO_DATA,
  GRAFANA_RESOLVED,
  GRAFANA_TEST,
  OLD_ALERTMANAGER,
} from './recorded-alerts.ts';

const bytes = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const read = (body: unknown) => {
  const result = readSignals(bytes(body));
  return result.ok ? result.value : result.error;
};

describe('a recorded body is read', () => {
  test('of Alertmanager, with a fingerprint and without', () => {
    expect(read(ALERTMANAGER)).toEqual([
      {
        key: '1a30ba71cca2921f',
        start: Date.parse('2023-02-06T13:08:45.828Z'),
        status: 'firing',
        text: 'BlackBox Probe Failure: https://server.example.org\nInstance https://server.example.org has been down for over 5m. Job: http_checks\nalertname=ProbeFailure, instance=https://server.example.org, job=http_checks, monitor=master, severity=critical',
        link: 'http://prometheus.example.org:9090/graph?g0.expr=probe_success+%3D%3D+0&g0.tab=1',
      },
    ]);
    expect(read(OLD_ALERTMANAGER)).toMatchObject([
      {
        key: '[["alertname","Test"],["dc","eu-west-1"],["instance","localhost:9090"],["job","prometheus24"]]',
        start: Date.parse('2018-08-03T07:52:26.739Z'),
        text: expect.stringMatching(/^Test\nsome description\nalertname=Test, /),
      },
    ]);
  });

  test('of Grafana: its test, no data, a group of which one is over, and one that is over without annotations', () => {
    expect(read(GRAFANA_TEST)).toEqual([
      {
        key: '57c6d9296de2ad39',
        start: Date.parse('2025-09-16T17:11:19.283Z'),
        status: 'firing',
        text: 'Notification test\nalertname=TestAlert, instance=Grafana',
      },
    ]);
    expect(read(GRAFANA_NO_DATA)).toMatchObject([
      {
        text: expect.stringMatching(/^DatasourceNoData\n.*rulename=viable\/strict is broken$/),
        link: GRAFANA_NO_DATA.alerts[0]?.panelURL,
      },
    ]);
    expect(read(GRAFANA_GROUP)).toMatchObject([
      { key: 'c6eadffa33fcdf37', status: 'resolved' },
      { key: 'bc97ff14869b13e3', status: 'firing', link: 'https://play.grafana.org/alerting/d1rdpdv7k/edit' },
    ]);
    expect(read(GRAFANA_RESOLVED)).toMatchObject([
      { key: '1463e12b33356c44', status: 'resolved', text: 'MEMORY USED\nalertname=MEMORY USED' },
    ]);
  });

  test('of a group that was cut: each says how many more there are, since any of them may be known already', () => {
    const { alerts } = alertmanagerBody('db-1');
    const cut = { ...alertmanagerBody('db-2', { truncatedAlerts: 7 }), alerts: [...alerts, ...alerts] };
    const text = expect.stringContaining('\n7 more alerts of this group were left out by max_alerts.\n');
    expect(read(cut)).toMatchObject([{ text }, { text }]);
  });

  test('of the plain kind, whole and with the least', () => {
    const link = 'https://ci.example.org/1?a|b';
    const whole = { key: 'backup', title: 'Backup failed', text: 'exit 1', severity: 'high', link };
    expect(read({ ...whole, status: 'firing' })).toEqual([
      { key: 'backup', status: 'firing', text: 'Backup failed\nexit 1\nseverity=high', link },
    ]);
    expect(read({ key: 'k', title: 'T', status: 'resolved', link: 'javascript:alert(1)' })).toEqual([
      { key: 'k', status: 'resolved', text: 'T' },
    ]);
  });
});

describe('anything else is answered with what was expected, and where it is otherwise', () => {
  test.each([
    ['', 'This is not JSON'],
    ['[]', 'the whole body'],
    ['null', 'the whole body'],
    [{ alerts: [] }, 'here: alerts.'],
    [{ alerts: 'x' }, 'here: alerts.'],
    [{ alerts: [{ ...ALERTMANAGER.alerts[0], status: 'pending' }] }, 'here: alerts.0.status.'],
    [{ alerts: [{ ...ALERTMANAGER.alerts[0], startsAt: 'soon' }] }, 'here: alerts.0.startsAt.'],
    [{ key: '', title: 'T', status: 'firing' }, 'here: key.'],
    [{ key: 'k', status: 'firing' }, 'here: title.'],
    [{ ruleName: 'CPU', state: 'alerting', title: '[Alerting] CPU', evalMatches: [] }, 'here: key.'],
  ])('%j', (body, where) => {
    expect(read(body)).toMatch(/^Expected the webhook of Alertmanager .* Nothing was kept\.$/);
    expect(read(body)).toContain(where);
  });

  test('and nothing that decorates an alert keeps it from being read', () => {
    const odd = { labels: 7, annotations: { summary: 7, message: 'M' }, fingerprint: 9, generatorURL: {} };
    expect(read({ alerts: [{ ...ALERTMANAGER.alerts[0], ...odd }], truncatedAlerts: 'x' })).toMatchObject([
      { key: '[]', text: 'An alert without a name\nM' },
    ]);
  });

  test('whatever the bytes are: a result, never an exception, and no text that a database refuses', () => {
    const random = seeded(29);
    for (let tries = 0; tries < 3_000; tries += 1) {
      const hostile = hostileBody(random).bytes;
      const inside = `{"alerts":[{"status":"firing","startsAt":"2023-02-06","labels":${hostile}}]}`;
      for (const result of [readSignals(hostile), readSignals(Buffer.from(inside))])
        for (const { text } of result.ok ? result.value : []) expect(text.isWellFormed()).toBe(true);
    }
  });
});

describe('reading takes as long as its body is', () => {
  const SHAPES: Readonly<Record<string, (size: number) => unknown>> = {
    wide: (size) => ({ ...ALERTMANAGER, alerts: Array.from({ length: size }, () => ALERTMANAGER.alerts[0]) }),
    'of many labels': (size) => {
      const labels = Object.fromEntries(Array.from({ length: size * 8 }, (_, at) => [`label_${at}`, 'x']));
      return { alerts: [{ ...ALERTMANAGER.alerts[0], labels, fingerprint: undefined }] };
    },
    long: (size) => ({
      key: 'k',
      title: 'T',
      status: 'firing',
      text: ' \n'.repeat(size * 200),
      link: 'h'.repeat(size),
    }),
    deep: (size) => `{"alerts":${'['.repeat(size)}${']'.repeat(size)}}`,
  };

  test.each(Object.entries(SHAPES))('%s: n, 2n, 4n', async (_name, shape) =>
    expect(await growthOf(2_000, (size) => bytes(shape(size)), readSignals)).toBe('in proportion'),
  );
});
