import { describe, expect, it } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { pieces, setting, taken, text, upload } from './setting.ts';

const FILE =
  'name,phone,order\nAsha,+919812345678,A-1\nKiran,98123 45679,A-2\nMei,not a number,A-3\nAsha again,+91 98123 45678,A-4\n';

describe('a CSV file', () => {
  it('becomes an audience with its columns, counts, and a cause for each row left out', async () => {
    const { audience, rows, audiences } = await taken(FILE);
    expect(audience).toMatchObject({
      source: 'file',
      fileName: 'list.csv',
      numberColumn: 'phone',
      columns: ['name', 'order'],
      counts: { read: 4, valid: 2, duplicate: 1, opted_out: 0, invalid: 1 },
    });
    expect(rows).toEqual([
      { row: 2, number: '+919812345678', values: ['Asha', 'A-1'] },
      { row: 3, number: '+919812345679', values: ['Kiran', 'A-2'] },
    ]);
    expect(await text(audiences.exclusionsCsv(audience.id))).toBe(
      [
        'row,number,cause,reason',
        '4,not a number,invalid,"A phone number has digits only, no letters, for example +91 81234 56789."',
        '5,+91 98123 45678,duplicate,"Row 2 is the same number, and each is used once."',
        '',
      ]
        .join('\r\n')
        .replace('+91 98123 45678,dup', "'+91 98123 45678,dup"),
    );
  });

  it.each<[string, string | Uint8Array]>([
    ['with a byte order mark', `\uFEFF${FILE}`],
    ['with Excel’s semicolons', FILE.replaceAll(',', ';')],
    ['with tabs', FILE.replaceAll(',', '\t')],
    ['with CRLF and blank lines at the end', `${FILE.replaceAll('\n', '\r\n')}\r\n \r\n`],
    ['without a line break at the end', FILE.trimEnd()],
    ['in UTF-16, little endian, with a mark', Buffer.from(`\uFEFF${FILE}`, 'utf16le')],
    ['in UTF-16, big endian, with a mark', Buffer.from(`\uFEFF${FILE}`, 'utf16le').swap16()],
    ['in UTF-16 without a mark', Buffer.from(FILE, 'utf16le')],
  ])('%s is the same', async (_, content) => {
    const { rows } = await taken(content, { size: 64 });
    expect(rows.map(({ number, values }) => [number, ...values])).toEqual([
      ['+919812345678', 'Asha', 'A-1'],
      ['+919812345679', 'Kiran', 'A-2'],
    ]);
  });

  it('counts no blank row, and says in which row of the spreadsheet the others stand', async () => {
    const { audience, rows } = await taken(
      'phone,name\n , \n+919812345678,Asha\n\n ,\n+919812345679,Mei\n,\n',
    );
    expect(audience.counts).toMatchObject({ read: 2, valid: 2, invalid: 0 });
    expect(rows.map(({ row }) => row)).toEqual([3, 6]);
  });

  it('has a name for every column, each once, and rows as wide as the header', async () => {
    const { audience, rows } = await taken(
      'phone,name 2,name,name,,column 5\n+919812345678,a\n+919812345679,a,b,c,d,e,, \n',
    );
    expect(audience.columns).toEqual(['name 2', 'name', 'name 3', 'column 5', 'column 5 2']);
    expect(rows.map(({ values }) => values)).toEqual([
      ['a', '', '', '', ''],
      ['a', 'b', 'c', 'd', 'e'],
    ]);
  });

  it('has the same digest for the same rows, and another for any change', async () => {
    const digest = async (content: string) => (await taken(content)).audience.digest;
    expect(await digest(FILE)).toBe(await digest(FILE.replaceAll(',', ';')));
    expect(await digest(FILE)).not.toBe(await digest(FILE.replace('A-1', 'A-9')));
  });

  it('takes somebody once who is listed in two spellings, and says which row it is', async () => {
    const { audience, audiences, rows } = await taken(
      'phone,name\n+919812345678,Asha\n+541123456789,Ana\n+5491123456789,Ana\n00541123456789,Ana\n',
    );
    // Sent to as it was written.
    expect(rows.map(({ number }) => number)).toEqual(['+919812345678', '+541123456789']);
    const exclusions = await text(audiences.exclusionsCsv(audience.id));
    expect(exclusions.match(/duplicate,"Row 3 is the same number/g)).toHaveLength(2);
  });

  it('leaves out who has opted out in another spelling, also in one that only other systems write', async () => {
    const { audiences } = setting();
    const optOuts = 'phone\n5215512345678\n551187654321\n5491123456789\n';
    expect(await audiences.importOptOuts({ name: 'o', bytes: pieces(optOuts), by: 'U' })).toMatchObject({
      ...{ state: 'imported', read: 3, added: 3, invalid: 0 },
    });
    const list = 'phone\n+525512345678\n+5511987654321\n+541123456789\n+525512345679\n';
    const result = await audiences.fromFile({ name: 'l', bytes: pieces(list), by: 'U' });
    expect(result).toMatchObject({ state: 'ready', audience: { counts: { valid: 1, opted_out: 3 } } });
  });
});

it('the column with the numbers is asked for when two would do, or none, and then taken', async () => {
  const content = 'phone,mobile\n+919812345678,+919812345679\n';
  expect((await upload(content)).result).toEqual({ state: 'choose_column', columns: ['phone', 'mobile'] });
  expect((await taken(content, { numberColumn: 'mobile' })).rows[0]?.number).toBe('+919812345679');
  expect((await upload('a,b\nx,y\n')).result).toEqual({ state: 'choose_column', columns: ['a', 'b'] });
});

const PICTURE = Buffer.from('89504e47ff000001', 'hex');
const LATIN = Buffer.from('phone,name\n+919812345678,J\xf6rg\n', 'latin1');
const LONG_LINE = `phone\n${'9'.repeat(2 * 1024 * 1024)}`;
it.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /^The file is empty\. Nothing was sent\.$/],
  ['a header and nothing else', 'phone,name\n', /^The file has a header and no rows\./],
  ['a picture', PICTURE, /^The file is (no text|not UTF-8 text)\./],
  ['another encoding', LATIN, /^The file is not UTF-8 text\./],
  ['zeros', new Uint8Array(2_000), /^The file is not a text file\./],
  ['a line of two megabytes', LONG_LINE, /^The file has a line of more than a million characters\./],
])('what is no list %s is refused, and nothing of it is kept', async (_, content, what) => {
  const { result, store } = await upload(content, { size: 65_536 });
  expect(result).toMatchObject({ state: 'refused', what: expect.stringMatching(what) });
  expect(await store.list(9)).toEqual([]);
});

