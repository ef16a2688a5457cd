import { expect, test } from 'vitest';
import { auditFile } from '../../../src/slack/sends-command/audit.ts';
import { readQuery } from '../../../src/slack/sends-command/query.ts';
import { openStore, prepare, SEND_ID } from '../bulk-sends.ts';

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

test('the record is the same at each reading, whatever happens meanwhile', async () => {
  const store = openStore();
  await prepare(store);
  const file = await auditFile(store);
  await prepare(store, { id: 'S-0000000001' });
  const read = async () => (await Array.fromAsync(file.content())).join('');
  const expected = [
    'event,time,send,action,actor,reason',
    `1,2026-01-05T08:00:00.000Z,${SEND_ID},requested,U0ASHA,`,
    `2,2026-01-05T08:00:00.000Z,${SEND_ID},awaiting_approval,U0ASHA,`,
    '',
  ].join('\r\n');
  expect([await read(), await read()]).toEqual([expected, expected]);
});
