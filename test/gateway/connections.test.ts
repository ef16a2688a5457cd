import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Outcome } from '../../src/sends/outcome.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { UNTRUSTED_CERTIFICATE } from './fixtures/untrusted-certificate.ts';
import { API_KEY, ASHA, openGateway, SMS } from './gateways.ts';
import { closedPort, listen, onRequests, startHttpServer, startTcpServer } from './servers.ts';

const TIMEOUTS = { connectMs: 2_000, headersMs: 300, bodyMs: 300, totalMs: 5_000 };
const CHECK =
  'Check in the service’s own records or with the recipient whether the message arrived; send it again only if it did not.';
const CLOSED_AFTER =
  'The messaging service took the request, then the connection broke before its answer was complete.';

async function deliverTo(url: string, timeouts = TIMEOUTS): Promise<Outcome> {
  return openGateway(url, { timeouts }).deliver(SMS, [ASHA]);
}

function unsure(what: string, status?: number): Outcome {
  return {
    state: 'unknown',
    failure: { what, next: CHECK, scope: 'service', ...(status !== undefined && { status }) },
  };
}

describe('when nothing left this machine', () => {
  it('a refused connection is not sent, and may be tried again', async () => {
    expect(await deliverTo(await closedPort())).toEqual({
      state: 'not_sent',
      failure: {
        what: 'The messaging service refused the connection.',
        next: 'Ask whoever runs Herald to check that the service is up and that its configured address is right, then send it again.',
        scope: 'service',
      },
      retry: { kind: 'backoff' },
    });
  });

  it('a host name that does not exist is not sent', async () => {
    const outcome = await deliverTo('http://no-such-host.invalid', { ...TIMEOUTS, connectMs: 10_000 });
    expect(outcome).toMatchObject({ state: 'not_sent', retry: { kind: 'backoff' } });
  });

  it('a certificate nobody vouches for is not sent and never tried again', async () => {
    const server = createTlsServer(UNTRUSTED_CERTIFICATE, () => {
      throw new Error('no request may arrive');
    });
    expect(await deliverTo(await listen(server, 'https'))).toEqual({
      state: 'not_sent',
      failure: {
        what: 'The messaging service’s certificate could not be trusted, so Herald did not talk to it.',
        next: 'Ask whoever runs Herald to check the service’s address and certificate; until then every message would fail alike.',
        scope: 'send',
      },
      retry: { kind: 'never' },
    });
  });

  const TLS = 'No secure connection to the messaging service could be agreed on.';
  const LOST = 'The connection to the messaging service was lost before the request left.';
  it.each<[string, (socket: Socket) => void, string]>([
    ['answered with something else', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), TLS],
    ['that is reset', (socket) => socket.once('data', () => socket.resetAndDestroy()), LOST],
    ['that never ends', () => {}, 'The messaging service did not accept a connection in time.'],
  ])('a TLS hand-shake %s is not sent', async (_name, answer, what) => {
    const url = (await startTcpServer(answer)).replace('http:', 'https:');
    const outcome = await deliverTo(url, { ...TIMEOUTS, connectMs: 200 });
    expect(outcome).toMatchObject({ state: 'not_sent', failure: { what }, retry: { kind: 'backoff' } });
  });

  it('a request that waited too long for a connection is not sent, then or later', async () => {
    const requests: number[] = [];
    let answerFirst = () => {};
    const url = await startTcpServer((socket) =>
      onRequests(socket, (count) => {
        requests.push(count);
        answerFirst = () => socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      }),
    );
    const timeouts = { ...TIMEOUTS, headersMs: 5_000, totalMs: 5_000 };
    const gateway = openGateway(url, { connections: 1, timeouts });
    const impatient = openGateway(url, { connections: 1, timeouts: { ...timeouts, totalMs: 200 } });
    // Both are given up in one moment, or a busy machine would have the second begin when the first has ended.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const first = impatient.deliver(SMS, [ASHA]);
    await expect.poll(() => requests).toEqual([1]);
    const second = impatient.deliver(SMS, [ASHA]);
    vi.advanceTimersByTime(200);
    vi.useRealTimers();
    expect(await second).toMatchObject({
      state: 'not_sent',
      failure: { what: 'No connection to the messaging service became free in time.' },
    });
    expect(await first).toMatchObject({
      state: 'unknown',
      failure: { what: 'The messaging service took the request and did not complete an answer in time.' },
    });
    answerFirst();
    const third = gateway.deliver(SMS, [ASHA]);
    await expect.poll(() => requests).toEqual([1, 1]);
    answerFirst();
    expect(await third).toEqual({ state: 'accepted', status: 204 });
    await impatient.close();
    expect(requests).toEqual([1, 1]);
  });

  it('a request after closing is not sent', async () => {
    const server = await startHttpServer();
    const gateway = openGateway(server.url);
    await gateway.close();
    expect(await gateway.deliver(SMS, [ASHA])).toMatchObject({
      state: 'not_sent',
      failure: { what: 'Herald was stopping and did not start this request.' },
    });
    expect(server.requests).toEqual([]);
  });
});

