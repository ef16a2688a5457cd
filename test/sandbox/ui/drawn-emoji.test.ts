import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALERTS } from '../../../sandbox/ui/chat/alert-samples.ts';
import { drawnEmoji, splitAtDrawnEmoji } from '../../../sandbox/ui/text/drawn-emoji.ts';
import { plainWords } from '../../../sandbox/ui/text/emoji.ts';
import { deliveryParts } from '../../../src/slack/kit/cards/answers.ts';
import { RECIPIENT_STATES, SEND_STATES } from '../../../src/slack/kit/cards/words.ts';

it('draws every mark by which a send and its recipients are told apart', () => {
  const states = [...Object.values(SEND_STATES), ...Object.values(RECIPIENT_STATES)].map(({ mark }) => mark);
  const reports = deliveryParts({ delivered: 1, read: 0, failed: 1 }).map(
    (words) => words.split(' ', 1)[0] ?? '',
  );
  const marks = [...states, ...reports];
  expect(marks.filter((mark) => drawnEmoji(mark) === undefined)).toEqual([]);
});

it('draws every sign that Herald writes or a sample of an alert has, so that no picture lacks one', () => {
  const sources = globSync('src/slack/**/*.ts', { cwd: new URL('../../..', import.meta.url) });
  const texts = sources.map((path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
  const samples = plainWords(JSON.stringify(ALERTS));
  const signs = [...texts, samples].flatMap((text) => text.match(/\p{Extended_Pictographic}/gu) ?? []);
  expect(new Set(signs.filter((sign) => drawnEmoji(sign) === undefined))).toEqual(new Set());
});

it('cuts a text at what it draws, and leaves the rest to the font', () => {
  expect(splitAtDrawnEmoji('🏁 done, ▶️ on 🎉')).toEqual(['', '🏁', ' done, ', '▶️', ' on 🎉']);
  expect(drawnEmoji('🎉')).toBeUndefined();
});
