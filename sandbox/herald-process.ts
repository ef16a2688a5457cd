import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface HeraldProcessOptions {
  /** The whole environment of the process but for where compiled code is kept: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it listens, as told by HOST and PORT in `environment`. */
  readonly url: string;
  /** What follows `main.js`: another command than to run Herald. */
  readonly command?: readonly string[];
  /** The folder with another version's `dist`. */
  readonly project?: string;
  /** Each line of output, standard error included. */
  onLine(line: string): void;
}

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
/** As the image has it: then the first file, which asks for the cache itself, comes out of it as well. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
const READY_DEADLINE_MS = 60_000;
const READY_PROBE_MS = 40;
const STOP_DEADLINE_MS = 10_000;

/** Herald as a process of its own, as an operator runs it: by its environment, over HTTP and by signals. */
export class HeraldProcess {
  readonly url: string;
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;

  constructor(options: HeraldProcessOptions) {
    this.url = options.url;
    const { project = PROJECT, command = [] } = options;
    const child = spawn(process.execPath, [join(project, 'dist', 'main.js'), ...command], {
      cwd: project,
      env: { ...COMPILE_CACHE, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) forwardLines(stream, options.onLine);
    // "close" and not "exit": by then every line of output has been read.
    this.exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves true once /readyz answers 200, false when the process ends or a minute passes first. */
  async ready(): Promise<boolean> {
    const expiry = Date.now() + READY_DEADLINE_MS;
    while (this.running && Date.now() < expiry) {
      if (await answersReady(this.url)) return true;
      await Promise.race([this.exited, pause(READY_PROBE_MS)]);
    }
    return false;
  }

  /** Asks it to end, as an operator does, and insists after 10 s. */
  async stop(): Promise<Exit> {
    this.#child.kill('SIGTERM');
    const insist = setTimeout(() => this.#child.kill('SIGKILL'), STOP_DEADLINE_MS);
    const exit = await this.exited;
    clearTimeout(insist);
    return exit;
  }

  /** Sends a signal and does not wait. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<Exit> {
    this.#child.kill('SIGKILL');
    return this.exited;
  }
}

function forwardLines(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream) createInterface({ input: stream }).on('line', onLine);
}

async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
