import { spawnSync } from 'node:child_process';

/*
 * Whether a weakness is known of a package that Herald runs with, by the registry. Where none answers, nobody can say: then
 * that is printed, and nothing fails.
 */
interface Audit {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
  readonly message?: string;
}

const ASKING = ['--fetch-retries=0', '--fetch-timeout=20000'];
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', ...ASKING], { encoding: 'utf8' });
const audit = answered(stdout);
if (audit.metadata === undefined)
  console.log(
    `npm audit: not answered, so nothing is known of weaknesses (${audit.message ?? 'no answer'}).`,
  );
else {
  const { total = 0 } = audit.metadata.vulnerabilities;
  console.log(`npm audit: ${total} weaknesses known of what Herald runs with.`);
  if (total > 0) console.log(stdout);
  process.exitCode = total === 0 ? 0 : 1;
}

function answered(text: string): Audit {
  try {
    return JSON.parse(text) as Audit;
  } catch {
    return { message: text.slice(0, 200) };
  }
}
