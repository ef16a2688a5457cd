import type { Readable } from 'node:stream';

/** The part of a request that is read; it is an `IncomingMessage` of Node's. */
interface Incoming extends Readable {
  readonly headers: { readonly 'content-length'?: string | undefined };
}

/** Limits the bytes of all bodies that have begun to come in and have not ended. A real one takes a few milliseconds. */
const MOST_BYTES_AT_ONCE = 32 * 1024 ** 2;

/**
 * Reads bodies of at most `mostBytes`. Anybody may begin one before it is known who they are: if many are held at the same
 * time, the oldest is broken off.
 */
export function createBodyReader(mostBytes: number, mostAtOnce = MOST_BYTES_AT_ONCE) {
  // In the order in which they began.
  const held = new Map<Incoming, number>();
  let total = 0;

  function hold(request: Incoming, bytes: number): void {
    total += bytes;
    held.set(request, (held.get(request) ?? 0) + bytes);
    for (const [oldest] of held) {
      if (total <= mostAtOnce) return;
      release(oldest);
      oldest.destroy();
    }
  }

  function release(request: Incoming): void {
    total -= held.get(request) ?? 0;
    held.delete(request);
  }

  return (request: Incoming): Promise<Buffer | 'too long' | 'broken off'> =>
    new Promise((resolve) => {
      if (request.destroyed) return resolve('broken off');
      if (Number(request.headers['content-length'] ?? 0) > mostBytes) return resolve('too long');
      const chunks: Buffer[] = [];
      let length = 0;
      const end = (read: Buffer | 'too long' | 'broken off') => {
        release(request);
        resolve(read);
      };
      const take = (chunk: Buffer) => {
        length += chunk.length;
        if (length > mostBytes) {
          // The connection stays open, so that whoever sends too much can be answered.
          request.off('data', take).pause();
          return end('too long');
        }
        chunks.push(chunk);
        hold(request, chunk.length);
      };
      request
        .on('data', take)
        .on('end', () => end(Buffer.concat(chunks, length)))
        .on('error', () => end('broken off'))
        .on('close', () => end('broken off'));
    });
}
