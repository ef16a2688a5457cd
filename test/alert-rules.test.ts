import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';

/*
 * The rules of deploy/alerts.yml by Prometheus' own tests: for each a course of its metrics by which it speaks, and one by
 * which it is silent. A course has a value a minute, as promtool writes it: `0+1x60` goes up by one.
 */
type Course = Readonly<Record<string, string>>;
const UP = 'up{job="herald", instance="a"}';
const BUILD = 'herald_build_info{job="herald", instance="a"}';
/** A histogram of ten a minute, each as long as that. */
const lasting = (metric: string, seconds: 1 | 30): Course =>
  Object.fromEntries(
    ['1', '3', '30', '+Inf'].map((le) => [
      `${metric}_bucket{le="${le}"}`,
      Number(le.replace('+Inf', 'Infinity')) >= seconds ? '0+10x120' : '0x120',
    ]),
  );
const takes = (metric: string) => lasting(metric, 30);
const quick = (metric: string) => lasting(metric, 1);

const COURSES: Readonly<Record<string, { readonly speaks: Course; readonly silent: Course }>> = {
  HeraldIsGone: { speaks: { [BUILD]: '1x90 _x30' }, silent: { [BUILD]: '1x120' } },
  HeraldScrapeFailed: {
    speaks: { [BUILD]: '1x100 _x20', [UP]: '1x100 0x20' },
    // Of another job, which never was Herald's.
    silent: { [BUILD]: '1x120', [UP]: '1x120', 'up{job="other", instance="b"}': '0x120' },
  },
  HeraldNotReady: {
    speaks: { 'herald_ready{instance="a"}': '1x100 0x20', 'herald_ready{instance="b"}': '1x120' },
    silent: { 'herald_ready{instance="a"}': '1x110 0x3 1x7' },
  },
  HeraldSlackRefused: {
    speaks: { herald_slack_refused: '0x100 1x20' },
    silent: { herald_slack_refused: '0x120' },
  },
  HeraldReplicaGone: { speaks: { herald_replicas: '3x90 2x30' }, silent: { herald_replicas: '2x90 3x30' } },
  HeraldBackupOverdue: {
    speaks: { herald_backup_age_seconds: '169000+60x120' },
    silent: { herald_backup_age_seconds: '80000+60x60 0+60x60' },
  },
  HeraldDiskNearlyFull: {
    speaks: { herald_disk_free_bytes: '1900000000x120' },
    silent: { herald_disk_free_bytes: '2100000000x120' },
  },
  HeraldKeyRefused: {
    speaks: { herald_service_key_refused: '0x100 1x20' },
    silent: { herald_service_key_refused: '1x100 0x20' },
  },
  HeraldEventsDropped: {
    speaks: { herald_slack_events_dropped_total: '0x110 1x10' },
    silent: { herald_slack_events_dropped_total: '5x120' },
  },
  HeraldBreakerOpen: {
    speaks: { 'herald_breaker_open{channel="sms"}': '0x100 1x20' },
    silent: { 'herald_breaker_open{channel="sms"}': '0x110 1x10' },
  },
  HeraldServiceSlow: {
    speaks: takes('herald_request_seconds'),
    silent: quick('herald_request_seconds'),
  },
  HeraldStandsStill: {
    speaks: {
      herald_oldest_pending_seconds: '0+60x120',
      'herald_breaker_open{channel="sms"}': '0x120',
      'herald_channel_paused_seconds{channel="sms"}': '0x120',
    },
    // The service has asked for a pause.
    silent: {
      herald_oldest_pending_seconds: '0+60x120',
      'herald_breaker_open{channel="sms"}': '0x120',
      'herald_channel_paused_seconds{channel="sms"}': '600x120',
    },
  },
  HeraldApprovalWaits: {
    speaks: { herald_oldest_approval_seconds: '14000+60x120' },
    silent: { herald_oldest_approval_seconds: '3000+60x120' },
  },
  HeraldUndecided: {
    speaks: { herald_unknown_undecided: '0x40 3x80' },
    silent: { herald_unknown_undecided: '0x100 3x20' },
  },
  HeraldOutcomesBad: {
    speaks: {
      'herald_outcomes_total{outcome="accepted"}': '0+7x120',
      'herald_outcomes_total{outcome="rejected"}': '0+3x120',
    },
    silent: {
      'herald_outcomes_total{outcome="accepted"}': '0+9x120',
      'herald_outcomes_total{outcome="rejected"}': '0+1x120',
    },
  },
  HeraldDatabaseFails: {
    speaks: { 'herald_database_seconds_count{result="failed"}': '0+1x120' },
    silent: { 'herald_database_seconds_count{result="failed"}': '0x60 1x60' },
  },
  HeraldLeaseLost: {
    speaks: { herald_lease_age_seconds: '1x100 9x20' },
    silent: { herald_lease_age_seconds: '1x120' },
  },
  HeraldDatabaseWaits: {
    speaks: { herald_database_waiting: '0x100 40x20' },
    silent: { herald_database_waiting: '15x120' },
  },
  HeraldLogGrows: {
    speaks: { 'herald_database_bytes{part="log"}': '2000000000x120' },
    silent: { 'herald_database_bytes{part="file"}': '2000000000x120' },
  },
  HeraldSlackFails: {
    speaks: {
      'herald_slack_api_seconds_count{result="ok"}': '0+1x120',
      'herald_slack_api_seconds_count{result="http_503"}': '0+2x120',
    },
    silent: {
      'herald_slack_api_seconds_count{result="ok"}': '0+2x120',
      'herald_slack_api_seconds_count{result="http_503"}': '0+1x120',
    },
  },
  HeraldAcknowledgesLate: {
    speaks: takes('herald_acknowledge_seconds'),
    silent: quick('herald_acknowledge_seconds'),
  },
  HeraldSetAside: {
    speaks: {
      'herald_inputs_set_aside_total{source="webhook"}': '0x100 1x20',
      herald_announcements_set_aside_total: '0x120',
    },
    silent: {
      'herald_inputs_set_aside_total{source="webhook"}': '4x120',
      herald_announcements_set_aside_total: '2x120',
    },
  },
  HeraldAlertsLate: {
    speaks: takes('herald_alert_request_seconds'),
    silent: quick('herald_alert_request_seconds'),
  },
};

