import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readDocument } from './written.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Before main.js, so that Node says it is of an older version. */
const OLDER = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.9.0' } })`;

it('says on an older Node which one Herald needs, before anything else is read', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', OLDER, MAIN, 'help']);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr:
      'Herald needs Node 26 or newer, and this is Node 24.9.0. Install that; in a clone npm start brings it.\n',
  });
});

it('needs no library of the machine but those of its C and C++, and one that the documents name', async () => {
  // Asked of a process of its own: what other tests have loaded here is none of Node's.
  const report = 'JSON.stringify(process.report.getReport().sharedObjects)';
  const { stdout } = await promisify(execFile)(process.execPath, ['--print', report]);
  const sharedObjects = JSON.parse(stdout) as readonly string[];
  const needed = sharedObjects.flatMap((path) => /(lib[^/]+)\.so\.\d+$/.exec(path)?.[1] ?? []);
  expect(needed).toContain('libc');
  const others = needed.filter((name) => !/^lib(?:c|dl|m|pthread|stdc\+\+|gcc_s)$/.test(name));
  for (const path of ['README.md', 'docs/troubleshooting.md'])
    for (const name of others) expect(readDocument(path).text, path).toContain(name);
});
