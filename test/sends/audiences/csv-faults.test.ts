import { describe, expect, it } from 'vitest';
import { pieces, setting, taken, text, upload } from './setting.ts';

const number = (n: number) => `+9198123456${String(n).padStart(2, '0')}`;

/** A file of ten customers, of which some lines are written otherwise. */
function file(changed: Readonly<Record<number, string>>, header = 'phone,name,city'): string {
  const lines = Array.from({ length: 10 }, (_, n) => `${number(n)},Person ${n},Pune`);
  for (const [line, content] of Object.entries(changed)) lines[Number(line) - 2] = content;
  return [header, ...lines, ''].join('\n');
}

const READING = [
  { size: 1, called: 'byte by byte' },
  { size: 65_536, called: 'at once' },
];

describe.each(READING)('a row that breaks the rules of CSV within its line, read $called', ({ size }) => {
  it.each<[string, string, RegExp]>([
    ['a quotation mark in the middle of a cell', `${number(3)},5" pipe,Pune`, /quotation mark in the middle/],
    ['two of them', `${number(3)},Asha "AJ" Rao,Pune`, /quotation mark in the middle/],
    ['text after a closed cell', `${number(3)},"Asha" Rao,Pune`, /quotation mark in the middle/],
    ['a cell too many', `${number(3)},Rao, Asha,Pune`, /4 cells and 3 columns/],
    ['a cell without end', `${number(3)},${'x'.repeat(40_000)},Pune`, /more than 32,767 characters/],
  ])('%s: it alone is left out, with its line', async (_, line, reason) => {
    const { audience, rows, audiences } = await taken(file({ 5: line }), { size });
    expect(audience.counts).toMatchObject({ read: 10, valid: 9, invalid: 1 });
    expect(rows.map(({ row }) => row)).toEqual([2, 3, 4, 6, 7, 8, 9, 10, 11]);
    expect(rows.every(({ values }) => values[0]?.startsWith('Person'))).toBe(true);
    const [, excluded] = (await text(audiences.exclusionsCsv(audience.id))).split('\r\n');
    expect(excluded).toMatch(/^5,.*,invalid,.*Line 5: /);
    expect(excluded).toMatch(reason);
  });

  it.each<[string, Readonly<Record<number, string>>, RegExp]>([
    ['an opening mark and none after it', { 5: `${number(3)},"Asha,Pune` }, /^In lines 5 to 11 /],
    [
      'an opening mark, and a cell in quotes further down',
      { 5: `${number(3)},"Asha,Pune`, 8: `${number(6)},"Rao, Bo",Pune` },
      /^In lines 5 to 8 /,
    ],
    [
      'an opening mark, and one that closes it in the next row',
      { 5: `${number(3)},"Asha`, 6: `${number(4)},Bo",Pune` },
      /^In lines 5 to 6 /,
    ],
    [
      'an opening mark in the first cell, and one that closes it further down',
      { 5: `"${number(3)},Asha,Pune`, 8: `${number(6)},Bo,Pune",Bo,Pune` },
      /^In lines 5 to 8 /,
    ],
    [
      'a mark in a cell behind one of several lines',
      { 5: `${number(3)},"Asha`, 6: 'Rao",5" Pune"' },
      /^In lines 5 to 6 /,
    ],
    ['a closing mark that is missing between two cells', { 5: `"${number(3)},"Asha",Pune` }, /^In line 5 /],
  ])('%s: nobody gets what stands after it', async (_, changed, what) => {
    const { result, store } = await upload(file(changed), { size });
    expect(result).toMatchObject({ state: 'refused', what: expect.stringMatching(what) });
    expect(await store.list(9)).toEqual([]);
  });
});

