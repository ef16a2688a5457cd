import { expect, test } from 'vitest';
import {
  blockIdOf,
  FILTERS,
  readListQuery,
  readQuery,
  withoutNames,
} from '../../../src/slack/sends/query.ts';

test.each([
  ['', { ask: 'list', list: { whose: 'mine' } }],
  ['mine', { ask: 'list', list: { whose: 'mine' } }],
  ['All', { ask: 'list', list: { whose: 'all' } }],
  ["everyone's paused, Running", { ask: 'list', list: { whose: 'all', filters: ['paused', 'sending'] } }],
  ['waiting', { ask: 'list', list: { whose: 'mine', filters: ['waiting'] } }],
  ['all failed today', { ask: 'list', list: { whose: 'all', filters: ['failed'], day: 'today' } }],
  ['<@U0RAVI|ravi> 2026-01-05', { ask: 'list', list: { whose: 'U0RAVI', day: '2026-01-05' } }],
  ['order unknown', { ask: 'list', list: { whose: 'mine', template: 'order', filters: ['unknown'] } }],
  ['constructor', { ask: 'list', list: { whose: 'mine', template: 'constructor' } }],
  ['order_update valueof', { ask: 'not_understood', word: 'valueof' }],
  ['2026-02-30', { ask: 'not_understood', word: '2026-02-30' }],
  ['@umesh', { ask: 'not_understood', word: '@umesh' }],
  ['@ravi', { ask: 'not_understood', word: '@ravi' }],
  ['+91 98123-45678', { ask: 'number', number: '+91 98123-45678' }],
  ['all 098123 45678', { ask: 'number', whose: 'all', number: '098123 45678' }],
  ['s-7k2m9qx4tb', { ask: 'one', sendId: 'S-7K2M9QX4TB' }],
  ['help', { ask: 'help' }],
  ['S-7', { ask: 'not_understood', word: 's-7' }],
])('/sends %s', (text, query) => {
  expect(readQuery(withoutNames(text).replace(/^<(@.+?)>/, '$1'))).toEqual(query);
});

test('a query fits the id of a block, whatever was typed', () => {
  const query = {
    whose: 'U0123456789',
    filters: ['failed'],
    template: 'a'.repeat(75),
    day: '2026-01-05',
    before: 7,
  };
  const { before: _, ...kept } = query;
  expect(readListQuery(blockIdOf(query))).toEqual(kept);
  expect(blockIdOf({ ...query, filters: Object.keys(FILTERS) }).length).toBeLessThanOrEqual(255);
});

test.each([
  '{"whose":"everybody"}',
  '{"whose":"all","filters":["toString"]}',
  '{"whose":"all","day":"never"}',
])('a button that carries %s is refused', (written) => {
  expect(() => readListQuery(written)).toThrow();
});
