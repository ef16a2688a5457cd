import { expect, test } from 'vitest';
import { secretCover } from '../../src/core/secrets-in-text.ts';

const cover = secretCover(['k/y=1', '4829', 'ab'], { cover: '•••', shortest: 3 });

test.each([
  ['a k/y=1 and k/y=1', 'a ••• and •••'],
  ['in a link: ?key=k%2Fy%3D1', 'in a link: ?key=•••'],
  ['4829, OTP4829.', '•••, OTP•••.'],
  ['148291 and 4829 4829', '148291 and ••• •••'],
  ['14829, 48291', '14829, 48291'],
  ['about', 'about'],
  ['', ''],
])('%j becomes %j', (text, covered) => {
  expect(cover(text)).toBe(covered);
});
