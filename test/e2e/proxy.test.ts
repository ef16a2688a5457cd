import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { UNTRUSTED_CERTIFICATE } from '../gateway/fixtures/untrusted-certificate.ts';
import { NUMBERS } from './bulk-steps.ts';
import { type E2eStack, startStack } from './stack.ts';
import { APPROVALS, ASHA, CUSTOMER, TEAM, TEAM_CONFIGURATION } from './team.ts';

/** Only through the proxy are these names somewhere. */
const OUTSIDE = 'http://outside.invalid';
const folder = mkdtempSync(join(tmpdir(), 'herald-proxy-'));
const sockets = new Set<Socket>();
const asked: string[] = [];
let refuses = false;
let proxy: Server;
let stack: E2eStack;

/** A proxy for which every name is this machine: by a tunnel, or with the whole address in the first line. */
function serve(client: Socket): void {
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  keep(client);
  client.once('data', (head: Buffer) => {
    const [method, target = ''] = head.toString('latin1').split(' ');
    asked.push(`${method} ${target}`);
    if (refuses) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const { port } = new URL(method === 'CONNECT' ? `http://${target}` : target);
    const other = connect(Number(port) || 80, '127.0.0.1');
    keep(other);
    other.on('close', () => client.end());
    client.on('close', () => other.end());
    if (method === 'CONNECT') {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    } else {
      other.write(pathOnly(head));
    }
    client.on('data', (chunk: Buffer) => other.write(pathOnly(chunk)));
    other.on('data', (chunk) => client.write(chunk));
  });
}

function pathOnly(chunk: Buffer): Buffer {
  return Buffer.from(chunk.toString('latin1').replace(/^([A-Z]+) http:\/\/[^/]+/, '$1 '), 'latin1');
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  proxy = createServer(serve);
  const url = `http://127.0.0.1:${await listen(proxy)}`;
  stack = await startStack({ mode: 'socket', env: { HTTP_PROXY: url, HTTPS_PROXY: url } });
});
afterEach(() => {
  refuses = false;
});
afterAll(async () => {
  await stack?.stop();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

const elsewhere = () => {
  const service = `${OUTSIDE}:${new URL(stack.carrier.url).port}`;
  const slack = `${OUTSIDE}:${new URL(stack.workspace.apiUrl).port}/api/`;
  return { SLACK_API_URL: slack, MESSAGING_BASE_URL: service, MESSAGING_FLASH_URL: service };
};

test('Slack, its socket and the service are reached through the proxy', async () => {
  const env = elsewhere();
  await stack.restart({ env: { ...env, ...proxies() } });
  await stack.says(ASHA, `/sms ${CUSTOMER} Hello`, /accepted by the service/);
  expect(asked).toContain(`CONNECT outside.invalid:${new URL(env.MESSAGING_BASE_URL).port}`);
  expect(asked.some((line) => line.includes('/api/auth.test'))).toBe(true);
  // The address of the socket is the workspace's own.
  expect(asked).toContain(`CONNECT ${new URL(stack.workspace.apiUrl).host}`);
});

test('what the proxy refuses was not sent, and doctor says who refused', async () => {
  const direct = {
    NO_PROXY: '127.0.0.1',
    ...proxies(),
    ...elsewhere(),
    SLACK_API_URL: stack.workspace.apiUrl,
  };
  await stack.restart({ env: direct });
  refuses = true;
  await stack.says(
    ASHA,
    `/sms ${CUSTOMER} Hello again`,
    /not sent[\s\S]*The proxy on the way to the messaging service made no connection to it/i,
  );
  const { said } = await stack.command(['doctor'], direct);
  expect(said).toContain(
    'MESSAGING_BASE_URL: The proxy on the way to the messaging service made no connection to it.',
  );
});

test('an authority of one’s own counts for the service behind a proxy as well', async () => {
  const server = createTlsServer(UNTRUSTED_CERTIFICATE);
  const address = `https://untrusted.example:${await listen(server)}`;
  const env = {
    ...proxies(),
    NO_PROXY: '127.0.0.1',
    SLACK_API_URL: stack.workspace.apiUrl,
    MESSAGING_BASE_URL: address,
    MESSAGING_FLASH_URL: address,
  };
  const refused = await stack.command(['doctor'], env);
  expect(refused.said).toContain('certificate could not be trusted');
  const file = join(folder, 'ca.pem');
  writeFileSync(file, UNTRUSTED_CERTIFICATE.cert);
  const trusted = await stack.command(['doctor'], { ...env, NODE_EXTRA_CA_CERTS: file });
  expect(trusted.said).toContain('✓ Messaging service');
  server.closeAllConnections();
  server.close();
});

describe('with media.check', () => {
  const asked: string[] = [];
  const pictures = createHttpServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`);
    if (url === '/mail.jpg') response.writeHead(200, { 'content-type': 'text/html' }).end();
    else if (url === '/down.jpg') response.writeHead(503).end();
    else response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': '2000' }).end();
  });
  const link = (name: string) =>
    `http://pictures.example.com:${(pictures.address() as AddressInfo).port}/${name}`;
  beforeAll(async () => {
    await listen(pictures);
    await stack.restart({
      config: `${TEAM_CONFIGURATION}
media: { check: true }
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }`,
      env: { ...proxies(), NO_PROXY: '127.0.0.1' },
    });
  });
  afterAll(() => void pictures.close());

  test('a link to something else is refused under its field, and a good one goes out', async () => {
    const form = await stack.person(ASHA).openForm(TEAM, '/chatapp');
    await form.chooseTemplate('festive_photo');
    form.fillAll({ to: CUSTOMER, 'header.link': link('mail.jpg') });
    const sentence = 'Image: the link leads to a web page, not to a JPG, JPEG or PNG.';
    expect(await form.submit()).toEqual({ ok: false, errors: { 'header.link': sentence } });
    expect(await form.fill('header.link', link('lamp.jpg')).submit()).toEqual({ ok: true });
    await stack.from(stack.person(ASHA)).message(/accepted by the service/);
    expect(asked).toEqual(['HEAD /mail.jpg', 'HEAD /lamp.jpg']);
  });

  test('whoever approves is warned of a link that did not answer', async () => {
    const form = await stack.person(ASHA).openForm(TEAM, '/chatapp');
    await form.chooseTemplate('festive_photo');
    await form.choose('recipients', 'numbers');
    form.fillAll({ numbers: NUMBERS.join('\n'), 'header.link': link('down.jpg') });
    await form.submit();
    await stack.review();
    await form.submit();
    const card = await stack.untilShown(APPROVALS, /Happy Diwali/);
    expect(JSON.stringify(card.blocks)).toContain('Image: Herald could not see what the link leads to.');
  });
});

function proxies() {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { HTTP_PROXY: url, HTTPS_PROXY: url };
}
