import { createSecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { KINDS, type Message, type MessageKind } from '../../src/messages/kinds.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import { UNTRUSTED_CERTIFICATE } from '../gateway/fixtures/untrusted-certificate.ts';
import { ASHA, openGateway } from '../gateway/gateways.ts';
import { listen, startHttpServer, startTcpServer } from '../gateway/servers.ts';
import { LINKED } from '../messages/linked.ts';
import { saidOf, sample } from './how-many.ts';

const TIMEOUTS = { connectMs: 2_000, headersMs: 1_000, bodyMs: 1_000, totalMs: 2_500 };
const BODY = '{"status":"queued","messageId":"m-1"}';
const head = (length: number | string = BODY.length, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${length}\r\n\r\n`;
const WHOLE = head() + BODY;
const CHUNKS = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
/** The answer with another header. */
const withHeader = (line: string) => WHOLE.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`);
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

type State = Outcome['state'];
/** What is done to a connection at each whole request, and which outcomes are the truth then. */
interface Fault {
  readonly name: string;
  readonly states: readonly State[];
  readonly act: (socket: Socket, elsewhere: string) => void;
}

const SURE: readonly State[] = ['accepted'];
const UNSURE: readonly State[] = ['unknown'];

function says(name: string, states: readonly State[], answer: string | Buffer, end = false): Fault {
  return { name, states, act: (socket) => (end ? socket.end(answer) : socket.write(answer)) };
}

/** The answer, broken off after so many bytes: by a close, or by a reset. */
const cuts: readonly Fault[] = Array.from({ length: 12 }, (_none, part) => {
  const at = Math.floor((WHOLE.length * part) / 12);
  return [
    says(`closed after byte ${at}`, UNSURE, WHOLE.slice(0, at), true),
    {
      name: `reset after byte ${at}`,
      states: UNSURE,
      act: (socket: Socket) => {
        if (at === 0) socket.resetAndDestroy();
        else socket.write(WHOLE.slice(0, at), () => socket.resetAndDestroy());
      },
    },
  ];
}).flat();

const redirects = [301, 302, 303, 307, 308].map((status): Fault => {
  const act: Fault['act'] = (socket, elsewhere) =>
    socket.write(
      head(0, `${status} Elsewhere`).replace('content', `location: ${elsewhere}/v1/sms\r\ncontent`),
    );
  return { name: `redirect ${status} to another host`, states: UNSURE, act };
});

function drip(piece: string, before: string): Fault['act'] {
  return (socket) => {
    socket.write(before);
    const timer = setInterval(() => socket.write(piece), 30);
    socket.on('close', () => clearInterval(timer));
  };
}

const FAULTS: readonly Fault[] = [
  ...cuts,
  ...redirects,
  { name: 'silence', states: UNSURE, act: () => {} },
  { name: 'headers that drip', states: UNSURE, act: drip('x-pad: 1\r\n', 'HTTP/1.1 200 OK\r\n') },
  { name: 'a body that drips', states: UNSURE, act: drip('1\r\n \r\n', CHUNKS) },
  { name: '100 for ever', states: UNSURE, act: drip('HTTP/1.1 100 Continue\r\n\r\n', '') },
  // undici takes it for an error where nobody asked for it.
  says('100 before the answer', UNSURE, `HTTP/1.1 100 Continue\r\n\r\n${WHOLE}`),
  says('102 before the answer', SURE, `HTTP/1.1 102 Processing\r\n\r\n${WHOLE}`),
  says('103 before the answer', SURE, `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${WHOLE}`),
  says('103 and nothing more', UNSURE, 'HTTP/1.1 103 Early Hints\r\n\r\n', true),
  says('101', UNSURE, 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
  says('a bomb of gzip', SURE, Buffer.concat([Buffer.from(bombHead()), BOMB])),
  says('gzip that is none', SURE, withHeader('content-encoding: gzip')),
  says('two lengths that agree', ['accepted', 'unknown'], withHeader(`content-length: ${BODY.length}`)),
  says('two lengths', UNSURE, withHeader('content-length: 5')),
  says('a length and chunks', UNSURE, `${CHUNKS.replace('transfer', 'content-length: 3\r\ntransfer')}zz`),
  says('a length that is none', UNSURE, head('many')),
  says('a negative length', UNSURE, head(-1)),
  says('a length beyond all numbers', UNSURE, head('99999999999999999999')),
  says('a chunk of no size', UNSURE, `${CHUNKS}zz\r\n`),
  says('chunks that end early', UNSURE, `${CHUNKS}5\r\nabc`, true),
  says('HTTP/2 unasked', UNSURE, Buffer.from('\0\0\0\x04\0\0\0\0\0', 'latin1')),
  says('HTTP/0.9', UNSURE, BODY, true),
  says('HTTP/3.7', UNSURE, WHOLE.replace('1.1', '3.7')),
  says('no HTTP', UNSURE, 'SSH-2.0-OpenSSH_9.9\r\n'),
  says('zero bytes', UNSURE, Buffer.alloc(4_096)),
  says('a status of four digits', UNSURE, head(0, '2000 OK')),
  says('a status of no digits', UNSURE, head(0, 'OK')),
  says('a folded header', UNSURE, withHeader('x: a\r\n b\0')),
  says('a header without a name', UNSURE, withHeader(': x')),
  says('headers of 1 MB', UNSURE, `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1024 * 1024)}\r\n\r\n`),
  says('more than was announced', SURE, `${WHOLE}HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n`),
  says('the answer twice', SURE, WHOLE + WHOLE),
  says('10 MB', SURE, head(10 * 1024 * 1024) + ' '.repeat(10 * 1024 * 1024)),
  says('the end and a close', SURE, WHOLE, true),
  says('no length, and a close', SURE, `HTTP/1.1 200 OK\r\n\r\n${BODY}`, true),
  says('204', SURE, 'HTTP/1.1 204 No Content\r\n\r\n'),
  says('304', UNSURE, 'HTTP/1.1 304 Not Modified\r\n\r\n'),
  says('300', UNSURE, head(0, '300 Multiple Choices')),
  says('an empty 200', SURE, head(0)),
  says('500', UNSURE, head(0, '500 Internal Server Error')),
  says('502', UNSURE, head(0, '502 Bad Gateway')),
  says('503', UNSURE, head(0, '503 Service Unavailable')),
  says('504', UNSURE, head(0, '504 Gateway Timeout')),
];

function bombHead(): string {
  return `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`;
}

/** Counts whole requests on a connection by their own lengths, whatever is answered. */
function counting(socket: Socket, whole: (length: number) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n');
      const length = Number(
        /content-length: (\d+)/i.exec(bytes.subarray(0, Math.max(end, 0)).toString())?.[1],
      );
      const all = end + 4 + length;
      if (end < 0 || bytes.length < all) return;
      bytes = bytes.subarray(all);
      whole(all);
    }
  });
}

