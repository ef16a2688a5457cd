import { parentPort, workerData } from 'node:worker_threads';
import { readTemplateFile } from './yaml.ts';

/* A thread of service.ts. */
parentPort?.postMessage(readTemplateFile(workerData as string));
