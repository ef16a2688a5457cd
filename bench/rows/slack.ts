import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../sandbox/free-port.ts';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { type Stack, startStack } from '../../sandbox/stack.ts';
import { median, perSecondText, type Row, ratios } from '../row.ts';
import { acksPerSecond, firstAnswer } from '../slack-load.ts';

const BOLT = fileURLToPath(new URL('../contenders/bolt.ts', import.meta.url));
const CONFIGURATION = fileURLToPath(new URL('../../sandbox/herald.yml', import.meta.url));
const REQUESTS = 40_000;
const STARTS_A_ROUND = 3;
/** After the start, until what it left to be done has been done. */
const REST_MS = 3_000;

interface Running {
  readonly pid: number;
  readonly origin: string;
  stop(): Promise<unknown>;
}

/** Herald against Bolt as its guide starts it: signed commands acknowledged, the start, memory at rest. */
export async function slack(rounds: number): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const stack = await startStack({
    mode: 'http',
    ports: { workspace: 0, carrier: 0, herald: await freePort('127.0.0.1') },
    dataDir: folder,
    configurationFile: CONFIGURATION,
    onLine: () => {},
  });
  const first = startHerald(stack);
  const answer = await firstAnswer(first.origin);
  await first.stop();
  const port = await freePort('127.0.0.1');
  const contenders = { herald: () => startHerald(stack), bolt: () => startBolt(stack, port, answer) };

  const acks = { herald: [] as number[], bolt: [] as number[] };
  const starts = { herald: [] as number[], bolt: [] as number[] };
  const memory = { herald: [] as number[], bolt: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['herald', 'bolt'] as const) {
      const times: number[] = [];
      for (let start = 0; start < STARTS_A_ROUND; start += 1) {
        const begun = performance.now();
        const running = contenders[name]();
        await firstAnswer(running.origin);
        times.push(performance.now() - begun);
        if (start === STARTS_A_ROUND - 1) {
          await delay(REST_MS);
          memory[name].push(residentMb(running.pid));
          await acksPerSecond(running.origin, REQUESTS / 5);
          acks[name].push(await acksPerSecond(running.origin, REQUESTS));
        }
        await running.stop();
      }
      starts[name].push(median(times));
    }
  }
  await stack.close();
  rmSync(folder, { recursive: true });
  const both = (of: { herald: number[]; bolt: number[] }, text: (value: number) => string) =>
    `Herald ${text(median(of.herald))}, Bolt ${text(median(of.bolt))}`;
  return [
    {
      work: 'ack, signed, 50 connections / stock Bolt',
      goal: '≥ 1.0',
      figures: ratios(acks.herald, acks.bolt),
      note: both(acks, perSecondText),
    },
    {
      work: 'start to the first answer / stock Bolt',
      goal: '≤ 1.5',
      figures: ratios(starts.herald, starts.bolt),
      note: both(starts, (ms) => `${ms.toFixed(0)} ms`),
    },
    {
      work: 'memory at rest / stock Bolt',
      goal: '≤ 1.6',
      figures: ratios(memory.herald, memory.bolt),
      note: both(memory, (mb) => `${mb.toFixed(0)} MB`),
    },
  ];
}

function startHerald(stack: Stack): Running {
  const herald = stack.startHerald();
  return { pid: herald.pid ?? 0, origin: stack.heraldUrl, stop: () => herald.stop() };
}

function startBolt(stack: Stack, port: number, answer: string): Running {
  const { botToken, signingSecret } = SANDBOX_CREDENTIALS;
  const child = spawn(process.execPath, [BOLT], {
    env: {
      SLACK_API_URL: stack.workspace.apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      PORT: String(port),
      ANSWER: answer,
    },
    stdio: 'ignore',
  });
  return {
    pid: child.pid ?? 0,
    origin: `http://127.0.0.1:${port}`,
    stop: () => {
      child.kill();
      return once(child, 'exit');
    },
  };
}

/** What a process holds in memory; Linux only. */
function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}
