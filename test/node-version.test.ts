import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Before main.js, so that Node says it is of an older version. */
const OLDER = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.9.0' } })`;

it('says on an older Node which one Herald needs, before anything else is read', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', OLDER, MAIN, 'help']);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: 'Herald needs Node 26 or newer, and this is Node 24.9.0. Install that, or use npm start.\n',
  });
});
