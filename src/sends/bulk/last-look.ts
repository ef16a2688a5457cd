import type { Clock } from '../../core/clock.ts';
import type { AudienceStore } from '../audience.ts';
import type { Failure } from '../outcome.ts';
import type { SendStore } from '../ports.ts';
import type { RecipientRow, Send } from '../send.ts';
import * as say from './sentences.ts';

const HOUR_MS = 3_600_000;

/** `frequencyCap` of herald.yml: messages a number may get within some hours, over all sends. */
interface FrequencyCap {
  readonly perNumber: number;
  readonly hours: number;
}

interface LastLookDependencies {
  readonly store: Pick<SendStore, 'sentSince'>;
  readonly audiences: Pick<AudienceStore, 'optedOut'>;
  readonly clock: Clock;
  readonly frequencyCap?: FrequencyCap | undefined;
}

/** The look at each claimed batch just before it goes out: who has opted out since, and who had enough lately. */
export function createLastLook({ store, audiences, clock, frequencyCap }: LastLookDependencies) {
  return async (_send: Send, rows: readonly RecipientRow[]): Promise<ReadonlyMap<number, Failure>> => {
    const numbers = rows.map(({ number }) => number);
    const optedOut = await audiences.optedOut(numbers);
    const sent = frequencyCap && (await store.sentSince(numbers, clock.now() - frequencyCap.hours * HOUR_MS));
    const left = new Map<number, Failure>();
    for (const { row, number } of rows) {
      if (optedOut.has(number)) left.set(row, say.OPTED_OUT);
      // The attempt that is about to be made is counted already: it is stored as `attempting`.
      else if (frequencyCap && (sent?.get(number) ?? 0) > frequencyCap.perNumber)
        left.set(row, say.TOO_OFTEN);
    }
    return left;
  };
}
