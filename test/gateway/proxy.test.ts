import { expect, it } from 'vitest';
import { ASHA, openGateway, SMS } from './gateways.ts';
import { startTcpServer } from './servers.ts';

const TIMEOUTS = { connectMs: 500, headersMs: 2_000, bodyMs: 300, totalMs: 5_000 };
const SERVICE = 'http://service.invalid';

/** Delivers through a proxy that answers what it is asked for with `answers` in turn; null breaks off. */
async function through(...answers: readonly (string | null)[]) {
  const received: string[] = [];
  const left = [...answers];
  const httpProxy = await startTcpServer((socket) => {
    socket.on('data', (chunk) => {
      received.push(chunk.toString('latin1').split(' ', 1)[0] ?? '');
      const answer = left.shift();
      if (answer === null) socket.destroy();
      else if (answer !== undefined) socket.write(answer);
    });
  });
  const proxy = { httpProxy, httpsProxy: '', noProxy: '' };
  const { state } = await openGateway(SERVICE, { timeouts: TIMEOUTS, proxy }).deliver(SMS, [ASHA]);
  return { state, received };
}

const OPEN = 'HTTP/1.1 200 Connection established\r\n\r\n';

it('is not sent where the proxy refuses, breaks off, or never opens the tunnel', async () => {
  const refusal = 'HTTP/1.1 403 Forbidden\r\n\r\n';
  for (const answer of [refusal, null, undefined]) {
    const { state, received } = await through(...(answer === undefined ? [] : [answer]));
    expect([state, received[0]]).toEqual(['not_sent', 'CONNECT']);
    expect(received).not.toContain('POST');
  }
});

it('may have been sent once it went into the tunnel, and goes in once', async () => {
  expect(await through(OPEN, null)).toEqual({ state: 'unknown', received: ['CONNECT', 'POST'] });
  const garbage = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n';
  expect((await through(OPEN, garbage)).received).toEqual(['CONNECT', 'POST']);
});

it('goes past the proxy where NO_PROXY names the host', async () => {
  const url = await startTcpServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')),
  );
  const proxy = { httpProxy: 'http://proxy.invalid:3128', httpsProxy: '', noProxy: '127.0.0.1' };
  expect(await openGateway(url, { proxy }).deliver(SMS, [ASHA])).toMatchObject({ state: 'accepted' });
});