/** How many bytes a request for a message has. */
async function lengthOf(message: Message): Promise<number> {
  let length = 0;
  const url = await startTcpServer((socket) =>
    counting(socket, (all) => {
      length = all;
      socket.write(WHOLE);
    }),
  );
  await openGateway(url, { timeouts: TIMEOUTS }).deliver(message, [ASHA]);
  return length;
}

describe('a service', () => {
  test('faults: one POST a recipient, whatever comes back, and none to another host', async ({ task }) => {
    const elsewhere = await startHttpServer();
    const kinds = Object.keys(KINDS) as MessageKind[];
    const wrong: object[] = [];
    let requests = 0;
    const fails = async (kind: MessageKind, { name, states, act }: Fault) => {
      const [message] = LINKED[kind];
      let posts = 0;
      const url = await startTcpServer((socket) =>
        counting(socket, () => {
          posts += 1;
          act(socket, elsewhere.url);
        }),
      );
      const gateway = openGateway(url, { timeouts: TIMEOUTS });
      const { state } = await gateway.deliver(message as Message, [ASHA]);
      await gateway.close();
      requests += posts;
      if (posts !== 1 || !states.includes(state)) wrong.push({ kind, name, posts, state });
    };
    const all = kinds.flatMap((kind) => FAULTS.map((fault) => [kind, fault] as const));
    // By turns, so that each fault meets a kind at least.
    const ways = kinds.flatMap((kind, turn) =>
      sample(FAULTS, 3, turn).map((fault) => [kind, fault] as const),
    );
    for (let at = 0; at < ways.length; at += FAULTS.length)
      await Promise.all(ways.slice(at, at + FAULTS.length).map((way) => fails(...way)));
    expect(wrong).toEqual([]);
    expect(elsewhere.requests).toEqual([]);
    task.meta.figure = `${FAULTS.length} faults, ${kinds.length} kinds: ${requests} messages${saidOf(all)}, ${requests} POSTs, none to a second host`;
  });

  test('connections kept alive: broken after any byte of the next request', async ({ task }) => {
    const [message] = LINKED.flash;
    if (message === undefined) throw new Error('There is no flash SMS to send.');
    const length = await lengthOf(message);
    const places = Array.from({ length: 40 }, (_none, part) => 1 + Math.floor((length * part) / 40));
    const ends: Record<string, number> = {};
    for (const place of places) {
      let begun = 0;
      let isAnswered = false;
      const url = await startTcpServer((socket) =>
        socket.on('readable', () => {
          if (isAnswered) {
            if (socket.read(begun === 0 ? place : undefined) === null) return;
            begun += 1;
            if (begun === 1) socket.resetAndDestroy();
            else socket.write(WHOLE);
          } else if (socket.read(length) !== null) {
            isAnswered = true;
            socket.write(WHOLE);
          }
        }),
      );
      const gateway = openGateway(url, { timeouts: TIMEOUTS, connections: 1 });
      expect((await gateway.deliver(message, [ASHA])).state).toBe('accepted');
      const { state } = await gateway.deliver(message, [ASHA]);
      await gateway.close();
      const end = `${state}, begun ${begun} times`;
      ends[end] = (ends[end] ?? 0) + 1;
    }
    expect(ends).toEqual({ 'unknown, begun 1 times': places.length });
    task.meta.figure = `${places.length} connections broken within the second request: it is unknown, and never repeated`;
  });

  test('HTTP/2 is not spoken, even where it is offered', async ({ task }) => {
    const asked: string[][] = [];
    const server = createSecureServer({
      ...UNTRUSTED_CERTIFICATE,
      ALPNCallback: ({ protocols }) => {
        asked.push(protocols);
        return protocols.includes('h2') ? 'h2' : protocols[0];
      },
    });
    const url = await listen(server as never, 'https');
    await openGateway(url, { timeouts: TIMEOUTS }).deliver(LINKED.flash[0] as never, [ASHA]);
    expect(asked).toEqual([['http/1.1']]);
    task.meta.figure = 'in the handshake HTTP/1.1 is asked for, and nothing else';
  });
});
