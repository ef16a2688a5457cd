import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createDatabaseMetrics, type DatabaseMetrics } from './database-metrics.ts';
import { createWorkMetrics, type WorkMetrics } from './work-metrics.ts';

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

export interface Metrics {
  /** A request to the messaging service ended. */
  requestEnded(row: string, state: string, seconds: number): void;
  /** Whether the latest answer of the messaging service refused the API key. */
  keyRefused(isRefused: boolean): void;
  acknowledged(kind: string, seconds: number): void;
  apiCalled(method: string, result: string, seconds: number): void;
  /** A recipient came to an outcome, with the service's code where there is one. */
  recipientsSettled(outcome: string, code: string, count: number): void;
  /** Slack does not accept a message about a send, and it is no longer tried. */
  announcementSetAside(): void;
  /** A webhook of the messaging service arrived: kept, repeated, or why it was refused. */
  webhookReceived(result: string): void;
  /** An event in one: its kind, and whether the send that it belongs to was found. */
  webhookEvent(kind: string, matched: boolean): void;
  readonly database: DatabaseMetrics;
  readonly work: Pick<WorkMetrics, 'watch'>;
  /** An event in an alert channel: kept or delivered_again, then what each rule decided. */
  alertEvent(result: string): void;
  /** Stored input has failed three times and is not tried again. */
  inputSetAside(source: string): void;
  /** From the arrival of an alert at Herald to the first request for it. */
  alertRequested(seconds: number): void;
  /** Everything counted so far, in Prometheus' text format. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** Counters of one process, on a registry of their own. No label carries a person, a number or a text. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'herald_' });
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });
  const requests = histogram(
    'herald_request_seconds',
    'Requests to the messaging service, by row of the interface document and outcome.',
    REQUEST_BUCKETS,
    'row',
    'outcome',
  );
  const keyRefused = new Gauge({
    name: 'herald_service_key_refused',
    help: '1 while the messaging service refuses Herald’s API key (401, 403): nothing can be sent.',
    registers,
  });
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
  const work = createWorkMetrics(registry);
  new Gauge({
    name: 'herald_build_info',
    help: '1, with the versions.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1);
  const setAside = counter(
    'herald_announcements_set_aside_total',
    'Messages about sends that Slack did not take and that are no longer tried.',
  );
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
  const inputsSetAside = counter(
    'herald_inputs_set_aside_total',
    'Webhooks, answers, alerts and results that failed three times and were set aside, by source.',
    'source',
  );
  const alertRequests = histogram(
    'herald_alert_request_seconds',
    'From the arrival of an alert to the start of the request that notifies somebody of it.',
    ALERT_BUCKETS,
  );
  return {
    requestEnded: (row, outcome, seconds) => requests.observe({ row, outcome }, seconds),
    keyRefused: (isRefused) => keyRefused.set(isRefused ? 1 : 0),
    acknowledged: (kind, seconds) => acknowledgements.observe({ kind }, seconds),
    apiCalled: (method, result, seconds) => apiCalls.observe({ method, result }, seconds),
    recipientsSettled: (outcome, code, count) => outcomes.inc({ outcome, code: known(code) }, count),
    announcementSetAside: () => setAside.inc(),
    webhookReceived: (result) => webhooks.inc({ result }),
    webhookEvent: (kind, matched) => webhookEvents.inc({ kind, matched: String(matched) }),
    database: createDatabaseMetrics(registry),
    work,
    alertEvent: (result) => alertEvents.inc({ result }),
    inputSetAside: (source) => inputsSetAside.inc({ source }),
    alertRequested: (seconds) => alertRequests.observe(seconds),
    render: async () => {
      await work.refresh();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
