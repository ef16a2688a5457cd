import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Arguments, linesToTry, parseArguments, USAGE } from './arguments.ts';
import { probePort } from './free-port.ts';
import type { Exit } from './herald-process.ts';
import { type Stack, startStack } from './stack.ts';
import { supervise } from './supervise.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const DATA_DIR = join(PROJECT, '.sandbox');
const CONFIGURATION = join(PROJECT, 'sandbox', 'herald.yml');
const HOST = '127.0.0.1';
/** Any will do: what is sent to one number is answered alike in each sandbox. */
const WEATHER_SEED = 1;
/** How much of Herald's output is shown when it ends by itself. */
const LAST_LINES = 12;

async function main(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2));
  if (!parsed.ok && parsed.problem === undefined) return say(USAGE);
  if (!parsed.ok) return giveUp(`${parsed.problem}\n\n${USAGE}`);
  const options = parsed.value;
  // Before anything is deleted: a sandbox that is already running owns that data.
  const taken = await portProblem(options);
  if (taken) return giveUp(taken);
  const dataDir = dataDirOf(options);
  if (options.fresh) await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });

  const log = createWriteStream(logFileOf(options), { flags: 'a', mode: 0o600 });
  const recent: string[] = [];
  const stack = await startStack({
    mode: options.mode,
    ports: options.ports,
    dataDir,
    keepHistory: true,
    reports: 'soon',
    weather: { seed: WEATHER_SEED },
    configurationFile: CONFIGURATION,
    onLine: (line) => {
      log.write(`${line}\n`);
      // Log records stay in the file: the screen gets what Herald says to its operator.
      if (!line.startsWith('{')) recent.push(line);
      if (recent.length > LAST_LINES) recent.shift();
    },
  });
  keepRunning(stack, options, log, recent);
}

function keepRunning(stack: Stack, options: Arguments, log: WriteStream, recent: string[]): void {
  let greeted = false;
  const supervisor = supervise({
    start: () => {
      recent.length = 0;
      return stack.startHerald();
    },
    onReady: ({ pid }) => {
      say(greeted ? `Herald is back, as process ${pid}.` : greeting(options, pid));
      greeted = true;
    },
    onExit: (exit, restartInMs) => say(exitReport(exit, restartInMs, recent, logFileOf(options))),
    sleep: async (ms, signal) => {
      await delay(ms, undefined, { signal }).catch(() => undefined);
    },
    now: () => Date.now(),
  });
  let ending = false;
  const end = async (): Promise<void> => {
    say('\nStopping…');
    await supervisor.stop();
    await stack.close();
    log.end();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // A second Ctrl-C means "now".
      if (ending) process.exit(1);
      ending = true;
      end().catch((error: unknown) => giveUp(String(error)));
    });
}

async function portProblem(options: Arguments): Promise<string | undefined> {
  for (const [user, port] of Object.entries(options.ports)) {
    const probe = await probePort(HOST, port);
    if (probe.free) continue;
    const why = probe.reason === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${probe.reason})`;
    return (
      `Port ${port}, which the ${user === 'herald' ? 'Herald process' : user} needs, ${why}. ` +
      'Is a sandbox already running? End it, or begin elsewhere: npm run sandbox -- --port 8090'
    );
  }
  return undefined;
}

/** A folder a port: only one sandbox can hold the port, so only one uses the data. */
function dataDirOf({ ports }: Arguments): string {
  return join(DATA_DIR, String(ports.workspace));
}

function logFileOf(options: Arguments): string {
  return join(dataDirOf(options), 'herald.log');
}

function greeting(options: Arguments, heraldPid: number | undefined): string {
  const { ports, mode } = options;
  const way = mode === 'socket' ? 'Socket Mode' : 'signed HTTP requests';
  return `
Herald's sandbox is running: a Slack workspace, a carrier with phones, and Herald between them. Open it:

  http://localhost:${ports.workspace}

Three things to try in #team, there with a click as well:
${linesToTry()}

Herald is process ${heraldPid}, connected by ${way}; its log is ${relative(PROJECT, logFileOf(options))}.
Ctrl-C ends it; what happened is kept in ${relative(PROJECT, dataDirOf(options))}/ until --fresh.`;
}

function exitReport(exit: Exit, restartInMs: number, recent: readonly string[], logFile: string): string {
  const how = exit.signal ? `was ended by ${exit.signal}` : `ended with code ${exit.code}`;
  const last = recent.map((line) => `\n  ${line}`).join('');
  return `Herald ${how}; its log is ${relative(PROJECT, logFile)}.${last}\nIt is started again in ${restartInMs / 1000} s.`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function giveUp(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

await main().catch((error: unknown) => giveUp(error instanceof Error ? error.message : String(error)));
