import { readFileSync } from 'node:fs';
import { secretsOf } from './config/environment.ts';
import { type Configuration, loadConfiguration } from './config/load.ts';
import { findingOf } from './config/problems.ts';
import { risksOf } from './config/risks.ts';
import { systemClock } from './core/clock.ts';
import type { Finding } from './core/finding.ts';
import { systemRandom } from './core/random.ts';
import type { Surroundings } from './herald.ts';
import { checkApprovals, checkTokens } from './slack/check-workspace.ts';
import { checkBackups, examineDatabase, nameOf } from './store/check.ts';
import { createLogger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { VERSION, versionInWords } from './version.ts';
import { accountInWords } from './wiring/account.ts';
import { wireConnections } from './wiring/connections.ts';
import { findInWorkspace } from './wiring/findings.ts';

const OPTIONS = ['--offline', '--json'];

/**
 * `doctor [--offline] [--json]`: looks at an installation, also while Herald runs, changes nothing and sends nothing. With
 * `--json` it says in the end, as one value, what it else says part by part. Returns the exit code: 1 when something is wrong.
 */
export async function runDoctor(
  options: readonly string[],
  { env, say, give, untilStopped }: Surroundings,
): Promise<number> {
  // As Ctrl-C would: there is nothing to bring to an end, and Slack or the service may take long to answer.
  void untilStopped.then(() => process.exit(130));
  if (options.some((option) => !OPTIONS.includes(option)) || new Set(options).size < options.length) {
    say('doctor takes --offline and --json, and nothing else.');
    return 1;
  }
  const isJson = options.includes('--json');
  /** What was looked at, and what was found there. */
  const parts: { readonly name: string; readonly findings: readonly Finding[] }[] = [];
  const isWhole = await lookAt(options.includes('--offline'), env, (name, findings) => {
    parts.push({ name, findings });
    if (!isJson) say(linesOf(name, findings).join('\n'));
  });
  const found = parts.flatMap(({ findings }) => findings);
  const wrong = found.filter(({ weight }) => weight === 'wrong').length;
  if (isJson) give(JSON.stringify({ ok: wrong === 0, ...VERSION, parts }, undefined, 2));
  else if (!isWhole) say('The rest is looked at once these are right.');
  else say(found.length === 0 ? 'All is well.' : `${wrong} wrong, ${found.length - wrong} to think about.`);
  return wrong === 0 ? 0 : 1;
}

type Report = (name: string, findings: readonly Finding[]) => void;

/** False where nothing but the settings was looked at, because they cannot be read. */
async function lookAt(offline: boolean, env: Surroundings['env'], report: Report): Promise<boolean> {
  report(`Herald ${versionInWords()}, Node ${process.versions.node}`, []);
  const loaded = loadConfiguration({ env, readFile: (path) => readFileSync(path, 'utf8') });
  if (!loaded.ok) {
    report('Settings', loaded.error.map(findingOf));
    return false;
  }
  const { environment, team } = loaded.value;
  // Only Slack knows who is in a group.
  const approvals = offline ? checkApprovals(team.approvals, new Map()) : [];
  report('Settings', [...risksOf(loaded.value), ...approvals]);
  const { DATABASE_URL } = environment;
  report(`Database ${nameOf(DATABASE_URL)}`, await examineDatabase(DATABASE_URL, offline));
  report('Backups', checkBackups(DATABASE_URL, team.backup, systemClock.now()));
  if (!offline) await lookOutside(loaded.value, report);
  return true;
}

async function lookOutside(configuration: Configuration, report: Report): Promise<void> {
  const { environment } = configuration;
  const outside = {
    configuration,
    metrics: createMetrics(VERSION),
    logger: createLogger({ level: 'error', secrets: secretsOf(environment) }),
    clock: systemClock,
    random: systemRandom,
  };
  const { slackClient, gateway } = wireConnections(outside);
  const { identity, findings } = await checkTokens(slackClient, environment.SLACK_APP_TOKEN);
  report('Slack', findings);
  if (identity !== undefined)
    report(`Workspace ${identity.teamName}`, await findInWorkspace(outside, slackClient, identity));
  const account = await accountInWords(environment.DATABASE_URL, configuration.team.wire);
  const untried =
    configuration.team.doctor.request === undefined && 'the key was not tried now (doctor.request)';
  report(
    ['Messaging service', [account, untried].filter(Boolean).join('; ')].filter(Boolean).join(': '),
    await gateway.reach(),
  );
  await gateway.close();
}

function linesOf(name: string, findings: readonly Finding[]): readonly string[] {
  const isWrong = findings.some(({ weight }) => weight === 'wrong');
  const mark = findings.length === 0 ? '✓' : isWrong ? '✗' : '!';
  return [`${mark} ${name}`, ...findings.map(({ what, fix }) => `    ${what}\n    → ${fix}`)];
}
