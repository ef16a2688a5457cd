import { describe, expect, it } from 'vitest';
import { measureSms, segmentsLine } from '../../../src/messages/sms/segments.ts';

/** The GSM 03.38 alphabet by code point, written down apart from the code it checks. */
const BASIC_RANGES: readonly [from: number, to: number][] = [
  [0x20, 0x23],
  [0x25, 0x3f],
  [0x41, 0x5a],
  [0x61, 0x7a],
];
const BASIC_SINGLES = [
  0x0a, 0x0d, 0x24, 0x40, 0x5f, 0xa1, 0xa3, 0xa4, 0xa5, 0xa7, 0xbf, 0xc4, 0xc5, 0xc6, 0xc7, 0xc9, 0xd1, 0xd6,
  0xd8, 0xdc, 0xdf, 0xe0, 0xe4, 0xe5, 0xe6, 0xe8, 0xe9, 0xec, 0xf1, 0xf2, 0xf6, 0xf8, 0xf9, 0xfc, 0x393,
  0x394, 0x398, 0x39b, 0x39e, 0x3a0, 0x3a3, 0x3a6, 0x3a8, 0x3a9,
];
const EXTENDED = [0x0c, 0x5b, 0x5c, 0x5d, 0x5e, 0x7b, 0x7c, 0x7d, 0x7e, 0x20ac];

describe('the GSM alphabet', () => {
  it('has its 127 characters and ten extended ones, and nothing else up to U+FFFF', () => {
    const basic = new Set(BASIC_SINGLES);
    for (const [from, to] of BASIC_RANGES) for (let point = from; point <= to; point += 1) basic.add(point);
    const found: Record<'one' | 'two', number[]> = { one: [], two: [] };
    for (let point = 0; point <= 0xffff; point += 1) {
      const { encoding, units } = measureSms(String.fromCharCode(point));
      if (encoding === 'GSM-7') found[units === 1 ? 'one' : 'two'].push(point);
    }
    expect(found.one).toEqual([...basic].sort((a, b) => a - b));
    expect(found.one).toHaveLength(127);
    expect(found.two).toEqual(EXTENDED);
  });
});

describe('measureSms', () => {
  const gsm = { encoding: 'GSM-7' } as const;
  const ucs = (firstNonGsm: string) => ({ encoding: 'UCS-2', firstNonGsm }) as const;

  it.each([
    ['', { ...gsm, units: 0, segments: 0, unitsPerSegment: 160, remaining: 160 }],
    ['Hello World!', { ...gsm, units: 12, segments: 1, unitsPerSegment: 160, remaining: 148 }],
    ['a'.repeat(160), { ...gsm, units: 160, segments: 1, unitsPerSegment: 160, remaining: 0 }],
    ['a'.repeat(161), { ...gsm, units: 161, segments: 2, unitsPerSegment: 153, remaining: 145 }],
    ['a'.repeat(306), { ...gsm, units: 306, segments: 2, unitsPerSegment: 153, remaining: 0 }],
    ['a'.repeat(307), { ...gsm, units: 307, segments: 3, unitsPerSegment: 153, remaining: 152 }],
    ['€'.repeat(80), { ...gsm, units: 160, segments: 1, unitsPerSegment: 160, remaining: 0 }],
    // 76 euro signs fill 152 of 153: the 77th begins the next part, so 153 of them need three.
    ['€'.repeat(81), { ...gsm, units: 162, segments: 2, unitsPerSegment: 153, remaining: 143 }],
    ['€'.repeat(152), { ...gsm, units: 304, segments: 2, unitsPerSegment: 153, remaining: 1 }],
    ['€'.repeat(153), { ...gsm, units: 306, segments: 3, unitsPerSegment: 153, remaining: 151 }],
    ['ç', { ...ucs('ç'), units: 1, segments: 1, unitsPerSegment: 70, remaining: 69 }],
    ['नमस्ते', { ...ucs('न'), units: 6, segments: 1, unitsPerSegment: 70, remaining: 64 }],
    [`${'a'.repeat(69)}“`, { ...ucs('“'), units: 70, segments: 1, unitsPerSegment: 70, remaining: 0 }],
    [`${'a'.repeat(70)}“`, { ...ucs('“'), units: 71, segments: 2, unitsPerSegment: 67, remaining: 63 }],
    ['€é漢', { ...ucs('漢'), units: 3, segments: 1, unitsPerSegment: 70, remaining: 67 }],
    ['😀'.repeat(35), { ...ucs('😀'), units: 70, segments: 1, unitsPerSegment: 70, remaining: 0 }],
    // 33 pairs fill 66 of 67: a pair is not split, so 67 of them need three parts.
    ['😀'.repeat(36), { ...ucs('😀'), units: 72, segments: 2, unitsPerSegment: 67, remaining: 61 }],
    ['😀'.repeat(67), { ...ucs('😀'), units: 134, segments: 3, unitsPerSegment: 67, remaining: 65 }],
    ['\uD83D', { ...ucs('\uD83D'), units: 1, segments: 1, unitsPerSegment: 70, remaining: 69 }],
  ])('measures %j', (text, measure) => {
    expect(measureSms(text)).toEqual(measure);
  });

  it('agrees with cutting the text up, for thousands of texts', () => {
    const alphabets = [['a', '€'], ['a', '漢', '😀'], ['€'], ['😀', 'a', '€']];
    for (const alphabet of alphabets) {
      for (let length = 0; length < 400; length += 1) {
        const text = Array.from({ length }, (_, at) => alphabet[(at * 7 + (at >> 3)) % alphabet.length]).join(
          '',
        );
        const measure = measureSms(text);
        const parts = cutUp(text, measure.encoding);
        expect(measure.segments, text).toBe(parts.length);
        const last = parts.at(-1);
        if (last !== undefined) expect(measure.remaining, text).toBe(measure.unitsPerSegment - last);
      }
    }
  });
});

/** Units in each part, found by filling parts to the brim one character at a time. */
function cutUp(text: string, encoding: 'GSM-7' | 'UCS-2'): number[] {
  const sizes = [...text].map((character) =>
    encoding === 'UCS-2' ? character.length : EXTENDED.includes(character.charCodeAt(0)) ? 2 : 1,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return [];
  const [alone, perPart] = encoding === 'UCS-2' ? [70, 67] : [160, 153];
  if (total <= alone) return [total];
  const parts = [0];
  for (const size of sizes) {
    const filled = parts.at(-1) ?? 0;
    if (filled + size <= perPart) parts[parts.length - 1] = filled + size;
    else parts.push(size);
  }
  return parts;
}

describe('segmentsLine', () => {
  it.each([
    ['Hello', '1 SMS · 5 of 160 characters'],
    ['', '0 SMS parts · 0 of 160 characters'],
    ['Hello 😀', '1 SMS · 8 of 70 characters (fewer fit because of “😀”)'],
    ['a\tb', '1 SMS · 3 of 70 characters (fewer fit because of U+0009)'],
    ['a\u00A0b', '1 SMS · 3 of 70 characters (fewer fit because of U+00A0)'],
    ['a'.repeat(200), '2 SMS parts · 200 characters, 153 a part, 106 left in the last'],
  ])('says of %j what it costs', (text, line) => {
    expect(segmentsLine(text)).toBe(line);
  });
});
