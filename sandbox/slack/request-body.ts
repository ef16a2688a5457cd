import type { IncomingMessage } from 'node:http';

/** The body was larger than the route takes. */
export class BodyTooLarge extends Error {}

/** The most a Web API call may carry, in bytes: a view of 250 KB, form-encoded, with room to spare. */
const API_BODY_MAX = 4 * 1024 * 1024;

/**
 * Reads a whole body.
 *
 * @throws BodyTooLarge above `maxBytes`
 */
export async function readBody(request: IncomingMessage, maxBytes: number = API_BODY_MAX): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Arguments of a Web API call: by name, strings from forms, any JSON from JSON bodies. */
export type ApiArguments = Record<string, unknown>;

/**
 * The arguments of a Web API call, wherever the client put them: the query, a form, a multipart form, JSON.
 * Null: the body is not what its content-type says.
 */
export async function readArguments(request: IncomingMessage, url: URL): Promise<ApiArguments | null> {
  const body = await readBody(request);
  const inQuery = Object.fromEntries(url.searchParams);
  const contentType = request.headers['content-type'] ?? '';
  if (body.length === 0) return inQuery;
  if (contentType.includes('application/json')) {
    const parsed = parseObject(body.toString('utf8'));
    return parsed === null ? null : { ...inQuery, ...parsed };
  }
  if (contentType.includes('multipart/form-data')) {
    const fields = await readMultipart(body, contentType);
    return fields === null ? null : { ...inQuery, ...fields };
  }
  return { ...inQuery, ...Object.fromEntries(new URLSearchParams(body.toString('utf8'))) };
}

/** The fields of a multipart form; files as Buffers. Null: malformed. */
export async function readMultipart(
  body: Buffer,
  contentType: string,
): Promise<Record<string, string | Buffer> | null> {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData();
    const fields: Record<string, string | Buffer> = {};
    for (const [key, value] of form) {
      fields[key] = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer());
    }
    return fields;
  } catch {
    return null;
  }
}

function parseObject(text: string): ApiArguments | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ApiArguments;
  } catch {
    // Not JSON: the caller answers invalid_json.
  }
  return null;
}
