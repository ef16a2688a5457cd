import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { heraldEnvironment } from '../../sandbox/herald-environment.ts';
import { HeraldProcess } from '../../sandbox/herald-process.ts';
import { NUMBERS, reached, sendToMany } from '../e2e/bulk-steps.ts';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { slowly, TEAM, WITH_APPROVALS } from '../e2e/team.ts';

/* What happens to a database file while Herald is at a send: nobody gets it twice, and a refusal says what to do. */

const HOST = '127.0.0.1';
const CONFIG = WITH_APPROVALS + slowly(4);

let stack: E2eStack;
afterEach(() => stack?.stop());

/** In the middle of a send to twelve. */
async function inTheMiddle(): Promise<void> {
  stack = await startStack({ mode: 'socket', config: CONFIG, env: {} });
  await sendToMany(stack, 'The shop opens at nine.');
  await stack.eventually('some of them', () => reached(stack).length >= 3);
}

const files = (pattern: RegExp) => readdirSync(stack.dataDirectory).filter((name) => pattern.test(name));
function remove(pattern: RegExp): void {
  for (const name of files(pattern)) rmSync(join(stack.dataDirectory, name));
}
const twice = () => reached(stack).filter((number, place, all) => all.indexOf(number) !== place);

const NOT_THERE =
  /is an older copy than the one that was used here last, or is empty or not there.*Nothing was changed and nothing was sent\..*put the right one back/s;

test('a deleted file: the send ends, and Herald does not start without its database', async ({ task }) => {
  await inTheMiddle();
  remove(/^herald\.db/);
  await stack.untilShown(TEAM, /: done/, 60_000);
  await stack.stopHerald();
  expect(await stack.refusedStart()).toMatch(NOT_THERE);
  // Somebody throws away all of it: then nothing is known any more, and nothing is sent.
  remove(/^\.?herald\.db/);
  await stack.restart();
  await stack.stopHerald();
  expect(reached(stack).toSorted()).toEqual(NUMBERS);
  task.meta.figure = `${NUMBERS.length} recipients, each once`;
});

test('a lost log: Herald does not start on the rest, and sends nothing from it', async ({ task }) => {
  await inTheMiddle();
  await stack.killHerald();
  const before = reached(stack);
  expect(files(/-wal$/)).toHaveLength(1);
  remove(/-(?:wal|shm)$/);
  // What the log held may be all that there was.
  expect(await stack.refusedStart()).toMatch(/Nothing was changed and nothing was sent\./);
  expect(await stack.command(['accept-older-database'])).toMatchObject({ code: 0 });
  await stack.restart();
  await stack.stopHerald();
  expect(reached(stack)).toEqual(before);
  expect(twice()).toEqual([]);
  task.meta.figure = `${before.length} recipients, each once`;
});

test('a copy beside the original: it stops what the original goes on with', async ({ task }) => {
  await inTheMiddle();
  const copy = join(stack.dataDirectory, 'copy');
  mkdirSync(copy);
  // As “herald.db*” is copied: without the marker.
  for (const name of files(/^herald\.db/)) cpSync(join(stack.dataDirectory, name), join(copy, name));
  const port = await freePort(HOST);
  const lines: string[] = [];
  const other = new HeraldProcess({
    environment: heraldEnvironment({
      ...{ mode: 'socket', slackApiUrl: stack.workspace.apiUrl, carrierUrl: stack.carrier.url },
      ...{ host: HOST, port },
      databaseFile: join(copy, 'herald.db'),
      configurationFile: join(stack.dataDirectory, 'herald.yml'),
    }),
    url: `http://${HOST}:${port}`,
    onLine: (line) => lines.push(line),
  });
  expect(await other.ready()).toBe(true);
  expect(lines.join('\n')).toContain('the database is an older copy than the one used last');
  await stack.eventually('everybody', () => reached(stack).length >= NUMBERS.length, 60_000);
  await other.stop();
  await stack.stopHerald();
  expect(reached(stack).toSorted()).toEqual(NUMBERS);
  task.meta.figure = `${NUMBERS.length} recipients, each once`;
});
