/*
 * What monitoring tools post, as it was recorded or published, without a few keys that Herald does not read; hosts and names of
 * teams are others. Alertmanager: the body of its version 4 (0.25), and of before fingerprints. Grafana: its test of a contact
 * point, “no data” of version 12, a group of the documentation (10.1), and a resolved alert without annotations of its own (8.4).
 */

const PROBE = {
  status: 'firing',
  labels: {
    alertname: 'ProbeFailure',
    instance: 'https://server.example.org',
    job: 'http_checks',
    monitor: 'master',
    severity: 'critical',
  },
  annotations: {
    description: 'Instance https://server.example.org has been down for over 5m. Job: http_checks',
    summary: 'BlackBox Probe Failure: https://server.example.org',
  },
  startsAt: '2023-02-06T13:08:45.828Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.example.org:9090/graph?g0.expr=probe_success+%3D%3D+0&g0.tab=1',
  fingerprint: '1a30ba71cca2921f',
};

export const ALERTMANAGER = {
  receiver: 'sms',
  status: 'firing',
  alerts: [PROBE],
  groupLabels: { alertname: 'ProbeFailure' },
  commonLabels: PROBE.labels,
  commonAnnotations: PROBE.annotations,
  externalURL: 'http://prometheus.example.org:9093',
  version: '4',
  groupKey: '{}/{severity="critical"}:{alertname="ProbeFailure"}',
  truncatedAlerts: 0,
};

/** The same body about another instance, at another time. */
export function alertmanagerBody(
  instance: string,
  over: { readonly status?: string; readonly startsAt?: string; readonly truncatedAlerts?: number } = {},
) {
  const { truncatedAlerts = 0, ...changed } = over;
  const one = {
    ...PROBE,
    ...changed,
    fingerprint: Buffer.from(instance).toString('hex').padEnd(16, '0'),
    labels: { ...PROBE.labels, instance },
    annotations: { ...PROBE.annotations, summary: `Probe failure: ${instance}` },
    endsAt: over.status === 'resolved' ? '2023-02-06T13:28:45.828Z' : PROBE.endsAt,
  };
  return { ...ALERTMANAGER, status: one.status, alerts: [one], truncatedAlerts };
}

export const OLD_ALERTMANAGER = {
  receiver: 'webhook',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'Test', dc: 'eu-west-1', instance: 'localhost:9090', job: 'prometheus24' },
      annotations: { description: 'some description' },
      startsAt: '2018-08-03T09:52:26.739266876+02:00',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://example.com:9090/graph?g0.expr=go_memstats_alloc_bytes+%3E+0&g0.tab=1',
    },
  ],
  groupLabels: { alertname: 'Test', job: 'prometheus24' },
  version: '4',
  groupKey: '{}:{alertname="Test", job="prometheus24"}',
};

/** What stands in each alert of Grafana, whether it means anything or not. */
const OF_GRAFANA = {
  status: 'firing',
  endsAt: '0001-01-01T00:00:00Z',
  dashboardURL: '',
  panelURL: '',
  values: null,
  valueString: "[ metric='foo' labels={instance=bar} value=10 ]",
};

export const GRAFANA_TEST = {
  receiver: 'test',
  status: 'firing',
  alerts: [
    {
      ...OF_GRAFANA,
      labels: { alertname: 'TestAlert', instance: 'Grafana' },
      annotations: { summary: 'Notification test' },
      startsAt: '2025-09-16T17:11:19.283071388Z',
      generatorURL: '',
      fingerprint: '57c6d9296de2ad39',
      silenceURL: 'https://grafana.example.net/alerting/silence/new?matcher=alertname%3DTestAlert',
    },
  ],
  version: '1',
  groupKey: 'test-57c6d9296de2ad39-1758042679',
  truncatedAlerts: 0,
  orgId: 1,
  title: '[FIRING:1] TestAlert Grafana ',
  state: 'alerting',
  message: '**Firing**\n\nValue: [no value]\nLabels:\n - alertname = TestAlert\n - instance = Grafana\n',
};

export const GRAFANA_NO_DATA = {
  ...GRAFANA_TEST,
  alerts: [
    {
      ...OF_GRAFANA,
      labels: { alertname: 'DatasourceNoData', ref_id: 'A', rulename: 'viable/strict is broken' },
      annotations: { Priority: '1', runbook_url: 'https://runbooks.example.net' },
      startsAt: '2025-09-16T17:12:20Z',
      generatorURL: 'https://grafana.example.net/alerting/grafana/eewi8oa4ccef4e/view?orgId=1',
      fingerprint: 'c50ae7bba42b3626',
      dashboardURL: 'https://grafana.example.net/d/e9a2a2e9?from=1758039140000&orgId=1',
      panelURL: 'https://grafana.example.net/d/e9a2a2e9?from=1758039140000&orgId=1&viewPanel=1',
      imageURL: 'https://grafana.example.net/public/img/attachments/8xsjw3.png',
    },
  ],
};

/** Of the two one is over. */
export const GRAFANA_GROUP = {
  ...GRAFANA_TEST,
  alerts: [
    {
      ...OF_GRAFANA,
      status: 'resolved',
      labels: { alertname: 'High memory usage', team: 'blue', zone: 'us-1' },
      annotations: { summary: 'This alert was triggered for zone us-1' },
      startsAt: '2021-10-12T09:51:03.157076+02:00',
      endsAt: '2021-10-12T10:01:03.157076+02:00',
      generatorURL: 'https://play.grafana.org/alerting/1afz29v7z/edit',
      fingerprint: 'c6eadffa33fcdf37',
      values: { B: 44.23943737541908, C: 1 },
    },
    {
      ...OF_GRAFANA,
      labels: { alertname: 'High CPU usage', team: 'blue', zone: 'eu-1' },
      annotations: { summary: 'This alert was triggered for zone eu-1' },
      startsAt: '2021-10-12T09:56:03.157076+02:00',
      generatorURL: 'https://play.grafana.org/alerting/d1rdpdv7k/edit',
      fingerprint: 'bc97ff14869b13e3',
      values: { B: 44.23943737541908, C: 1 },
    },
  ],
};

export const GRAFANA_RESOLVED = {
  receiver: 'api',
  status: 'resolved',
  alerts: [
    {
      status: 'resolved',
      labels: { __alert_rule_uid__: '_2dRVWEnk', alertname: 'MEMORY USED' },
      annotations: { __dashboardUid__: 's38UsmEnz', __panelId__: '78' },
      startsAt: '2022-03-13T02:47:01.186Z',
      endsAt: '2022-03-13T02:57:01.186Z',
      generatorURL: 'https://grafana.example.net/alerting/_2dRVWEnk/edit',
      fingerprint: '1463e12b33356c44',
    },
  ],
  version: '4',
};
