import { expect, test } from 'vitest';
import { isStopReply } from '../../src/messages/stop-words.ts';

const WORDS = ['STOP', 'OPT OUT', 'बंद करो', '停止', 'ARRÊT'];

test.each([
  ...['STOP', ' stop. ', '“Stop!” 🙏', 'ｓｔｏｐ', 'opt \n out', 'opt\u2011out'],
  ...['बंद करो।', '停止。', 'arre\u0302t'],
])('%j asks to stop', (text) => {
  expect(isStopReply(text, WORDS)).toBe(true);
});

test.each(['', '!', 'Stop by at five', 'non-stop', 'do not stop', 'stopp'])('%j does not', (text) => {
  expect(isStopReply(text, WORDS)).toBe(false);
});

test('a list that was emptied has none', () => {
  expect(isStopReply('', ['!'])).toBe(false);
  expect(isStopReply('STOP', [])).toBe(false);
});