it('what is no list a transfer that breaks off is refused, and nothing of it is kept', async () => {
  const { audiences, store, logger } = setting();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(FILE);
    throw new Error('connection reset');
  }
  const result = await audiences.fromFile({ name: 'l', bytes: broken(), by: 'U' });
  expect(result).toMatchObject({ state: 'refused' });
  expect(await store.rows('A-123456789A', 0, 9)).toEqual([]);
  expect(logger.lines.map(({ level }) => level)).toEqual(['error']);
});

it('pasted numbers come one a line, or with commas or semicolons between them', async () => {
  const { audiences } = setting();
  const result = await audiences.fromNumbers('+91 98123 45678\n98123-45679, +6591234567;\n\n12', 'U0ASHA');
  if (result.state !== 'ready') throw new Error('not taken');
  expect(result.audience).toMatchObject({
    source: 'numbers',
    columns: [],
    counts: { read: 4, valid: 3, invalid: 1 },
  });
  expect((await audiences.sample(result.audience.id, 9)).map(({ row, number }) => [row, number])).toEqual([
    [1, '+919812345678'],
    [2, '+919812345679'],
    [3, '+6591234567'],
  ]);
});

it('pasted numbers must be some', async () => {
  expect(await setting().audiences.fromNumbers(' \n,;', 'U')).toMatchObject({ state: 'refused' });
});

it('opt-outs are imported from a file and written out', async () => {
  const { audiences, store } = setting();
  const bytes = pieces('phone\n+919812345678\nnobody\n+919812345679\n');
  const file = { name: 'stop.csv', bytes, by: 'U0RAVI' };
  expect(await audiences.importOptOuts(file)).toEqual({ state: 'imported', read: 3, added: 2, invalid: 1 });
  expect(await text(audiences.exportOptOuts())).toBe(
    'number,since,by,source\r\n+919812345678,2026-01-05T08:00:00.000Z,U0RAVI,import\r\n+919812345679,2026-01-05T08:00:00.000Z,U0RAVI,import\r\n',
  );
  expect(await audiences.optIn('+919812345678' as Msisdn, 'U0RAVI')).toBe(true);
  expect(await audiences.countOptOuts()).toBe(1);
  expect(await store.optOutRemovals(0, 9)).toMatchObject([{ actor: 'U0RAVI', number: '+91 ••••• •5678' }]);
});

it('a saved audience needs a name that is neither empty nor too long', async () => {
  const { audience, audiences } = await taken(FILE);
  const unnamed = { ok: false, error: 'Enter a name for the audience.' };
  expect(await audiences.save(audience.id, '  ')).toEqual(unnamed);
  expect(await audiences.save(audience.id, 'x'.repeat(81))).toMatchObject({ ok: false });
  const name = 'x'.repeat(80);
  expect(await audiences.save(audience.id, ` ${name} `)).toMatchObject({ ok: true, value: { name } });
});
