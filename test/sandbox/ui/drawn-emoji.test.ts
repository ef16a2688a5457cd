import { expect, it } from 'vitest';
import { drawnEmoji, splitAtDrawnEmoji } from '../../../sandbox/ui/text/drawn-emoji.ts';
import { RECIPIENT_STATES, SEND_STATES } from '../../../src/slack/kit/cards/words.ts';

it('draws every mark by which a send and its recipients are told apart', () => {
  const marks = [...Object.values(SEND_STATES), ...Object.values(RECIPIENT_STATES)].map(({ mark }) => mark);
  expect(marks.filter((mark) => drawnEmoji(mark) === undefined)).toEqual([]);
});

it('cuts a text at what it draws, and leaves the rest to the font', () => {
  expect(splitAtDrawnEmoji('🏁 done, ▶️ on 🎉')).toEqual(['', '🏁', ' done, ', '▶️', ' on 🎉']);
  expect(drawnEmoji('🎉')).toBeUndefined();
});
