import { expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { createFinalCheck } from '../../../src/sends/bulk/final-check.ts';
import { TOO_OFTEN } from '../../../src/sends/bulk/sentences.ts';
import type { OverCap } from '../../../src/sends/outcome.ts';
import { createQuietHours } from '../../../src/sends/quiet-hours.ts';
import type { RecipientRow, Send } from '../../../src/sends/send.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { only } from '../../fakes/only.ts';

/** Everybody has had as much as the cap allows. */
const check = createFinalCheck({
  store: only({
    skipOverCap: async ({ recipients, most, since, at }: OverCap) => {
      expect([most, at - since]).toEqual([3, 24 * 3_600_000]);
      return recipients.map(({ row }) => row);
    },
    takenBefore: async () => new Set<Msisdn>(),
    hadEnough: async () => new Set<Msisdn>(),
  }),
  audiences: only({ optedOut: async () => new Set() }),
  clock: createManualClock(),
  quietHours: createQuietHours([]),
  frequencyCap: { perNumber: 3, hours: 24 },
});
const rows: readonly RecipientRow[] = [
  { sendId: 'S-1', row: 0, number: '+6591234567' as Msisdn, state: 'attempting' },
];
const toOne = { id: 'S-1', message: { kind: 'sms', type: 'TRANS' }, origin: {} } as Send;
const toMany = { ...toOne, audience: {} } as Send;

test('the frequency cap leaves people out of lists, and never holds back a message to one person', async () => {
  expect(await check(toMany, rows)).toEqual(new Map([[0, TOO_OFTEN]]));
  expect(await check(toOne, rows)).toEqual(new Map());
});
