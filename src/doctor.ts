import { readFileSync } from 'node:fs';
import { loadConfiguration } from './config/load.ts';
import { findingOf } from './config/problems.ts';
import { risksOf } from './config/risks.ts';
import { secretsOf } from './config/summary.ts';
import { systemClock } from './core/clock.ts';
import type { Finding } from './core/finding.ts';
import { systemRandom } from './core/random.ts';
import type { Surroundings } from './herald.ts';
import { checkApprovals, checkTokens } from './slack/check-workspace.ts';
import { checkBackups, checkDatabase } from './store/check.ts';
import { createLogger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { VERSION, versionInWords } from './version.ts';
import { wireConnections } from './wiring/connections.ts';
import { findInWorkspace } from './wiring/findings.ts';

/**
 * `doctor [--offline]`: looks at an installation, also while Herald runs, changes nothing and sends nothing. Returns the
 * exit code: 1 when something is wrong.
 */
export async function runDoctor(
  options: readonly string[],
  { env, say }: Pick<Surroundings, 'env' | 'say'>,
): Promise<number> {
  const offline = options.includes('--offline');
  if (options.length > Number(offline)) {
    say('doctor takes --offline and nothing else.');
    return 1;
  }
  const found: Finding[] = [];
  const tell = (name: string, findings: readonly Finding[]) => {
    found.push(...findings);
    say(linesOf(name, findings).join('\n'));
  };
  tell(`Herald ${versionInWords()}, Node ${process.versions.node}`, []);
  const loaded = loadConfiguration({ env, readFile: (path) => readFileSync(path, 'utf8') });
  if (!loaded.ok) {
    tell('Settings', loaded.error.map(findingOf));
    say('The rest is looked at once these are right.');
    return 1;
  }
  const { environment, team } = loaded.value;
  // Of groups only Slack knows who is in them.
  const approvals = offline ? checkApprovals(team.approvals, new Map()) : [];
  tell('Settings', [...risksOf(loaded.value), ...approvals]);
  tell('Database', await checkDatabase(environment.DATABASE_URL, offline));
  tell('Backups', checkBackups(environment.DATABASE_URL, team.backup, systemClock.now()));
  if (!offline) {
    const outside = {
      configuration: loaded.value,
      metrics: createMetrics(VERSION),
      logger: createLogger({ level: 'error', secrets: secretsOf(environment) }),
      clock: systemClock,
      random: systemRandom,
    };
    const { slackClient, gateway } = wireConnections(outside);
    const { identity, findings } = await checkTokens(slackClient, environment.SLACK_APP_TOKEN);
    tell('Slack', findings);
    if (identity !== undefined)
      tell(`Workspace ${identity.teamName}`, await findInWorkspace(outside, slackClient, identity));
    tell('Messaging service', await gateway.reach());
    await gateway.close();
  }
  const wrong = found.filter(({ weight }) => weight === 'wrong').length;
  say(found.length === 0 ? 'All is well.' : `${wrong} wrong, ${found.length - wrong} to think about.`);
  return wrong === 0 ? 0 : 1;
}

function linesOf(name: string, findings: readonly Finding[]): readonly string[] {
  const isWrong = findings.some(({ weight }) => weight === 'wrong');
  const mark = findings.length === 0 ? '✓' : isWrong ? '✗' : '!';
  return [`${mark} ${name}`, ...findings.map(({ what, fix }) => `    ${what}\n    → ${fix}`)];
}
