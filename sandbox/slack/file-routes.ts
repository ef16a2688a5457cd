import type { IncomingMessage, ServerResponse } from 'node:http';
import { FILE_BYTES_MAX } from './files.ts';
import { isFromHere } from './page-api.ts';
import type { WorkspaceParts } from './parts.ts';
import { readBody, readMultipart } from './request-body.ts';

/** POST /upload/<token>: the bytes of an app's file, raw or as a multipart form with one file in it. */
export async function receiveUpload(
  parts: WorkspaceParts,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, FILE_BYTES_MAX);
  const contentType = request.headers['content-type'] ?? '';
  let bytes: Buffer | undefined = body;
  if (contentType.includes('multipart/form-data')) {
    const fields = (await readMultipart(body, contentType)) ?? {};
    bytes = Object.values(fields).find((value): value is Buffer => Buffer.isBuffer(value));
  }
  const isTaken = bytes !== undefined && parts.files.receive(token, bytes);
  response.writeHead(isTaken ? 200 : 400, { 'content-type': 'text/plain' });
  response.end(isTaken ? `OK - ${bytes?.length}` : 'error: no such upload, or not the announced length');
}

/**
 * GET /files/<id>/…: the bytes, for the app's bot token or for the page. Without either, Slack answers 200
 * with the HTML of its sign-in page: a client that trusts the status alone takes that for the file.
 */
export async function serveFile(
  parts: WorkspaceParts,
  fileId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isPage = request.headers['sec-fetch-site'] === 'same-origin' && isFromHere(request);
  if (request.headers.authorization !== `Bearer ${parts.tokens.bot}` && !isPage) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      '<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in</body></html>',
    );
    return;
  }
  const bytes = await parts.files.read(fileId);
  const file = parts.state.files.get(fileId);
  if (bytes === null || file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end('file not found');
    return;
  }
  response.writeHead(200, {
    'content-type': file.mimetype,
    'content-length': bytes.length,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}
