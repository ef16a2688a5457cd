import { createServer, type Socket } from 'node:net';

/*
 * A service that answers every POST, at once unless it is told otherwise, and never is the bottleneck: no HTTP library, one write a packet. Run
 * as a process of its own; says its port to its parent.
 */
const NO_ID = '00000000-5b6f-4c53-9a44-000000000000';
const BODY = JSON.stringify({ messageId: NO_ID, code: 200, status: 'accepted' });
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);
const ID_AT = ANSWER.indexOf(NO_ID);
/** Odd, so that every product of a counter with it is another one; near 2^32 times the golden ratio, so that they scatter. */
const SCATTERED = 0x9e3779b1;
/** How long each answer takes, in milliseconds. */
const ANSWERS_AFTER_MS = Number(process.argv[2] ?? 0);
const END_OF_HEADERS = Buffer.from('\r\n\r\n');

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  answerEach(socket);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.on('disconnect', () => process.exit(0));

let answered = 0;

/** Each request has an id of its own, as in life, and the next one stands anywhere before or after it. */
function nextAnswer(): Buffer {
  answered += 1;
  const scattered = (Math.imul(answered, SCATTERED) >>> 0).toString(16).padStart(8, '0');
  const answer = Buffer.from(ANSWER);
  answer.write(scattered, ID_AT, 'latin1');
  return answer;
}

function answerEach(socket: Socket): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (let end = requestEnd(pending); end > 0; end = requestEnd(pending)) {
      pending = pending.subarray(end);
      const answer = nextAnswer();
      if (ANSWERS_AFTER_MS > 0) setTimeout(() => socket.write(answer), ANSWERS_AFTER_MS);
      else socket.write(answer);
    }
  });
}

/** Where the first whole request ends, or 0 while it is not all there. */
function requestEnd(bytes: Buffer): number {
  const headers = bytes.indexOf(END_OF_HEADERS);
  if (headers < 0) return 0;
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headers))?.[1] ?? '0';
  const end = headers + END_OF_HEADERS.length + Number(length);
  return bytes.length >= end ? end : 0;
}