const RULES = fileURLToPath(new URL('../deploy/alerts.yml', import.meta.url));
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}
const { groups } = parse(readFileSync(RULES, 'utf8')) as Rules;

it('has a course for each rule', () => {
  expect(Object.keys(COURSES)).toEqual(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
});

const folder = mkdtempSync(join(tmpdir(), 'herald-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));
const promtool = (...words: string[]) => spawnSync('promtool', words, { encoding: 'utf8' });
const { error } = promtool('--version');
if (error)
  console.log(`deploy/alerts.yml: NOT TRIED by promtool (Debian's package prometheus), because ${error}.`);

it.skipIf(error)('each rule speaks when it should, and is silent when it should', () => {
  /** Of what a rule says only its name matters here: whatever it says, it says it. */
  const tested = Object.entries(COURSES).flatMap(([alert, { speaks, silent }]) =>
    [speaks, silent].map((course, at) => ({
      name: `${alert}: ${at === 0 ? 'speaks' : 'is silent'}`,
      interval: '1m',
      input_series: Object.entries(course).map(([series, values]) => ({ series, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) > bool 0 or vector(0)`,
          eval_time: '2h',
          exp_samples: [{ labels: '{}', value: at === 0 ? 1 : 0 }],
        },
      ],
    })),
  );
  const file = join(folder, 'tests.yml');
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: tested }));
  const { stdout, stderr, status } = promtool('test', 'rules', file);
  expect({ said: stdout + stderr, status }).toEqual({ said: expect.stringContaining('SUCCESS'), status: 0 });
});
