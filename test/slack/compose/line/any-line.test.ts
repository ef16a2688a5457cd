import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, it } from 'vitest';
import { parsePhoneNumber } from '../../../../src/messages/numbers/phone-number.ts';
import { readTemplateLine, readTextLine } from '../../../../src/slack/compose/line/quick-line.ts';

/* Command lines as anybody might type them, and as Slack hands them on: `& < >` escaped, once. */

const RUNS = 1_000;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const digitsOf = (text: string) => text.normalize('NFKC').replaceAll(/\D/g, '');

/** What nobody could take for a part of the number before it, nor for an emoji’s name. */
const words = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .filter((text) => text.isWellFormed() && !/[:\p{N}]/u.test(text))
  .map((text) => `Dear${text}`.trim());
const number = fc.constantFrom('+6591234567', '+919812345678', '+14155552671');
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom(...'+91 ,"“„\'<>|&a\n(-', 'tel:'),
    maxLength: 80,
  }),
);

it('gives back the number and the text that were put into it', () => {
  fc.assert(
    fc.property(number, words, (to, text) => {
      expect(readTextLine(escaped(`${to} ${text}`), 'IN')).toMatchObject({ numbers: [to], text, sure: true });
    }),
    { numRuns: RUNS },
  );
});

it('gives back the template, the number and the quoted values that were put into it', () => {
  const value = words.filter((text) => !/["“”„«»]/.test(text));
  fc.assert(
    fc.property(number, fc.array(value, { maxLength: 5 }), (to, values) => {
      const line = `order_update ${to} ${values.map((text) => `"${text}"`).join(' ')}`;
      const { templateName, numbers, values: read, sure } = readTemplateLine(escaped(line), 'IN');
      expect({ templateName, numbers, values: read.map(({ text }) => text), sure }).toEqual({
        templateName: 'order_update',
        numbers: [to],
        values,
        sure: true,
      });
    }),
    { numRuns: RUNS },
  );
});

it('never throws, and makes up no digit of a number', () => {
  fc.assert(
    fc.property(anything, (raw) => {
      for (const read of [readTextLine(raw, 'IN'), readTemplateLine(raw, 'IN')]) {
        const typed = digitsOf(raw);
        for (const one of read.numbers) expect(typed).toContain(digitsOf(one));
      }
    }),
    { numRuns: RUNS * 2 },
  );
});

/** A number of some country as its people write it, or in one word, with one digit left out. */
const slipped = fc
  .record({
    country: fc.constantFrom(...getCountries().filter((country) => getExampleNumber(country, examples))),
    inOneWord: fc.boolean(),
    at: fc.nat(14),
  })
  .map(({ country, inOneWord, at }) => {
    const example = getExampleNumber(country, examples);
    const typed = inOneWord ? example?.number : example?.formatInternational();
    const places = [...(typed ?? '')].flatMap((letter, place) => (/\d/.test(letter) ? [place] : []));
    const place = places[Math.min(at + String(example?.countryCallingCode).length, places.length - 1)] ?? 0;
    return `${typed?.slice(0, place)}${typed?.slice(place + 1)}`;
  })
  .filter((typed) => !parsePhoneNumber(typed, 'IN').ok);

it('sends nothing at once where a digit of the number is missing and the text begins with digits', () => {
  fc.assert(
    fc.property(slipped, fc.integer({ min: 0, max: 99_999 }), words, (typed, count, text) => {
      expect(readTextLine(escaped(`${typed} ${count} ${text}`), 'IN').sure).toBe(false);
    }),
    { numRuns: RUNS * 3 },
  );
});
