import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createBodyReader } from '../../src/core/body-reader.ts';

/** A request whose body comes in as the test writes it. */
function incoming(contentLength?: string) {
  return Object.assign(new PassThrough(), { headers: { 'content-length': contentLength } });
}

describe('a body', () => {
  it('is read to its end, up to so many bytes', async () => {
    const read = createBodyReader(3);
    const request = incoming();
    request.write('ab');
    request.end('c');
    expect(await read(request)).toEqual(Buffer.from('abc'));
  });

  it('is too long once it says so, and once it is, and the connection stays to say it', async () => {
    const read = createBodyReader(3);
    expect(await read(incoming('4'))).toBe('too long');
    const request = incoming('3');
    request.write('abcd');
    expect([await read(request), request.destroyed]).toEqual(['too long', false]);
  });

  it('that breaks off is told apart', async () => {
    const request = incoming();
    const reading = createBodyReader(3)(request);
    request.destroy(new Error('reset'));
    expect(await reading).toBe('broken off');
  });

  it('is broken off where more are held than there is room for: the oldest', async () => {
    const read = createBodyReader(4, 10);
    const [first, second, third, fourth] = [incoming(), incoming(), incoming(), incoming()];
    const readings = [first, second, third].map((request) => {
      request.write('abcd');
      return read(request);
    });
    expect(await readings[0]).toBe('broken off');
    expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([true, false, false]);
    // What has ended, or was too long, takes no room.
    second.end();
    expect(await readings[1]).toEqual(Buffer.from('abcd'));
    fourth.end('abcd');
    expect(await read(fourth)).toEqual(Buffer.from('abcd'));
    third.end();
    expect(await readings[2]).toEqual(Buffer.from('abcd'));
  });
});
