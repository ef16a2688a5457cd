import { describe, expect, it, test } from 'vitest';
import { maskPhoneNumbers, secretCover } from '../../src/core/secrets-in-text.ts';

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

describe('a phone number in a text', () => {
  it.each([
    ['+919876543210', '[number …3210]'],
    ['98765 43210 rang', '[number …3210] rang'],
    ['to:919876543210.', 'to:[number …3210].'],
    ['to=%2B919876543210&x=1', 'to=[number …3210]&x=1'],
    ['msg_919876543210x', 'msg_[number …3210]x'],
    ['+91 (987) 654-3210', '[number …3210]'],
    ['+91.98765.43210', '[number …3210]'],
    ['919876543210 6591234567', '[number …3210] [number …4567]'],
    ['+919876543210,+6591234567', '[number …3210],[number …4567]'],
    ['to +6907290 in Tokelau', 'to [number …290] in Tokelau'],
    ['+247 6889', '[number …889]'],
    ['{"to":919876543210}', '{"to":[number …3210]}'],
  ])('is covered: %s', (text, masked) => {
    expect(maskPhoneNumbers(text)).toBe(masked);
  });

  it.each([
    'ts 1700000000.123456',
    'S-7K2M9QX4TB',
    'took 1234 ms',
    '2026-11-21T04:19:00.123Z',
    '2026-11-21 04:19:00',
    '127.0.0.1:54321',
    'at file.ts:1234:56',
    '0.123456789012',
  ])('is not seen in %s', (text) => {
    expect(maskPhoneNumbers(text)).toBe(text);
  });
});
