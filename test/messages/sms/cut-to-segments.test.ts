import { describe, expect, it, test } from 'vitest';
import { cutToSegments, measureSms } from '../../../src/messages/sms/segments.ts';

describe('what fits stays whole', () => {
  test.each([
    ['x'.repeat(160), 1],
    ['x'.repeat(306), 2],
    ['ж'.repeat(70), 1],
    ['ж'.repeat(134), 2],
    ['', 1],
  ])('%#', (text, segments) => {
    expect(cutToSegments(text, segments)).toEqual({ text, cut: '' });
  });
});

describe('what does not fit', () => {
  test.each([
    ['x'.repeat(161), 1, `${'x'.repeat(157)}...`, 'xxxx'],
    ['x'.repeat(307), 2, `${'x'.repeat(303)}...`, 'xxxx'],
    ['ж'.repeat(71), 1, `${'ж'.repeat(67)}...`, 'жжжж'],
    ['€'.repeat(81), 1, `${'€'.repeat(78)}...`, '€€€'],
  ])('is cut at the last character that leaves room for the full stops (%#)', (text, segments, kept, cut) => {
    expect(cutToSegments(text, segments)).toEqual({ text: kept, cut });
  });

  it('is cut after a word where one ends near', () => {
    const text = `${'x'.repeat(150)} production is down`;
    expect(cutToSegments(text, 1)).toEqual({ text: `${'x'.repeat(150)}...`, cut: 'production is down' });
  });

  it('is measured without what was cut: an emoji at the end costs the beginning nothing', () => {
    const { text, cut } = cutToSegments(`${'x'.repeat(170)}🚨`, 1);
    expect({ text, cut }).toEqual({ text: `${'x'.repeat(157)}...`, cut: `${'x'.repeat(13)}🚨` });
  });

  it('keeps characters of several code points whole', () => {
    const family = '👨‍👩‍👧‍👦';
    const { text, cut } = cutToSegments(family.repeat(20), 2);
    expect(text).toBe(`${family.repeat(11)}...`);
    expect(cut).toBe(family.repeat(9));
  });

  it('loses nothing and never exceeds, wherever the text is cut', () => {
    for (let length = 1; length < 400; length += 7) {
      const letter = (index: number) => (index % 9 === 8 ? ' ' : 'é€aж'.charAt(index % 3));
      const whole = Array.from({ length }, (_one, index) => letter(index))
        .join('')
        .trim();
      for (const segments of [1, 2]) {
        const { text, cut } = cutToSegments(whole, segments);
        expect(measureSms(text).segments).toBeLessThanOrEqual(segments);
        const kept = cut === '' ? text : text.slice(0, -3);
        expect((kept + cut).replaceAll(' ', '')).toBe(whole.replaceAll(' ', ''));
      }
    }
  });
});
