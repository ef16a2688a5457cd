import { expect, test } from 'vitest';
import { nobodyInIt } from '../../../src/slack/audiences/upload.ts';
import { nobodyLeft } from '../../../src/slack/compose/sentences.ts';

test.each([
  [1, /^The only row /],
  [8_689, /^None of the 8,689 rows /],
])('a list of %i rows without anybody is counted as people count', (read, counted) => {
  expect(nobodyLeft(read)).toMatch(counted);
  expect(nobodyInIt(read)).toMatch(counted);
});
