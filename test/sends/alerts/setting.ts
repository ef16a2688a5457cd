import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { type Alert, type AlertEvent, alertIdFor } from '../../../src/sends/alerts/alert.ts';
import { type AlertRule, type AlertSettings, compilePattern } from '../../../src/sends/alerts/rules.ts';
import { type AlertsDependencies, createAlerts } from '../../../src/sends/alerts/service.ts';
import type { BulkRequest, BulkResult } from '../../../src/sends/bulk.ts';
import { ACCEPTED, createSendsHarness } from '../harness.ts';

export const MEI = '+6591234567' as Msisdn;
export const ARUN = '+919812345678' as Msisdn;
export const CHANNEL = 'C0ALERTS';
export const MINUTE_MS = 60_000;

export const RULE: AlertRule = {
  name: 'critical',
  channel: CHANNEL,
  from: {},
  match: compilePattern('(critical|firing)'),
  severity: 'critical',
  notify: ['oncall'],
  text: '{{text}}',
  segments: 2,
  coolDownMinutes: 15,
  capPerHour: 10,
  escalate: [],
  followUp: false,
  resolved: { notify: false },
};

/** @param editTs of the edit that says it */
export function alertIdOf(channelId: string, ts: string, name: string, editTs?: string): string {
  const event = { channelId, ts, kind: editTs ? 'changed' : 'posted', eventTs: editTs ?? ts };
  return alertIdFor(event as AlertEvent, { name });
}

export const SETTINGS: AlertSettings = {
  groups: { oncall: [{ name: 'Mei', number: MEI }], second: [{ name: 'Arun', number: ARUN }] },
  rules: [RULE],
  timezone: 'Asia/Singapore',
  senders: [{ id: 'ACMEIN', label: 'Acme', type: 'TRANS' }],
  approvalOver: 10,
  capPerPersonPerHour: 20,
  lateAfterMinutes: 15,
  acknowledgedMinutes: 240,
};

/** Alerts and sends on a real SQLite store; Slack and the service are played by hand. */
export function createAlertsSetting(
  settings: Partial<AlertSettings> = {},
  rule: Partial<AlertRule> = {},
  outcomes = Array.from({ length: 5_000 }, () => ACCEPTED),
) {
  const harness = createSendsHarness(outcomes, undefined, { shows: false });
  const { clock, logger, service: sends } = harness;
  const { alerts: store, inputs } = harness.stores;
  const counted: string[] = [];
  const bulkRequests: BulkRequest[] = [];
  const bulk: { answer: BulkResult | undefined } = { answer: undefined };
  let events = 0;

  function again(over: Partial<Pick<AlertsDependencies, 'herald' | 'sends' | 'settings'>> = {}) {
    const stop = new AbortController();
    const shared = {
      store,
      inputs,
      settings: { ...SETTINGS, rules: [{ ...RULE, ...rule }], ...settings },
      metrics: {
        alertEvent: (result: string) => counted.push(result),
        inputSetAside: (source: string) => counted.push(`${source} set aside`),
      },
      clock,
      logger,
      stopping: stop.signal,
    };
    const alerts = createAlerts({
      ...shared,
      sends,
      userGroups: async () => undefined,
      bulkSends: {
        request: async (wish) => {
          bulkRequests.push(wish);
          return bulk.answer ?? { state: 'refused', what: 'No. Nothing was sent.', next: 'Wait.' };
        },
      },
      audiences: {
        fromNumbers: async () => ({ state: 'ready', audience: { id: 'A-1' } }) as never,
      },
      herald: () => ({ teamId: 'T0', userId: 'U0HERALD' }),
      ...over,
    });
    return { alerts, stop };
  }

  /** A message as Slack delivers it, posted now. */
  function event(text: string, over: Partial<AlertEvent> = {}): AlertEvent {
    events += 1;
    const ts = over.ts ?? `${Math.floor(clock.now() / 1_000)}.${String(events).padStart(6, '0')}`;
    const said = {
      eventId: `Ev${events}`,
      kind: 'posted',
      channelId: CHANNEL,
      ts,
      eventTs: ts,
      text,
    } as const;
    const author = { appId: 'A0GRAFANA', botId: 'B0GRAFANA' };
    return { ...said, author, receivedAt: clock.now(), ...over };
  }

  const first = again();
  /** Who was sent what, in order. */
  const sent = () =>
    harness.deliveries.flatMap(({ message, recipients }) =>
      recipients.map(({ number }) => ({
        kind: message.kind,
        to: number,
        text: 'text' in message ? message.text : '',
      })),
    );

  async function settled(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await clock.advance(1);
  }

  async function lastAlert(): Promise<Alert | undefined> {
    return (await store.state({ recent: 0, openSince: 0, ids: [] })).alerts.at(-1);
  }

  async function post(text: string, over: Partial<AlertEvent> = {}): Promise<AlertEvent> {
    const made = event(text, over);
    await first.alerts.receive(made);
    await settled();
    return made;
  }

  return {
    ...{ ...harness, ...first, alertStore: store, inputs, again, event, post, settled },
    ...{ sent, lastAlert, counted, bulkRequests, bulk },
  };
}
