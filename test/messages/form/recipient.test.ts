import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../../src/core/result.ts';
import { ONE_NUMBER_ONLY, readRecipient, recipientField } from '../../../src/messages/form/recipient.ts';
import { CONTEXT } from '../samples.ts';

describe('readRecipient', () => {
  it.each([
    ['98765 43210', '+919876543210'],
    ['+65 9123 4567,', '+6591234567'],
    ['; +65 9123 4567\n', '+6591234567'],
    ['+65\n9123 4567', '+6591234567'],
    ['+49 30 1234 5678', '+493012345678'],
    ['  98765 43210  ', '+919876543210'],
  ])('reads %j as one number', (typed, number) => {
    expect(readRecipient(typed, 'IN')).toEqual(ok(number));
  });

  it.each([
    '+919876543210,+6591234567',
    '+919876543210; +6591234567',
    '+919876543210\n+6591234567',
    '9876543210\r\n9812345678',
    '+919876543210 +6591234567',
    '+919876543210+6591234567',
    '9876543210 9812345678',
    '98765 43210 98123 45678',
    '98765 43210 98123 45678 91234 56789',
    '98765 43210 | 98123 45678',
    '98765 43210、98123 45678',
    '98765 43210, 12345',
    '98765 43210, 123',
    '98765 43210 & x98123 45678 & 91234 56789',
    ' +919876543210 +6591234567',
    '+ 919876543210 + 6591234567',
    `98765 43210${' '.repeat(228)}98123 45678`,
    '९८७६५ ४३२१०, ९८१२३ ४५६७८',
    Array.from({ length: 100 }, () => '9876543210').join(', '),
  ])('says of %j that several people need approval', (typed) => {
    expect(readRecipient(typed, 'IN')).toEqual(fail(ONE_NUMBER_ONLY));
  });

  const SHAPE = ', for example +91 81234 56789';
  const EXTENSION = 'An extension cannot be messaged: enter the number alone';
  const INVALID = 'This is not a valid number in India (+91). Check the digits';
  it.each([
    ['9876543210 or later', `A phone number has digits only, no letters${SHAPE}.`],
    ['9876543210, ext 55', `${EXTENSION}${SHAPE}.`],
    ['98765 4321', `${INVALID}${SHAPE}, or start with + and the country code if it is from another country.`],
    ['98765 43210, 12', `${EXTENSION}${SHAPE}.`],
    [
      `98765 43210${' '.repeat(229)}98123 45678`,
      `This is too long for a phone number. Check the digits${SHAPE}.`,
    ],
    ['+ +91 98765', `A + may stand only at the start of the number${SHAPE}.`],
    ['+91 98765 +', `A + may stand only at the start of the number${SHAPE}.`],
    ['+91 98765 +a1', `A phone number has digits only, no letters${SHAPE}.`],
    ['', `Enter a phone number${SHAPE}.`],
    [', ;', `${EXTENSION}${SHAPE}.`],
    ['9 '.repeat(1500), `This is too long for a phone number. Check the digits${SHAPE}.`],
  ])('says of %j what is wrong with the number', (typed, sentence) => {
    expect(readRecipient(typed, 'IN')).toEqual(fail(sentence));
  });
});

it('reads nothing where the form is for many', () => {
  const field = recipientField({ ...CONTEXT, recipients: 'many' });
  expect([field.parse(undefined), field.parse('+919876543210')]).toEqual([undefined, undefined]);
});
