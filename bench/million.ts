import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeList } from './list-file.ts';
import { startResponder } from './start-responder.ts';

/*
 * Peak memory of reading a list and of sending to it, at a tenth of the audience and at the whole: it must stay under
 * 400 MB and not grow with the audience. Every run has a process of its own.
 */
const WHOLE = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
const responder = await startResponder();

for (const rows of [WHOLE / 10, WHOLE]) {
  const file = join(folder, `list-${rows}.csv`);
  await writeList(file, rows);
  await report(`reading ${rows} rows`, './ingest-contender.ts', ['herald', file]);
  await report(`sending to ${rows}`, './dispatch-contender.ts', [responder.origin, String(rows)]);
}
responder.stop();
rmSync(folder, { recursive: true });

async function report(what: string, script: string, args: readonly string[]): Promise<void> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [...args]);
  const [{ perSecond, peakMb }] = (await once(child, 'message')) as [{ perSecond: number; peakMb: number }];
  console.log(`${what}: ${(perSecond / 1_000).toFixed(0)} k/s, peak ${peakMb.toFixed(0)} MB (aim under 400)`);
}
