import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly raw: string };

/** More than any documented request needs: a hundred recipients and a long text. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** Reads a body and parses it as JSON; `ok` is false for anything else, and for more than a mebibyte. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) return { ok: false, raw: `(more than ${BODY_LIMIT_BYTES} bytes)` };
    chunks.push(chunk);
  }
  const raw = Buffer.concat(chunks).toString('utf8');
  try {
    return { ok: true, value: JSON.parse(raw) };
  } catch {
    return { ok: false, raw };
  }
}
