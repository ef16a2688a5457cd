import { expect, it } from 'vitest';
import { personOf, readSomebodysNumber, spellingsOf } from '../../../src/messages/numbers/person.ts';

it.each([
  ['Mexico', '+525512345678', '+5215512345678'],
  ['Argentina', '+541123456789', '+5491123456789'],
  ['Brazil', '+551187654321', '+5511987654321'],
  ['another area of Brazil', '+558587654321', '+5585987654321'],
])('one person has two spellings in %s', (_, short, long) => {
  expect(personOf(short)).toBe(personOf(long));
  for (const number of [short, long]) expect(new Set(spellingsOf(number))).toEqual(new Set([short, long]));
});

it('everybody else has one, and numbers that merely look alike stay apart', () => {
  for (const number of ['+919820011224', '+6591234567', '+15551234567', '+5711234567', '+551126543210'])
    expect([personOf(number), spellingsOf(number)]).toEqual([number, [number]]);
  // A mobile and a landline of São Paulo, and two mobiles.
  expect(personOf('+5511926543210')).not.toBe(personOf('+551126543210'));
  expect(personOf('+5511987654321')).not.toBe(personOf('+5511987654320'));
});

it.each([
  ['5215512345678', '+525512345678'],
  ['551187654321', '+5511987654321'],
  ['+54 9 11 2345 6789', '+5491123456789'],
  ['541123456789', '+5491123456789'],
  ['+541123456789', '+541123456789'],
  ['919820011224', '+919820011224'],
  ['09820011224', '+919820011224'],
  ['9820011224', '+919820011224'],
])('what a system writes of somebody is read: %s', (written, number) => {
  expect(readSomebodysNumber(written, 'IN')).toEqual({ ok: true, value: number });
});

it('what is nobody’s number stays unread', () => {
  for (const written of ['', 'ACMEIN', '56161', '0982001', '521551234', '+55118765432', 'SHOP919820011224'])
    expect(readSomebodysNumber(written, 'IN')).toMatchObject({ ok: false });
  expect(readSomebodysNumber('09820011224', undefined)).toMatchObject({ ok: false });
});
