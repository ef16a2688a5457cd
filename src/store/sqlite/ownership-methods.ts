import type { Failure } from '../../sends/outcome.ts';
import type { DispatchStore, SendStore } from '../../sends/ports.ts';
import type { Send, SendState } from '../../sends/send.ts';
import { UNSETTLED } from '../../sends/states.ts';
import { sendFrom } from '../rows.ts';
import { endUnended } from '../send-statements.ts';
import type { Runner } from '../sql.ts';
import type { SqliteDatabase } from './database.ts';
import { finishTouched } from './dispatch-methods.ts';
import type { NewestCopy } from './newest-copy.ts';
import type { Statements } from './statements.ts';
import { createTally } from './tally.ts';

type OwnershipMethods = Pick<
  SendStore,
  'recoverInterrupted' | 'adopt' | 'owns' | 'claim' | 'claimAgain' | 'stopRestored'
>;

/**
 * One process has the file, so whoever wrote what was there when it was opened is dead, and nobody dies while it is open.
 */
export function ownershipMethods(
  sql: Statements,
  { transaction, inTurn }: SqliteDatabase,
  newest: NewestCopy,
  { claim, claimAgain }: Pick<DispatchStore, 'claim' | 'claimAgain'>,
): OwnershipMethods {
  const leftBehind = new Set(sql.unfinishedSends.all().map(({ id }) => String(id)));
  /** From the first claim on, what is `attempting` may be this process's own. */
  let claimed = false;

  function interrupt(failure: Failure, at: number): readonly string[] {
    if (claimed) return [];
    const interrupted = sql.interruptedSends.all().map((row) => String(row.id));
    const why = JSON.stringify(failure);
    const tally = createTally(sql);
    for (const id of interrupted) {
      const { changes } = sql.doubtRecipients.run(why, at, id, 'attempting');
      tally.move(id, 'attempting', 'unknown', Number(changes), why);
    }
    finishTouched(sql, tally, at);
    sql.rewindSending.run();
    return interrupted;
  }

  const isThere = (sendId: string) => inTurn(() => sql.findSend.get(sendId) !== undefined);

  function adopt(states: readonly SendState[], limit: number): readonly Send[] {
    const adopted = [...leftBehind]
      .flatMap((id) => sql.findSend.all(id).map(sendFrom))
      .filter(({ state }) => states.includes(state))
      .slice(0, limit);
    for (const { id } of adopted) leftBehind.delete(id);
    return adopted;
  }

  async function stopRestored(runner: Runner, failure: Failure, at: number): Promise<readonly string[]> {
    const why = JSON.stringify(failure);
    const ended = await endUnended(runner, why, at);
    const tally = createTally(sql);
    for (const id of ended) {
      for (const state of UNSETTLED) {
        const { changes } = sql.doubtRecipients.run(why, at, id, state);
        tally.move(id, state, 'unknown', Number(changes), Number(changes) > 0 ? why : undefined);
      }
    }
    tally.write();
    newest.begin();
    return ended;
  }

  return {
    recoverInterrupted: (failure, at) => transaction(() => interrupt(failure, at)),
    adopt: (states, limit) => inTurn(() => adopt(states, limit)),
    owns: isThere,
    claim: (...which) => {
      claimed = true;
      return claim(...which);
    },
    claimAgain: (...which) => {
      claimed = true;
      return claimAgain(...which);
    },
    stopRestored: async (failure, at) => {
      if (!newest.isOlder()) return undefined;
      const stopped = await transaction((runner) => stopRestored(runner, failure, at));
      newest.begun();
      return stopped;
    },
  };
}
