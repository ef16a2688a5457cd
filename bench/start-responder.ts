import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts the service that every contender posts to, in a process of its own; it takes `answersAfterMs` for each answer. */
export async function startResponder(answersAfterMs = 0): Promise<{ readonly origin: string; stop(): void }> {
  const responder = fork(fileURLToPath(new URL('./responder.ts', import.meta.url)), [String(answersAfterMs)]);
  const [port] = (await once(responder, 'message')) as [number];
  return { origin: `http://127.0.0.1:${port}`, stop: () => responder.disconnect() };
}