describe('when the request may have arrived', () => {
  it('a reset at the first byte of the request is unknown', async () => {
    const url = await startTcpServer((socket) => socket.once('readable', () => socket.resetAndDestroy()));
    expect(await deliverTo(url)).toEqual(unsure(CLOSED_AFTER));
  });

  it('a reset in the middle of the answer is unknown, even after a 200', async () => {
    const url = await startTcpServer((socket) =>
      onRequests(socket, () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"code":', () =>
          socket.resetAndDestroy(),
        ),
      ),
    );
    const outcome = await deliverTo(url);
    // The reset may overtake the headers; either way nobody can be sure.
    expect([unsure(CLOSED_AFTER), unsure(CLOSED_AFTER, 200)]).toContainEqual(outcome);
  });

  const CUT = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{';
  const TOOK = 'The messaging service took the request and';
  const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
  const anyOpen = expect.objectContaining({ state: 'unknown' });
  it.each<[string, string | ((socket: Socket) => void), Outcome]>([
    ['a reset instead of an answer', (socket) => socket.resetAndDestroy(), unsure(CLOSED_AFTER)],
    ['a close instead of an answer', (socket) => socket.end(), unsure(CLOSED_AFTER)],
    ['a body shorter than announced', (socket) => socket.end(CUT), unsure(CLOSED_AFTER, 200)],
    ['no answer in time', () => {}, unsure(`${TOOK} did not answer in time.`)],
    ['an answer that stalls', CUT, unsure(`${TOOK} began an answer that it did not finish in time.`, 200)],
    ['what is not HTTP', '\0\x01 x\r\n\r\n', unsure(`${TOOK} answered with something that is not HTTP.`)],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x-pad: 1\r\n'.repeat(5_000)}`, anyOpen],
    ['a switch to another protocol', UPGRADE, anyOpen],
  ])('%s is unknown', async (_name, answer, expected) => {
    const act = typeof answer === 'string' ? (socket: Socket) => void socket.write(answer) : answer;
    const url = await startTcpServer((socket) => onRequests(socket, () => act(socket)));
    expect(await deliverTo(url)).toEqual(expected);
  });

  it('an answer that drips for ever ends at the deadline, unknown', async () => {
    const url = await startTcpServer((socket) =>
      onRequests(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const drip = setInterval(() => socket.write('1\r\n \r\n'), 50);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    expect(await deliverTo(url, { ...TIMEOUTS, totalMs: 600 })).toEqual(
      unsure('The messaging service took the request and did not complete an answer in time.', 200),
    );
  });
});

describe('answers', () => {
  it('an early hint before the answer changes nothing', async () => {
    const both = `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${'HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n'}`;
    const url = await startTcpServer((socket) => onRequests(socket, () => socket.write(both)));
    expect(await deliverTo(url)).toEqual({ state: 'accepted', status: 201 });
  });

  it.each([
    ['empty', ''],
    ['a web page', '<!doctype html><html><body>Please sign in</body></html>'],
    ['cut off', '{"status":"queued","mess'],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0xd8])],
    ['10 MB', JSON.stringify({ status: 'queued', padding: 'x'.repeat(10 * 1024 * 1024) })],
  ])('200 with a body that is %s is accepted', async (_name, body) => {
    const server = await startHttpServer(() => ({ body }));
    expect(await deliverTo(server.url)).toEqual({ state: 'accepted', status: 200 });
  });

  it('finds the id at the start of 10 MB, and goes on with a new connection', async () => {
    const body = JSON.stringify({ messageId: 'm-1', padding: 'x'.repeat(10 * 1024 * 1024) });
    const gateway = openGateway((await startHttpServer(() => ({ body }))).url, { connections: 1 });
    const taken = { state: 'accepted', status: 200, messageId: 'm-1' };
    expect(await gateway.deliver(SMS, [ASHA])).toEqual(taken);
    expect(await gateway.deliver(SMS, [ASHA])).toEqual(taken);
  });

  it('finds a failure code at the start of a body that is cut at 512 KiB', async () => {
    const body = JSON.stringify({ error: { code: 132000 }, padding: 'x'.repeat(900 * 1024) });
    const { url } = await startHttpServer(() => ({ body }));
    expect(await deliverTo(url)).toMatchObject({ state: 'rejected', failure: { code: '132000' } });
  });

  it('never follows a redirect, and so carries the key nowhere else', async () => {
    const elsewhere = await startHttpServer();
    const headers = { location: `${elsewhere.url}/v1/sms` };
    const server = await startHttpServer(() => ({ status: 307, headers }));
    expect(await deliverTo(server.url)).toEqual({
      state: 'unknown',
      failure: {
        status: 307,
        what: 'The messaging service answered 307 Temporary Redirect.',
        next:
          'Ask whoever runs Herald to correct the service’s configured address: Herald never follows a redirect. ' +
          'Check whether this message arrived before you send it again.',
        scope: 'send',
      },
    });
    expect([server.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
  });
});

describe('what is told', () => {
  it('logs one line a request, without the key, the number or the text', async () => {
    const server = await startHttpServer(() => ({ status: 401, body: `{"message":"bad key ${API_KEY}"}` }));
    const logger = createRecordingLogger();
    const ended: object[] = [];
    const gateway = openGateway(server.url, {
      logger,
      clock: { now: () => 1_000, monotonic: () => 1_000, sleep: async () => {} },
      onRequest: (request) => ended.push(request),
    });
    const outcome = await gateway.deliver(SMS, [ASHA]);
    expect(outcome).toEqual({
      state: 'rejected',
      failure: {
        status: 401,
        what: 'The messaging service answered 401 Unauthorized: authentication failed or no permission for the operation.',
        explanation: 'bad key •••',
        next: 'Ask whoever runs Herald to check the messaging API key; every message would fail alike.',
        scope: 'send',
      },
    });
    // A refused key is told of besides: see refused-key.test.ts.
    const fields = { row: '9', state: 'rejected', status: 401, failure: undefined, durationMs: 0 };
    expect(logger.lines.filter(({ level }) => level === 'debug')).toEqual([
      { level: 'debug', fields, message: 'messaging request ended' },
    ]);
    expect(ended).toEqual([{ row: '9', state: 'rejected', durationMs: 0, keyRefused: true }]);
  });

  const KEY = 'MESSAGING_API_KEY is empty or holds a blank, a line break or a letter beyond ASCII.';
  const ADDRESS = 'must be an address that begins with https:// or http://.';
  const PARTS = 'must be scheme, host, port and path only, without user, query or fragment.';
  it.each([
    ['an empty key', { apiKey: '' }, KEY],
    ['a key of two lines', { apiKey: 'k-1\r\nx: y' }, KEY],
    ['no address', { baseUrl: 'api.example' }, `MESSAGING_BASE_URL ${ADDRESS}`],
    ['a query', { flashUrl: 'https://api.example/?key=1' }, `MESSAGING_FLASH_URL ${PARTS}`],
    ['a password', { baseUrl: 'https://me:secret@api.example' }, `MESSAGING_BASE_URL ${PARTS}`],
  ])('refuses to start with %s', (_name, options, message) => {
    expect(() => openGateway('http://127.0.0.1:1', options)).toThrow(new Error(message));
  });
});
