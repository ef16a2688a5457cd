import { describe, expect, it } from 'vitest';
import type { Open } from './steps.ts';

/** Says what every store must do with attempts at kept input. @param open a fresh, empty store */
export function describeInputAttempts(name: string, open: Open<'inputs'>): void {
  describe(`${name} counts attempts at kept input`, () => {
    it('before they are made, by source and id, until they end', async () => {
      const { inputs } = await open();
      expect(await inputs.counts('webhook', ['1', '2'])).toEqual([]);
      expect(await inputs.begin('webhook', ['1', '2'])).toEqual(['1', '2']);
      expect(await inputs.counts('webhook', ['1', '2', '3'])).toEqual([
        { id: '1', attempts: 1 },
        { id: '2', attempts: 1 },
      ]);
      expect(await inputs.counts('alert', ['1'])).toEqual([]);
      await inputs.failed('webhook', ['2'], true);
      await inputs.begin('webhook', ['2']);
      await inputs.end('webhook', ['1']);
      expect(await inputs.counts('webhook', ['1', '2'])).toEqual([{ id: '2', attempts: 2 }]);
    });

    it('but not those that were no fault of the input', async () => {
      const { inputs } = await open();
      await inputs.begin('alert', ['a', 'b']);
      await inputs.failed('alert', ['b'], true);
      await inputs.begin('alert', ['b']);
      await inputs.failed('alert', ['a', 'b'], false);
      expect(await inputs.counts('alert', ['a', 'b'])).toEqual([{ id: 'b', attempts: 1 }]);
      expect(await inputs.begin('alert', ['a', 'b'])).toEqual(['a', 'b']);
    });

    it('and keeps what is set aside, once', async () => {
      const { inputs } = await open();
      await inputs.begin('alert', ['a']);
      await inputs.begin('webhook', ['7', '8']);
      expect(await inputs.setAsideCounts()).toEqual([]);
      expect(await inputs.setAside('alert', 'a', 5)).toBe(true);
      expect(await inputs.setAside('alert', 'a', 6)).toBe(false);
      await inputs.setAside('webhook', '7', 5);
      await inputs.setAside('webhook', '8', 5);
      expect(await inputs.setAsideCounts()).toEqual([
        { source: 'alert', count: 1 },
        { source: 'webhook', count: 2 },
      ]);
    });
  });
}
