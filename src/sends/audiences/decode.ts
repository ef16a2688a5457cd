import { ListRefusal } from './refusal.ts';

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
  const zeros = [0, 0];
  for (const [index, byte] of sniffed.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
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
