import { existsSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../core/logger.ts';
import { personOf } from '../messages/numbers/person.ts';
import type { AudienceStore, OptOut, OptOutRemoval } from '../sends/audience.ts';

const NAME = 'opt-outs.jsonl';
const OWNER_ONLY_FILE = 0o600;

/** One line of the journal: who was added to the opt-out list, or is on it no more. */
type Entry = OptOut | Pick<OptOut, 'number'>;

/** Notes each change of the opt-out list in the folder of the backups as well, because a backup lacks what came after it. */
export function withJournal<Stores extends { readonly audiences: AudienceStore }>(
  stores: Stores,
  folder: string,
  logger: Logger,
): Stores {
  const store = stores.audiences;

  let noted = Promise.resolve();

  /** One after the other, as the store took them. Each begins a line, so that one that was broken off spoils no other. */
  function note(entries: readonly Entry[]): Promise<void> {
    const lines = entries.map((entry) => `\n${JSON.stringify(entry)}`).join('');
    noted = noted
      .then(() => appendFile(join(folder, NAME), lines, { mode: OWNER_ONLY_FILE, flush: true }))
      .catch((error: unknown) =>
        logger.warn({ error }, 'a change of the opt-out list is not in the folder of backups'),
      );
    return noted;
  }
  // Not spread: the store may be a proxy, whose methods nothing lists.
  const audiences = Object.assign(Object.create(store) as AudienceStore, {
    optOut: async (optOuts: readonly OptOut[]) => {
      const added = await store.optOut(optOuts);
      if (added > 0) await note(optOuts);
      return added;
    },
    optIn: async (number: OptOut['number'], removal: OptOutRemoval) => {
      const removed = await store.optIn(number, removal);
      if (removed) await note([{ number }]);
      return removed;
    },
  } satisfies Pick<AudienceStore, 'optOut' | 'optIn'>);
  return { ...stores, audiences };
}

/** Reads from the journal in this folder who is on the list; undefined when there is none. */
export function journaledIn(folder: string): readonly OptOut[] | undefined {
  const journal = join(folder, NAME);
  if (!existsSync(journal)) return undefined;
  const entries = readFileSync(journal, 'utf8').split('\n').flatMap(entryFrom);
  return [...new Map(entries.map((one) => [personOf(one.number), one])).values()].filter(
    (one) => 'at' in one,
  );
}

function entryFrom(line: string): readonly Entry[] {
  try {
    const { number, at, actor, source } = JSON.parse(line) as Partial<OptOut>;
    if (number === undefined) return [];
    return [at && actor && source ? { number, at, actor, source } : { number }];
  } catch {
    return [];
  }
}
