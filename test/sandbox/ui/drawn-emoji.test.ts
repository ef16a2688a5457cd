import { expect, it } from 'vitest';
import { drawnEmoji, splitAtDrawnEmoji } from '../../../sandbox/ui/text/drawn-emoji.ts';
import { deliveryParts } from '../../../src/slack/kit/cards/answer-summary.ts';
import { RECIPIENT_STATES, SEND_STATES } from '../../../src/slack/kit/cards/words.ts';

it('draws every mark by which a send and its recipients are told apart', () => {
  const states = [...Object.values(SEND_STATES), ...Object.values(RECIPIENT_STATES)].map(({ mark }) => mark);
  const reports = deliveryParts({ delivered: 1, read: 1, failed: 1 }).map(
    (words) => words.split(' ', 1)[0] ?? '',
  );
  const marks = [...states, ...reports];
  expect(marks.filter((mark) => drawnEmoji(mark) === undefined)).toEqual([]);
});

it('cuts a text at what it draws, and leaves the rest to the font', () => {
  expect(splitAtDrawnEmoji('🏁 done, ▶️ on 🎉')).toEqual(['', '🏁', ' done, ', '▶️', ' on 🎉']);
  expect(drawnEmoji('🎉')).toBeUndefined();
});
