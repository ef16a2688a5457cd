import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createDatabaseMetrics, type DatabaseMetrics } from './database-metrics.ts';

/** Seconds; the middle is where a messaging service usually answers. */
const REQUEST_BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Seconds; Slack gives three to acknowledge. */
const ACKNOWLEDGE_BUCKETS = [0.005, 0.02, 0.1, 0.5, 1, 2, 3];

/** Seconds; people on call count in these. */
const ALERT_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface Metrics {
  /** A request to the messaging service ended. */
  requestEnded(row: string, state: string, seconds: number): void;
  /** Whether the messaging service refuses the API key, as its latest answer has it. */
  keyRefused(isRefused: boolean): void;
  acknowledged(kind: string, seconds: number): void;
  apiCalled(method: string, result: string): void;
  /** A message about a send was set aside, because Slack does not take it. */
  announcementSetAside(): void;
  /** A webhook of the messaging service arrived: kept, repeated, or why it was refused. */
  webhookReceived(result: string): void;
  /** An event in one: its kind, and whether the send that it belongs to was found. */
  webhookEvent(kind: string, matched: boolean): void;
  /** Of a database that several processes share. */
  readonly database: DatabaseMetrics;
  /** An event in an alert channel: kept, delivered_again, and then what a rule decided. */
  alertEvent(result: string): void;
  /** Kept input has failed three times, and nothing more is done with it. */
  inputSetAside(source: string): void;
  /** From the arrival of an alert at Herald to the request that tells somebody of it. */
  alertRequested(seconds: number): void;
  /** Everything counted so far, in Prometheus' text format. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** Counters of one process, on a registry of their own. No label carries a person, a number or a text. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'herald_' });
  const requests = new Histogram({
    name: 'herald_request_seconds',
    help: 'Requests to the messaging service, by row of the interface document and outcome.',
    labelNames: ['row', 'outcome'],
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  });
  const keyRefused = new Gauge({
    name: 'herald_service_key_refused',
    help: '1 while the messaging service refuses Herald’s API key (401, 403): nothing can be sent.',
    registers: [registry],
  });
  const acknowledgements = new Histogram({
    name: 'herald_acknowledge_seconds',
    help: 'From the arrival of an interaction from Slack to its acknowledgement.',
    labelNames: ['kind'],
    buckets: ACKNOWLEDGE_BUCKETS,
    registers: [registry],
  });
  const apiCalls = new Counter({
    name: 'herald_slack_api_total',
    help: 'Calls of Slack’s Web API, by method and result.',
    labelNames: ['method', 'result'],
    registers: [registry],
  });
  const setAside = new Counter({
    name: 'herald_announcements_set_aside_total',
    help: 'Messages about sends that Slack did not take and that are no longer tried.',
    registers: [registry],
  });
  const webhooks = new Counter({
    name: 'herald_webhooks_total',
    help: 'Webhooks of the messaging service, by what became of them: kept, repeated, or why they were refused.',
    labelNames: ['result'],
    registers: [registry],
  });
  const webhookEvents = new Counter({
    name: 'herald_webhook_events_total',
    help: 'Events in webhooks, by kind (unreadable among them) and whether their send was found.',
    labelNames: ['kind', 'matched'],
    registers: [registry],
  });
  const alertEvents = new Counter({
    name: 'herald_alert_events_total',
    help: 'Messages in alert channels: kept or delivered_again, and what rules decided on them.',
    labelNames: ['result'],
    registers: [registry],
  });
  const inputsSetAside = new Counter({
    name: 'herald_inputs_set_aside_total',
    help: 'Webhooks, answers, alerts and results that failed three times and were set aside, by where they stood.',
    labelNames: ['source'],
    registers: [registry],
  });
  const alertRequests = new Histogram({
    name: 'herald_alert_request_seconds',
    help: 'From the arrival of an alert to the start of the request that tells somebody of it.',
    buckets: ALERT_BUCKETS,
    registers: [registry],
  });
  return {
    requestEnded: (row, outcome, seconds) => requests.observe({ row, outcome }, seconds),
    keyRefused: (isRefused) => keyRefused.set(isRefused ? 1 : 0),
    acknowledged: (kind, seconds) => acknowledgements.observe({ kind }, seconds),
    apiCalled: (method, result) => apiCalls.inc({ method, result }),
    announcementSetAside: () => setAside.inc(),
    webhookReceived: (result) => webhooks.inc({ result }),
    webhookEvent: (kind, matched) => webhookEvents.inc({ kind, matched: String(matched) }),
    database: createDatabaseMetrics(registry),
    alertEvent: (result) => alertEvents.inc({ result }),
    inputSetAside: (source) => inputsSetAside.inc({ source }),
    alertRequested: (seconds) => alertRequests.observe(seconds),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
