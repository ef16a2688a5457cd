import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { processorMsSince } from '../processor-time.ts';
import { upload } from '../sends/audiences/setting.ts';

const GOOD = '+919812345678';
const MEGABYTE = 1024 ** 2;
const utf16 = (content: string) => Buffer.from(content, 'utf16le');

/** What people and machines hand in for lists: nobody but those who are meant is ever taken from one. */
const REFUSED: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  'a byte order mark alone': '\uFEFF',
  'line breaks alone': '\r\n\r\n\n\r',
  'a header alone': 'phone,name',
  'a page of a failed download': '<!doctype html><html><body>502 Bad Gateway</body></html>',
  JSON: `{"phone":"${GOOD}"}`,
  XML: `<?xml version="1.0"?><list><phone>${GOOD}</phone></list>`,
  YAML: `phone: "${GOOD}"\n`,
  'a spreadsheet': Buffer.from('504b0304140008080800000000000000', 'hex'),
  'an old spreadsheet': Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex'),
  'a PDF': Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
  'a zip of a list': Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\b\0', 'latin1'), gzipSync('phone')]),
  'Latin-1': Buffer.from(`phone,name\n${GOOD},J\xf6rg\n`, 'latin1'),
  Shift_JIS: Buffer.from(`phone,name\n${GOOD},\x8a\xa1\n`, 'latin1'),
  'UTF-32': Buffer.from([0xff, 0xfe, 0, 0, ...Buffer.from('p\0\0\0h\0\0\0')]),
  'UTF-7': `+AP8-phone\n+-${GOOD}\n`,
  'half a UTF-16 character': Buffer.concat([utf16(`\uFEFFphone\n${GOOD}`), Buffer.from([0xd8])]),
  'UTF-8 broken off within a character': Buffer.from(`phone,n\n${GOOD},\xe0`, 'latin1'),
  'an overlong slash': Buffer.from(`phone,n\n${GOOD},\xc0\xaf\n`, 'latin1'),
  NUL: `phone\n${GOOD}\0\n`,
  zeros: new Uint8Array(9_000),
  'a quotation mark that nothing closes': `phone,name\n${GOOD},"Asha\n+919812345679,Bo\n`,
  'quotation marks that swallow rows': `phone,name\n${GOOD},"Asha\n+919812345679,Bo\n+919812345680,x"\n`,
  'a quotation mark in the header': `phone,"na"me\n${GOOD},Asha\n`,
  'no header': `${GOOD},Asha\n+919812345679,Bo\n`,
  'no header, full-width': '＋９１９８１２３４５６７８,Asha\n',
  'a million columns': `phone${','.repeat(900_000)}\n${GOOD}\n`,
  'one line of 50 MB': `phone\n${'9'.repeat(50 * MEGABYTE)}`,
  'one quoted cell of 2 MB': `phone,name\n${GOOD},"${'x\n'.repeat(MEGABYTE)}"\n`,
  'gzip, broken off': gzipSync(`phone\n${GOOD}\n`).subarray(0, -9),
  'gzip in gzip': gzipSync(gzipSync(`phone\n${GOOD}\n`)),
  'a gzip bomb of zeros': gzipSync(new Uint8Array(200 * MEGABYTE)),
  'a gzip bomb of rows': gzipSync(Buffer.alloc(120 * MEGABYTE, `phone\n${'\n'.repeat(1_000)}`)),
  'two columns of numbers': `a,b\n${GOOD},+919812345679\n`,
  'no column of numbers': 'name,city\nAsha,Pune\n',
};
const NOBODY = [
  ...[
    '9.19812E+11',
    '919812345678.0',
    '=+919812345678',
    '=HYPERLINK("http://x")',
    '@+919812345678',
    '0x1',
    '12',
  ],
  ...['+919812345678 / +919812345679', '+919812345678;+919812345679', '+919812345678\n+919812345679', '112'],
  ...['+919812345678 ext 5', '+919812345678x5', 'tel:+919812345678;phone-context=x', '+९1x', 'NaN'],
  ...['+91981234567', '+9198123456789', '+000919812345678', '++919812345678', '\u202e+876543218919+', '１２'],
];
/** And those who are meant, however it is written. */
const SOMEBODY: Readonly<Record<string, string | Uint8Array>> = {
  'a byte order mark': `\uFEFFphone\n${GOOD}\n`,
  'UTF-16': utf16(`\uFEFFphone\n${GOOD}\n`),
  'UTF-16, big endian': utf16(`\uFEFFphone\n${GOOD}\n`).swap16(),
  gzip: gzipSync(`phone\n${GOOD}\n`),
  'full-width digits': 'phone\n＋９１９８１２３４５６７８\n',
  'Devanagari digits': 'phone\n+९१९८१२३४५६७८\n',
  semicolons: `phone;name\n${GOOD};"a;b"\n`,
  tabs: `phone\tname\n${GOOD}\ta,b\n`,
  bars: `phone|name\n${GOOD}|a,b\n`,
  'old line breaks': `phone\r${GOOD}\r`,
  'columns of the same name': `name,name,phone\na,b,${GOOD}\n`,
  'names of objects': `__proto__,constructor,phone,toString\na,b,${GOOD},c\n`,
  'formulas beside it': `phone,=1+1\n${GOOD},"=cmd|'/c calc'!A0"\n`,
  'an apostrophe before it': `phone\n'${GOOD}\n`,
  'marks that nobody sees': `phone\n\u200e\u202a${GOOD}\u202c\u200b\n`,
  'everything twice': `phone\n${GOOD}\n${GOOD.slice(1)}\n+91 98123-45678\n`,
  'blank rows and columns': `,,phone,\n\n , ,\n,,${GOOD},\n\n`,
};

async function numbersIn(content: string | Uint8Array): Promise<readonly string[]> {
  const { result, store } = await upload(content, { size: 65_536 });
  return result.state === 'ready'
    ? (await store.rows(result.audience.id, 0, 100)).map(({ number }) => number)
    : [];
}

test('lists: nobody is read out of what is none, and whoever is meant is read', async ({ task }) => {
  const wrong: object[] = [];
  const before = process.memoryUsage.rss();
  let slowest = 0;
  let most = before;
  for (const [name, content] of Object.entries(REFUSED)) {
    const begun = process.threadCpuUsage();
    const { result, store } = await upload(content, { size: 65_536 });
    slowest = Math.max(slowest, processorMsSince(begun));
    most = Math.max(most, process.memoryUsage.rss());
    const isKept = (await store.list(10)).length > 0;
    const isSaid = result.state !== 'refused' || /Nothing was sent\.$/.test(result.what);
    const isTaken = result.state === 'ready' && result.audience.counts.valid > 0;
    if (isKept || isTaken || !isSaid) wrong.push({ name, result });
  }
  for (const cell of NOBODY) {
    const numbers = await numbersIn(`phone,name\n"${cell.replaceAll('"', '""')}",x\n`);
    if (numbers.length > 0) wrong.push({ cell, numbers });
  }
  for (const [name, content] of Object.entries(SOMEBODY)) {
    const numbers = await numbersIn(content);
    if (numbers.join() !== GOOD) wrong.push({ name, numbers });
  }
  expect(wrong).toEqual([]);
  const grown = Math.round((most - before) / MEGABYTE);
  expect(grown).toBeLessThan(400);
  const count = Object.keys(REFUSED).length + NOBODY.length;
  task.meta.figure = `${count} lists that are none and ${Object.keys(SOMEBODY).length} that are; ${Math.round(slowest)} ms at most; memory grew by ${grown} MB`;
});
