import { expect, test } from 'vitest';
import { recordText } from '../../../src/slack/results/standing.ts';

test('who asked is not told of as somebody whose approval is waited for', () => {
  const at = 1_767_600_000_000;
  const by = '<@U0ASHA>, <!date^1767600000^{date_short_pretty} {time}|2026-01-05 08:00 UTC>';
  const record = recordText([
    { sendId: 'S-1', action: 'requested', actor: 'U0ASHA', at },
    { sendId: 'S-1', action: 'awaiting_approval', actor: 'U0ASHA', at },
  ]);
  expect(record).toBe(`*Record*\nasked for by ${by}\nhanded to the approvers by ${by}`);
});
