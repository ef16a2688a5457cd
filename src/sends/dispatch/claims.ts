import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { DispatchStore, SendReader } from '../ports.ts';
import type { RecipientRow, Send } from '../send.ts';

/** Recipients read at a time while looking for those that pass. */
const PAGE = 5_000;

/**
 * Claims recipients of one send, in row order.
 *
 * @param isTaken true for pending rows that are not to be claimed here, e.g. because they wait for a retry
 */
export function createClaims(
  store: Pick<SendReader, 'recipients'> & Pick<DispatchStore, 'claim' | 'claimAgain'>,
  send: Send,
  isTaken: (row: number) => boolean,
) {
  let left = send.counts.pending;
  let othersHaveIt = false;
  let passes: ((number: Msisdn) => boolean) | undefined;
  let found: number[] = [];
  let readTo = -1;

  /** Reads on until some pass, or there are no more. */
  async function find(): Promise<void> {
    while (found.length === 0) {
      const rows = await store.recipients(send.id, readTo, PAGE);
      const last = rows.at(-1);
      if (last === undefined) {
        left = 0;
        return;
      }
      readTo = last.row;
      found = rows
        .filter(({ row, state, number }) => state === 'pending' && passes?.(number) && !isTaken(row))
        .map(({ row }) => row);
    }
  }

  async function takeFound(limit: number, at: number): Promise<readonly RecipientRow[]> {
    await find();
    const rows = found.splice(0, limit);
    return rows.length === 0 ? [] : store.claimAgain(send.id, rows, at);
  }

  return {
    /** At most so many are left to claim. */
    get left(): number {
      return othersHaveIt ? 0 : left;
    },
    /** Whether all that are left were claimed, or looked at and do not pass. */
    get isThrough(): boolean {
      return left === 0;
    },
    /** Claims up to `limit`; fewer or none when the send was paused or stopped, or other processes have the rest. */
    take: async (limit: number, at: number): Promise<readonly RecipientRow[]> => {
      if (passes !== undefined) return takeFound(limit, at);
      const claimed = await store.claim(send.id, limit, at);
      left -= claimed.length;
      return claimed;
    },
    /** Other processes have what is left. */
    none: () => {
      othersHaveIt = true;
    },
    /** From now on claims only recipients whose number passes. */
    only: (condition: (number: Msisdn) => boolean) => {
      passes = condition;
      found = [];
      readTo = -1;
    },
  };
}
