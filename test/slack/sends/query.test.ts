import { expect, test } from 'vitest';
import { readQuery } from '../../../src/slack/sends/query.ts';

test.each([
  ['', { ask: 'list', list: { whose: 'mine' } }],
  ['mine', { ask: 'list', list: { whose: 'mine' } }],
  ['All', { ask: 'list', list: { whose: 'all' } }],
  ["everyone's paused, Running", { ask: 'list', list: { whose: 'all', states: ['paused', 'sending'] } }],
  ['waiting', { ask: 'list', list: { whose: 'mine', states: ['awaiting_approval'] } }],
  ['s-7k2m9qx4tb', { ask: 'one', sendId: 'S-7K2M9QX4TB' }],
  ['audit', { ask: 'audit' }],
  ['help', { ask: 'help' }],
  ['constructor', { ask: 'not_understood', word: 'constructor' }],
  ['S-7', { ask: 'not_understood', word: 's-7' }],
])('/sends %s', (text, query) => {
  expect(readQuery(text)).toEqual(query);
});
