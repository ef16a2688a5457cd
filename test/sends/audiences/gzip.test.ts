import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { setting, taken, upload } from './setting.ts';

const FILE = 'phone,name\n+919812345678,Asha\n+919812345679,Kiran\nnone,Mei\n';

describe('a list packed with gzip', () => {
  it.each([1, 7, 4_096])('is read as if it were not, in pieces of %i', async (size) => {
    const packed = await taken(gzipSync(FILE), { size });
    const plain = await taken(FILE);
    expect(packed.rows).toEqual(plain.rows);
    expect(packed.audience.counts).toEqual({ read: 3, valid: 2, duplicate: 0, opted_out: 0, invalid: 1 });
    expect(packed.audience.digest).toBe(plain.audience.digest);
  });

  it.each([1, 2, 3])('of UTF-16 is read, too, in pieces of %i', async (size) => {
    const utf16 = Buffer.from(`\ufeff${FILE}`, 'utf16le');
    expect((await taken(gzipSync(utf16), { size })).rows).toEqual((await taken(FILE)).rows);
  });

  it('may have been packed in parts that were put together', async () => {
    const [head, tail] = [FILE.slice(0, 20), FILE.slice(20)];
    const { rows } = await taken(Buffer.concat([gzipSync(head), gzipSync(tail)]));
    expect(rows.map(({ values }) => values)).toEqual([['Asha'], ['Kiran']]);
  });

  it.each<[string, Buffer]>([
    ['broken off', gzipSync(FILE).subarray(0, -12)],
    ['changed on the way', Buffer.concat([gzipSync(FILE).subarray(0, -8), Buffer.alloc(8)])],
    ['nothing but the first bytes', Buffer.from([0x1f, 0x8b])],
  ])('%s is refused, and none of it is kept', async (_, content) => {
    const { result, store } = await upload(content);
    expect(result).toEqual({
      state: 'refused',
      what: 'The file cannot be unpacked: it is damaged or not complete. Nothing was sent.',
      next: 'Pack it with gzip again, and upload it again.',
    });
    expect(await store.list(10)).toEqual([]);
  });

  it('that unpacks to more than a list may have is refused there, and the rest of it is not fetched', async () => {
    const { audiences } = setting();
    const row = `+919812345678,${'x'.repeat(1_000)}\n`;
    const megabyte = gzipSync(row.repeat(1_000), { level: 1 });
    let [fetched, closed] = [0, false];
    async function* withoutEnd() {
      try {
        yield gzipSync('phone,name\n');
        for (; ; fetched += 1) yield megabyte;
      } finally {
        closed = true;
      }
    }
    const result = await audiences.fromFile({ name: 'bomb.csv.gz', bytes: withoutEnd(), by: 'U0ASHA' });
    expect(result).toMatchObject({ state: 'refused', what: expect.stringContaining('larger than 100 MB.') });
    expect(fetched).toBeLessThan(200);
    expect(closed).toBe(true);
  });
});
