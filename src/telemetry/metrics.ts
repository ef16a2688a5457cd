import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createWorkMetrics } from './work-metrics.ts';

/** Seconds; most services answer near the middle of this range. */
const REQUEST_BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Seconds; Herald gives up after ten. */
const API_BUCKETS = [0.1, 0.3, 1, 3, 10];
/** What the service calls its failures is its own business; a label must not grow with it. */
const MOST_CODES = 200;
/** Seconds; Slack allows three. */
const ACKNOWLEDGE_BUCKETS = [0.005, 0.02, 0.1, 0.5, 1, 2, 3];
/** Seconds. */
const ALERT_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Counters of one process, on a registry of their own; `help` says what each counts. Durations are in seconds. No label
 * carries a person, a number or a text.
 */
export function createMetrics(of: { readonly version: string; readonly commit: string }) {
  const registry = new Registry();
  // Figures of the process and of Node, under the names that other people's dashboards look for.
  collectDefaultMetrics({ register: registry });
  const metric = metricsOn(registry);
  metric
    .gauge('herald_build_info', '1, with the versions.', 'version', 'commit', 'node')
    .set({ ...of, node: process.versions.node }, 1);
  const work = createWorkMetrics(registry);
  return {
    ...serviceMetrics(metric),
    ...slackMetrics(metric),
    ...inputMetrics(metric),
    database: databaseMetrics(metric),
    work: { watch: work.watch },
    /** Everything counted so far, in Prometheus' text format. */
    render: async () => {
      await work.refresh();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

function metricsOn(registry: Registry) {
  const registers = [registry];
  return {
    counter: (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
  };
}
type Metric = ReturnType<typeof metricsOn>;

/** Figures about the messaging service, and about what it made of recipients. */
function serviceMetrics({ counter, gauge, histogram }: Metric) {
  const requests = histogram(
    'herald_request_seconds',
    'Requests to the messaging service, by row of the interface document and outcome.',
    REQUEST_BUCKETS,
    'row',
    'outcome',
  );
  const keyRefused = gauge(
    'herald_service_key_refused',
    '1 while the messaging service refuses Herald’s API key (401, 403): nothing can be sent.',
  );
  const outcomes = counter(
    'herald_outcomes_total',
    'Recipients by outcome and the service’s code, or the HTTP status of its answer.',
    'outcome',
    'code',
  );
  const codes = new Set<string>();
  const known = (code: string) => {
    if (codes.size < MOST_CODES) codes.add(code);
    return codes.has(code) ? code : 'other';
  };
  return {
    requestEnded: (row: string, outcome: string, seconds: number) =>
      requests.observe({ row, outcome }, seconds),
    /** Notes whether the service's latest answer refused the key. */
    keyRefused: (isRefused: boolean) => keyRefused.set(isRefused ? 1 : 0),
    recipientsSettled: (outcome: string, code: string, count: number) =>
      outcomes.inc({ outcome, code: known(code) }, count),
  };
}

function slackMetrics({ counter, histogram }: Metric) {
  const acknowledgements = histogram(
    'herald_acknowledge_seconds',
    'From the arrival of an interaction from Slack to its acknowledgement.',
    ACKNOWLEDGE_BUCKETS,
    'kind',
  );
  const apiCalls = histogram(
    'herald_slack_api_seconds',
    'Calls of Slack’s Web API, by method and result.',
    API_BUCKETS,
    'method',
    'result',
  );
  const dropped = counter(
    'herald_slack_events_dropped_total',
    'How often Slack said that it drops events (app_rate_limited): once a minute while it does.',
  );
  const setAside = counter(
    'herald_announcements_set_aside_total',
    'Messages about sends that Slack did not take and that are no longer tried.',
  );
  return {
    acknowledged: (kind: string, seconds: number) => acknowledgements.observe({ kind }, seconds),
    apiCalled: (method: string, result: string, seconds: number) =>
      apiCalls.observe({ method, result }, seconds),
    eventsDropped: () => dropped.inc(),
    announcementSetAside: () => setAside.inc(),
  };
}

/** Figures about what comes in by itself: webhooks, and messages in alert channels. */
function inputMetrics({ counter, histogram }: Metric) {
  const webhooks = counter(
    'herald_webhooks_total',
    'Webhooks of the messaging service, by result: kept, repeated, or why they were refused.',
    'result',
  );
  const webhookEvents = counter(
    'herald_webhook_events_total',
    'Events in webhooks, by kind (unreadable among them) and whether their send was found.',
    'kind',
    'matched',
  );
  const alertEvents = counter(
    'herald_alert_events_total',
    'Messages in alert channels: kept or delivered_again, and what rules decided on them.',
    'result',
  );
  const setAside = counter(
    'herald_inputs_set_aside_total',
    'Webhooks and alerts that failed three times and were set aside, by source.',
    'source',
  );
  const alertRequests = histogram(
    'herald_alert_request_seconds',
    'From the arrival of an alert to the start of the request that notifies somebody of it.',
    ALERT_BUCKETS,
  );
  return {
    webhookReceived: (result: string) => webhooks.inc({ result }),
    webhookEvent: (kind: string, matched: boolean) => webhookEvents.inc({ kind, matched: String(matched) }),
    alertEvent: (result: string) => alertEvents.inc({ result }),
    /** With 0 it is only named. */
    inputSetAside: (source: string, count = 1) => setAside.inc({ source }, count),
    alertRequested: (seconds: number) => alertRequests.observe(seconds),
  };
}

/** Seconds: a claim takes a few milliseconds; a statement on PostgreSQL is given up after 30 s. */
const STATEMENT_BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 30];

/** Figures about either database; takeovers happen on PostgreSQL only. */
function databaseMetrics({ counter, histogram }: Metric) {
  const statements = histogram(
    'herald_database_seconds',
    'Calls of the database, with the wait for their turn, by whether they went through.',
    STATEMENT_BUCKETS,
    'result',
  );
  for (const result of ['done', 'failed']) statements.zero({ result });
  const takeovers = counter(
    'herald_takeovers_total',
    'Replicas that stopped renewing their lease and whose work this one released to the others.',
  );
  return {
    statementEnded: (seconds: number, ok: boolean) =>
      statements.observe({ result: ok ? 'done' : 'failed' }, seconds),
    tookOver: (replicas: number) => takeovers.inc(replicas),
  };
}
