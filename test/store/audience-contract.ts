import { beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { AudienceStore, OptOut } from '../../src/sends/audience.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import type { Open } from './steps.ts';
import { bulkSend, listed } from './steps.ts';

const ABOUT = {
  id: 'A-1',
  source: 'file',
  fileName: 'vip.csv',
  columns: ['name'],
  numberColumn: 'phone',
  createdBy: 'U0ASHA',
  createdAt: 5,
} as const;
const COUNTS = { read: 3, valid: 2, duplicate: 0, opted_out: 0, invalid: 1 };
const row = (place: number) => ({ row: place, number: `+91${place}` as Msisdn, values: [`Person ${place}`] });
const invalid = { row: 3, value: '12', cause: 'invalid', reason: 'Too short.' } as const;

/** Says what every store must do with audiences and opt-outs. @param open a fresh, empty store */
export function describeAudienceStore(name: string, open: Open<'audiences' | 'sends'>): void {
  describe(`${name} keeps audiences`, () => {
    let store: AudienceStore;
    let sends: SendStore;
    beforeEach(async () => {
      ({ audiences: store, sends } = await open());
    });

    async function finished(id = 'A-1') {
      await store.begin({ ...ABOUT, id });
      await store.append(id, listed(row(2), row(4)), [invalid]);
      return store.finish(id, COUNTS, 'digest');
    }

    it('shows one only when it is finished, and then as it was given', async () => {
      await store.begin(ABOUT);
      await store.append('A-1', listed(row(2)), []);
      expect(await store.find('A-1')).toBeUndefined();
      await store.append('A-1', listed(row(4)), [invalid]);
      const audience = await store.finish('A-1', COUNTS, 'digest');
      expect(audience).toEqual({ ...ABOUT, counts: COUNTS, digest: 'digest' });
      expect(await store.find('A-1')).toEqual(audience);
      expect(await store.rows('A-1', 0, 9)).toEqual([row(2), row(4)]);
      expect(await store.rows('A-1', 2, 9)).toEqual([row(4)]);
      expect(await store.rows('A-1', 0, 1)).toEqual([row(2)]);
      expect(await store.exclusions('A-1', 0, 9)).toEqual([invalid]);
    });

    it('keeps whatever people wrote', async () => {
      const odd = { ...invalid, value: 'a\u0000b ’👋\\ "{}', reason: '“\u0000” is no number.' };
      const cells = { row: 2, number: '+912' as Msisdn, values: ['\u0000', '{"a",b}', 'NULL', ''] };
      await store.begin(ABOUT);
      await store.append('A-1', listed(cells), [odd]);
      await store.finish('A-1', COUNTS, 'digest');
      expect(await store.rows('A-1', 0, 9)).toEqual([cells]);
      expect(await store.exclusions('A-1', 0, 9)).toEqual([odd]);
    });

    it('drops what was abandoned, and nothing that is finished', async () => {
      await store.begin(ABOUT);
      await store.append('A-1', listed(row(2)), [invalid]);
      await store.abandon('A-1');
      expect(await store.rows('A-1', 0, 9)).toEqual([]);
      await finished();
      await store.abandon('A-1');
      expect(await store.rows('A-1', 0, 9)).toHaveLength(2);
    });

    it('keeps one under each name, whatever the case, and lets a newer one take it', async () => {
      await finished('A-1');
      await finished('A-2');
      await store.save('A-1', 'VIP customers');
      expect((await store.findByName('vip CUSTOMERS'))?.id).toBe('A-1');
      await store.save('A-2', 'vip customers');
      expect((await store.list(9)).map(({ id, name }) => [id, name])).toEqual([['A-2', 'vip customers']]);
      expect((await store.find('A-1'))?.name).toBeUndefined();
      expect(await store.forget('VIP customers')).toBe(true);
      expect(await store.forget('VIP customers')).toBe(false);
      expect(await store.rows('A-2', 0, 9)).toHaveLength(2);
    });

    it('sweeps lists that are old, have no name, and that no send was asked for with', async () => {
      for (const id of ['A-UNUSED', 'A-NAMED', 'A-SENT', 'A-REPLACED']) await finished(id);
      await store.save('A-NAMED', 'VIP');
      await sends.begin({ ...bulkSend('S-1'), audience: { id: 'A-SENT', columns: ['name'] } });
      await store.begin({ ...ABOUT, id: 'A-YOUNG', createdAt: 9 });
      await store.append('A-YOUNG', listed(row(2)), []);
      await store.finish('A-YOUNG', COUNTS, 'digest');
      await store.begin({ ...ABOUT, id: 'A-READING' });
      await store.append('A-READING', listed(row(2)), [invalid]);
      expect(await store.sweepUnused(5)).toBe(0);
      expect(await store.sweepUnused(9)).toBe(2);
      for (const id of ['A-UNUSED', 'A-REPLACED']) {
        expect(await store.find(id)).toBeUndefined();
        expect(await store.rows(id, 0, 9)).toEqual([]);
        expect(await store.exclusions(id, 0, 9)).toEqual([]);
      }
      for (const id of ['A-NAMED', 'A-SENT']) expect(await store.rows(id, 0, 9)).toHaveLength(2);
      expect((await store.find('A-NAMED'))?.name).toBe('VIP');
      expect(await store.rows('A-YOUNG', 0, 9)).toHaveLength(1);
      // What is still being read is nobody's leftover yet.
      expect(await store.rows('A-READING', 0, 9)).toHaveLength(1);
      expect(await store.sweepUnused(9)).toBe(0);
    });
  });

  describe(`${name} keeps opt-outs`, () => {
    let store: AudienceStore;
    beforeEach(async () => {
      store = (await open()).audiences;
    });
    const optOut = (number: string, at = 1): OptOut => {
      return { number: number as Msisdn, at, actor: 'U0ASHA', source: 'command' };
    };

    it('once each, with who and when; the first stays', async () => {
      expect(await store.optOut([optOut('+911'), optOut('+912')])).toBe(2);
      expect(await store.optOut([optOut('+912', 9), optOut('+913')])).toBe(1);
      expect(await store.findOptOut('+912' as Msisdn)).toEqual(optOut('+912'));
      expect(await store.countOptOuts()).toBe(3);
      expect(await store.optedOut(['+911', '+914'] as Msisdn[])).toEqual(new Set(['+911']));
      expect((await store.listOptOuts('+911', 1)).map(({ number }) => number)).toEqual(['+912']);
    });

    it('until they are taken back', async () => {
      const by = { at: 7, actor: 'U0RAVI', number: '+91 …1' };
      await store.optOut([optOut('+911'), optOut('+912')]);
      expect(await store.optIn('+911' as Msisdn, by)).toBe(true);
      expect(await store.optIn('+911' as Msisdn, by)).toBe(false);
      expect(await store.findOptOut('+911' as Msisdn)).toBeUndefined();
      expect(await store.optIn('+912' as Msisdn, { ...by, at: 8 })).toBe(true);
      const [first, second] = await store.optOutRemovals(0, 9);
      expect(first).toEqual({ id: first?.id, ...by });
      expect(second).toMatchObject({ at: 8 });
      expect(await store.optOutRemovals(0, 1)).toEqual([first]);
      expect(await store.optOutRemovals(first?.id ?? 0, 9)).toEqual([second]);
    });
  });
}
