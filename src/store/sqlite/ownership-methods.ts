import type { Failure } from '../../sends/outcome.ts';
import type { SendStore } from '../../sends/ports.ts';
import type { Send, SendState } from '../../sends/send.ts';
import { HERALD } from '../actor.ts';
import { sendFrom } from '../rows.ts';
import type { Statements } from './statements.ts';
import { createTally } from './tally.ts';
import type { Transaction } from './transaction.ts';

type OwnershipMethods = Pick<
  SendStore,
  'recoverInterrupted' | 'adopt' | 'owns' | 'announces' | 'claim' | 'claimAgain'
>;

/**
 * One process has the file, so whoever wrote what was there when it was opened is dead, and nobody dies while it is open.
 */
export function ownershipMethods(
  sql: Statements,
  transaction: Transaction,
  { claim, claimAgain }: Pick<SendStore, 'claim' | 'claimAgain'>,
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
      tally.moveMany(id, 'attempting', 'unknown', Number(changes), why);
    }
    for (const id of tally.write()) {
      sql.bumpRevision.run(id);
      if (sql.finishSend.run(id).changes === 1) sql.insertEvent.run(id, at, HERALD, 'done', null);
    }
    sql.rewindSending.run();
    return interrupted;
  }

  const isThere = (sendId: string) => sql.findSend.get(sendId) !== undefined;

  function adopt(states: readonly SendState[], limit: number): readonly Send[] {
    const adopted = [...leftBehind]
      .flatMap((id) => sql.findSend.all(id).map(sendFrom))
      .filter(({ state }) => states.includes(state))
      .slice(0, limit);
    for (const { id } of adopted) leftBehind.delete(id);
    return adopted;
  }

  return {
    recoverInterrupted: (failure, at) => transaction(() => interrupt(failure, at)),
    adopt: async (states, limit) => adopt(states, limit),
    owns: async (sendId) => isThere(sendId),
    announces: async (sendId) => isThere(sendId),
    claim: (...which) => {
      claimed = true;
      return claim(...which);
    },
    claimAgain: (...which) => {
      claimed = true;
      return claimAgain(...which);
    },
  };
}
