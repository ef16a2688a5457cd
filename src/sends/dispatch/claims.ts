import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { SendStore } from '../ports.ts';
import type { RecipientRow, Send } from '../send.ts';

/** Recipients read at a time when those that may be sent to are looked for among others. */
const PAGE = 5_000;

/** What is left to claim of one send, in row order. */
export interface Claims {
  /** How many may be left; 0 once there are none. */
  readonly left: number;
  /**
   * Claims up to `limit`. Fewer, or none, when somebody paused or stopped the send, or another process has the rest.
   */
  take(limit: number, at: number): Promise<readonly RecipientRow[]>;
  /** Others have what is left. */
  none(): void;
  /** From now on only recipients whose number passes are claimed; the others stay as they are. */
  only(passes: (number: Msisdn) => boolean): void;
}

/** @param isTaken true for pending rows that somebody else here looks after, e.g. because they wait for a retry */
export function createClaims(
  store: Pick<SendStore, 'claim' | 'claimAgain' | 'recipients'>,
  send: Send,
  isTaken: (row: number) => boolean,
): Claims {
  let left = send.counts.pending;
  let passes: ((number: Msisdn) => boolean) | undefined;
  let found: number[] = [];
  let readTo = -1;

  /** Reads on until some are found that pass, or there are no more. */
  async function look(): Promise<void> {
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
    await look();
    const rows = found.splice(0, limit);
    return rows.length === 0 ? [] : store.claimAgain(send.id, rows, at);
  }

  return {
    get left() {
      return left;
    },
    take: async (limit, at) => {
      if (passes !== undefined) return takeFound(limit, at);
      const claimed = await store.claim(send.id, limit, at);
      left -= claimed.length;
      return claimed;
    },
    none: () => {
      left = 0;
    },
    only: (condition) => {
      passes = condition;
      found = [];
      readTo = -1;
    },
  };
}
