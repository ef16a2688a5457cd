import { enableCompileCache } from 'node:module';

// Before anything else is imported: compiled code is kept between starts, which takes a third off the start.
enableCompileCache();

const { keepHeapSmall } = await import('./core/heap.ts');
keepHeapSmall();

const surroundings = {
  env: process.env,
  say: (text: string) => process.stderr.write(`${text}\n`),
  untilStopped: new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  }),
};
const [task, ...options] = process.argv.slice(2);
if (task === 'migrate') {
  const { runMigration } = await import('./migrate.ts');
  process.exitCode = await runMigration(options, surroundings);
} else {
  const { runHerald } = await import('./herald.ts');
  process.exitCode = await runHerald(surroundings);
}
