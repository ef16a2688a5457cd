import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Largest file, unpacked; a million rows with two columns besides the number have 40 to 80 MB. */
const MAX_BYTES = 100 * 1024 * 1024;
/** Longest line: a file without line breaks must not fill the memory. */
const MAX_LINE_CHARACTERS = 1024 * 1024;
/** How much is read to recognise UTF-16 without a byte order mark. */
const SNIFFED_BYTES = 1024;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * A file's text, piece by piece: UTF-8 or UTF-16, with or without byte order mark.
 *
 * @throws ListRefusal for a file that is too large, no text, in another encoding, or without line breaks
 */
export async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let total = 0;
  let sinceBreak = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > MAX_BYTES)
      throw new ListRefusal('The file is larger than 100 MB.', 'Split it into smaller files.');
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    const text = checked(decodeWith(decoder, chunk));
    sinceBreak = charactersSinceBreak(text, sinceBreak);
    if (sinceBreak > MAX_LINE_CHARACTERS) {
      throw new ListRefusal(
        'The file has a line of more than a million characters.',
        'Save it again as CSV, one row a line.',
      );
    }
    if (text !== '') yield text;
  }
  const rest = decoder === undefined ? '' : decodeWith(decoder, undefined);
  if (rest !== '') yield checked(rest);
}

function encodingOf(start: Uint8Array): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const sniffed = start.subarray(0, SNIFFED_BYTES);
  const even = sniffed.filter((byte, index) => byte === 0 && index % 2 === 0).length;
  const odd = sniffed.filter((byte, index) => byte === 0 && index % 2 === 1).length;
  // In UTF-16, nearly every second byte of Latin text is zero.
  if (odd > sniffed.length / 3 && even === 0) return 'utf-16le';
  if (even > sniffed.length / 3 && odd === 0) return 'utf-16be';
  return 'utf-8';
}

function decodeWith(decoder: TextDecoder, chunk: Uint8Array | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new ListRefusal(
      'The file is not UTF-8 text.',
      'In your spreadsheet choose “Save as”, “CSV UTF-8”, and upload that file.',
    );
  }
}

function checked(text: string): string {
  if (text.includes('\0'))
    throw new ListRefusal(
      'The file is not a text file.',
      'Upload a CSV file, not a spreadsheet or another document.',
    );
  return text;
}

function charactersSinceBreak(text: string, before: number): number {
  const last = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return last < 0 ? before + text.length : text.length - last - 1;
}

/** So many bytes are unpacked at a time. */
const CHUNK = 64 * 1024;

/**
 * A file's bytes, without gzip where its first two bytes say that it is packed; its name may say anything. Nothing is
 * unpacked before it is asked for, so whoever counts what comes bounds what a small file can grow to. The first piece has
 * at least two bytes, by which the encoding is known.
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

/** A file's lines, without line breaks of any kind. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const piece of text) {
    const whole = rest + piece;
    // A carriage return at the end may be the first half of CRLF.
    const half = whole.endsWith('\r') ? '\r' : '';
    const lines = whole
      .slice(0, whole.length - half.length)
      .replaceAll(/\r\n?/g, '\n')
      .split('\n');
    rest = `${lines.pop() ?? ''}${half}`;
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest.replace(/\r$/, '')];
}

/** Yields what was read already, then the rest. */
export async function* again<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Why a whole list is refused, in two sentences. Thrown while a file is read, and caught in service.ts. */
export class ListRefusal extends Error {
  readonly what: string;
  readonly next: string;

  constructor(what: string, next: string) {
    super(what);
    this.what = `${what} Nothing was sent.`;
    this.next = next;
  }
}
