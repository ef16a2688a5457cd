import { readFileSync } from 'node:fs';
// As a whole: a Node that is too old lacks what is used of it, and would stop with a stack in place of the sentence below.
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

const needed = Number.parseInt(packageJson.engines.node.replace('>=', ''), 10);
if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `Herald needs Node ${needed} or newer, and this is Node ${process.versions.node}. Install that; in a clone npm start brings it.\n`,
  );
  process.exit(1);
}

// Before the rest is read, which takes a moment: the first process of a container ignores a signal that it does not handle.
const untilStopped = new Promise((resolve) => {
  // A terminal that is closed asks as well. Asked twice, Herald goes on waiting for what is on its way.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, resolve);
});

// Before anything else is imported: compiled code is kept between starts, which takes a third off the start. In the
// environment, because that is where threads look for it.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
nodeModule.enableCompileCache();

const { keepHeapSmall } = await import('./core/heap.ts');
keepHeapSmall();

const { lastWords } = await import('./crash.ts');
const { withSecretFiles } = await import('./config/secret-files.ts');
const { runCommand } = await import('./commands.ts');

const env = withSecretFiles(process.env, (path) => readFileSync(path, 'utf8'));
const say = (text: string) => process.stderr.write(`${text}\n`);
const give = (text: string) => process.stdout.write(`${text}\n`);
function breakOff(error: unknown): never {
  try {
    say(lastWords(error, env));
  } finally {
    process.exit(1);
  }
}
// This also hears of a rejection that nobody handles: Node itself would print the error with all that is in it.
process.on('uncaughtException', breakOff);

try {
  process.exitCode = await runCommand(process.argv.slice(2), { env, say, give, untilStopped });
} catch (error) {
  breakOff(error);
}
