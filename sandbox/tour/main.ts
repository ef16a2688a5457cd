import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_PORT, linesToTry } from '../arguments.ts';
import { SENTINELS } from '../carrier/sentinels.ts';
import { freePort } from '../free-port.ts';
import { startStack } from '../stack.ts';
import { alertAtNight } from './alerts.ts';
import { customersAnswer } from './answers.ts';
import { CAMPAIGN, campaign } from './campaign.ts';
import { largeList } from './large-list.ts';
import { Narrator } from './narrator.ts';
import { ERRANDS, runErrand } from './rows.ts';
import { Stage } from './stage.ts';
import { correctedNumber, twelveCodes, unknownErrorIn200 } from './trouble.ts';
import { Verification } from './verification.ts';

const YOUR_TURN = `Now you: npm run sandbox, then open http://localhost:${DEFAULT_PORT}. In #team, type

${linesToTry()}`;
const CONFIGURATION = fileURLToPath(new URL('../herald.yml', import.meta.url));

/** Plays a morning of the team over the sandbox's servers; false when something was not as told. */
async function tour(): Promise<boolean> {
  const startedAt = performance.now();
  const dataDir = await mkdtemp(join(tmpdir(), 'herald-tour-'));
  const lines: string[] = [];
  const stack = await startStack({
    mode: 'socket',
    ports: { workspace: 0, carrier: 0, herald: await freePort('127.0.0.1') },
    dataDir,
    configurationFile: CONFIGURATION,
    onLine: (line) => lines.push(line),
  });
  let herald = stack.startHerald();
  const restart = async () => {
    await herald.kill();
    herald = stack.startHerald();
    return herald.ready();
  };
  const narrator = new Narrator((text) => process.stdout.write(text));
  const verification = new Verification();
  try {
    verification.claim('Herald started', await herald.ready(), lines.slice(-5));
    await play(new Stage(stack, narrator, verification), restart);
  } catch (error) {
    verification.claim(error instanceof Error ? error.message : String(error), false, lines.slice(-5));
  } finally {
    const exit = await herald.stop();
    verification.same('Herald ended well when asked to', exit, { code: 0, signal: null });
    await stack.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  checkSecrets(verification, lines.join('\n'));
  return report(verification, performance.now() - startedAt);
}

async function play(stage: Stage, restart: () => Promise<boolean>): Promise<void> {
  const { narrator, verification } = stage;
  narrator.chapter('A morning at Acme, in #team');
  for (const errand of ERRANDS) await runErrand(stage, errand);
  narrator.chapter('A wrong number, corrected');
  await correctedNumber(stage);
  narrator.chapter('The twelve codes, decoded');
  await twelveCodes(stage);
  await unknownErrorIn200(stage);
  narrator.chapter('A campaign that nobody starts alone');
  await campaign(stage, restart);
  const sentinels = new Set(SENTINELS.map(({ number }) => number));
  const ordinary = Object.entries(stage.phones()).filter(
    ([number]) => !sentinels.has(number) && !number.startsWith(CAMPAIGN),
  );
  verification.same(
    'Every customer of the morning got one message',
    ordinary.map(([, inbox]) => inbox.length),
    [...ERRANDS.map(() => 1), 1],
  );
  narrator.chapter('Customers answer');
  await customersAnswer(stage);
  narrator.chapter('A list that is too large for a form');
  await largeList(stage);
  narrator.chapter('An alert at night');
  await alertAtNight(stage);
}

function checkSecrets(verification: Verification, log: string): void {
  verification.claim('No one-time password is in the log', !log.includes('482913'));
  verification.claim('No key or token is in the log', !/sandbox-api-key|xoxb-|xapp-/.test(log));
  verification.claim('No customer’s number is in the log', !/9198123456\d\d|9170\d{8}/.test(log));
}

function report(verification: Verification, ms: number): boolean {
  const { claims, failures } = verification;
  const seconds = (ms / 1000).toFixed(1);
  if (failures.length === 0) {
    process.stdout.write(
      `\nAll ${claims} things told above were checked and are so (${seconds} s).\n\n${YOUR_TURN}\n`,
    );
    return true;
  }
  const list = failures.map((failure) => `  - ${failure}`).join('\n');
  process.stdout.write(`\n${failures.length} of ${claims} things are not as told (${seconds} s):\n${list}\n`);
  return false;
}

process.exitCode = (await tour()) ? 0 : 1;