describe('what stands in quotes', () => {
  it('may go over lines and hold delimiters and quotes, with blanks around the quotes', async () => {
    const cell = `"Flat 4, ""Sea View""\n12, Marine Drive"`;
    const { rows, audience } = await taken(file({ 5: `${number(3)}, ${cell} ,Pune`, 6: '' }));
    expect(rows[3]?.values).toEqual(['Flat 4, "Sea View"\n12, Marine Drive', 'Pune']);
    expect(rows.map(({ row }) => row)).toEqual([2, 3, 4, 5, 7, 8, 9, 10, 11]);
    expect(audience.counts).toMatchObject({ read: 9, valid: 9 });
  });

  it('may be every cell, with any line breaks', async () => {
    const quoted = file({}).replaceAll(/[^,\n]+/g, '"$&"');
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      const { rows } = await taken(quoted.replaceAll('\n', lineBreak), { size: 3 });
      expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 10 }, (_, n) => number(n)));
    }
  });

  it('is given up soon when it never ends: the rest of the file is not even read', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(file({ 5: `${number(3)},"Asha,Pune` }));
      for (; read < 1_000; read += 1) yield Buffer.from(`${number(read % 100)},Bo,Pune\n`.repeat(100));
    }
    const { audiences } = setting();
    const result = await audiences.fromFile({ name: 'l', bytes: endless(), by: 'U' });
    expect(result).toMatchObject({ state: 'refused', what: expect.stringMatching(/^In lines 5 to \d+ /) });
    expect(read).toBeLessThan(30);
  });
});

describe('a file without a header', () => {
  it.each([
    ['one column', `${number(1)}\n${number(2)}\n${number(3)}\n`],
    ['names as well', `Asha,${number(1)}\nBo,${number(2)}\n`],
    ['two numbers each', `${number(1)},${number(4)}\n${number(2)},${number(5)}\n`],
    ['local numbers', `98123 45601,Asha\n98123 45602,Bo\n`],
    ['digits of another script', '९८१२३४५६०१,Asha\n९८१२३४५६०२,Bo\n'],
    ['a first number that is none', `98123 4560,Asha\n98123 45602,Bo\n98123 45603,Cai\n`],
  ])('%s: its first customer is not lost in silence', async (_, content) => {
    const { result, store } = await upload(content);
    expect(result).toMatchObject({
      state: 'refused',
      what: expect.stringMatching(/^The first row holds (a|the) phone number.* Nothing was sent\.$/),
      next: expect.stringContaining('Add a first row that names the columns'),
    });
    expect(JSON.stringify(result)).not.toMatch(/98123 ?456/);
    expect(await store.list(9)).toEqual([]);
  });

  it('is refused as a list of opt-outs, too', async () => {
    const { audiences } = setting();
    const stop = { name: 'stop.csv', bytes: pieces(`${number(1)}\n${number(2)}\n`), by: 'U0RAVI' };
    expect(await audiences.importOptOuts(stop)).toMatchObject({ state: 'refused' });
    expect(await audiences.countOptOuts()).toBe(0);
  });

  it('is another thing than a header with dates or numbers in it', async () => {
    const { audience } = await taken(`phone,2026-01-05,${number(9)}\n${number(1)},x,y\n`);
    expect(audience.counts).toMatchObject({ read: 1, valid: 1 });
  });
});

it('faulty rows of an opt-out list are counted, and nobody is taken from them', async () => {
  const { audiences } = setting();
  const stop = { name: 'stop.csv', bytes: pieces(file({ 5: `${number(3)},5" pipe,Pune` })), by: 'U0RAVI' };
  expect(await audiences.importOptOuts(stop)).toEqual({ state: 'imported', read: 10, added: 9, invalid: 1 });
});

it('an opt-out list that is refused further down says how many were taken before', async () => {
  const { audiences } = setting();
  const lines = Array.from({ length: 20 }, (_, n) => number(n));
  const bytes = pieces(['phone', ...lines, `"${number(20)}`, number(21)].join('\n'));
  const result = await audiences.importOptOuts({ name: 'stop.csv', bytes, by: 'U0RAVI' });
  const count = await audiences.countOptOuts();
  expect(count).toBeGreaterThan(0);
  expect(result).toMatchObject({
    state: 'refused',
    what: expect.stringMatching(/^In lines 22 to 23 /),
    next: expect.stringContaining(`Added to the opt-out list before that: ${count}.`),
  });
});

it('a header too wide for any list is refused before its rows are made as wide', async () => {
  const wide = `phone${',x'.repeat(100_000)}\n${number(1)}\n`;
  expect((await upload(wide, { size: 65_536 })).result).toMatchObject({
    state: 'refused',
    what: expect.stringMatching(/^The file has more than 500 columns\./),
  });
});
