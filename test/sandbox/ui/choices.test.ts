import { expect, it } from 'vitest';
import { filterGroups } from '../../../sandbox/ui/blocks/choices.ts';
import { reconnectDelayMs } from '../../../sandbox/ui/reconnect-delay.ts';

const option = (value: string, description?: string) => ({
  value,
  text: { type: 'plain_text' as const, text: value },
  ...(description ? { description: { type: 'plain_text' as const, text: description } } : {}),
});

it('filters options by every word, in text or description, and drops groups left empty', () => {
  const invoice = option('Invoice', 'Your invoice for May');
  const groups = [
    { label: 'A', options: [invoice, option('Order update')] },
    { label: 'B', options: [option('Login code')] },
  ];
  expect(filterGroups(groups, ' may INV ')).toEqual([{ label: 'A', options: [invoice] }]);
  expect(filterGroups(groups, '')).toEqual(groups);
  expect(filterGroups(groups, 'nothing')).toEqual([]);
});

it('waits longer before each new connection, and never longer than ten seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map(reconnectDelayMs)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});
