import { expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { AudienceStore } from '../../../src/sends/audience.ts';
import { createFinalCheck } from '../../../src/sends/bulk/final-check.ts';
import { TAKEN_MEANWHILE, TOO_OFTEN } from '../../../src/sends/bulk/sentences.ts';
import type { OverCap } from '../../../src/sends/outcome.ts';
import type { DispatchStore } from '../../../src/sends/ports.ts';
import { createQuietHours } from '../../../src/sends/quiet-hours.ts';
import type { RecipientRow, Send } from '../../../src/sends/send.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { only } from '../../fakes/only.ts';
import { openMemoryStores } from '../../fakes/stores.ts';
import { claimedSend, endedSend, UNKNOWN } from '../../store/steps.ts';

const NUMBER = '+6591234567' as Msisdn;
const nobodyOptedOut = {
  audiences: only<AudienceStore>({ optedOut: async () => new Set() }),
  clock: createManualClock(),
  quietHours: createQuietHours([]),
};
const toOne = { id: 'S-1', message: { kind: 'sms', type: 'TRANS' }, origin: {} } as Send;
const toMany = { ...toOne, audience: {} } as Send;

test('the frequency cap leaves people out of lists, and never holds back a message to one person', async () => {
  /** Everybody has had as much as the cap allows. */
  const store = only<DispatchStore>({
    skipOverCap: async ({ recipients, most, since, at, failure }: OverCap) => {
      expect([most, at - since, failure]).toEqual([3, 24 * 3_600_000, TOO_OFTEN]);
      return recipients.map(({ row }) => row);
    },
  });
  const frequencyCap = { perNumber: 3, hours: 24 };
  const check = createFinalCheck({ store: only(store), ...nobodyOptedOut, frequencyCap });
  const rows: readonly RecipientRow[] = [{ sendId: 'S-1', row: 0, number: NUMBER, state: 'attempting' }];
  expect(await check(toMany, rows)).toEqual(new Map([[0, undefined]]));
  expect(await check(toOne, rows)).toEqual(new Map());
});

test('of two sends that try somebody again at the same moment one goes on, and the other says so', async () => {
  const { sends } = openMemoryStores();
  const check = createFinalCheck({ store: sends, ...nobodyOptedOut });
  await endedSend(sends, 'S-1', [[NUMBER, UNKNOWN]]);
  // A report says meanwhile that it failed.
  const claimed = await Promise.all(
    (['unknown', 'failed'] as const).map((retryGroup) =>
      claimedSend(sends, retryGroup, [NUMBER], 1, { retryOf: 'S-1', retryGroup }),
    ),
  );
  const checked = await Promise.all(
    claimed.map(async (rows) => check((await sends.find(rows[0]?.sendId ?? '')) as Send, rows)),
  );
  expect(checked.filter(({ size }) => size === 0)).toHaveLength(1);
  const states = await Promise.all(['unknown', 'failed'].map((id) => sends.recipients(id)));
  expect(states.flat().map(({ state, failure }) => [state, failure])).toEqual(
    expect.arrayContaining([
      ['attempting', undefined],
      ['rejected', TAKEN_MEANWHILE],
    ]),
  );
});
