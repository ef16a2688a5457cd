import { parentPort, workerData } from 'node:worker_threads';
import { backUp } from './backups.ts';

/* A thread of backups.ts: the check of a large copy takes seconds, in which Herald goes on. */
const { file, copy } = workerData as { readonly file: string; readonly copy: string };
parentPort?.postMessage(await backUp(file, copy));
