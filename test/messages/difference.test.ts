import { expect, test } from 'vitest';
import { difference, SAYS_ELSE, wordsOf } from '../../src/messages/difference.ts';

const between = (one: string, other: string) => difference(wordsOf(one), wordsOf(other));

test.each([
  ['Your order 1234 is on its way.', 'your ORDER 99 is on its way'],
  ['Asha', 'Mary Ann Smith'],
  ['Bengaluru', 'Thiruvananthapuram'],
  ['https://acme.test/o/1?x=2', 'see https://acme.test/p'],
  ['12.5/kg', '9/kg'],
  ['李小龙', '王芳'],
])('“%s” and “%s” say about the same', (one, other) => {
  expect(between(one, other)).toBeLessThan(SAYS_ELSE);
  expect(between(other, one)).toBe(between(one, other));
});

test.each([
  ['Your order is on its way', 'You owe us money, pay it by Friday'],
  ['Asha', 'Asha, call this number and tell them your password'],
  ['https://acme.test/o/1', 'https://acme.test@evil.test/o/1'],
  ['Track it here: https://acme.test/o', 'Track it here: evil.test/o'],
  ['您的订单正在路上', '请立即付款否则账户将被关闭'],
  ['คำสั่งซื้อ', 'กรุณาโอนเงินห้าร้อยบาทไปยังบัญชีนี้ภายในวันนี้มิฉะนั้น'],
])('“%s” and “%s” say something else', (one, other) => {
  expect(between(one, other)).toBeGreaterThanOrEqual(SAYS_ELSE);
});

test.each<[string, Record<string, number>]>([
  ['Hello Ｗorld, HELLO', { hello: 1, world: 1 }],
  ['an extraordinarily, x123456789012y', { an: 1, extraordinarily: 2, '#': 2 }],
  ['你好', { 你: 1, 好: 1 }],
  ['Visit acme.in? Yes/no', { visit: 1, acme: 1, in: 1, yes: 1, no: 1 }],
  ['see  acme.in/x and ftp://Files/x', { see: 1, 'acme.in/': 4, and: 1, 'files/': 4 }],
  ['2/3 of it', { '#': 1, of: 1, it: 1 }],
  ['(https://acme.test?x=1', { 'acme.test/': 4 }],
])('of “%s” it counts these words', (text, words) => {
  expect(Object.fromEntries(wordsOf(text))).toEqual(words);
});
