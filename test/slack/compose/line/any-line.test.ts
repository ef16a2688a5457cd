import fc from 'fast-check';
import { expect, it } from 'vitest';
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
    unit: fc.constantFrom(
      '+',
      '9',
      '1',
      ' ',
      ',',
      '"',
      '“',
      '„',
      "'",
      '<',
      '>',
      '|',
      '&',
      'a',
      '\n',
      'tel:',
      '(',
      '-',
    ),
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
