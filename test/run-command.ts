import { runCommand } from '../src/commands.ts';
import { systemClock } from '../src/core/clock.ts';
import { systemRandom } from '../src/core/random.ts';
import { openStores } from '../src/store/open.ts';
import type { Stores } from '../src/store/stores.ts';
import { UNOBSERVED } from '../src/store/stores.ts';
import { createRecordingLogger } from './fakes/logger.ts';

/** A command as somebody types it after `node dist/main.js`: how it ends, and what it says. */
export async function typed(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  const given: string[] = [];
  const untilStopped = new Promise<never>(() => undefined);
  const code = await runCommand(words, {
    ...{ env, untilStopped },
    say: (text) => said.push(text),
    give: (text) => given.push(text),
  });
  return { code, said: said.join('\n'), ...(given.length > 0 && { given: given.join('\n') }) };
}

/** What a Herald has open meanwhile. */
export async function openedStores(url: string, pseudonymKey?: string): Promise<Stores> {
  const stores = await openStores(url, {
    ...{ clock: systemClock, random: systemRandom, logger: createRecordingLogger(), observer: UNOBSERVED },
    ...(pseudonymKey !== undefined && { pseudonymKey }),
  });
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}
