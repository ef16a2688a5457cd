import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ListRefusal } from './refusal.ts';

/** What is unpacked at a time, in bytes. */
const CHUNK = 64 * 1024;

/**
 * A file's bytes, without gzip where its first two bytes say that it is packed; its name may say anything. Nothing is
 * unpacked before it is asked for, so whoever counts what comes bounds what a small file can grow to. The first piece has
 * at least two bytes, which tell the encoding.
 *
 * @throws ListRefusal for a packed file that is damaged or broken off
 */
export async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = inTwos(bytes);
  try {
    const { value: start = new Uint8Array() } = await pieces.next();
    const whole = again(start, pieces);
    yield* start[0] === 0x1f && start[1] === 0x8b ? inTwos(gunzipped(whole)) : whole;
  } finally {
    await pieces.return(undefined);
  }
}

/** The same bytes; no piece but the last has fewer than two. */
async function* inTwos(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let held: Uint8Array = new Uint8Array();
  for await (const piece of bytes) {
    held = held.length === 0 ? piece : Buffer.concat([held, piece]);
    if (held.length < 2) continue;
    yield held;
    held = new Uint8Array();
  }
  if (held.length > 0) yield held;
}

async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // The callback's error is the one that reading throws.
    yield* pipeline(packed, createGunzip({ chunkSize: CHUNK }), () => {});
  } catch (error) {
    const isOfZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    if (!isOfZlib) throw error;
    throw new ListRefusal(
      'The file cannot be unpacked: it is damaged or not complete.',
      'Pack it with gzip again, and upload it again.',
    );
  }
}

/** What was read already, then the rest. */
export async function* again<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
