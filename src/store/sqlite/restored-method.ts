import type { Failure } from '../../sends/outcome.ts';
import type { SendStore } from '../../sends/ports.ts';
import { UNENDED, UNSETTLED } from '../../sends/states.ts';
import { HERALD } from '../actor.ts';
import type { NewestCopy } from './newest-copy.ts';
import type { Statements } from './statements.ts';
import { createTally } from './tally.ts';
import type { Transaction } from './transaction.ts';

/** Ends whatever a restored copy holds as not ended; nothing happens on the newest one. */
export function restoredMethod(
  sql: Statements,
  transaction: Transaction,
  newest: NewestCopy,
): SendStore['stopRestored'] {
  function stopAll(failure: Failure, at: number): readonly string[] {
    const why = JSON.stringify(failure);
    const unended = sql.idsByStates.all(JSON.stringify(UNENDED)).map(({ id }) => String(id));
    const tally = createTally(sql);
    for (const id of unended) {
      for (const state of UNSETTLED) {
        const { changes } = sql.doubtRecipients.run(why, at, id, state);
        tally.moveMany(id, state, 'unknown', Number(changes), Number(changes) > 0 ? why : undefined);
      }
    }
    tally.write();
    for (const id of unended) {
      const ended = sql.endRestored.get(why, id)?.state;
      sql.insertEvent.run(id, at, HERALD, String(ended), why);
    }
    newest.begin();
    return unended;
  }

  return async (failure, at) => {
    if (!newest.isOlder()) return undefined;
    const stopped = await transaction(() => stopAll(failure, at));
    newest.begun();
    return stopped;
  };
}
