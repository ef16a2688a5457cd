import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { table } from './table.ts';

/*
 * The rules of deploy/alerts.yml by Prometheus' own tests: for each a course of its metrics by which it speaks, and one by
 * which it is silent. A course has a value a minute, as promtool writes it: `0+1x60` goes up by one; `each 30 s` is a
 * histogram of ten a minute, each as long as that; `-` is no course. What is silent may be of another job, which never was
 * Herald's, or stand still because the service has asked for a pause.
 */
const COURSES = table`
HeraldIsGone | herald_build_info{job="herald", instance="a"} | 1x90 _x30 | 1x120
HeraldScrapeFailed | herald_build_info{job="herald", instance="a"} | 1x100 _x20 | 1x120
HeraldScrapeFailed | up{job="herald", instance="a"} | 1x100 0x20 | 1x120
HeraldScrapeFailed | up{job="other", instance="b"} | - | 0x120
HeraldNotReady | herald_ready{instance="a"} | 1x100 0x20 | 1x110 0x3 1x7
HeraldNotReady | herald_ready{instance="b"} | 1x120 | -
HeraldSlackRefused | herald_slack_refused | 0x100 1x20 | 0x120
HeraldReplicaGone | herald_replicas | 3x90 2x30 | 2x90 3x30
HeraldBackupOverdue | herald_backup_age_seconds | 169000+60x120 | 80000+60x60 0+60x60
HeraldDiskNearlyFull | herald_disk_free_bytes | 1900000000x120 | 2100000000x120
HeraldKeyRefused | herald_service_key_refused | 0x100 1x20 | 1x100 0x20
HeraldEventsDropped | herald_slack_events_dropped_total | 0x110 1x10 | 5x120
HeraldBreakerOpen | herald_breaker_open{channel="sms"} | 0x100 1x20 | 0x110 1x10
HeraldServiceSlow | herald_request_seconds | each 30 s | each 1 s
HeraldStandsStill | herald_oldest_pending_seconds | 0+60x120 | 0+60x120
HeraldStandsStill | herald_breaker_open{channel="sms"} | 0x120 | 0x120
HeraldStandsStill | herald_channel_paused_seconds{channel="sms"} | 0x120 | 600x120
HeraldApprovalWaits | herald_oldest_approval_seconds | 14000+60x120 | 3000+60x120
HeraldUndecided | herald_unknown_undecided | 0x40 3x80 | 0x100 3x20
HeraldOutcomesBad | herald_outcomes_total{outcome="accepted"} | 0+7x120 | 0+9x120
HeraldOutcomesBad | herald_outcomes_total{outcome="rejected"} | 0+3x120 | 0+1x120
HeraldDatabaseFails | herald_database_seconds_count{result="failed"} | 0+1x120 | 0x60 1x60
HeraldLeaseLost | herald_lease_age_seconds | 1x100 9x20 | 1x120
HeraldDatabaseWaits | herald_database_waiting | 0x100 40x20 | 15x120
HeraldLogGrows | herald_database_bytes{part="log"} | 2000000000x120 | -
HeraldLogGrows | herald_database_bytes{part="file"} | - | 2000000000x120
HeraldSlackFails | herald_slack_api_seconds_count{result="ok"} | 0+1x120 | 0+2x120
HeraldSlackFails | herald_slack_api_seconds_count{result="http_503"} | 0+2x120 | 0+1x120
HeraldAcknowledgesLate | herald_acknowledge_seconds | each 30 s | each 1 s
HeraldSetAside | herald_inputs_set_aside_total{source="webhook"} | 0x100 1x20 | 4x120
HeraldSetAside | herald_announcements_set_aside_total | 0x120 | 2x120
HeraldAlertsLate | herald_alert_request_seconds | each 30 s | each 1 s`;

/** The series of a course, as promtool takes them. */
function seriesOf(metric: string, course: string) {
  const seconds = Number(/^each (\d+) s$/.exec(course)?.[1]);
  if (course === '-') return [];
  if (Number.isNaN(seconds)) return [{ series: metric, values: course }];
  return ['1', '3', '30', '+Inf'].map((le) => ({
    series: `${metric}_bucket{le="${le}"}`,
    values: Number(le.replace('+Inf', 'Infinity')) >= seconds ? '0+10x120' : '0x120',
  }));
}

const RULES = fileURLToPath(new URL('../deploy/alerts.yml', import.meta.url));
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}
const { groups } = parse(readFileSync(RULES, 'utf8')) as Rules;

it('has a course for each rule', () => {
  expect([...new Set(COURSES.map(([alert]) => alert))]).toEqual(
    groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)),
  );
});

const folder = mkdtempSync(join(tmpdir(), 'herald-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));
const promtool = (...words: string[]) => spawnSync('promtool', words, { encoding: 'utf8' });
const { error } = promtool('--version');
if (error)
  console.log(`deploy/alerts.yml: NOT TRIED by promtool (Debian's package prometheus), because ${error}.`);

it.skipIf(error)('each rule speaks when it should, and is silent when it should', () => {
  /** Of what a rule says only its name matters here: whatever it says, it says it. */
  const tested = [...Map.groupBy(COURSES, ([alert]) => alert)].flatMap(([alert, rows]) =>
    [0, 1].map((at) => ({
      name: `${alert}: ${at === 0 ? 'speaks' : 'is silent'}`,
      interval: '1m',
      input_series: rows.flatMap(([, metric = '', ...courses]) => seriesOf(metric, courses[at] ?? '-')),
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
